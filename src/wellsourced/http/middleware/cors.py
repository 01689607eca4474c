"""Which pages elsewhere may call (fetch.spec.whatwg.org, CORS protocol). There are no cookies, so credentials are
never allowed; a bearer token travels in a header that is."""

from __future__ import annotations

from starlette.types import Scope

from wellsourced.settings import Settings
from wellsourced.text.urls import normalize_base_url

METHODS = b"GET, POST, DELETE, OPTIONS"
ALLOWED = (
    b"Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
    b"Last-Event-ID, X-Request-Id, X-Admin-Key"
)
EXPOSED = b"Mcp-Session-Id, WWW-Authenticate, Retry-After, X-Request-Id"
DAY = b"86400"
REFUSAL = "This origin may not call the server. The operator can add it to ALLOWED_ORIGINS."


def origin_problems(settings: Settings) -> list[str]:
    """Origins that no browser ever sends."""
    return [
        f"ALLOWED_ORIGINS: {origin!r} is no origin; write it with its scheme, such as https://app.example.org, or *."
        for origin in settings.names("ALLOWED_ORIGINS")
        if "://" not in origin and origin not in ("*", "null")
    ]


class Cors:
    def __init__(self, settings: Settings) -> None:
        listed = [normalize_base_url(origin) for origin in settings.names("ALLOWED_ORIGINS")]
        self._listed = frozenset(listed)
        self.lets_everyone = "*" in listed or not (listed or settings.flag("CORS_STRICT"))

    def allows(self, origin: str) -> bool:
        return self.lets_everyone or origin.lower() in self._listed

    def headers(self, origin: str) -> list[tuple[bytes, bytes]]:
        """For an answer to this origin; a cache must not hand one origin's answer to another."""
        vary = [] if self.lets_everyone else [(b"vary", b"Origin")]
        if not origin or not self.allows(origin):
            return vary
        who = b"*" if self.lets_everyone else origin.encode("latin-1", "replace")
        return [*vary, (b"access-control-allow-origin", who), (b"access-control-expose-headers", EXPOSED)]

    def preflight_headers(self) -> list[tuple[bytes, bytes]]:
        return [
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", ALLOWED),
            (b"access-control-max-age", DAY),
        ]


def is_preflight(scope: Scope) -> bool:
    names = {name for name, _ in scope["headers"]}
    return scope["method"] == "OPTIONS" and {b"origin", b"access-control-request-method"} <= names
