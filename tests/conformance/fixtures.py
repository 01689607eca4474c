"""All the suite's fixtures as `on_*` handlers, named as the SDK's `Server` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server.subscriptions import ListenHandler

from tests.conformance import fixture_material as material
from tests.conformance import fixture_questions, fixture_rounds, fixture_tools
from tests.conformance.fixture import Context, ToolAnswer, not_found

TOOLS = {
    tool.declaration.name: tool for tool in (*fixture_tools.TOOLS, *fixture_questions.TOOLS, *fixture_rounds.TOOLS)
}


async def list_tools(ctx: Context, page: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[tool.declaration for tool in TOOLS.values()])


async def call_tool(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    if call.name not in TOOLS:
        raise not_found("Tool", name=call.name)
    return await TOOLS[call.name].run(ctx, call)


async def agree(ctx: Context, asked: object) -> types.EmptyResult:
    """Subscribing and setting a log level need only be accepted."""
    return types.EmptyResult()


def tool_input_schema(name: str) -> Mapping[str, Any] | None:
    return TOOLS[name].declaration.input_schema if name in TOOLS else None


def fixture_handlers() -> dict[str, Any]:
    """Every handler by its keyword of `Server.__init__`."""
    return {
        "on_list_tools": list_tools,
        "on_call_tool": call_tool,
        "on_list_resources": material.list_resources,
        "on_list_resource_templates": material.list_templates,
        "on_read_resource": material.read_resource,
        "on_subscribe_resource": agree,
        "on_unsubscribe_resource": agree,
        "on_subscriptions_listen": ListenHandler(fixture_tools.CHANGES),
        "on_list_prompts": material.list_prompts,
        "on_get_prompt": material.get_prompt,
        "on_completion": material.complete,
        "on_set_logging_level": agree,
    }
