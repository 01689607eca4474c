"""How many MCP sessions one caller may have open: with one more, the one used longest ago ends, and its client begins
anew by itself. All callers share a limit of the SDK's, so a client that opens session after session would otherwise
keep everybody out until they time out.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.middleware.normalise import is_mcp
from wellsourced.http.middleware.rate_limits import subscriber
from wellsourced.http.request_context import visit_of

Ids: TypeAlias = OrderedDict[bytes, None]

HEADER = b"mcp-session-id"
MOST_OF_ONE = 500
MOST_CALLERS = 2000


class SessionLimit:
    """Callers are known by their token, else by their address. Those seen longest ago are no longer counted."""

    def __init__(self, app: ASGIApp, most: int = MOST_OF_ONE) -> None:
        self._app = app
        self._most = most
        self._open: OrderedDict[str, Ids] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_mcp(scope):
            await self._app(scope, receive, send)
            return
        ids = self._ids_of(caller(scope))
        used = session_id(scope["headers"])
        if used is not None:
            if used in ids:
                ids.move_to_end(used)
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, noting(send, ids))
        while len(ids) > self._most:
            await self._end(scope, ids.popitem(last=False)[0])

    def _ids_of(self, caller: str) -> Ids:
        ids = self._open.setdefault(caller, OrderedDict())
        self._open.move_to_end(caller)
        if len(self._open) > MOST_CALLERS:
            self._open.popitem(last=False)
        return ids

    async def _end(self, scope: Scope, id: bytes) -> None:
        """As the caller itself would end it."""
        host = [pair for pair in scope["headers"] if pair[0] == b"host"]

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            """Nobody waits for the answer."""

        await self._app({**scope, "method": "DELETE", "headers": [*host, (HEADER, id)]}, receive, send)


def caller(scope: Scope) -> str:
    visit = visit_of(scope)
    return subscriber(visit.address) if visit.identity.is_anonymous else visit.identity.owner


def session_id(headers: list[tuple[bytes, bytes]]) -> bytes | None:
    return next((value for name, value in headers if name == HEADER), None)


def noting(send: Send, ids: Ids) -> Send:
    """`send` that adds the session an answer opens."""

    async def noted(message: Message) -> None:
        is_opened = message["type"] == "http.response.start" and message["status"] < 400
        if is_opened and (opened := session_id(message.get("headers", []))):
            ids[opened] = None
        await send(message)

    return noted
