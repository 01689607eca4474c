"""MCP over HTTP on /mcp (and /mcp/), with the page, health and metrics beside it, behind a row of doors."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.types import ASGIApp

from wellsourced.app import Application
from wellsourced.demo import SharedDemo
from wellsourced.http.admin.routes import admin_routes
from wellsourced.http.admin_key import has_key
from wellsourced.http.connection_limit import open_room
from wellsourced.http.connections import connection_class
from wellsourced.http.health import health_routes
from wellsourced.http.metrics import metrics_routes
from wellsourced.http.middleware.admin_key_guesses import KeyDoor
from wellsourced.http.middleware.body import BodyReader
from wellsourced.http.middleware.cors import origin_problems
from wellsourced.http.middleware.mcp_sessions import SessionLimit
from wellsourced.http.middleware.normalise import MCP_PATH, Tidy
from wellsourced.http.middleware.outermost import FrontDoor
from wellsourced.http.middleware.rate_limits import AddressLimit, TenantLimit
from wellsourced.http.middleware.shutdown import Drain, DrainDoor, DrainingServer
from wellsourced.http.sign_in.setup import SignIn, sign_in, sign_in_problems
from wellsourced.log import open_desk_with_log
from wellsourced.mcp.dispatcher import Dialogue
from wellsourced.mcp.listings import Listings
from wellsourced.mcp.sdk_server import mcp_server
from wellsourced.process_memory import share_one_heap
from wellsourced.settings import Settings
from wellsourced.text.urls import host_with_port, normalize_base_url
from wellsourced.web.routes import page_routes

Door: TypeAlias = Callable[[ASGIApp], ASGIApp]

SESSION_IDLE_SECONDS = 1800
MOST_SESSIONS = 10_000
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
BACKLOG = 2048


def http_app(
    dialogue: Dialogue,
    overrides: dict[str, Any] | None = None,
    *,
    drain: Drain | None = None,
    connections: Callable[[], int] = lambda: 0,
    demo: SharedDemo | None = None,
) -> ASGIApp:
    app, drain = dialogue.app, drain or Drain()
    signing = sign_in(app)
    stateless = app.settings.flag("HTTP_STATELESS")
    inner: Starlette = mcp_server(dialogue, overrides).streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=False,
        stateless_http=stateless,
        session_idle_timeout=None if stateless else SESSION_IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=app.settings.count("MAX_REQUEST_BODY_BYTES"),
        transport_security=transport_security(app.settings),
        custom_starlette_routes=[
            *health_routes(app, drain),
            *metrics_routes(app, connections),
            *page_routes(dialogue, demo),
            *admin_routes(app),
            *(signing.routes if signing else []),
        ],
    )
    asgi_app: ASGIApp = inner
    for door in reversed(doors(app, drain, signing)):
        asgi_app = door(asgi_app)
    return asgi_app


def doors(app: Application, drain: Drain, signing: SignIn | None) -> list[Door]:
    """What a request passes on its way to the asgi_app, outermost first."""
    return [
        partial(FrontDoor, settings=app.settings),
        partial(DrainDoor, drain=drain),
        partial(AddressLimit, limiter=app.limiter, settings=app.settings),
        *([partial(KeyDoor, settings=app.settings, audit=app.audit)] if has_key(app.settings) else []),
        partial(BodyReader, settings=app.settings),
        *([signing.door] if signing else []),
        partial(TenantLimit, limiter=app.limiter, settings=app.settings),
        SessionLimit,
        Tidy,
    ]


def transport_security(settings: Settings) -> TransportSecuritySettings:
    """Only names of this machine, and those the operator lists, are answered: a page elsewhere cannot rebind to us."""
    named = {host_with_port(name) for name in (*settings.names("ALLOWED_HOSTS"), settings.text("PUBLIC_URL"))}
    names = [*LOCAL_NAMES, *sorted(named - {""})]
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    listed = [normalize_base_url(origin) for origin in settings.names("ALLOWED_ORIGINS")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[*origins, *listed])


def serve(host: str | None = None, port: int | None = None) -> int:
    share_one_heap()
    app = open_desk_with_log()
    host = host or app.settings.text("HOST")
    port = port or app.settings.count("PORT") or 8765
    problems = [*app.problems, *Listings(app.settings).problems]
    problems += [*sign_in_problems(app.settings), *origin_problems(app.settings)]
    if problems := [*problems, *exposure_problems(app.settings, host)]:
        sys.stderr.write("".join(f"wellsourced: {problem}\n" for problem in problems))
        return 2
    try:
        listener = listen(host, port)
    except OSError as problem:
        sys.stderr.write(f"wellsourced: cannot listen on {host}:{port}: {problem.strerror}. Choose another PORT.\n")
        return 1
    announce(host, listener.getsockname()[1])
    asyncio.run(run_until_stopped(app, listener, SharedDemo() if is_local(host) else None))
    return 0


def exposure_problems(settings: Settings, host: str) -> list[str]:
    """Whoever reaches the port may use the server, so it stays on this machine unless there is a sign-in, or it is
    told otherwise in words."""
    if settings.is_set("OAUTH_ISSUER_URL") or settings.flag("ALLOW_ANONYMOUS_HTTP") or is_local(host):
        return []
    return [
        f"HOST={host} can be reached from other machines and no sign-in is configured. Use 127.0.0.1, set "
        "OAUTH_ISSUER_URL, or set ALLOW_ANONYMOUS_HTTP=true if everyone who can reach it may use it."
    ]


def is_local(host: str) -> bool:
    """Whether only this machine can reach it. The demo's own workbench is on loopback, so only then it is offered."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """Named as TCP, since asyncio has small answers sent at once (TCP_NODELAY) on such sockets alone: else each
    answer on a kept connection would wait 40 ms for the client's acknowledgement of its head."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(BACKLOG)
    return listener


def announce(host: str, port: int) -> None:
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(
        f"Wellsourced is ready at http://{shown}:{port}/\n\n"
        f'Paste into an MCP client:\n\n  {{"mcpServers": {{"wellsourced": {{"type": "http", "url": "http://{shown}:{port}/mcp"}}}}}}\n\n'
        f"or, for Claude Code:\n\n  claude mcp add --transport http wellsourced http://{shown}:{port}/mcp\n\n"
    )
    sys.stderr.flush()


async def run_until_stopped(app: Application, listener: socket.socket, demo: SharedDemo | None) -> None:
    room, drain = open_room(app.settings), Drain()
    dialogue = Dialogue(app, Listings(app.settings))
    dialogue.get_ready()
    asgi_app = http_app(dialogue, drain=drain, connections=lambda: room.open, demo=demo)
    config = uvicorn.Config(
        asgi_app,
        http=connection_class(room),
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=min(BACKLOG, room.most),
        timeout_graceful_shutdown=math.ceil(app.settings.seconds("HTTP_SHUTDOWN_TIMEOUT")),
    )
    try:
        await DrainingServer(config, drain).serve(sockets=[listener])
    finally:
        if demo:
            await demo.close()
        await app.close()
