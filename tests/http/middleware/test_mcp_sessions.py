"""One caller's sessions in front of the SDK's own: too many end the one used longest ago, and nobody else's."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from mcp.server.lowlevel import Server
from starlette.types import ASGIApp, Message

from wellsourced.http.middleware.mcp_sessions import SessionLimitMiddleware
from wellsourced.http.request_context import RequestContext, attach_context
from wellsourced.identity import Identity

WHO = {"name": "test", "version": "1"}
HELLO: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": WHO}


class Caller:
    def __init__(self, app: ASGIApp, context: RequestContext) -> None:
        self._app = app
        self._visit = context

    async def ask(self, method: str, session: str = "", **params: Any) -> tuple[int, str]:
        """The status, and the session that the answer names."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        headers = {"host": "127.0.0.1:80", "content-type": "application/json", "mcp-session-id": session}
        headers["accept"] = "application/json, text/event-stream"
        scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b""}
        scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items() if value]
        attach_context(scope, self._visit)
        sent: list[Message] = []
        coming = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return coming.pop() if coming else await asyncio.Event().wait()  # type: ignore[return-value]

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        return sent[0]["status"], dict(sent[0]["headers"]).get(b"mcp-session-id", b"").decode()

    async def begin(self) -> str:
        status, session = await self.ask("initialize", **HELLO)
        assert (status, bool(session)) == (200, True)
        return session

    async def lives(self, session: str) -> bool:
        return (await self.ask("ping", session))[0] == 200


def test_the_session_used_longest_ago_gives_way_to_its_owners_next() -> None:
    async def script() -> None:
        inner = Server("test").streamable_http_app(json_response=True)
        app = SessionLimitMiddleware(inner, most=2)
        ana = Caller(app, RequestContext("1", "192.0.2.1", identity=Identity("acme", "ana")))
        ben = Caller(app, RequestContext("2", "192.0.2.1", identity=Identity("acme", "ben")))
        unnamed = Caller(app, RequestContext("3", "192.0.2.1"))
        async with inner.router.lifespan_context(inner):
            others = [(ben, await ben.begin()), (unnamed, await unnamed.begin())]
            first, second = await ana.begin(), await ana.begin()
            assert await ana.lives(first)
            third = await ana.begin()
            assert [await ana.lives(session) for session in (first, second, third)] == [True, False, True]
            assert [await caller.lives(session) for caller, session in others] == [True, True]
            assert (await ana.ask("ping"))[0] == 400, "what opens no session ends none"
            assert await ana.lives(first)

    asyncio.run(script())
