"""The innermost door: what the SDK's app takes literally is brought into the one form it knows."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

MCP_PATH = "/mcp"


def is_mcp(scope: Scope) -> bool:
    return scope["path"] in (MCP_PATH, MCP_PATH + "/")


class Tidy:
    """/mcp/ is /mcp: older clients use the one, newer ones the other, and a redirect loses the body. Blanks
    around header values, which the HTTP parser leaves in place, are not part of them (RFC 9110, 5.5)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
            if is_mcp(scope):
                scope |= {"path": MCP_PATH, "raw_path": MCP_PATH.encode()}
        await self._app(scope, receive, send)
