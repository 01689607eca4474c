"""The official SDK's low-level server over our dialogue, for HTTP.

The SDK carries sessions, streams and both protocol eras on one address; what is answered is the same as on
stdio. `overrides` replaces handlers by name, which is how the conformance fixtures run on this constructor.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from wellsourced.http.request_context import KEY, Visit
from wellsourced.mcp.about import INSTRUCTIONS, MODERN_VERSIONS, SERVER_INFO, envelope
from wellsourced.mcp.dispatcher import LONGEST_ECHO, Dialogue
from wellsourced.mcp.json_rpc import INVALID_PARAMS, INVALID_REQUEST, ProtocolError
from wellsourced.mcp.listings import LISTS, check_cursor

Handler: TypeAlias = Callable[[Any, Any], Awaitable[Any]]


def mcp_server(dialogue: Dialogue, overrides: Mapping[str, Any] | None = None) -> Server[Any]:
    handlers = {**standard_handlers(dialogue), **(overrides or {})}
    server: Server[Any] = Server(
        SERVER_INFO["name"],
        version=SERVER_INFO["version"],
        title=SERVER_INFO["title"],
        instructions=INSTRUCTIONS,
        **{"get_tool_input_schema": input_schemas(dialogue).get, **handlers},
    )
    server.middleware.append(in_a_sentence)
    return server


def standard_handlers(dialogue: Dialogue) -> dict[str, Handler]:
    return {
        "on_list_tools": listing(dialogue, "tools/list"),
        "on_list_resources": listing(dialogue, "resources/list"),
        "on_list_resource_templates": listing(dialogue, "resources/templates/list"),
        "on_list_prompts": listing(dialogue, "prompts/list"),
        "on_call_tool": tool_caller(dialogue),
        "on_read_resource": handler(dialogue, "resources/read"),
        "on_get_prompt": handler(dialogue, "prompts/get"),
        "on_completion": handler(dialogue, "completion/complete"),
    }


def input_schemas(dialogue: Dialogue) -> dict[str, Any]:
    """Given to the SDK so that it does not ask for the whole list on every 2026-era call."""
    return {entry["name"]: json.loads(entry["json"])["inputSchema"] for entry in dialogue.listings.tools}


def listing(dialogue: Dialogue, method: str) -> Handler:
    async def answer(ctx: Any, params: Any) -> dict[str, Any]:
        with errors_of_the_sdk():
            check_cursor(params.cursor if params else None)
        listings = dialogue.listings
        if method == "tools/list":
            result: dict[str, Any] = {"tools": [json.loads(entry["json"]) for entry in listings.tools]}
        else:
            result = {LISTS[method]: listings.declared[LISTS[method]]}
        return shaped(ctx, method, result)

    return answer


def handler(dialogue: Dialogue, method: str) -> Handler:
    async def answer(ctx: Any, params: Any) -> dict[str, Any]:
        with errors_of_the_sdk():
            result = await dialogue.handle(
                method, plain(params), identity=visit_behind(ctx).identity, is_modern=is_modern(ctx)
            )
        return shaped(ctx, method, result)

    return answer


def tool_caller(dialogue: Dialogue) -> Handler:
    async def answer(ctx: Any, params: Any) -> dict[str, Any]:
        visit = visit_behind(ctx)
        if visit.request_id and params.name not in visit.tools:  # scopes and limits were weighed for what the doors saw
            raise MCPError(code=INVALID_REQUEST, message="The request was not read alike by all; send plain JSON.")
        with errors_of_the_sdk():
            answered = await dialogue.call_tool(
                plain(params),
                identity=visit.identity,
                progress=ctx.session.report_progress,
                request_id=visit.request_id,
                source_ip=visit.address,
            )
        return shaped(ctx, "tools/call", answered.result())

    return answer


async def in_a_sentence(ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
    """The SDK checks parameters before we see them, and says no more than that they are invalid."""
    try:
        return await call_next(ctx)
    except ValidationError as error:
        raise MCPError(code=INVALID_PARAMS, message=wrong_parameters(ctx.method, error)) from None


def wrong_parameters(method: str, error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"] if step != "params")
    wrong = "is missing" if first["type"] == "missing" else f"is wrong ({first['msg']})"
    return f"The parameters of {method} are not right: {place[:LONGEST_ECHO] or 'the object'} {wrong}."


@contextmanager
def errors_of_the_sdk() -> Iterator[None]:
    try:
        yield
    except ProtocolError as error:
        raise MCPError(code=error.code, message=error.message, data=error.data) from None


def visit_behind(ctx: Any) -> Visit:
    """What the doors learnt of the HTTP request that this message came with; where there were none, of nobody."""
    visit: Visit | None = getattr(ctx.request.state, KEY, None) if ctx.request is not None else None
    return visit or Visit(request_id="", address="")


def plain(params: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return dumped


def is_modern(ctx: Any) -> bool:
    return ctx.protocol_version in MODERN_VERSIONS


def shaped(ctx: Any, method: str, result: dict[str, Any]) -> dict[str, Any]:
    """A 2026-era result carries its envelope; an older one must not."""
    if not is_modern(ctx):
        return result
    extra = envelope(method)
    return {**result, **extra, "_meta": {**result.get("_meta", {}), **extra["_meta"]}}
