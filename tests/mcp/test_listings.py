"""What is answered before the application is loaded is what the official SDK would answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp import Client

from tests.app import with_app
from tests.mcp.stdio_client import MODERN, StdioServer
from wellsourced.app import Application
from wellsourced.http.mcp_server import mcp_server
from wellsourced.mcp import declare
from wellsourced.mcp.dispatcher import Dispatcher
from wellsourced.mcp.json_rpc import RpcMessage
from wellsourced.mcp.listings import DECLARATIONS, Listings
from wellsourced.settings import Settings

LISTS = {
    "tools/list": "list_tools",
    "resources/list": "list_resources",
    "resources/templates/list": "list_resource_templates",
    "prompts/list": "list_prompts",
}


def test_the_generated_declarations_are_current() -> None:
    with open(DECLARATIONS, encoding="utf-8") as file:
        assert file.read() == declare.render_declarations()


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("method", LISTS)
def test_lists_are_those_of_the_sdk(quiet_environment: dict[str, str], mode: str, method: str) -> None:
    async def ask_the_sdk(app: Application) -> Any:
        server = mcp_server(Dispatcher(app, Listings(app.settings)))
        async with Client(server, mode=mode) as client:
            listed = await getattr(client, LISTS[method])()
            return listed.model_dump(by_alias=True, mode="json", exclude_none=True)

    params = {"_meta": MODERN} if mode != "legacy" else {}
    ours = json.loads(Listings(Settings({})).answer(RpcMessage(method, params, 1, is_request=True)))
    theirs = with_app(quiet_environment, ask_the_sdk)
    assert {key: value for key, value in ours.items() if key != "_meta"} == {
        key: value for key, value in theirs.items() if key in ours and key != "_meta"
    }


def test_handshake_and_discovery_are_those_of_the_sdk(quiet_environment: dict[str, str]) -> None:
    async def ask_the_sdk(app: Application) -> Any:
        server = mcp_server(Dispatcher(app, Listings(app.settings)))
        async with Client(server, mode="legacy") as client:
            return client.server_capabilities.model_dump(exclude_none=True), client.instructions

    params = {"protocolVersion": "2025-11-25"}
    ours = json.loads(Listings(Settings({})).answer(RpcMessage("initialize", params, 1, is_request=True)))
    capabilities, instructions = with_app(quiet_environment, ask_the_sdk)
    assert ours["instructions"] == instructions
    assert set(ours["capabilities"]) == set(capabilities)


def test_the_model_facing_part_of_the_list_stays_small() -> None:
    """At most 6,500 tokens: a model reads the list before every conversation.

    Lists of this kind take 4.3 bytes a token with a usual tokeniser; 4.2 errs on the safe side.
    """
    seen = [
        {key: declared[key] for key in ("name", "description", "inputSchema")}
        for declared in (json.loads(entry["json"]) for entry in Listings(Settings({})).declared["tools"])
    ]
    assert len(json.dumps(seen, separators=(",", ":"), ensure_ascii=False)) / 4.2 < 6500


def test_the_name_people_try_for_the_checks_offers_them(environment: dict[str, str]) -> None:
    with StdioServer({**environment, "TOOLSETS": "verification"}) as server:
        server.initialize()
        names = {tool["name"] for tool in server.request("tools/list")["result"]["tools"]}
    assert {"verify_citation", "audit_bibliography"} <= names and "web_search" not in names
