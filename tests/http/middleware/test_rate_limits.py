"""The rate-limit middleware, in front of an app that answers everything."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.http.http_server import get, http_server, lower, patiently
from tests.storage.redis_server import RedisServer
from wellsourced.http.middleware.rate_limits import (
    AddressRateLimitMiddleware,
    TenantRateLimitMiddleware,
    subscriber_address,
)
from wellsourced.http.request_context import RequestContext, attach_context
from wellsourced.identity import Identity
from wellsourced.settings import Settings
from wellsourced.settings.variables import VARIABLES
from wellsourced.storage.limits.rate_limits import LocalRateLimiter

START = 1_800_000_000.0


async def answers_everything(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


class LimitedApp:
    """Both layers, in their order, under a clock of the test's own."""

    def __init__(self, **settings: str) -> None:
        self.now = START
        read = Settings(settings, VARIABLES)
        limiter = LocalRateLimiter(clock=lambda: self.now)
        self._app: ASGIApp = AddressRateLimitMiddleware(
            TenantRateLimitMiddleware(answers_everything, limiter, read), limiter, read
        )

    def send(
        self, tools: Iterable[str] = (), tenant: str = "t", address: str = "192.0.2.1"
    ) -> tuple[int, Mapping[str, str], Any]:
        return asyncio.run(self._send(RequestContext("id", address, tuple(tools), Identity(tenant))))

    async def _send(self, context: RequestContext) -> tuple[int, Mapping[str, str], Any]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        scope: Scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}
        attach_context(scope, context)
        await self._app(scope, receive, send)
        headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], headers, json.loads(sent[1]["body"])

    def statuses(self, number: int, **context: Any) -> list[int]:
        return [self.send(**context)[0] for _ in range(number)]


@pytest.mark.parametrize(
    ("variable", "other", "unit"),
    [
        ("RATE_LIMIT_PER_IP", {"address": "192.0.2.2"}, "a minute"),
        ("RATE_LIMIT_PER_TENANT", {"tenant": "another"}, "a minute"),
        ("DAILY_QUOTA_PER_TENANT", {"tenant": "another"}, "a day"),
        ("RATE_LIMIT_GLOBAL", None, "a second"),
    ],
)
def test_each_limit_refuses_in_words_and_lets_through_after_the_time_it_names(
    variable: str, other: dict[str, str] | None, unit: str
) -> None:
    app = LimitedApp(**{variable: "3"})
    assert app.statuses(3, tools=["search"]) == [200] * 3
    status, headers, body = app.send(["search"])
    assert status == 429
    assert body["error"] == "rate_limited"
    assert body["limit"] == variable
    assert f"3 calls {unit}" in body["error_description"] or f"3 requests {unit}" in body["error_description"]
    assert variable in body["error_description"]
    wait = int(headers["retry-after"])
    assert wait == body["retryAfterSeconds"]
    if other is not None:
        assert app.send(["search"], **other)[0] == 200, "others are not meant"
    refused_at = app.now
    app.now = refused_at + max(0, wait - 1.1)
    assert app.send(["search"])[0] == 429, "sooner is too soon"
    app.now = refused_at + wait
    assert app.send(["search"])[0] == 200


def test_only_tool_calls_count_for_the_tenant_and_every_one_of_a_batch_does() -> None:
    app = LimitedApp(RATE_LIMIT_PER_TENANT="4", RATE_LIMIT_GLOBAL="0", DAILY_QUOTA_PER_TENANT="6")
    assert app.statuses(20) == [200] * 20
    assert app.send(["search"] * 3)[0] == 200
    status, headers, body = app.send(["search", "fetch"])
    assert (status, headers["retry-after"]) == (429, "15"), "one of the two is left"
    assert app.send(["search"])[0] == 200
    status, headers, body = app.send(["search"] * 5)
    assert status == 429
    assert "retry-after" not in headers, "no waiting would help"
    assert "fewer" in body["error_description"]
    app.now += 60
    assert app.send(["search"] * 2)[0] == 200
    status, headers, body = app.send(["search"])
    assert body["limit"] == "DAILY_QUOTA_PER_TENANT"
    app.now += int(headers["retry-after"])
    assert app.send(["search"])[0] == 200


def test_nothing_is_limited_by_zero() -> None:
    app = LimitedApp(
        RATE_LIMIT_PER_TENANT="0", RATE_LIMIT_GLOBAL="0", DAILY_QUOTA_PER_TENANT="0", RATE_LIMIT_PER_IP="0"
    )
    assert set(app.statuses(500, tools=["search"] * 50)) == {200}


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:DB8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::1", "::1", True),
        ("", "192.0.2.1", False),
        ("junk:", "junk:junk", False),
    ],
)
def test_who_counts_as_one_address(one: str, other: str, is_same: bool) -> None:
    assert (subscriber_address(one) == subscriber_address(other)) is is_same


def test_two_server_processes_keep_one_limit_and_health_is_never_refused(
    quiet_environment: dict[str, str], tmp_path: Path
) -> None:
    """Through the real server: batches count by their calls, and whoever waits for Retry-After gets through."""
    settings = {"RATE_LIMIT_PER_TENANT": "60", "RATE_LIMIT_PER_IP": "20", "CACHE_ENCRYPTION_KEY": "ab" * 32}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "absent", "arguments": {}}}
    with RedisServer(tmp_path) as redis:
        environments = [
            {**quiet_environment, **settings, "REDIS_URL": redis.url, "CACHE_DIR": str(tmp_path / name)}
            for name in "ab"
        ]
        with http_server(environments[0], patiently) as one, http_server(environments[1], patiently) as other:
            batches = [post(address, [call] * 20) for address in (one, other, one, other)]
            assert [status == 429 for status, _ in batches] == [False, False, False, True]
            wait = int(batches[3][1]["retry-after"])
            assert 1 <= wait <= 20, "twenty calls of sixty a minute, less the time since"
            status, headers = post(other, call)
            time.sleep(int(headers["retry-after"]) if status == 429 else 1)
            assert post(one, call)[0] != 429
            by_address = [get(f"{one}/absent")[0] for _ in range(30)]
            assert by_address[0] == 404
            assert by_address.count(429) >= 2
            assert 429 in [get(f"{other}/absent")[0] for _ in range(3)]
            assert {get(f"{one}/health/live")[0] for _ in range(5)} == {200}


def post(address: str, message: Any) -> tuple[int, Mapping[str, str]]:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-03-26",
    }
    request = urllib.request.Request(f"{address}/mcp", json.dumps(message).encode(), headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as reply:
            return reply.status, lower(reply.headers.items())
    except urllib.error.HTTPError as refused:
        return refused.code, lower(refused.headers.items())
