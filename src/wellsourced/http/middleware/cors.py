"""Which pages elsewhere may call (fetch.spec.whatwg.org, CORS protocol): answers preflights, adds the headers.

There are no cookies, so credentials are never allowed; a bearer token travels in a header that is.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.request_context import is_mcp_request
from wellsourced.settings import Settings
from wellsourced.text.urls import normalize_base_url

REFUSAL = "This origin may not call the server. The operator can add it to ALLOWED_ORIGINS."
ALLOWED_HEADERS = (
    b"Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
    b"Last-Event-ID, X-Request-Id, X-Admin-Key, X-Client-Key"
)
EXPOSED_HEADERS = b"Mcp-Session-Id, WWW-Authenticate, Retry-After, X-Request-Id"
PREFLIGHT_HEADERS = [
    (b"access-control-allow-methods", b"GET, POST, DELETE, OPTIONS"),
    (b"access-control-allow-headers", ALLOWED_HEADERS),
    (b"access-control-max-age", b"86400"),
]


class CorsMiddleware:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        listed = [normalize_base_url(origin) for origin in settings.names("ALLOWED_ORIGINS")]
        self._listed = frozenset(listed)
        self._allows_all = "*" in listed or not (listed or settings.flag("CORS_STRICT"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if added := self._response_headers(Headers(scope=scope).get("origin", "")):
            send = adding_send(send, added)
        if is_preflight(scope):
            await self._preflight(scope)(scope, receive, send)
            return
        if self._allows_all and is_mcp_request(scope):  # the SDK's own check has no value that stands for all origins
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"origin"]}
        await self._app(scope, receive, send)

    def _is_allowed(self, origin: str) -> bool:
        return self._allows_all or origin.lower() in self._listed

    def _preflight(self, scope: Scope) -> Response:
        if not self._is_allowed(Headers(scope=scope)["origin"]):
            return PlainTextResponse(REFUSAL, 403)
        allowed = Response(status_code=204)
        allowed.raw_headers = list(PREFLIGHT_HEADERS)
        return allowed

    def _response_headers(self, origin: str) -> list[tuple[bytes, bytes]]:
        """For a response to this origin; `Vary`, since a cache must not hand one origin's response to another."""
        vary = [] if self._allows_all else [(b"vary", b"Origin")]
        if not origin or not self._is_allowed(origin):
            return vary
        allowed = b"*" if self._allows_all else origin.encode("latin-1", "replace")
        return [*vary, (b"access-control-allow-origin", allowed), (b"access-control-expose-headers", EXPOSED_HEADERS)]


def adding_send(send: Send, added: list[tuple[bytes, bytes]]) -> Send:
    """`send` that adds these headers to the response."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return send_with_headers


def is_preflight(scope: Scope) -> bool:
    return scope["method"] == "OPTIONS" and {b"origin", b"access-control-request-method"} <= {
        name for name, _ in scope["headers"]
    }


def origin_problems(settings: Settings) -> list[str]:
    """A sentence for each of ALLOWED_ORIGINS that no browser ever sends."""
    return [
        f"ALLOWED_ORIGINS: {origin!r} is no origin; write it with its scheme, such as https://app.example.org, or *."
        for origin in settings.names("ALLOWED_ORIGINS")
        if "://" not in origin and origin not in ("*", "null")
    ]
