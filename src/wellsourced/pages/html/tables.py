"""Tables as GitHub's pipe tables, by the contract: two columns or more, no table inside, some cell with text.

The header is the first row if it stands in a `thead` or has only `th` and empty cells; otherwise columns are numbered.
A cell over several columns or rows has empty ones beside or below it, so that every text stays in its column.
Everything else (layout, single columns, tables in tables, cells with whole sections) is written as plain blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from wellsourced.pages.html.blocks import HEADING_TAGS, Branch
from wellsourced.pages.html.dom import Element
from wellsourced.text.markdown_table import join_rows

if TYPE_CHECKING:
    from wellsourced.pages.html.markdown import MarkdownWriter

MAX_COLUMNS = 60
# A longer cell is a column of a layout, not a datum.
LONGEST_CELL = 1500
SECTIONS = frozenset(("thead", "tbody", "tfoot"))
CELLS = frozenset(("td", "th"))
NOT_IN_CELLS = frozenset(("table", "pre", "blockquote", "article", "section", "form")) | HEADING_TAGS
Cell: TypeAlias = tuple[Element, Branch | None]
Below: TypeAlias = dict[int, int]


@dataclass(slots=True)
class Grid:
    rows: list[list[str]] = field(default_factory=list)
    has_header: bool = False
    captions: list[str] = field(default_factory=list)


def read_grid(table: Branch, writer: MarkdownWriter) -> Grid | None:
    """The table's cells as text, or None when it is better written as plain blocks."""
    if table.attr("role") in {"presentation", "none"} or _holds(table, NOT_IN_CELLS):
        return None
    table_grid = Grid(captions=caption_lines(table, writer))
    section: Branch | None = None
    below: Below = {}
    for row in _rows(table):
        if row.parent is not section:
            section, below = row.parent, {}
        cells = _cells(row)
        texts = _texts(cells, writer, below)
        if not any(texts):
            continue
        if not table_grid.rows:
            table_grid.has_header = _is_header(row, cells)
        table_grid.rows.append(texts)
    table_grid.rows = _without_empty_columns(table_grid.rows)
    width = max((len(row) for row in table_grid.rows), default=0)
    too_long = any(len(cell) > LONGEST_CELL for row in table_grid.rows for cell in row)
    return table_grid if width >= 2 and not too_long else None


def all_rows(table: Branch, writer: MarkdownWriter) -> list[list[str]]:
    """The text of every cell, whatever stands in it, one list a row."""
    rows = [[writer.inline.lines(cell.children) if cell else "" for _, cell in _cells(row)] for row in _rows(table)]
    return [row for row in rows if any(row)]


def caption_lines(table: Branch, writer: MarkdownWriter) -> list[str]:
    return [text for part in _parts(table, "caption") if (text := writer.inline.line(part.children))]


def holds_sections(table: Branch) -> bool:
    """Whether a table is a layout rather than data: other tables, code, headings or paragraphs in its cells."""
    return _holds(table, NOT_IN_CELLS | {"p", "div"})


def grid_markdown(table_grid: Grid) -> str:
    width = max(len(row) for row in table_grid.rows)
    numbered = [f"Column {number}" for number in range(1, width + 1)]
    return join_rows(table_grid.rows if table_grid.has_header else [numbered, *table_grid.rows], width)


def _rows(table: Branch) -> list[Branch]:
    """In the order a browser shows them: the foot last, wherever it is written."""
    rows: list[Branch] = []
    foot: list[Branch] = []
    for child in table.children:
        if isinstance(child, Branch) and child.tag == "tr":
            rows.append(child)
        elif isinstance(child, Branch) and child.tag in SECTIONS:
            (foot if child.tag == "tfoot" else rows).extend(_parts(child, "tr"))
    return rows + foot


def _parts(branch: Branch, tag: str) -> list[Branch]:
    return [child for child in branch.children if isinstance(child, Branch) and child.tag == tag]


def _cells(row: Branch) -> list[Cell]:
    """Every cell; those without any content have no branch."""
    branches = {child.element: child for child in row.children if isinstance(child, Branch)}
    return [(node, branches.get(node)) for node in row.element if isinstance(node, Element) and node.tag in CELLS]


def _is_header(row: Branch, cells: list[Cell]) -> bool:
    in_head = row.parent is not None and row.parent.tag == "thead"
    return in_head or all(element.tag == "th" or branch is None for element, branch in cells)


def _texts(cells: list[Cell], writer: MarkdownWriter, below: Below) -> list[str]:
    """One text a column; `below` says for how many more rows a column belongs to a cell above, and is kept up here."""
    texts: list[str] = []
    taken = {column for column, rows in below.items() if rows > 0}
    for column in taken:
        below[column] -= 1
    for element, branch in cells:
        while len(texts) in taken:
            texts.append("")
        columns, rows = _span(element, "colspan"), _span(element, "rowspan")
        if rows > 1:
            below.update(dict.fromkeys(range(len(texts), len(texts) + columns), rows - 1))
        texts += [_text(branch, writer) if branch else "", *[""] * (columns - 1)]
        if len(texts) >= MAX_COLUMNS:
            break
    return texts[:MAX_COLUMNS]


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    used = sorted({column for row in rows for column, text in enumerate(row) if text})
    return [[row[column] if column < len(row) else "" for column in used] for row in rows]


def _text(cell: Branch, writer: MarkdownWriter) -> str:
    if not any(isinstance(child, Branch) for child in cell.children):
        text = writer.inline.line(cell.children)
    else:
        text = " ".join([" ".join(chunk.split()) for chunk in writer.chunks(cell)])
    return text.replace("|", "\\|")


def _span(cell: Element, name: str) -> int:
    span = cell.attr(name) or ""
    return max(1, min(int(span), MAX_COLUMNS)) if span.isdecimal() and len(span) < 4 else 1


def _holds(branch: Branch, tags: frozenset[str]) -> bool:
    waiting = [branch]
    while waiting:
        for child in waiting.pop().children:
            if isinstance(child, Branch):
                if child.tag in tags:
                    return True
                waiting.append(child)
    return False
