"""Tables as GitHub's pipe tables, by the contract: two columns or more, no table inside, some cell with text.

The header is the first row if it stands in a `thead` or has only `th` cells; otherwise columns are numbered.
Everything else (layout, single columns, tables in tables, cells with whole sections) is told as plain blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wellsourced.readers.blocks import HEADING_TAGS, Branch

if TYPE_CHECKING:
    from wellsourced.readers.markdown import Renderer

MAX_COLUMNS = 60
LONGEST_CELL = 1500
SECTIONS = frozenset(("thead", "tbody", "tfoot"))
NOT_IN_CELLS = frozenset(("table", "pre", "blockquote", "article", "section", "form")) | HEADING_TAGS


@dataclass(slots=True)
class Grid:
    rows: list[list[str]] = field(default_factory=list)
    has_header: bool = False
    captions: list[str] = field(default_factory=list)


def grid(table: Branch, renderer: Renderer) -> Grid | None:
    """The table's cells as text, or None when it is better told as plain blocks."""
    if table.attr("role") in {"presentation", "none"} or _holds(table, NOT_IN_CELLS):
        return None
    found = Grid(captions=[text for part in _parts(table, "caption") if (text := renderer.inline.line(part.children))])
    for row, in_head in _rows(table):
        cells = [child for child in row.children if isinstance(child, Branch) and child.tag in {"td", "th"}]
        texts = list(_texts(cells, renderer))
        if not any(texts):
            continue
        if not found.rows:
            found.has_header = in_head or (bool(cells) and all(cell.tag == "th" for cell in cells))
        found.rows.append(texts[:MAX_COLUMNS])
    width = max((len(row) for row in found.rows), default=0)
    too_long = any(len(cell) > LONGEST_CELL for row in found.rows for cell in row)
    return found if width >= 2 and not too_long else None


def holds_sections(table: Branch) -> bool:
    """Whether a table is a layout rather than data: other tables, code, headings or paragraphs in its cells."""
    return _holds(table, NOT_IN_CELLS | {"p", "div"})


def as_markdown(found: Grid) -> str:
    width = max(len(row) for row in found.rows)
    numbered = [f"Column {number}" for number in range(1, width + 1)]
    head, *body = found.rows if found.has_header else [numbered, *found.rows]
    rule = "| " + " | ".join(["---"] * width) + " |"
    return "\n".join([_line(head, width), rule, *(_line(row, width) for row in body)])


def _line(cells: list[str], width: int) -> str:
    padded = cells + [""] * (width - len(cells))
    return "| " + " | ".join(padded) + " |"


def _rows(table: Branch) -> Iterator[tuple[Branch, bool]]:
    for child in table.children:
        if isinstance(child, Branch) and child.tag == "tr":
            yield child, False
        elif isinstance(child, Branch) and child.tag in SECTIONS:
            yield from ((row, child.tag == "thead") for row in _parts(child, "tr"))


def _parts(branch: Branch, tag: str) -> list[Branch]:
    return [child for child in branch.children if isinstance(child, Branch) and child.tag == tag]


def _texts(cells: list[Branch], renderer: Renderer) -> Iterator[str]:
    """One text a column: a cell over several columns is followed by empty ones."""
    for cell in cells:
        if not any(isinstance(child, Branch) for child in cell.children):
            text = renderer.inline.line(cell.children)
        else:
            text = " ".join([" ".join(chunk.split()) for chunk in renderer.chunks(cell)])
        yield text.replace("|", "\\|")
        span = cell.attr("colspan")
        yield from [""] * (min(int(span), MAX_COLUMNS) - 1 if span.isdecimal() and len(span) < 4 else 0)


def _holds(branch: Branch, tags: frozenset[str]) -> bool:
    waiting = [branch]
    while waiting:
        for child in waiting.pop().children:
            if isinstance(child, Branch):
                if child.tag in tags:
                    return True
                waiting.append(child)
    return False
