"""Limits how many MCP sessions one caller has open: with one more, the least recently used one is ended, and its
client opens a new one by itself. All callers share the SDK's own limit, so a client that opens session after session
would otherwise keep everybody out until they time out.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.middleware.rate_limits import subscriber_address
from wellsourced.http.request_context import is_mcp_request, request_context

SessionIds: TypeAlias = OrderedDict[bytes, None]

HEADER = b"mcp-session-id"
MOST_PER_CALLER = 500
MOST_CALLERS = 2000


class SessionLimitMiddleware:
    """Callers are distinguished by their token, else by their address; the least recently seen are forgotten."""

    def __init__(self, app: ASGIApp, most: int = MOST_PER_CALLER) -> None:
        self._app = app
        self._most = most
        self._open: OrderedDict[str, SessionIds] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_mcp_request(scope):
            await self._app(scope, receive, send)
            return
        ids = self._ids_of(caller_key(scope))
        used = session_id(scope["headers"])
        if used is not None:
            if used in ids:
                ids.move_to_end(used)
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, recording_send(send, ids))
        while len(ids) > self._most:
            await self._end_session(scope, ids.popitem(last=False)[0])

    def _ids_of(self, caller: str) -> SessionIds:
        ids = self._open.setdefault(caller, OrderedDict())
        self._open.move_to_end(caller)
        if len(self._open) > MOST_CALLERS:
            self._open.popitem(last=False)
        return ids

    async def _end_session(self, scope: Scope, id: bytes) -> None:
        """Send the DELETE by which the caller itself would end it."""
        host = [pair for pair in scope["headers"] if pair[0] == b"host"]

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            """Nobody waits for the response."""

        await self._app({**scope, "method": "DELETE", "headers": [*host, (HEADER, id)]}, receive, send)


def caller_key(scope: Scope) -> str:
    context = request_context(scope)
    return subscriber_address(context.address) if context.identity.is_anonymous else context.identity.owner


def session_id(headers: list[tuple[bytes, bytes]]) -> bytes | None:
    return next((value for name, value in headers if name == HEADER), None)


def recording_send(send: Send, ids: SessionIds) -> Send:
    """`send` that adds the session a response opens to `ids`."""

    async def record_and_send(message: Message) -> None:
        is_opened = message["type"] == "http.response.start" and message["status"] < 400
        if is_opened and (opened := session_id(message.get("headers", []))):
            ids[opened] = None
        await send(message)

    return record_and_send
