# mypy: ignore-errors
"""Asks the server through one of the usual client libraries and prints what it would hand to the model.

Usage: ask.py LIBRARY SERVER, where SERVER is JSON with `command`, `args` and `env`. It runs in an environment of its
own (requirements.txt beside it): most of these libraries need another version of the SDK than the project does.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

TOOL = "search_and_scrape"
ARGUMENTS = {"query": "solar panels"}


async def sdk(server: dict[str, Any]) -> str:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async with stdio_client(StdioServerParameters(**server)) as streams, ClientSession(*streams) as session:
        await session.initialize()
        result = await session.call_tool(TOOL, ARGUMENTS)
        return result.content[0].text


async def fastmcp(server: dict[str, Any]) -> str:
    from fastmcp import Client

    async with Client({"mcpServers": {"wellsourced": server}}) as client:
        result = await client.call_tool(TOOL, ARGUMENTS)
        return result.content[0].text


async def langchain(server: dict[str, Any]) -> str:
    """As an OpenAI model gets it: a tool message may hold nothing but text."""
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from langchain_openai.chat_models.base import _convert_message_to_dict

    client = MultiServerMCPClient({"wellsourced": {"transport": "stdio", **server}})
    (tool,) = [tool for tool in await client.get_tools() if tool.name == TOOL]
    message = await tool.ainvoke({"type": "tool_call", "id": "1", "name": TOOL, "args": ARGUMENTS})
    parts = _convert_message_to_dict(message)["content"]
    if isinstance(parts, str):
        return parts
    assert all(part["type"] == "text" for part in parts), [part["type"] for part in parts]
    return "".join(part["text"] for part in parts)


async def openai_agents(server: dict[str, Any]) -> str:
    from agents.mcp import MCPServerStdio, MCPUtil
    from agents.tool_context import ToolContext

    async with MCPServerStdio(params=server, client_session_timeout_seconds=60) as connected:
        (tool,) = [tool for tool in await connected.list_tools() if tool.name == TOOL]
        made = MCPUtil.to_function_tool(tool, connected, convert_schemas_to_strict=False)
        context = ToolContext(context=None, tool_name=TOOL, tool_call_id="1", tool_arguments=json.dumps(ARGUMENTS))
        return told(await made.on_invoke_tool(context, json.dumps(ARGUMENTS)))


async def pydantic_ai(server: dict[str, Any]) -> str:
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    async with MCPToolset(StdioTransport(**server)) as connected:
        return told(await connected.direct_call_tool(TOOL, ARGUMENTS))


async def llama_index(server: dict[str, Any]) -> str:
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    client = BasicMCPClient(server["command"], server["args"], server["env"], timeout=60)
    (tool,) = [tool for tool in await McpToolSpec(client).to_tool_list_async() if tool.metadata.name == TOOL]
    return (await tool.acall(**ARGUMENTS)).content


async def semantic_kernel(server: dict[str, Any]) -> str:
    from semantic_kernel.connectors.mcp import MCPStdioPlugin

    async with MCPStdioPlugin(name="wellsourced", **server) as plugin:
        return told(await plugin.call_tool(TOOL, **ARGUMENTS))


def told(result: Any) -> str:
    """A library's own kind of result as the text a model would see."""
    if isinstance(result, str):
        return result
    if isinstance(result, list):
        return "".join(told(part) for part in result)
    if isinstance(result, dict):
        return result["text"] if result.get("type") in ("text", "input_text") else json.dumps(result)
    return getattr(result, "text", None) or str(result)


LIBRARIES = {
    function.__name__: function
    for function in (sdk, fastmcp, langchain, openai_agents, pydantic_ai, llama_index, semantic_kernel)
}

if __name__ == "__main__":
    print(json.dumps({"text": asyncio.run(LIBRARIES[sys.argv[1]](json.loads(sys.argv[2])))}))
