"""Who a caller is where there is no sign-in: the one person of this machine, or one of several who are kept apart.

ANONYMOUS_CALLERS decides. By itself (`auto`) a server that only this machine can reach is one person's, and so is what
the command line and stdio keep. Others are told apart by the header X-Client-Key, a secret that a client makes up, or
by their MCP session. A request with neither is nobody's: it is answered, and nothing is kept for it.
"""

from __future__ import annotations

import uuid

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.http.middleware.request_context import is_loopback, is_on_this_machine
from wellsourced.http.request_context import request_context
from wellsourced.identity import Identity, anonymous_caller
from wellsourced.settings import Settings
from wellsourced.text.urls import host_of

CLIENT_KEY = "x-client-key"
MCP_SESSION = "mcp-session-id"
SHORTEST_KEY = 16


class AnonymousCallersMiddleware:
    """`host` is the address the server listens on; `local_user` the person who runs it."""

    def __init__(self, app: ASGIApp, *, settings: Settings, host: str, local_user: Identity) -> None:
        self._app = app
        self._local_user = local_user
        self._choice = settings.text("ANONYMOUS_CALLERS")
        self._is_for_this_machine = is_local(host) and not is_published(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request_context(scope).identity = self._identity(scope)
        await self._app(scope, receive, send)

    def _identity(self, scope: Scope) -> Identity:
        headers = Headers(scope=scope)
        is_local_person = self._is_for_this_machine and is_on_this_machine(scope, headers)
        if self._choice == "one" or (self._choice == "auto" and is_local_person):
            return self._local_user
        if len(key := headers.get(CLIENT_KEY, "").strip()) >= SHORTEST_KEY:
            return anonymous_caller("key", key)
        if len(session := headers.get(MCP_SESSION, "").strip()) >= SHORTEST_KEY:
            return anonymous_caller("session", session)
        return anonymous_caller("once", uuid.uuid4().hex)


def is_local(host: str) -> bool:
    """Whether only this machine can reach it."""
    return host == "localhost" or is_loopback(host)


def is_published(settings: Settings) -> bool:
    """Whether a proxy is in front, so that callers from elsewhere seem to be on this machine."""
    public = host_of(settings.text("PUBLIC_URL"))
    return settings.flag("TRUST_PROXY") or bool(public and not is_local(public.strip("[]")))
