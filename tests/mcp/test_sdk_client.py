"""The official SDK's client against the real process, in both eras, on stdio and over HTTP."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.http.http_server import http_server

ERAS = ("legacy", "2026-07-28")


async def converse(target: Any, mode: str) -> None:
    client: Any
    async with Client(target, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"web_search", "image_search", "news_search"} <= tools.keys()
        assert tools["web_search"].title
        assert tools["web_search"].output_schema
        found = await client.call_tool("web_search", {"query": "solar panels", "num_results": 3})
        assert not found.is_error
        assert found.structured_content["resultCount"] == 3
        assert json.loads(found.content[0].text) == found.structured_content
        failed = await client.call_tool("web_search", {"query": "x", "provider": "altavista"})
        assert failed.is_error
        assert '"kind":"config"' in failed.content[0].text
        resources = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert "stats://tools" in resources
        statistics = json.loads((await client.read_resource("stats://tools")).contents[0].text)
        assert statistics["tools"]["web_search"]["totalCalls"] == 2
        assert statistics["tools"]["web_search"]["errorCalls"] == 1
        errors = json.loads((await client.read_resource("diagnostics://errors/recent")).contents[0].text)
        assert errors["errors"][0]["kind"] == "config"
        found = await client.call_tool("search", {"query": "solar panels"})
        assert [item.type for item in found.content] == ["text"]
        first = json.loads(found.content[0].text)["results"][0]
        opened = await client.call_tool("fetch", {"id": first["id"]})
        assert [item.type for item in opened.content] == ["text"]
        document = json.loads(opened.content[0].text)
        assert (document["id"], document["url"]) == (first["id"], first["url"])
        assert "report on solar panels" in document["text"]
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert "brand-guidelines" in prompts
        prompt = await client.get_prompt("fact-check", {"claim": "The moon is made of cheese"})
        assert "moon" in prompt.messages[0].content.text


@pytest.mark.parametrize("mode", ERAS)
def test_over_stdio(environment: Mapping[str, str], mode: str) -> None:
    reading = {**environment, "ALLOW_PRIVATE_IPS": "true"}
    server = StdioServerParameters(command=sys.executable, args=["-m", "wellsourced"], env=reading)
    asyncio.run(converse(server, mode))


@pytest.mark.parametrize("mode", ERAS)
def test_over_http(environment: Mapping[str, str], mode: str) -> None:
    with http_server({**environment, "ALLOW_PRIVATE_IPS": "true"}) as address:
        asyncio.run(converse(address + "/mcp", mode))
