"""The loopback internet as one ASGI application: upstreams and sites by path prefix, behind behaviour on demand."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.loopback import sites
from tests.loopback.behaviour import Behaviour, Rule, read_rule
from tests.loopback.challenges import BLOCKS
from tests.loopback.faults import FAULTS
from tests.loopback.upstreams import all_upstreams


def application() -> ASGIApp:
    behaviour = Behaviour()
    parts = [Mount(upstream.prefix, routes=list(upstream.routes)) for upstream in all_upstreams()]
    routes = [*control_routes(behaviour), Mount("/site", routes=list(sites.ROUTES)), *parts]
    return Behaving(Starlette(routes=routes), behaviour)


def control_routes(behaviour: Behaviour) -> list[Route]:
    async def control(request: Request) -> Response:
        try:
            behaviour.rules.append(read_rule(json.loads(await request.body())))
        except (ValueError, TypeError, AttributeError) as problem:
            return JSONResponse({"error": str(problem)}, 400)
        return JSONResponse({})

    async def stats(request: Request) -> Response:
        return JSONResponse(behaviour.stats())

    async def reset(request: Request) -> Response:
        behaviour.reset()
        return JSONResponse({})

    return [
        Route("/__control", control, methods=["POST"]),
        Route("/__stats", stats),
        Route("/__reset", reset, methods=["POST"]),
    ]


class Behaving:
    """Counts every request and applies the rule that is in force for its path."""

    def __init__(self, app: ASGIApp, behaviour: Behaviour) -> None:
        self._app = app
        self._behaviour = behaviour

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/__"):
            await self._app(scope, receive, send)
            return
        in_flight = self._behaviour.begin(scope)
        try:
            await self._answer(scope, receive, send)
        finally:
            self._behaviour.end(scope, in_flight)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        rule = self._behaviour.take(scope["path"])
        if rule is None:
            await self._app(scope, receive, send)
            return
        patient = await wait_or_leave(receive, rule.latency_ms / 1000)
        if patient is None:
            return
        receive = patient
        if rule.fault is not None:
            await FAULTS[rule.fault](scope, receive, send, rule.size)
            return
        await (canned(rule, scope) or self._app)(scope, receive, send)


async def wait_or_leave(receive: Receive, seconds: float) -> Receive | None:
    """Wait; None when the client left meanwhile, else what gives the request that was read once more."""
    if not seconds:
        return receive
    read: list[Message] = []
    try:
        async with asyncio.timeout(seconds):
            while (message := await receive())["type"] != "http.disconnect":
                read.append(message)
    except TimeoutError:

        async def again() -> Message:
            return read.pop(0) if read else await receive()

        return again
    return None


def canned(rule: Rule, scope: Scope) -> Response | None:
    """The answer that the rule gives in place of the usual one; None when it only slows things down."""
    if rule.block is not None:
        status, headers, page = BLOCKS[rule.block]
        return HTMLResponse(page, rule.status or status, {**headers, **rule.headers})
    if rule.redirect is not None:
        target = next_turn(scope) if rule.redirect == "loop" else rule.redirect
        return Response(b"", rule.status or 302, {**rule.headers, "location": target})
    if rule.status is None and rule.body is None:
        return None
    media = None if any(name.lower() == "content-type" for name in rule.headers) else "text/html"
    return Response((rule.body or "").encode(rule.encoding), rule.status or 200, rule.headers, media)


def next_turn(scope: Scope) -> str:
    """The same path with the next number, so that a client cannot end the loop by knowing the address."""
    turn = parse_qs(scope["query_string"].decode("latin-1")).get("turn", ["0"])[0]
    path: str = scope["raw_path"].decode("latin-1")
    return f"{path}?turn={int(turn) + 1 if turn.isdecimal() else 1}"
