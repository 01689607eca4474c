"""Where a client that is turned away learns whom to ask for a token (RFC 9728, protected-resource metadata)."""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from wellsourced.server.about import SERVER_INFO

WELL_KNOWN = "/.well-known/oauth-protected-resource"
MCP_PATH = "/mcp"
HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Resource:
    """This server as sign-in knows it."""

    public_url: str
    issuer: str
    scopes: Sequence[str]

    def base(self, scope: MutableMapping[str, Any]) -> str:
        """The address clients know; without PUBLIC_URL, the one this request was sent to."""
        return self.public_url or own_address(scope)

    def metadata_address(self, scope: MutableMapping[str, Any]) -> str:
        return self.base(scope) + WELL_KNOWN + MCP_PATH

    def routes(self) -> list[Route]:
        return [Route(path, self._describe, methods=["GET"]) for path in (WELL_KNOWN, WELL_KNOWN + MCP_PATH)]

    async def _describe(self, request: Request) -> JSONResponse:
        described = {
            "resource": self.base(request.scope) + MCP_PATH,
            "resource_name": SERVER_INFO["title"],
            "authorization_servers": [self.issuer],
            "scopes_supported": list(self.scopes),
            "bearer_methods_supported": ["header"],
        }
        return JSONResponse(described, headers={"Cache-Control": "no-store"})


def own_address(scope: MutableMapping[str, Any]) -> str:
    """From the Host header where that is one, else from the socket: it is repeated in headers of ours."""
    said = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    if not HOST.fullmatch(said):
        host, port = scope.get("server") or ("localhost", None)
        said = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"{scope.get('scheme', 'http')}://{said}"
