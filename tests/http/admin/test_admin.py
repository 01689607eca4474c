"""Administration of the real process, with Redis behind it and with a file."""

from __future__ import annotations

import asyncio
import json
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.app import with_app
from tests.http.http_server import http_server
from tests.storage.redis_server import RedisServer
from wellsourced.app import Application
from wellsourced.http.admin.routes import admin_routes
from wellsourced.http.middleware.admin_key_guesses import MOST_ADDRESSES, WrongKeys
from wellsourced.storage.audit.verify import verify_audit_log
from wellsourced.storage.sealer import Sealer

ADA = {"tenant_id": "Άκμη", "user_id": "ada@例え"}
KEY, OLD_KEY = "ключ-оператора-2026", "the-key-before-it"


class Admin:
    def __init__(self, address: str, key: str = KEY) -> None:
        self._address = address
        self._key = key

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, Any]]:
        status, _, answer = self.raw(method, path, body, **headers)
        return status, json.loads(answer)

    def raw(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        sent = {"X-Admin-Key": self._key.encode().decode("latin-1"), "X-Request-Id": "admin_request-1", **headers}
        request = urllib.request.Request(
            self._address + path, data, {k: v for k, v in sent.items() if v}, method=method
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as reply:
                return reply.status, dict(reply.headers), reply.read()
        except urllib.error.HTTPError as refused:
            return refused.code, dict(refused.headers), refused.read()


async def call(address: str, tool: str, **arguments: Any) -> None:
    async with Client(address + "/mcp", mode="2026-07-28") as client:
        answer = await client.call_tool(tool, arguments)
        assert not answer.is_error, answer.content


def begin_session(address: str) -> None:
    asyncio.run(call(address, "sequential_search", searchStep="A step", stepNumber=1, nextStepNeeded=True))


@pytest.fixture
def settings(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    return {
        **environment,
        "ADMIN_API_KEY": KEY,
        "ADMIN_API_KEY_PREV": OLD_KEY,
        "CACHE_ENCRYPTION_KEY": secrets.token_hex(32),
        "AUDIT_OUTPUT_PATH": str(tmp_path / "audit.jsonl"),
    }


def events(settings: Mapping[str, str]) -> list[dict[str, Any]]:
    log = Path(settings["AUDIT_OUTPUT_PATH"])
    assert verify_audit_log(log, Sealer(bytes.fromhex(settings["CACHE_ENCRYPTION_KEY"]))).is_whole
    return [json.loads(line) for line in log.read_text().splitlines()]


def run_errands(address: str) -> None:
    """One of each kind, in the order in which they are to be found in the audit log."""
    admin, query = Admin(address), "?" + urllib.parse.urlencode(ADA)
    begin_session(address)
    assert admin("DELETE", "/admin/sessions?tenant_id=elsewhere")[1]["deleted"] == 0
    assert admin("DELETE", "/admin/sessions?tenant_id=default")[1] == {"deleted": 1, "tenantId": "default"}
    begin_session(address)
    assert admin("DELETE", "/admin/sessions") == (200, {"deleted": 1})
    assert admin("DELETE", "/admin/sessions") == (200, {"deleted": 0})

    asyncio.run(call(address, "web_search", query="coral bleaching"))
    held = admin("GET", "/admin/cache")[1]
    assert held["memory"]["entries"] > 0 and held["memory"]["bytes"] > 0
    assert admin("DELETE", "/admin/cache") == (200, {"cleared": True})
    held = admin("GET", "/admin/cache")[1]
    assert (held["memory"]["entries"], held["store"]["entries"]) == (0, 0)

    asked = query + "&purpose=memory"
    assert admin("GET", "/admin/consent" + asked) == (404, {"found": False})
    consent = {**ADA, "purpose": "memory", "granted": True, "terms_version": "v1"}
    assert admin("POST", "/admin/consent", consent)[1]["granted"] is True
    status, found = admin("GET", "/admin/consent" + asked)
    assert (status, found["found"], found["userId"], found["termsVersion"]) == (200, True, ADA["user_id"], "v1")

    member = {**ADA, "workspace_id": "labor"}
    assert admin("POST", "/admin/workspace/members", member)[1]["workspaceId"] == "labor"
    exported = admin("GET", "/admin/data" + query)[1]
    assert exported["tenantId"] == ADA["tenant_id"]
    assert exported["namespaces"]["consent"][0]["purpose"] == "memory"
    assert len(exported["namespaces"]["workspace"]) == 1
    assert admin("DELETE", "/admin/workspace/members", member) == (200, {"removed": True})
    assert admin("DELETE", "/admin/workspace/members" + query + "&workspace_id=labor")[0] == 404
    assert admin("POST", "/admin/consent", {**consent, "granted": False})[0] == 200
    assert admin("DELETE", "/admin/data" + query)[1]["deleted"]["consent"] == 1
    assert admin("GET", "/admin/consent" + asked) == (404, {"found": False})
    assert Admin(address, OLD_KEY)("GET", "/admin/cache")[0] == 200


AUDITED = [
    *["admin.sessions.clear"] * 4, "admin.cache.clear", "consent.grant", "workspace.member.add", "data.export",
    "workspace.member.remove", "workspace.member.remove", "consent.withdraw", "data.erasure",
    "auth.admin_key_prev_used",
]  # fmt: skip


def test_every_errand_is_done_in_redis_too_and_audited_and_told_where_redis_is_away(
    settings: dict[str, str], tmp_path: Path
) -> None:
    with RedisServer(tmp_path) as redis, http_server({**settings, "REDIS_URL": redis.url}) as address:
        run_errands(address)
        status, counted = Admin(address)("GET", "/admin/analytics")
        (tenant,) = counted["tenants"]
        assert (status, tenant["tenantId"], tenant["totalCalls"], tenant["errorRate"]) == (200, "default", 3, 0)
        redis.kill()
        for path in ("/admin/cache", "/admin/sessions", "/admin/data?tenant_id=a"):
            status, _, body = Admin(address).raw("DELETE", path)
            assert status == 503, (path, body)
            assert b"Redis" in body
    recorded = [event for event in events(settings) if event["event_type"] != "tool_call"]
    assert [event["event_type"] for event in recorded] == [*AUDITED, "admin.failure", "admin.failure", "data.erasure"]
    assert [event["success"] for event in recorded[-3:]] == [False] * 3
    assert {(event["source_ip"], event["request_id"]) for event in recorded} == {("127.0.0.1", "admin_request-1")}
    assert {(event["tenant_id"], event["user_id"]) for event in recorded[5:12]} == {tuple(ADA.values())}
    calls = [event for event in events(settings) if event["event_type"] == "tool_call"]
    assert {event["source_ip"] for event in calls} == {"127.0.0.1"}
    assert [bool(event.get("session_id")) for event in calls] == [True, True, False]


SOMEBODY, NOBODY = {"tenant_id": "a", "user_id": "u"}, {"tenant_id": "a", "user_id": "anonymous"}
WRONG: list[tuple[str, str, Any, str]] = [
    ("GET", "/admin/data", None, "tenant_id is required"),
    ("DELETE", "/admin/data?user_id=ada", None, "tenant_id is required"),
    ("DELETE", "/admin/data?tenant_id=a&user_id=", None, "user_id is required"),
    ("DELETE", "/admin/data?tenant_id=a&tenant_id=b", None, "twice"),
    ("DELETE", "/admin/data?tenant_id=a&userid=ada", None, "'userid' is not understood here; this takes tenant_id"),
    ("DELETE", "/admin/data?tenant_id=a", SOMEBODY, "A body is not read here"),
    ("DELETE", "/admin/sessions?tenant=a", None, "'tenant' is not understood"),
    ("DELETE", "/admin/sessions", SOMEBODY, "A body is not read here"),
    ("POST", "/admin/consent", {**SOMEBODY, "purpose": "memory", "granted": True, "terms": "v2"}, "'terms' is not"),
    ("DELETE", "/admin/data?tenant_id=" + "a" * 257, None, "1 to 256"),
    ("DELETE", "/admin/data?tenant_id=%00", None, "1 to 256"),
    ("DELETE", "/admin/sessions?tenant_id=", None, "tenant_id is required"),
    ("POST", "/admin/consent", b"{", "JSON object"),
    ("POST", "/admin/consent", b"\xff", "JSON object"),
    ("POST", "/admin/consent", b"[" * 60_000, "JSON object"),
    ("POST", "/admin/consent", [], "JSON object"),
    ("POST", "/admin/consent", b"{" + b" " * 70_000 + b"}", "70002 bytes"),
    ("POST", "/admin/consent", {"tenant_id": "a", "user_id": 7}, "user_id must be a string"),
    ("POST", "/admin/consent", {**SOMEBODY, "purpose": "spying", "granted": True}, "unknown purpose"),
    ("POST", "/admin/consent", {**SOMEBODY, "purpose": "memory"}, "true or false"),
    ("POST", "/admin/consent", {**NOBODY, "purpose": "memory", "granted": True}, "anonymous"),
    ("GET", "/admin/consent?tenant_id=a&user_id=u&purpose=x", None, "unknown purpose"),
    ("POST", "/admin/workspace/members", SOMEBODY, "workspace_id is required"),
    ("DELETE", "/admin/workspace/members", None, "JSON object"),
]  # fmt: skip


def test_every_errand_is_done_in_the_file_and_what_is_wrong_is_said_and_guessing_is_ended(
    settings: dict[str, str],
) -> None:
    settings = {**settings, "TRUST_PROXY": "true", "METRICS_ENABLED": "false", "ANONYMOUS_CALLERS": "one"}
    with http_server(settings) as address:
        run_errands(address)
        admin = Admin(address)
        for method, path, body, sentence in WRONG:
            status, answer = admin(method, path, body)
            assert (status, answer["error"]) == (400, "invalid_request"), (method, path)
            assert sentence in answer["error_description"], answer
        assert admin("GET", "/admin/analytics")[0] == 503
        assert admin.raw("PUT", "/admin/cache")[0] == 405

        stranger = {"X-Forwarded-For": "203.0.113.9"}
        guesses = {
            "": "/admin/cache",
            "x": "/admin/cache",
            KEY[:-1]: "/metrics",
            "y": "/api/about",
            "z": "/api/call",
        }
        tries = [Admin(address, guess).raw("GET", path, **stranger) for guess, path in guesses.items()]
        assert [status for status, *_ in tries] == [401] * 4 + [405]
        assert b"X-Admin-Key" in tries[0][2]
        for path in ("/admin/cache", "/metrics", "/api/about"):
            status, headers, _ = admin.raw("GET", path, **stranger)
            assert (path, status) == (path, 429), "not even the right key, or guessing would go on"
            assert 0 < int(headers["retry-after"]) <= 60
        assert admin("DELETE", "/admin/cache")[0] == 200, "other addresses are not concerned"
    recorded = [event for event in events(settings) if event["event_type"] != "tool_call"]
    assert [event["event_type"] for event in recorded[: len(AUDITED)]] == AUDITED
    failures = [event for event in recorded if event["event_type"] == "auth.failure"]
    assert [event["error_code"] for event in failures] == ["admin_key_missing", *["admin_key_invalid"] * 4]
    assert [event["metadata"]["path"] for event in failures] == list(guesses.values())
    assert {event["source_ip"] for event in failures} == {"203.0.113.9"}


def test_without_a_key_there_is_no_administration(settings: dict[str, str]) -> None:
    async def routes(app: Application) -> list[Any]:
        return list(admin_routes(app))

    assert with_app(settings, routes)
    assert with_app({**settings, "ADMIN_API_KEY": ""}, routes) == []


def test_the_memory_of_wrong_keys_is_bounded_and_fades() -> None:
    now = [0.0]
    wrong = WrongKeys(lambda: now[0])
    for number in range(MOST_ADDRESSES + 10):
        wrong.add(str(number))
    for _ in range(5):
        wrong.add("guesser")
        now[0] += 1
    assert wrong.wait("guesser") == 55
    assert wrong.wait("0") == 0
    assert len(wrong._guesses) == MOST_ADDRESSES
    now[0] += 56
    assert wrong.wait("guesser") == 0
