"""The table of what works without a key: in the docs and in doctor, the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

from wellsourced.app.configuration import declared_settings
from wellsourced.cli.checks.services import check_tools
from wellsourced.cli.checks.tool_sources import TOOL_KINDS, needs_nothing, tool_sources
from wellsourced.cli.doctor import run_checks
from wellsourced.settings import Settings
from wellsourced.tool.registry import all_tools

PAGE = Path(__file__).parents[2] / "docs" / "providers.md"


def test_doctor_and_the_docs_say_the_same_without_a_key(tmp_path: Path) -> None:
    settings = Settings({"CACHE_DIR": str(tmp_path)}, declared_settings())
    page = PAGE.read_text("utf-8")
    told = {result.area: result.message for result in check_tools(settings)}
    for row in tool_sources(needs_nothing):
        cells = [", ".join(part) or "nobody" for part in (row.asked, row.stand_ins, row.more)]
        assert f"| `{row.tool}` | {' | '.join(cells)} |" in page
        assert told[f"tool {row.tool}"] == f"asks {row.sentence}"
    shown = {result.area for result in asyncio.run(run_checks(settings, online=False))}
    assert set(told) <= shown


def test_every_tool_named_exists_and_searching_needs_no_key() -> None:
    assert set(TOOL_KINDS) <= {tool.name for tool in all_tools()}
    ready = {row.tool for row in tool_sources(needs_nothing) if row.asked}
    assert {"web_search", "news_search", "academic_search", "citation_graph", "legal_search", "econ_search"} <= ready
