"""The suite's resources, resource template, prompts and completions."""

from __future__ import annotations

import json
from typing import TypeAlias

import mcp_types as types
from mcp.shared.uri_template import UriTemplate

from tests.conformance.fixture import Context, not_found, red_pixel, text
from tests.conformance.fixture_rounds import form, form_value, needs
from tests.conformance.fixture_tools import embedded, image

TEXT, BINARY, WATCHED = "test://static-text", "test://static-binary", "test://watched-resource"
TEMPLATE = UriTemplate.parse("test://template/{id}/data")
PromptAnswer: TypeAlias = types.GetPromptResult | types.InputRequiredResult

RESOURCES = [
    types.Resource(uri=TEXT, name="static-text", description="A fixed text.", mime_type="text/plain"),
    types.Resource(uri=BINARY, name="static-binary", description="A fixed picture.", mime_type="image/png"),
    types.Resource(uri=WATCHED, name="watched-resource", description="Can be subscribed to.", mime_type="text/plain"),
]
PROMPTS = [
    types.Prompt(name="test_simple_prompt", description="Takes nothing."),
    types.Prompt(
        name="test_prompt_with_arguments",
        description="Repeats two arguments.",
        arguments=[types.PromptArgument(name=name, description=name, required=True) for name in ("arg1", "arg2")],
    ),
    types.Prompt(
        name="test_prompt_with_embedded_resource",
        description="Embeds a resource.",
        arguments=[types.PromptArgument(name="resourceUri", description="Address of the resource.", required=True)],
    ),
    types.Prompt(name="test_prompt_with_image", description="Shows a picture."),
    types.Prompt(name="test_input_required_result_prompt", description="Asks the user first."),
]


async def list_resources(ctx: Context, page: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=RESOURCES)


async def list_templates(ctx: Context, page: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(
        uri_template=str(TEMPLATE), name="template", description="Repeats its id.", mime_type="application/json"
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(ctx: Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    uri = str(asked.uri)
    if uri == BINARY:
        picture = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=red_pixel())
        return types.ReadResourceResult(contents=[picture])
    mime_type, words = read_words(uri)
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=mime_type, text=words)])


def read_words(uri: str) -> tuple[str, str]:
    if uri == TEXT:
        return "text/plain", "This is the content of the static text resource."
    if uri == WATCHED:
        return "text/plain", "This text can be watched."
    match = TEMPLATE.match(uri)
    if match is None:
        raise not_found("Resource", uri=uri)
    data = {"id": match["id"], "templateTest": True, "data": f"Data for ID: {match['id']}"}
    return "application/json", json.dumps(data)


async def list_prompts(ctx: Context, page: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=PROMPTS)


def messages(*contents: types.ContentBlock) -> types.GetPromptResult:
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content) for content in contents])


async def get_prompt(ctx: Context, asked: types.GetPromptRequestParams) -> PromptAnswer:
    given = asked.arguments or {}
    match asked.name:
        case "test_simple_prompt":
            return messages(text("This is a simple prompt for testing."))
        case "test_prompt_with_arguments":
            return messages(text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"))
        case "test_prompt_with_embedded_resource":
            resource = embedded(given["resourceUri"], "text/plain", "Embedded resource content for testing.")
            return messages(resource, text("Please process the embedded resource above."))
        case "test_prompt_with_image":
            return messages(image(), text("Please analyze the image above."))
        case "test_input_required_result_prompt":
            return prompt_in_rounds(asked)
    raise not_found("Prompt", name=asked.name)


def prompt_in_rounds(asked: types.GetPromptRequestParams) -> PromptAnswer:
    context = form_value(asked.input_responses, "user_context", "context")
    if context is None:
        return needs(user_context=form("What context should the prompt use?", "context"))
    return messages(text(f"Work in this context: {context}"))


async def complete(ctx: Context, asked: types.CompleteRequestParams) -> types.CompleteResult:
    known = ("paris", "park", "party", "test")
    values = [word for word in known if word.startswith(asked.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))
