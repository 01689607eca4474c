"""MCP over HTTP on /mcp (and /mcp/), a first page at /, and a health check."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import sys
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.desk import Desk, open_desk
from wellsourced.server.dialogue import Dialogue
from wellsourced.server.listings import Listings
from wellsourced.server.sdk import mcp_server
from wellsourced.settings import Settings
from wellsourced.web.page import page_routes

MCP_PATH = "/mcp"
SESSION_IDLE_SECONDS = 1800
MOST_SESSIONS = 10_000
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


class Tidy:
    """/mcp/ is /mcp: older clients use the one, newer ones the other, and a redirect loses the body. Blanks
    around header values, which the HTTP parser leaves in place, are not part of them (RFC 9110, 5.5)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
            if scope["path"] == MCP_PATH + "/":
                scope |= {"path": MCP_PATH, "raw_path": MCP_PATH.encode()}
        await self._app(scope, receive, send)


async def alive(request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


def http_app(dialogue: Dialogue, overrides: dict[str, Any] | None = None) -> ASGIApp:
    settings = dialogue.desk.settings
    stateless = settings.flag("HTTP_STATELESS")
    app: Starlette = mcp_server(dialogue, overrides).streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=False,
        stateless_http=stateless,
        session_idle_timeout=None if stateless else SESSION_IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=settings.count("MAX_REQUEST_BODY_BYTES"),
        transport_security=transport_security(settings),
        custom_starlette_routes=[Route("/health/live", alive), *page_routes(dialogue)],
    )
    return Tidy(app)


def transport_security(settings: Settings) -> TransportSecuritySettings:
    """Only names of this machine, and those the operator lists, are answered: a page elsewhere cannot rebind to us."""
    names = [*LOCAL_NAMES, *settings.names("ALLOWED_HOSTS")]
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[*origins, *settings.names("ALLOWED_ORIGINS")]
    )


def serve(host: str | None = None, port: int | None = None) -> int:
    desk = open_desk()
    host = host or desk.settings.text("HOST")
    port = port or desk.settings.count("PORT") or 8765
    problems = [*desk.problems, *exposure_problems(desk.settings, host)]
    if problems:
        sys.stderr.write("".join(f"wellsourced: {problem}\n" for problem in problems))
        return 2
    try:
        listener = listen(host, port)
    except OSError as problem:
        sys.stderr.write(f"wellsourced: cannot listen on {host}:{port}: {problem.strerror}. Choose another PORT.\n")
        return 1
    announce(host, listener.getsockname()[1])
    asyncio.run(run_until_stopped(desk, listener))
    return 0


def exposure_problems(settings: Settings, host: str) -> list[str]:
    """Whoever reaches the port may use the server, so it stays on this machine unless told otherwise in words."""
    if settings.flag("ALLOW_ANONYMOUS_HTTP") or host == "localhost":
        return []
    try:
        is_local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_local = False
    if is_local:
        return []
    return [
        f"HOST={host} can be reached from other machines and no sign-in is configured. Use 127.0.0.1, or set "
        "ALLOW_ANONYMOUS_HTTP=true if everyone who can reach it may use it."
    ]


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(2048)
    return listener


def announce(host: str, port: int) -> None:
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(
        f"Wellsourced is ready at http://{shown}:{port}/\n\n"
        f'Paste into an MCP client:\n\n  {{"mcpServers": {{"wellsourced": {{"type": "http", "url": "http://{shown}:{port}/mcp"}}}}}}\n\n'
        f"or, for Claude Code:\n\n  claude mcp add --transport http wellsourced http://{shown}:{port}/mcp\n\n"
    )
    sys.stderr.flush()


async def run_until_stopped(desk: Desk, listener: socket.socket) -> None:
    import uvicorn

    dialogue = Dialogue(desk, Listings(desk.settings))
    config = uvicorn.Config(http_app(dialogue), log_level="warning", access_log=False, timeout_graceful_shutdown=30)
    try:
        await uvicorn.Server(config).serve(sockets=[listener])
    finally:
        await desk.close()
