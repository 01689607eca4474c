"""The official SDK's low-level server over the dispatcher, for HTTP.

The SDK carries sessions, streams and both protocol eras on one address; the answers are the same as on stdio.
`overrides` replaces handlers by name, which is how the conformance fixtures run on this constructor.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.http.allowed_callers import AllowedCallers
from wellsourced.http.request_context import MCP_PATH, STATE_KEY, RequestContext, request_context
from wellsourced.http.sessions import MOST_SESSIONS, SESSION_IDLE_SECONDS
from wellsourced.mcp.dispatcher import LONGEST_ECHO, Dispatcher
from wellsourced.mcp.json_rpc import INVALID_PARAMS, INVALID_REQUEST, ProtocolError
from wellsourced.mcp.listings import LISTS, check_cursor
from wellsourced.mcp.server_info import INSTRUCTIONS, MODERN_VERSIONS, SERVER_INFO, envelope

# The SDK encodes a message in one go, more than once, while every other caller waits.
STREAMED_BYTES = 2**20

Handler: TypeAlias = Callable[[Any, Any], Awaitable[Any]]


def sdk_app(dispatcher: Dispatcher, allowed: AllowedCallers, overrides: Mapping[str, Any] | None) -> Starlette:
    settings = dispatcher.app.settings
    stateless = settings.flag("HTTP_STATELESS")
    app = mcp_server(dispatcher, overrides).streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=False,
        stateless_http=stateless,
        session_idle_timeout=None if stateless else SESSION_IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=settings.count("MAX_REQUEST_BODY_BYTES"),
        transport_security=TransportSecuritySettings(
            allowed_hosts=[*allowed.hosts], allowed_origins=[*allowed.origins]
        ),
    )
    app.add_middleware(SignedInUser)
    return app


class SignedInUser:
    """The SDK compares `scope["user"]` with the one that opened a session, and answers 404 to anybody else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (context := request_context(scope)).issuer:
            who, scopes, claims = context.identity.owner, sorted(context.scopes), {"iss": context.issuer}
            token = AccessToken(token="", client_id=who, scopes=scopes, claims=claims)
            scope = {**scope, "user": AuthenticatedUser(token)}
        await self._app(scope, receive, send)


def mcp_server(dispatcher: Dispatcher, overrides: Mapping[str, Any] | None = None) -> Server[Any]:
    handlers = {**standard_handlers(dispatcher), **(overrides or {})}
    server: Server[Any] = Server(
        SERVER_INFO["name"],
        version=SERVER_INFO["version"],
        title=SERVER_INFO["title"],
        instructions=INSTRUCTIONS,
        **{"get_tool_input_schema": input_schemas(dispatcher).get, **handlers},
    )
    server.middleware.append(explain_wrong_parameters)
    return server


def standard_handlers(dispatcher: Dispatcher) -> dict[str, Handler]:
    return {
        "on_list_tools": list_handler(dispatcher, "tools/list"),
        "on_list_resources": list_handler(dispatcher, "resources/list"),
        "on_list_resource_templates": list_handler(dispatcher, "resources/templates/list"),
        "on_list_prompts": list_handler(dispatcher, "prompts/list"),
        "on_call_tool": tool_handler(dispatcher),
        "on_read_resource": method_handler(dispatcher, "resources/read"),
        "on_get_prompt": method_handler(dispatcher, "prompts/get"),
        "on_completion": method_handler(dispatcher, "completion/complete"),
    }


def input_schemas(dispatcher: Dispatcher) -> dict[str, Any]:
    """Given to the SDK so that it does not ask for the whole list on every 2026-era call."""
    return {entry["name"]: json.loads(entry["json"])["inputSchema"] for entry in dispatcher.listings.tools}


def list_handler(dispatcher: Dispatcher, method: str) -> Handler:
    async def answer(ctx: Any, params: Any) -> dict[str, Any]:
        with as_sdk_errors():
            check_cursor(params.cursor if params else None)
        listings = dispatcher.listings
        if method == "tools/list":
            result: dict[str, Any] = {"tools": [json.loads(entry["json"]) for entry in listings.tools]}
        else:
            result = {LISTS[method]: listings.declared[LISTS[method]]}
        return with_envelope(ctx, method, result)

    return answer


def method_handler(dispatcher: Dispatcher, method: str) -> Handler:
    async def answer(ctx: Any, params: Any) -> dict[str, Any]:
        with as_sdk_errors():
            result = await dispatcher.handle(
                method, as_dict(params), identity=context_behind(ctx).identity, is_modern=is_modern(ctx)
            )
        return with_envelope(ctx, method, result)

    return answer


def tool_handler(dispatcher: Dispatcher) -> Handler:
    async def answer(ctx: Any, params: Any) -> dict[str, Any]:
        context = context_behind(ctx)
        # Scopes and rate limits were checked for the tools that the middleware read from the body; no other is called.
        if context.request_id and params.name not in context.tools:
            raise MCPError(code=INVALID_REQUEST, message="The request was not read alike by all; send plain JSON.")
        with as_sdk_errors():
            response = await dispatcher.call_tool(
                as_dict(params),
                identity=context.identity,
                progress=ctx.session.report_progress,
                request_id=context.request_id,
                source_ip=context.address,
                most_bytes=STREAMED_BYTES,
            )
        return with_envelope(ctx, "tools/call", response.result())

    return answer


async def explain_wrong_parameters(ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
    """The SDK checks parameters before our handlers see them, and says no more than that they are invalid."""
    try:
        return await call_next(ctx)
    except ValidationError as error:
        raise MCPError(code=INVALID_PARAMS, message=parameter_error(ctx.method, error)) from None


def parameter_error(method: str, error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"] if step != "params")
    wrong = "is missing" if first["type"] == "missing" else f"is wrong ({first['msg']})"
    return f"The parameters of {method} are not right: {place[:LONGEST_ECHO] or 'the object'} {wrong}."


@contextmanager
def as_sdk_errors() -> Iterator[None]:
    try:
        yield
    except ProtocolError as error:
        raise MCPError(code=error.code, message=error.message, data=error.data) from None


def context_behind(ctx: Any) -> RequestContext:
    """The context of the HTTP request that this message came with; an empty one where there was no middleware."""
    context: RequestContext | None = getattr(ctx.request.state, STATE_KEY, None) if ctx.request is not None else None
    return context or RequestContext(request_id="", address="")


def as_dict(params: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return dumped


def is_modern(ctx: Any) -> bool:
    return ctx.protocol_version in MODERN_VERSIONS


def with_envelope(ctx: Any, method: str, result: dict[str, Any]) -> dict[str, Any]:
    """A 2026-era result carries its envelope; an older one must not."""
    if not is_modern(ctx):
        return result
    extra = envelope(method)
    return {**result, **extra, "_meta": {**result.get("_meta", {}), **extra["_meta"]}}
