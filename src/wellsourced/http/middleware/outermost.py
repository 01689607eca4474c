"""The outermost door: makes the visit, answers preflights, completes the headers of every answer, and turns a
mistake of ours into a sentence."""

from __future__ import annotations

import logging

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.middleware import client_address
from wellsourced.http.middleware.cors import REFUSAL, Cors, is_preflight
from wellsourced.http.middleware.normalise import is_mcp
from wellsourced.http.middleware.security_headers import HSTS, completed, security_headers
from wellsourced.http.request_context import Visit, start_visit
from wellsourced.settings import Settings
from wellsourced.text.urls import normalize_base_url

MISTAKE = "The request failed because of a mistake in Wellsourced, not in the request. Please report it."

logger = logging.getLogger(__name__)


class FrontDoor:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._cors = Cors(settings)
        self._security = security_headers(settings)
        self._trusts_proxy = settings.flag("TRUST_PROXY")
        self._is_public_https = normalize_base_url(settings.text("PUBLIC_URL")).startswith("https://")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        visit = Visit(client_address.request_id(headers), client_address.address(scope, headers, self._trusts_proxy))
        start_visit(scope, visit)
        is_https = client_address.is_https(scope, headers, self._trusts_proxy)
        scope["scheme"] = "https" if is_https else "http"
        wanted = [*self._security, (b"x-request-id", visit.request_id.encode())]
        if is_https or self._is_public_https:
            wanted.append(HSTS)
        answer = Completing(send, wanted, self._cors.headers(headers.get("origin", "")))
        await self._answer(scope, receive, answer)

    async def _answer(self, scope: Scope, receive: Receive, answer: Completing) -> None:
        if is_preflight(scope):
            await self._preflight(scope)(scope, receive, answer)
            return
        if self._cors.lets_everyone and is_mcp(scope):  # the SDK knows no origin that stands for all
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"origin"]}
        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # nothing may leave as a traceback
            logger.error("%s %s failed", scope["method"], scope["path"], exc_info=error)
            if not answer.has_started:
                await PlainTextResponse(MISTAKE, 500)(scope, receive, answer)

    def _preflight(self, scope: Scope) -> Response:
        if not self._cors.allows(Headers(scope=scope)["origin"]):
            return PlainTextResponse(REFUSAL, 403)
        allowed = Response(status_code=204)
        allowed.raw_headers = self._cors.preflight_headers()
        return allowed


class Completing:
    """`send` that adds the headers an answer lacks."""

    def __init__(self, send: Send, wanted: list[tuple[bytes, bytes]], always: list[tuple[bytes, bytes]]) -> None:
        self._send = send
        self._wanted = wanted
        self._always = always
        self.has_started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_started = True
            own = [*message.get("headers", ()), *self._always]
            message = {**message, "headers": completed(own, self._wanted)}
        await self._send(message)
