"""Providers as the resources and the completions tell them: under the names and for the uses that callers know."""

from __future__ import annotations

from typing import Any

from tests.app import with_app
from wellsourced.app import Application
from wellsourced.identity import Identity
from wellsourced.mcp.dispatcher import complete_argument
from wellsourced.mcp.resources import read_resource

USES = {"web", "academic", "patent", "filing", "legal", "econ", "clinical", "local", "answer", "structured", "archive"}


def test_configured_providers_are_told_for_each_use_and_offered_where_a_tool_takes_them(
    quiet_environment: dict[str, str],
) -> None:
    async def look(app: Application) -> tuple[Any, Any, list[str]]:
        identity = Identity()
        views = [await read_resource(app, uri, identity) for uri in ("stats://providers", "diagnostics://health")]
        return views[0], views[1], complete_argument(app, None, "provider", "")["values"]

    configured, health, offered = with_app({**quiet_environment, "BRAVE_API_KEY": "k" * 20}, look)
    rows = {(row["name"], row["type"]) for row in configured["providers"]}
    known = {("brave", "web"), ("brave", "local"), ("openalex", "academic"), ("worldbank", "econ")}
    known.add(("courtlistener", "legal"))
    assert known <= rows and {use for _, use in rows} <= USES
    assert {use for row in health["providers"] for use in row["type"].split(",")} <= USES
    assert {"all", "brave", "courtlistener", "openalex"} <= set(offered)
    assert not {"brave-local", "wayback", "unpaywall", "doi_org", "google", "tavily"} & set(offered)
