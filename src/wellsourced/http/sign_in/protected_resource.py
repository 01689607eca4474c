"""Protected-resource metadata (RFC 9728): tells a client without a token which issuer to ask for one."""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from wellsourced.http.request_context import MCP_PATH
from wellsourced.mcp.server_info import SERVER_INFO

WELL_KNOWN = "/.well-known/oauth-protected-resource"
HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class ProtectedResource:
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
        """Below a path in PUBLIC_URL the proxy in front decides what arrives: what is advertised, with the path taken
        off, or what RFC 9728 (3.1) derives from the whole address."""
        below = WELL_KNOWN + urlsplit(self.public_url).path + MCP_PATH
        paths = dict.fromkeys((WELL_KNOWN, WELL_KNOWN + MCP_PATH, below))
        return [Route(path, self._describe, methods=["GET"]) for path in paths]

    async def _describe(self, request: Request) -> JSONResponse:
        metadata: dict[str, object] = {
            "resource": self.base(request.scope) + MCP_PATH,
            "resource_name": SERVER_INFO["title"],
            "authorization_servers": [self.issuer],
            "bearer_methods_supported": ["header"],
        }
        if self.scopes:  # an empty list must be left out (RFC 9728, 3.2)
            metadata["scopes_supported"] = list(self.scopes)
        return JSONResponse(metadata, headers={"Cache-Control": "no-store"})


def own_address(scope: MutableMapping[str, Any]) -> str:
    """From the Host header where it is well formed, else from the socket: it is repeated in response headers."""
    host_header = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    if not HOST.fullmatch(host_header):
        host, port = scope.get("server") or ("localhost", None)
        host_header = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"{scope.get('scheme', 'http')}://{host_header}"
