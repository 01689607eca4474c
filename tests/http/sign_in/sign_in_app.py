"""Sign-in as the server builds it, in this process, in front of an app that answers with the identity it sees."""

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
from wellsourced.http.middleware.body_limit import BodyLimitMiddleware
from wellsourced.http.request_context import request_context
from wellsourced.http.server import outer_layers, wrap
from wellsourced.http.sign_in.setup import SignIn, sign_in
from wellsourced.settings import Settings

T = TypeVar("T")

PUBLIC_URL = "https://research.example.org"
ADMIN_KEY = "the-operators-own-key"


async def show_identity(request: Request) -> JSONResponse:
    context = request_context(request.scope)
    return JSONResponse(
        {"tenant": context.identity.tenant, "user": context.identity.user, "scopes": sorted(context.scopes)}
    )


@dataclass(frozen=True)
class Response:
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
class SignInApp:
    """`send` sends one request; `failures` are the reasons that were reported."""

    asgi_app: ASGIApp
    sign_in: SignIn
    failures: list[str] = field(default_factory=list)

    async def send(
        self,
        path: str = "/mcp",
        *,
        token: str = "",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Response:
        given = {"host": "127.0.0.1", **({"authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        scope = {
            "type": "http",
            "method": "GET" if body is None else "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "scheme": "http",
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 4711),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items()],
        }
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body or b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.asgi_app(scope, receive, send)
        received = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
        return Response(sent[0]["status"], received, b"".join(part.get("body", b"") for part in sent[1:]))

    async def call(self, tool: str, token: str) -> Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
        return await self.send(token=token, body=json.dumps(message).encode())

    async def revoke(self, form: str, headers: Mapping[str, str] | None = None) -> Response:
        typed = {"content-type": "application/x-www-form-urlencoded", **(headers or {})}
        return await self.send("/oauth/revoke", headers=typed, body=form.encode())


def build_sign_in_app(app: Application) -> SignInApp:
    failures: list[str] = []
    built = sign_in(app)
    assert built
    signing = replace(built, on_failure=lambda reason, context: failures.append(reason))
    inner = Starlette(
        routes=[
            *signing.routes,
            Route("/mcp", show_identity, methods=["GET", "POST"]),
            Route("/mcp/", show_identity),
            Route("/api/about", show_identity),
            Route("/open", show_identity),
        ]
    )
    asgi_app = wrap(BodyLimitMiddleware(signing.middleware(inner), app.settings), outer_layers(app.settings))
    return SignInApp(asgi_app, signing, failures)


def with_sign_in(
    environment: Mapping[str, str], issuer: Issuer, script: Callable[[SignInApp], Awaitable[T]], **settings: str
) -> T:
    return asyncio.run(with_sign_in_async(environment, issuer, script, **settings))


async def with_sign_in_async(
    environment: Mapping[str, str], issuer: Issuer, script: Callable[[SignInApp], Awaitable[T]], **settings: str
) -> T:
    usual = {"OAUTH_ISSUER_URL": issuer.url, "PUBLIC_URL": PUBLIC_URL, "ADMIN_API_KEY": ADMIN_KEY}
    app = Application(Settings({**environment, **usual, **settings}, declared_settings()))
    opened = build_sign_in_app(app)
    try:
        return await script(opened)
    finally:
        await opened.sign_in.verifier.revoked.close()
        await app.close()
