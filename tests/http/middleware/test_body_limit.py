"""The body reader: what is counted as a call, and what the app sees of a body and of a caller who hangs up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from wellsourced.http.middleware.body_limit import BodyLimitMiddleware, called_tools
from wellsourced.http.request_context import RequestContext, attach_context, request_context
from wellsourced.settings import Settings

CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"web_search"}}'


@pytest.mark.parametrize(
    ("body", "tools"),
    [
        (CALL.encode(), ("web_search",)),
        (f"[{CALL},{CALL}]".encode(), ("web_search", "web_search")),
        (CALL.replace("/", r"\/").encode(), ("web_search",)),
        (CALL.replace("tools", r"\u0074ools").encode(), ("web_search",)),
        (CALL.encode("utf-16"), ("web_search",)),
        (CALL.replace('"id":1', '"id":' + "9" * 5000).encode(), ("web_search",)),
        (CALL.replace('"id":1', '"id":NaN').encode(), ("web_search",)),
        (CALL.replace("web_search", "検索").encode(), ("検索",)),
        (CALL.replace('"web_search"', "7").encode(), ()),
        (CALL.replace('{"name":"web_search"}', '["web_search"]').encode(), ()),
        (b'{"method":"tools/list"}', ()),
        (CALL[:-1].encode(), ()),
        (b"tools/call" + b"[" * 200_000, ()),
        (b"\xff\xfetools/call", ()),
        (b"", ()),
    ],
)
def test_the_calls_of_a_body(body: bytes, tools: tuple[str, ...]) -> None:
    assert called_tools(body) == tools


METHODS = st.sampled_from(["tools/call", "tools/list", "ping"])
JUNK = st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5)


@given(st.lists(st.tuples(METHODS, st.text(), JUNK)), st.booleans())
def test_every_call_of_a_batch_is_counted_however_it_is_written(sent: list[Any], ascii_only: bool) -> None:
    messages = [{"method": method, "x": junk, "params": {"name": name}} for method, name, junk in sent]
    body = json.dumps(messages, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert called_tools(body) == tuple(name for method, name, _ in sent if method == "tools/call")


def visited(parts: Sequence[Message], environment: dict[str, str], **changes: Any) -> tuple[list[Any], Scope, int]:
    """What the app received, the scope, and the status of the answer (0: none)."""
    seen: list[Any] = []
    statuses: list[int] = []
    left = list(parts)
    scope: Scope = {"type": "http", "method": "POST", "path": "/mcp/", "headers": [], **changes}
    attach_context(scope, RequestContext("id", "127.0.0.1"))

    async def receive() -> Message:
        return left.pop(0) if left else await asyncio.Future()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(await receive())
        seen.append(await receive())

    asyncio.run(BodyLimitMiddleware(app, Settings(environment))(scope, receive, send))
    return seen, scope, statuses[0] if statuses else 0


def part(body: bytes, more: bool = False) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


GONE: Message = {"type": "http.disconnect"}


def test_the_app_gets_the_body_once_and_whole_and_sees_the_caller_go() -> None:
    half = len(CALL) // 2
    seen, scope, _ = visited([part(CALL[:half].encode(), True), part(CALL[half:].encode()), GONE], {})
    assert seen == [part(CALL.encode()), GONE]
    assert request_context(scope).tools == ("web_search",)


@pytest.mark.parametrize(
    ("parts", "environment", "headers", "status"),
    [
        ([part(b"x" * 11, True)], {"MAX_REQUEST_BODY_BYTES": "10"}, [], 413),
        ([], {"MAX_REQUEST_BODY_BYTES": "10"}, [(b"content-length", b"9" * 6000)], 413),
        ([part(b"x", True)], {"HTTP_READ_TIMEOUT": "20ms"}, [], 408),
        ([part(b"x", True), GONE], {}, [], 0),
    ],
)
def test_an_incomplete_body_never_reaches_the_app(
    parts: list[Message], environment: dict[str, str], headers: list[Any], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wellsourced.http.middleware.body_limit.DISCARD_SECONDS", 0.01)
    seen, _, answered = visited(parts, environment, headers=headers)
    assert (seen, answered) == ([], status)


def test_all_bodies_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wellsourced.http.middleware.body_limit.MOST_HELD_BYTES", 0)
    monkeypatch.setattr("wellsourced.http.middleware.body_limit.BODIES_AT_LEAST", 2)
    reached, statuses, release = [], [], asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope)
        await release.wait()

    async def run() -> None:
        middleware = BodyLimitMiddleware(app, Settings({"MAX_REQUEST_BODY_BYTES": "10"}))

        async def ask() -> None:
            scope: Scope = {"type": "http", "method": "POST", "path": "/", "headers": []}

            async def receive() -> Message:
                return part(b"x" * 9)

            async def send(message: Message) -> None:
                statuses.append(message.get("status"))

            await middleware(scope, receive, send)

        first = [asyncio.create_task(ask()) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert (len(reached), statuses[:1]) == (2, [503])
        release.set()
        await asyncio.gather(*first)
        await ask()
        assert len(reached) == 3

    asyncio.run(run())
