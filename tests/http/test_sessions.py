"""Sessions are opened, listened to and ended without the SDK; they have owners, an end, and the SDK where needed."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from wellsourced.app import open_app
from wellsourced.app.configuration import declared_settings
from wellsourced.http.allowed_callers import allowed_callers
from wellsourced.http.direct_calls import DirectCalls
from wellsourced.http.request_context import RequestContext, attach_context
from wellsourced.http.sessions import SESSION_IDLE_SECONDS, McpSessions
from wellsourced.identity import Identity
from wellsourced.mcp.dispatcher import Dispatcher
from wellsourced.mcp.listings import Listings
from wellsourced.settings import Settings

HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
PLAIN = {
    b"host": b"localhost:1",
    b"content-type": b"application/json",
    b"accept": b"application/json, text/event-stream",
}


class SdkStub:
    """Stands for the SDK's app: notes what it is asked, and names its own session."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bytes | None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        body = (await receive())["body"] if scope["method"] == "POST" else b"{}"
        method = json.loads(body).get("method", scope["method"])
        self.asked.append((method, headers.get(b"mcp-session-id")))
        named = [(b"mcp-session-id", b"sdk")]
        await send({"type": "http.response.start", "status": 200, "headers": named})
        await send({"type": "http.response.body", "body": b"by the SDK", "more_body": False})


class Client:
    def __init__(self, folder: str) -> None:
        app = open_app(Settings({"CACHE_DIR": folder}, declared_settings()))
        self.app, self.sdk = app, SdkStub()
        self.calls = DirectCalls(self.sdk, Dispatcher(app, Listings(app.settings)), allowed_callers(app.settings))

    async def send(
        self, method: str, message: Any = None, *, owner: str = "", **more: bytes
    ) -> tuple[int, dict[bytes, bytes], bytes]:
        headers = {**PLAIN, **{name.replace("_", "-").encode(): value for name, value in more.items()}}
        scope = {"type": "http", "path": "/mcp", "method": method, "headers": list(headers.items())}
        context = RequestContext("1", "127.0.0.1", identity=Identity(user=owner), issuer=owner, document=message)
        attach_context(scope, context)
        coming = [{"type": "http.request", "body": json.dumps(message).encode(), "more_body": False}]
        sent: list[Message] = []

        async def receive() -> Message:
            return coming.pop() if coming else await asyncio.Event().wait()  # type: ignore[return-value]

        async def send(message: Message) -> None:
            sent.append(message)

        await self.calls(scope, receive, send)
        return sent[0]["status"], dict(sent[0]["headers"]), b"".join(part["body"] for part in sent[1:])


def rpc(method: str, id: int | None = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params} | ({} if id is None else {"id": id})


async def opened(client: Client, owner: str = "") -> bytes:
    status, headers, body = await client.send("POST", rpc("initialize", **HELLO), owner=owner)
    assert (status, json.loads(body)["result"]["protocolVersion"]) == (200, "2025-06-18")
    return headers[b"mcp-session-id"]


def test_a_plain_session_never_reaches_the_sdk(tmp_path: object) -> None:
    async def run() -> None:
        client = Client(str(tmp_path))
        id = await opened(client)
        assert (await client.send("POST", rpc("notifications/initialized", None), mcp_session_id=id))[0] == 202
        assert b'"tools"' in (await client.send("POST", rpc("tools/list"), mcp_session_id=id))[2]
        listening = asyncio.create_task(client.send("GET", mcp_session_id=id))
        await asyncio.sleep(0)
        assert (await client.send("DELETE", mcp_session_id=id))[0] == 200
        assert (await asyncio.wait_for(listening, 60))[1][b"content-type"] == b"text/event-stream"
        assert not client.sdk.asked
        await client.send("POST", rpc("tools/list"), mcp_session_id=id)
        assert client.sdk.asked == [("tools/list", id)], "the SDK says that a session is unknown"
        await client.app.close()

    asyncio.run(run())


def test_what_needs_the_sdk_goes_there_under_a_session_of_its_own(tmp_path: object) -> None:
    async def run() -> None:
        client = Client(str(tmp_path))
        id = await opened(client)
        for _ in range(2):
            with_progress = rpc("tools/list", _meta={"progressToken": 1})
            _, headers, body = await client.send("POST", with_progress, mcp_session_id=id)
            assert (headers[b"mcp-session-id"], body) == (id, b"by the SDK")
        opening = [("initialize", None), ("notifications/initialized", b"sdk")]
        assert client.sdk.asked == [*opening, ("tools/list", b"sdk"), ("tools/list", b"sdk")]
        await client.send("DELETE", mcp_session_id=id)
        assert client.sdk.asked[-1] == ("DELETE", b"sdk")
        await client.app.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    "headers", [{"host": b"elsewhere.example"}, {"origin": b"https://elsewhere.example"}, {"accept": b"text/html"}]
)
def test_what_another_host_or_page_asks_for_is_left_to_the_sdk(tmp_path: object, headers: dict[str, Any]) -> None:
    async def run() -> None:
        client = Client(str(tmp_path))
        await client.send("POST", rpc("initialize", **HELLO), **headers)
        assert client.sdk.asked == [("initialize", None)]
        await client.app.close()

    asyncio.run(run())


def test_a_session_is_its_owners_alone(tmp_path: object) -> None:
    async def run() -> None:
        client = Client(str(tmp_path))
        id = await opened(client, "ada")
        assert b'"tools"' in (await client.send("POST", rpc("tools/list"), owner="ada", mcp_session_id=id))[2]
        for owner in ("", "eve"):
            for method in ("POST", "GET", "DELETE"):
                body = (await client.send(method, rpc("tools/list"), owner=owner, mcp_session_id=id))[2]
                assert body == b"by the SDK" and client.sdk.asked[-1][1] == id, "of which it knows nothing"
        assert b'"tools"' in (await client.send("POST", rpc("tools/list"), owner="ada", mcp_session_id=id))[2]
        await client.app.close()

    asyncio.run(run())


def test_an_idle_session_ends_and_makes_room_for_another() -> None:
    now = 0.0
    sessions = McpSessions(most=2, clock=lambda: now)
    first, second = sessions.open("", "1"), sessions.open("", "1")
    assert first and second and sessions.open("", "1") is None
    with sessions.held(first):
        now = SESSION_IDLE_SECONDS + 1.0
        assert sessions.find(first.id, "") is first and sessions.find(second.id, "") is None
        assert sessions.open("", "1")
    now *= 3
    assert sessions.find(first.id, "") is None and first.over.is_set()
