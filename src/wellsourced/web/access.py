"""Who may use the workbench: pages of this very server, asked for by a name of it, and where it is locked only
somebody who is signed in or has the admin key.

A browser sends requests for any page it shows. The Host header tells a rebound name, `Sec-Fetch-Site` (else `Origin`)
a page from elsewhere; a JSON content type keeps plain forms out (Fetch standard, W3C Fetch Metadata).
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wellsourced.http.admin_key import holds_key
from wellsourced.identity import Identity
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog
from wellsourced.text.urls import host_with_port

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.http.request_context import Visit
    from wellsourced.tool.answer import ToolAnswer

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


class TurnedAway(Exception):
    """A request that is answered with a sentence instead of what it asked for."""

    def __init__(self, status: int, sentence: str, **fields: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.told = {"error": sentence, **fields}


class Entrance:
    def __init__(self, settings: Settings, local_user: Identity, audit: AuditLog | None = None) -> None:
        self._settings = settings
        self._audit = audit
        self._local_user = local_user
        self._public_host = host_with_port(settings.text("PUBLIC_URL"))
        listed = {host_with_port(name) for name in settings.names("ALLOWED_HOSTS")}
        self._names = (LOCAL_NAMES | listed | {self._public_host}) - {""}
        self._has_sign_in = settings.is_set("OAUTH_ISSUER_URL")
        self._is_locked = self._has_sign_in or settings.is_set("ADMIN_API_KEY")

    def opened(self, endpoint: Endpoint, *, to_all: bool = False) -> Endpoint:
        """The endpoint behind this entrance; `to_all` is for what holds nothing of anybody's."""

        async def answer(request: Request) -> Response:
            try:
                self._check_host(request)
                if not to_all:
                    self._check_origin(request)
                    self._check_lock(request)
                return await endpoint(request)
            except TurnedAway as refused:
                return JSONResponse(refused.told, refused.status, headers=HEADERS)

        return answer

    def identity(self, request: Request) -> Identity:
        visit = visit_of(request)
        return visit.identity if visit else self._local_user

    async def ask(self, app: Application, request: Request, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """A tool called for whoever sent the request, who is known to the audit log by it."""
        visit = visit_of(request)
        return await app.call(
            tool,
            arguments,
            identity=self.identity(request),
            inline=True,
            request_id=visit.request_id if visit else uuid.uuid4().hex,
            source_ip=visit.address if visit else "",
        )

    def _check_host(self, request: Request) -> None:
        host = request.headers.get("host", "").lower()
        if not {host, without_port(host)} & self._names:
            raise TurnedAway(
                421, "This server does not answer to that Host; the operator can list it in ALLOWED_HOSTS."
            )

    def _check_origin(self, request: Request) -> None:
        is_post = request.method == "POST"
        if is_post and request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            raise TurnedAway(415, "Send JSON with the header Content-Type: application/json.")
        if not self._is_same_origin(request, is_post):
            raise TurnedAway(403, "Only the workbench of this server may ask this. Programs use /mcp.")

    def _is_same_origin(self, request: Request, is_post: bool) -> bool:
        """What changes something needs a proof; what only reads must not be disproved."""
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        if site is not None:
            return site == "same-origin" or (site == "none" and not is_post)
        if origin is not None:
            return host_with_port(origin) in {request.headers["host"].lower(), self._public_host} - {""}
        return not is_post

    def _check_lock(self, request: Request) -> None:
        if not self._is_locked or self._has_admin_key(request):
            return
        visit = visit_of(request)
        if self._has_sign_in and visit and not visit.identity.is_anonymous:
            return
        wanted = "a bearer token or the admin key" if self._has_sign_in else "the admin key"
        raise TurnedAway(401, f"This workbench is locked: it asks for {wanted}.", locked=True, signIn=self._has_sign_in)

    def _has_admin_key(self, request: Request) -> bool:
        return holds_key(request, self._settings, self._audit)


def visit_of(request: Request) -> Visit | None:
    """What the doors in front learnt of the request, where there are any."""
    visit: Visit | None = getattr(request.state, "visit", None)
    return visit


def check_weighed(request: Request, tool: str) -> None:
    """Scopes and limits were weighed for the tools that the doors in front saw; no other one is called."""
    visit = visit_of(request)
    if visit and tool not in visit.tools:
        raise TurnedAway(400, "The request was not read alike by all; send plain JSON.")


def without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host
