"""The suite's tools that answer at once: every kind of content, an error, progress, log lines, schemas."""

from __future__ import annotations

import json
import warnings
from typing import Any

import anyio
import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from tests.conformance.fixture import Context, FixtureTool, offered, red_pixel, says, short_silence, text

CHANGES = InMemorySubscriptionBus()
PAUSE = 0.05

MODERN_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
}


def image() -> types.ImageContent:
    return types.ImageContent(type="image", data=red_pixel(), mime_type="image/png")


def embedded(uri: str, mime_type: str, words: str) -> types.EmbeddedResource:
    resource = types.TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    return types.EmbeddedResource(type="resource", resource=resource)


async def log(ctx: Context, words: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        await ctx.session.send_log_message("info", words, related_request_id=ctx.request_id)


async def test_simple_text(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    return says("This is a simple text response for testing.")


async def test_image_content(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[image()])


async def test_audio_content(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    sound = types.AudioContent(type="audio", data=short_silence(), mime_type="audio/wav")
    return types.CallToolResult(content=[sound])


async def test_embedded_resource(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    resource = embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    return types.CallToolResult(content=[resource])


async def test_multiple_content_types(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    data = json.dumps({"test": "data", "value": 123})
    resource = embedded("test://mixed-content-resource", "application/json", data)
    return types.CallToolResult(content=[text("Multiple content types test:"), image(), resource])


async def test_tool_with_logging(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    await log(ctx, "Tool execution started")
    await anyio.sleep(PAUSE)
    await log(ctx, "Tool processing data")
    await anyio.sleep(PAUSE)
    await log(ctx, "Tool execution completed")
    return says("Three log lines were sent.")


async def test_logging_tool(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    await log(ctx, "Only for clients that asked for a log level")
    return says("A log line was offered.")


async def test_tool_with_progress(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    for done in (0, 50, 100):
        await ctx.session.report_progress(done, 100)
        await anyio.sleep(PAUSE)
    return says("Progress was reported three times.")


async def test_error_handling(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    words = "This tool intentionally returns an error for testing"
    return types.CallToolResult(content=[text(words)], is_error=True)


async def test_reconnection(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    if ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
    await anyio.sleep(2 * PAUSE)
    return says("The stream was closed before this answer.")


async def test_missing_capability(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    declared = ctx.session.client_capabilities
    if declared is None or declared.sampling is None:
        needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling.", needed)
    return says("The client can sample.")


async def test_trigger_tool_change(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    await CHANGES.publish(ToolsListChanged())
    return says("The list of tools was announced as changed.")


async def test_trigger_prompt_change(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    await CHANGES.publish(PromptsListChanged())
    return says("The list of prompts was announced as changed.")


async def echo_arguments(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    return says(json.dumps(call.arguments or {}, sort_keys=True))


TOOLS: tuple[FixtureTool, ...] = (
    offered(test_simple_text, "Answers with one text."),
    offered(test_image_content, "Answers with one picture."),
    offered(test_audio_content, "Answers with one sound."),
    offered(test_embedded_resource, "Answers with one embedded resource."),
    offered(test_multiple_content_types, "Answers with a text, a picture and a resource."),
    offered(test_tool_with_logging, "Sends three log lines."),
    offered(test_logging_tool, "Sends a log line if one was asked for."),
    offered(test_tool_with_progress, "Reports progress three times."),
    offered(test_error_handling, "Always fails."),
    offered(test_reconnection, "Closes the stream before it answers."),
    offered(test_missing_capability, "Refuses clients that cannot sample."),
    offered(test_trigger_tool_change, "Announces a change of the tools."),
    offered(test_trigger_prompt_change, "Announces a change of the prompts."),
    offered(echo_arguments, "Has every new schema keyword.", name="json_schema_2020_12_tool", schema=MODERN_SCHEMA),
    offered(echo_arguments, "Takes an argument from a header.", name="test_header_argument", schema=HEADER_SCHEMA),
)
