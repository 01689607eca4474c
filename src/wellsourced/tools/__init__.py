"""One MCP tool a file: an Input, an Output and a short `run`."""

from __future__ import annotations

import importlib
from functools import cache

from wellsourced.model.tool import Tool

ORDER = (
    "web_search",
    "scrape_page",
    "search_and_scrape",
    "image_search",
    "news_search",
    "academic_search",
    "patent_search",
    "sequential_search",
    "get_research_session",
    "get_my_analytics",
    "memory_save",
    "memory_recall",
    "workspace_contribute",
    "workspace_read",
    "answer",
    "structured_search",
    "citation_graph",
    "paper_fulltext",
    "research_export",
    "format_bibliography",
    "filing_search",
    "legal_search",
    "econ_search",
    "verify_citation",
    "verify_recommendation",
    "clinical_search",
    "local_search",
    "audit_bibliography",
    "archive_source",
    "brand_research",
    "search",
    "fetch",
)
"""Every tool, in the order clients see them."""


@cache
def load(name: str) -> Tool:
    """A tool by name, its module imported when it is first needed."""
    tool: Tool = importlib.import_module(f"{__name__}.{name}").TOOL
    return tool


def all_tools() -> list[Tool]:
    return [load(name) for name in ORDER]
