"""Tables as GitHub-flavoured markdown (GFM spec, section 4.10)."""

from __future__ import annotations

from collections.abc import Sequence


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """The first row is the header, as GFM has no table without one; empty rows and columns at the end go."""
    kept = [[escape_cell(text) for text in row] for row in rows]
    kept = [row for row in kept if any(row)]
    width = max((_used(row) for row in kept), default=0)
    if not width:
        return ""
    return join_rows(kept, width)


def join_rows(rows: Sequence[Sequence[str]], width: int) -> str:
    """Rows of escaped cells as a table of so many columns; the first row is the header."""
    lines = [_line(row, width) for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)


def escape_cell(text: str) -> str:
    """One line, with the column sign escaped."""
    return "<br>".join(part.strip() for part in text.strip().splitlines() if part.strip()).replace("|", "\\|")


def _used(row: Sequence[str]) -> int:
    return max((index + 1 for index, text in enumerate(row) if text), default=0)


def _line(row: Sequence[str], width: int) -> str:
    padded = list(row[:width]) + [""] * (width - len(row))
    return "| " + " | ".join(padded) + " |"
