"""What every search answers beside its results."""

from __future__ import annotations

from wellsourced.tool.base import ToolOutput
from wellsourced.tool.hints import Hints


class Listing(ToolOutput):
    """`notes` tells what went wrong on the way; `hints` says what to try, and only where nothing was found."""

    query: str
    result_count: int
    notes: list[str] | None = None
    hints: Hints | None = None
    trust: str

    @property
    def is_empty(self) -> bool:
        return not self.result_count
