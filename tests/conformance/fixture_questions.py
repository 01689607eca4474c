"""The suite's tools that ask the client something in the middle of a call, as servers did up to 2025-11-25."""

from __future__ import annotations

import json
import warnings
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPDeprecationWarning

from tests.conformance.fixture import Context, FixtureTool, offered, says, text

CONTACT_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    },
    "required": ["username", "email"],
}
DEFAULTS_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
}
PLAIN = ["option1", "option2", "option3"]
TITLED = [{"const": f"value{n}", "title": f"{word} Option"} for n, word in enumerate(("First", "Second", "Third"), 1)]
CHOICES_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": PLAIN},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": PLAIN}},
        "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
    },
}


def takes(name: str) -> dict[str, Any]:
    """The schema of a tool with one required text argument."""
    return {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}


async def ask_form(ctx: Context, message: str, form: dict[str, Any]) -> types.CallToolResult:
    reply = await ctx.session.elicit_form(message, form, ctx.request_id)
    return says(f"The user's answer: action={reply.action}, content={json.dumps(reply.content)}")


async def test_sampling(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    prompt = text(str((call.arguments or {})["prompt"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        reply = await ctx.session.create_message(
            [types.SamplingMessage(role="user", content=prompt)], max_tokens=100, related_request_id=ctx.request_id
        )
    said = reply.content.text if isinstance(reply.content, types.TextContent) else "nothing in words"
    return says(f"LLM response: {said}")


async def test_elicitation(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    return await ask_form(ctx, str((call.arguments or {})["message"]), CONTACT_FORM)


async def test_elicitation_sep1034_defaults(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    return await ask_form(ctx, "Please look through the prepared values.", DEFAULTS_FORM)


async def test_elicitation_sep1330_enums(ctx: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
    return await ask_form(ctx, "Please choose.", CHOICES_FORM)


TOOLS: tuple[FixtureTool, ...] = (
    offered(test_sampling, "Asks the client's model.", schema=takes("prompt")),
    offered(test_elicitation, "Asks the user for a name and an address.", schema=takes("message")),
    offered(test_elicitation_sep1034_defaults, "Asks the user with every kind of default."),
    offered(test_elicitation_sep1330_enums, "Asks the user with every kind of choice."),
)
