"""Sign-in as the server wires it, in this process, in front of an asgi_app that tells whom it sees."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message

from tests.http.sign_in.issuer import Issuer
from wellsourced.app import Application
from wellsourced.app.configuration import declared_settings
from wellsourced.http.middleware.body import BodyReader
from wellsourced.http.middleware.outermost import FrontDoor
from wellsourced.http.request_context import visit_of
from wellsourced.http.sign_in.setup import SignIn, sign_in
from wellsourced.settings import Settings

T = TypeVar("T")

PUBLIC_URL = "https://research.example.org"
ADMIN_KEY = "the-operators-own-key"


async def who(request: Request) -> JSONResponse:
    visit = visit_of(request.scope)
    return JSONResponse({"tenant": visit.identity.tenant, "user": visit.identity.user, "scopes": sorted(visit.scopes)})


@dataclass(frozen=True)
class Told:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def challenge(self) -> str:
        return self.headers.get("www-authenticate", "")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Doorway:
    """`ask` sends one request; `failures` are the reasons that were reported."""

    asgi_app: ASGIApp
    sign_in: SignIn
    failures: list[str] = field(default_factory=list)

    async def ask(
        self,
        path: str = "/mcp",
        *,
        token: str = "",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Told:
        sent = {"host": "127.0.0.1", **({"authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        scope = {
            "type": "http",
            "method": "GET" if body is None else "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "scheme": "http",
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 4711),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
        }
        told: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body or b"", "more_body": False}

        async def send(message: Message) -> None:
            told.append(message)

        await self.asgi_app(scope, receive, send)
        answered = {name.decode(): value.decode("latin-1") for name, value in told[0]["headers"]}
        return Told(told[0]["status"], answered, b"".join(part.get("body", b"") for part in told[1:]))

    async def call(self, tool: str, token: str) -> Told:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
        return await self.ask(token=token, body=json.dumps(message).encode())

    async def revoke(self, form: str, headers: Mapping[str, str] | None = None) -> Told:
        typed = {"content-type": "application/x-www-form-urlencoded", **(headers or {})}
        return await self.ask("/oauth/revoke", headers=typed, body=form.encode())


def doorway(app: Application) -> Doorway:
    failures: list[str] = []
    made = sign_in(app)
    assert made
    signing = replace(made, on_failure=lambda reason, visit: failures.append(reason))
    behind = Starlette(
        routes=[
            *signing.routes,
            Route("/mcp", who, methods=["GET", "POST"]),
            Route("/mcp/", who),
            Route("/api/about", who),
            Route("/open", who),
        ]
    )
    asgi_app = FrontDoor(BodyReader(signing.door(behind), app.settings), app.settings)
    return Doorway(asgi_app, signing, failures)


def at_the_door(
    environment: Mapping[str, str], issuer: Issuer, script: Callable[[Doorway], Awaitable[T]], **settings: str
) -> T:
    return asyncio.run(at_another_door(environment, issuer, script, **settings))


async def at_another_door(
    environment: Mapping[str, str], issuer: Issuer, script: Callable[[Doorway], Awaitable[T]], **settings: str
) -> T:
    told = {"OAUTH_ISSUER_URL": issuer.url, "PUBLIC_URL": PUBLIC_URL, "ADMIN_API_KEY": ADMIN_KEY}
    app = Application(Settings({**environment, **told, **settings}, declared_settings()))
    opened = doorway(app)
    try:
        return await script(opened)
    finally:
        await opened.sign_in.tokens.revoked.close()
        await app.close()
