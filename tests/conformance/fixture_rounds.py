"""The suite's tools that need several rounds: from 2026-07-28 a server answers with what it still needs to know.

State that travels through the client is signed, because the client may change it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from tests.conformance.fixture import Context, FixtureTool, ToolAnswer, offered, says, text

KEY = secrets.token_bytes(32)


def sign(state: str) -> str:
    return f"{state}.{hmac.new(KEY, state.encode(), hashlib.sha256).hexdigest()}"


def signed_state(call: types.CallToolRequestParams) -> str | None:
    """The state we once signed; None in the first round, an error when it was altered."""
    if call.request_state is None:
        return None
    state = call.request_state.rpartition(".")[0]
    if not hmac.compare_digest(sign(state).encode(), call.request_state.encode()):
        raise MCPError(types.INVALID_PARAMS, "requestState was not issued by this server.")
    return state


def form(message: str, field: str, kind: str = "string") -> types.ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(prompt: str, max_tokens: int = 100) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=text(prompt))
    params = types.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    return types.CreateMessageRequest(params=params)


def needs(state: str | None = None, /, **requests: types.InputRequest) -> types.InputRequiredResult:
    return types.InputRequiredResult(input_requests=requests, request_state=sign(state) if state else None)


def form_value(responses: Mapping[str, types.InputResponse] | None, key: str, field: str) -> Any:
    """A field the user filled in; None while it is missing."""
    reply = (responses or {}).get(key)
    return (reply.content or {}).get(field) if isinstance(reply, types.ElicitResult) else None


def sampled(responses: Mapping[str, types.InputResponse] | None, key: str) -> str | None:
    reply = (responses or {}).get(key)
    content = getattr(reply, "content", None)
    return content.text if isinstance(content, types.TextContent) else None


def roots(responses: Mapping[str, types.InputResponse] | None, key: str) -> list[str] | None:
    reply = (responses or {}).get(key)
    return [str(root.uri) for root in reply.roots] if isinstance(reply, types.ListRootsResult) else None


async def ask_name(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    name = form_value(call.input_responses, "user_name", "name")
    return needs(user_name=form("What is your name?", "name")) if name is None else says(f"Hello, {name}!")


async def ask_model(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    answer = sampled(call.input_responses, "capital_question")
    if answer is None:
        return needs(capital_question=sample("What is the capital of France?"))
    return says(f"The model said: {answer}")


async def ask_roots(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    found = roots(call.input_responses, "client_roots")
    return needs(client_roots=types.ListRootsRequest()) if found is None else says(f"Roots: {', '.join(found)}")


async def confirm(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    state = signed_state(call)
    if state is None or form_value(call.input_responses, "confirm", "ok") is None:
        return needs("waiting", confirm=form("Please confirm", "ok", "boolean"))
    return says("state-ok")


async def ask_everything(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    signed_state(call)
    responses = call.input_responses
    name = form_value(responses, "user_name", "name")
    greeting, found = sampled(responses, "greeting"), roots(responses, "client_roots")
    if name is None or greeting is None or found is None:
        return needs(
            "waiting",
            user_name=form("What is your name?", "name"),
            greeting=sample("Generate a greeting", 50),
            client_roots=types.ListRootsRequest(),
        )
    return says(f"{greeting} {name}, who has {len(found)} roots")


async def ask_twice(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    state = signed_state(call)
    name = form_value(call.input_responses, "step1", "name")
    if state is None or (state == "first" and name is None):
        return needs("first", step1=form("Step 1: What is your name?", "name"))
    colour = form_value(call.input_responses, "step2", "color")
    if state == "first" or colour is None:
        known = str(name) if state == "first" else state.removeprefix("second:")
        return needs(f"second:{known}", step2=form("Step 2: What is your favorite color?", "color"))
    return says(f"{state.removeprefix('second:')} likes {colour}")


async def ask_what_the_client_can(ctx: Context, call: types.CallToolRequestParams) -> ToolAnswer:
    able = ctx.session.client_capabilities
    requests: dict[str, types.InputRequest] = {}
    if able is not None and able.sampling is not None:
        requests["greeting"] = sample("Generate a greeting", 50)
    if able is not None and able.elicitation is not None:
        requests["user_name"] = form("What is your name?", "name")
    return needs(None, **requests) if requests else says("The client can be asked nothing.")


ROUNDS = "test_input_required_result_"
TOOLS: tuple[FixtureTool, ...] = (
    offered(ask_name, "Asks the user for a name.", name=f"{ROUNDS}elicitation"),
    offered(ask_model, "Asks the client's model.", name=f"{ROUNDS}sampling"),
    offered(ask_roots, "Asks for the client's roots.", name=f"{ROUNDS}list_roots"),
    offered(confirm, "Carries state through the client.", name=f"{ROUNDS}request_state"),
    offered(ask_everything, "Asks three things at once.", name=f"{ROUNDS}multiple_inputs"),
    offered(ask_twice, "Asks in two rounds.", name=f"{ROUNDS}multi_round"),
    offered(confirm, "Refuses altered state.", name=f"{ROUNDS}tampered_state"),
    offered(ask_what_the_client_can, "Asks only what the client offers.", name=f"{ROUNDS}capabilities"),
    offered(ask_name, "Asks inside a streamed answer.", name="test_streaming_elicitation"),
)
