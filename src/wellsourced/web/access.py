"""Who may use the workbench: only pages of this very server, under one of its names, and where sign-in or an admin
key is configured only somebody who is signed in or sends the key.

A browser sends requests for any page it shows. The Host header gives away a rebound name, `Sec-Fetch-Site` (else
`Origin`) a page from elsewhere; the JSON content type keeps plain forms out (Fetch standard, W3C Fetch Metadata).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wellsourced.text.urls import host_with_port
from wellsourced.tool.call import PartHandler, Progress, new_request_id, no_parts, no_progress

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.http.request_context import RequestContext
    from wellsourced.identity import Identity
    from wellsourced.tool.answer import ToolAnswer

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
KeyCheck: TypeAlias = Callable[[Request], bool]

LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


class RequestRefused(Exception):
    """Answered with this status and a JSON object that has the sentence and the fields."""

    def __init__(self, status: int, sentence: str, **fields: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.body = {"error": sentence, **fields}


class AccessControl:
    def __init__(self, app: Application, holds_admin_key: KeyCheck) -> None:
        self._app = app
        self._holds_admin_key = holds_admin_key
        settings = app.settings
        self._public_host = host_with_port(settings.text("PUBLIC_URL"))
        listed = {host_with_port(name) for name in settings.names("ALLOWED_HOSTS")}
        self._hosts = (LOCAL_HOSTS | listed | {self._public_host}) - {""}
        self._has_sign_in = settings.is_set("OAUTH_ISSUER_URL")
        self._is_locked = self._has_sign_in or settings.is_set("ADMIN_API_KEY")

    def protect(self, endpoint: Endpoint, *, is_public: bool = False) -> Endpoint:
        """The endpoint behind these checks. A public one holds no personal data; only the host is checked."""

        async def answer(request: Request) -> Response:
            try:
                self._check_host(request)
                if not is_public:
                    self._check_origin(request)
                    self._check_credentials(request)
                return await endpoint(request)
            except RequestRefused as refused:
                return JSONResponse(refused.body, refused.status, headers=HEADERS)

        return answer

    def identity(self, request: Request) -> Identity:
        context = context_of(request)
        return context.identity if context else self._app.local_user

    async def call_tool(
        self,
        request: Request,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        progress: Progress = no_progress,
        on_part: PartHandler = no_parts,
    ) -> ToolAnswer:
        """Call a tool for whoever sent the request; the audit log names the request."""
        context = context_of(request)
        return await self._app.call(
            tool,
            arguments,
            identity=self.identity(request),
            progress=progress,
            on_part=on_part,
            inline=True,
            request_id=context.request_id if context else new_request_id(),
            source_ip=context.address if context else "",
        )

    def _check_host(self, request: Request) -> None:
        host = request.headers.get("host", "").lower()
        if not {host, without_port(host)} & self._hosts:
            raise RequestRefused(
                421, "This server does not answer to that Host; the operator can list it in ALLOWED_HOSTS."
            )

    def _check_origin(self, request: Request) -> None:
        is_post = request.method == "POST"
        if is_post and request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            raise RequestRefused(415, "Send JSON with the header Content-Type: application/json.")
        if not self._is_same_origin(request, is_post):
            raise RequestRefused(403, "Only the workbench of this server may ask this. Programs use /mcp.")

    def _is_same_origin(self, request: Request, is_post: bool) -> bool:
        """A POST changes something and needs a proof of its origin; a GET must only not be disproved."""
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        if site is not None:
            return site == "same-origin" or (site == "none" and not is_post)
        if origin is not None:
            return host_with_port(origin) in {request.headers["host"].lower(), self._public_host} - {""}
        return not is_post

    def _check_credentials(self, request: Request) -> None:
        if not self._is_locked or self._holds_admin_key(request):
            return
        context = context_of(request)
        if self._has_sign_in and context and not context.identity.is_anonymous:
            return
        wanted = "a bearer token or the admin key" if self._has_sign_in else "the admin key"
        sentence = f"This workbench is locked: it asks for {wanted}."
        raise RequestRefused(401, sentence, locked=True, signIn=self._has_sign_in)


def context_of(request: Request) -> RequestContext | None:
    """What the middleware learnt of the request; None where none is in front."""
    context: RequestContext | None = getattr(request.state, "request_context", None)
    return context


def check_tool_was_seen(request: Request, tool: str) -> None:
    """Scopes and rate limits were checked for the tools that the middleware read from the body; no other is called."""
    context = context_of(request)
    if context and tool not in context.tools:
        raise RequestRefused(400, "The request was not read alike by all; send plain JSON.")


def without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host
