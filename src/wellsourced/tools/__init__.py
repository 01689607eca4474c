"""One MCP tool a file: an Input, an Output and a short `run`."""

from __future__ import annotations

import importlib
from functools import cache

from wellsourced.model.tool import Tool

ORDER = ("web_search", "image_search", "news_search")
"""Every tool, in the order clients see them."""


@cache
def load(name: str) -> Tool:
    """A tool by name, its module imported when it is first needed."""
    tool: Tool = importlib.import_module(f"{__name__}.{name}").TOOL
    return tool


def all_tools() -> list[Tool]:
    return [load(name) for name in ORDER]
