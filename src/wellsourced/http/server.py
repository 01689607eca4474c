"""MCP over HTTP on /mcp (and /mcp/), with the page, administration, health and metrics beside it.

`middleware_layers` has the order in which a request passes the middleware.
"""

from __future__ import annotations

import asyncio
import math
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from wellsourced.app import Application
from wellsourced.demo import SharedDemo
from wellsourced.http.admin.routes import admin_routes
from wellsourced.http.admin_key import has_admin_key, holds_admin_key
from wellsourced.http.allowed_callers import allowed_callers
from wellsourced.http.connections import connection_class, connection_limit
from wellsourced.http.direct_calls import DirectCalls
from wellsourced.http.health import health_routes
from wellsourced.http.late_sdk import LateSdk
from wellsourced.http.metrics import metrics_routes
from wellsourced.http.middleware.admin_key_guesses import AdminKeyGuessMiddleware
from wellsourced.http.middleware.anonymous_callers import AnonymousCallersMiddleware, is_local
from wellsourced.http.middleware.body_limit import BodyLimitMiddleware
from wellsourced.http.middleware.cors import CorsMiddleware, origin_problems
from wellsourced.http.middleware.mcp_sessions import SessionLimitMiddleware
from wellsourced.http.middleware.normalise import NormaliseMiddleware
from wellsourced.http.middleware.rate_limits import AddressRateLimitMiddleware, TenantRateLimitMiddleware
from wellsourced.http.middleware.request_context import RequestContextMiddleware
from wellsourced.http.middleware.security_headers import SecurityHeadersMiddleware
from wellsourced.http.middleware.server_errors import ServerErrorMiddleware
from wellsourced.http.middleware.shutdown import Drain, DrainingServer, DrainMiddleware
from wellsourced.http.processes import ProcessGroup, process_problems
from wellsourced.http.request_context import MCP_PATH
from wellsourced.http.sign_in.setup import SignIn, sign_in, sign_in_problems
from wellsourced.log import open_app_with_log
from wellsourced.mcp.dispatcher import Dispatcher
from wellsourced.mcp.listings import Listings
from wellsourced.process import serve_many
from wellsourced.settings import Settings
from wellsourced.system import listen_alone
from wellsourced.web.routes import page_routes

Layer: TypeAlias = Callable[[ASGIApp], ASGIApp]

BACKLOG = 2048


def http_app(
    dispatcher: Dispatcher,
    overrides: dict[str, Any] | None = None,
    *,
    drain: Drain | None = None,
    connections: Callable[[], int] = lambda: 0,
    demo: SharedDemo | None = None,
    host: str | None = None,
) -> ASGIApp:
    """The whole ASGI app: the MCP endpoint and the other routes, behind the middleware."""
    app, drain = dispatcher.app, drain or Drain()
    signing, allowed = sign_in(app), allowed_callers(app.settings)

    def make_sdk_app() -> Starlette:
        from wellsourced.http.mcp_server import sdk_app

        return sdk_app(dispatcher, allowed, overrides)

    sdk = LateSdk(make_sdk_app)
    inner: ASGIApp = Starlette(
        routes=[
            Route(MCP_PATH, endpoint=sdk),
            *health_routes(app, drain),
            *metrics_routes(app, connections),
            *page_routes(dispatcher, partial(holds_admin_key, settings=app.settings, audit=app.audit), demo),
            *admin_routes(app),
            *(signing.routes if signing else []),
        ],
        lifespan=sdk.run,
    )
    if overrides is None:
        inner = DirectCalls(inner, dispatcher, allowed)
    return wrap(inner, middleware_layers(app, drain, signing, host or app.settings.text("HOST")))


def wrap(app: ASGIApp, layers: Sequence[Layer]) -> ASGIApp:
    """The app inside the layers, of which the first becomes the outermost."""
    for layer in reversed(layers):
        app = layer(app)
    return app


def middleware_layers(app: Application, drain: Drain, signing: SignIn | None, host: str) -> list[Layer]:
    """What a request passes on its way to the endpoints, outermost first.

    What is cheap comes first. The tenant's rate limit needs to know who calls, so it follows sign-in, and both need
    the tools that are called, so they follow the body.
    """
    return [
        *outer_layers(app.settings),
        partial(DrainMiddleware, drain=drain),
        partial(AddressRateLimitMiddleware, limiter=app.limiter, settings=app.settings),
        *(
            [partial(AdminKeyGuessMiddleware, settings=app.settings, audit=app.audit)]
            if has_admin_key(app.settings)
            else []
        ),
        partial(BodyLimitMiddleware, settings=app.settings),
        signing.middleware
        if signing
        else partial(AnonymousCallersMiddleware, settings=app.settings, host=host, local_user=app.local_user),
        partial(TenantRateLimitMiddleware, limiter=app.limiter, settings=app.settings),
        SessionLimitMiddleware,
        NormaliseMiddleware,
    ]


def outer_layers(settings: Settings) -> list[Layer]:
    """The layers around every response, also that of a refusal or a failure: they add the headers."""
    return [
        partial(RequestContextMiddleware, settings=settings),
        partial(SecurityHeadersMiddleware, settings=settings),
        partial(CorsMiddleware, settings=settings),
        ServerErrorMiddleware,
    ]


def serve(host: str | None = None, port: int | None = None) -> int:
    serve_many()
    app = open_app_with_log()
    host = host or app.settings.text("HOST")
    port = port or app.settings.count("PORT") or 8765
    problems = [*app.problems, *Listings(app.settings).problems]
    problems += [*sign_in_problems(app.settings), *origin_problems(app.settings), *process_problems(app.settings)]
    if problems := [*problems, *exposure_problems(app.settings, host)]:
        sys.stderr.write("".join(f"wellsourced: {problem}\n" for problem in problems))
        return 2
    try:
        listener = listen(host, port)
    except OSError as problem:
        sys.stderr.write(f"wellsourced: cannot listen on {host}:{port}: {problem.strerror}. Choose another PORT.\n")
        return 1
    announce(host, listener.getsockname()[1])
    processes = app.settings.count("WEB_CONCURRENCY")
    if processes > 1:
        return ProcessGroup(processes, lambda: serve_on(open_app_with_log(), listener, host)).run()
    return serve_on(app, listener, host)


def serve_on(app: Application, listener: socket.socket, host: str) -> int:
    # The demo's own workbench listens on loopback, so it is offered only to people on this machine.
    asyncio.run(run_until_stopped(app, listener, host, SharedDemo() if is_local(host) else None))
    return 0


def exposure_problems(settings: Settings, host: str) -> list[str]:
    """Whoever reaches the port may use the server, so it stays on this machine unless there is a sign-in, or the
    operator says explicitly that everyone may."""
    if settings.is_set("OAUTH_ISSUER_URL") or settings.flag("ALLOW_ANONYMOUS_HTTP") or is_local(host):
        return []
    return [
        f"HOST={host} can be reached from other machines and no sign-in is configured. Use 127.0.0.1, set "
        "OAUTH_ISSUER_URL, or set ALLOW_ANONYMOUS_HTTP=true if everyone who can reach it may use it."
    ]


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, explicitly of protocol TCP, since asyncio sets TCP_NODELAY on such sockets alone: else each
    response on a kept connection would wait 40 ms for the client's acknowledgement of its head."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listen_alone(listener)
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


async def run_until_stopped(app: Application, listener: socket.socket, host: str, demo: SharedDemo | None) -> None:
    limit, drain = connection_limit(app.settings), Drain()
    dispatcher = Dispatcher(app, Listings(app.settings), serves_many=True)
    dispatcher.get_ready()
    asgi_app = http_app(dispatcher, drain=drain, connections=lambda: limit.open, demo=demo, host=host)
    config = uvicorn.Config(
        asgi_app,
        http=connection_class(limit),
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=min(BACKLOG, limit.most),
        timeout_graceful_shutdown=math.ceil(app.settings.seconds("HTTP_SHUTDOWN_TIMEOUT")),
    )
    schedule = app.services.watch_schedule()
    watching = asyncio.ensure_future(schedule.run()) if schedule else None
    try:
        await DrainingServer(config, drain).serve(sockets=[listener])
    finally:
        if watching:
            watching.cancel()
        if demo:
            await demo.close()
        await app.close()
