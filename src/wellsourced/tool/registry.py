"""Finds the tools: a tool is a file of a feature package that holds a `TOOL`, and the file is named after it.

Nothing lists them by hand. `load` looks only for the one file, so that a call imports no other tool.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from wellsourced.tool.base import Tool

ROOT = Path(__file__).parent.parent
MARK = b"\nTOOL = Tool("


@cache
def load(name: str) -> Tool:
    """A tool by name, its module imported when it is first needed."""
    files = ROOT.glob(f"*/{name}.py") if name.isidentifier() else ()
    for file in files:
        if _holds_tool(file):
            tool: Tool = importlib.import_module(f"wellsourced.{file.parent.name}.{name}").TOOL
            return tool
    raise KeyError(name)


@cache
def names() -> frozenset[str]:
    """The names of all tools, without importing any of them."""
    return frozenset(file.stem for file in ROOT.glob("*/*.py") if _holds_tool(file))


def all_tools() -> list[Tool]:
    """Every tool, in the order clients see them."""
    return sorted((load(name) for name in names()), key=lambda tool: (tool.order, tool.name))


def _holds_tool(file: Path) -> bool:
    return MARK in file.read_bytes()
