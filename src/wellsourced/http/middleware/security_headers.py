"""Adds the security headers and the request's id to every response; a header that the response has set stays."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.request_context import request_context
from wellsourced.settings import Settings
from wellsourced.text.urls import normalize_base_url

HSTS = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")


class SecurityHeadersMiddleware:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._headers = security_headers(settings)
        self._is_public_https = normalize_base_url(settings.text("PUBLIC_URL")).startswith("https://")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        wanted = [*self._headers, (b"x-request-id", request_context(scope).request_id.encode())]
        if scope["scheme"] == "https" or self._is_public_https:
            wanted.append(HSTS)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = message.get("headers", ())
                present = {name.lower() for name, _ in own}
                message = {**message, "headers": [*own, *(pair for pair in wanted if pair[0] not in present)]}
            await send(message)

        await self._app(scope, receive, send_with_headers)


def security_headers(settings: Settings) -> list[tuple[bytes, bytes]]:
    wanted = {
        b"content-security-policy": settings.text("HTTP_CSP"),
        b"referrer-policy": settings.text("HTTP_REFERRER_POLICY"),
        b"permissions-policy": settings.text("HTTP_PERMISSIONS_POLICY"),
        b"x-content-type-options": "nosniff",
        b"x-frame-options": "DENY",
        b"cache-control": "no-store",
    }
    return [(name, header_value(value)) for name, value in wanted.items()]


def header_value(text: str) -> bytes:
    """A setting as one line that HTTP can carry."""
    return " ".join(text.split()).encode("latin-1", "replace")
