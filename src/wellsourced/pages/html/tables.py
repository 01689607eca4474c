"""Tables as GitHub's pipe tables, by the contract: two columns or more, no table inside, some cell with text.

The header is the rows of a `thead`, joined by column, or the first row if it has only `th` and empty cells; otherwise
columns are numbered. A cell over several rows is repeated in each, one over several columns has empty ones beside it,
so that every text stays in its column and no number without its row. Everything else (layout, single columns, tables in
tables, cells with whole sections) is written as plain blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.blocks import HEADING_TAGS, Block, Branch, tag_by_role
from wellsourced.pages.html.dom import Element
from wellsourced.text.markdown_table import join_rows

if TYPE_CHECKING:
    from wellsourced.pages.html.markdown import MarkdownWriter

MAX_COLUMNS = 60
# A longer cell is a column of a layout, not a datum.
LONGEST_CELL = 1500
SECTIONS = frozenset(("thead", "tbody", "tfoot"))
CELLS = frozenset(("td", "th"))
NOT_IN_CELLS = frozenset(("table", "article", "section", "form"))
# A table whose cells hold these may be a layout: it is one unless it has rows and columns of short cells.
BLOCKS_IN_CELLS = HEADING_TAGS | {"p", "div", "pre", "blockquote", "ul", "ol", "dl"}
HEAD_CELLS = frozenset(("th",))
LONGEST_SHORT_CELL, MOST_OF_ALL = 600, 0.5
BLOCK_MARK = late_pattern(r"(?:#{1,6}|>|-) ")
LINK_ADDRESS = late_pattern(r"\]\([^()\s]{1,2100}\)")
NUMBERED = late_pattern(r"\(?[A-Za-z0-9.]{1,5}[.)°]\)?|[—–•·-]")
ITEM = late_pattern(r"(?:-|\d{1,9}\.) ")
Cell: TypeAlias = tuple[Element, Branch | None]
# By column: for how many more rows it belongs to a cell above, and what that says.
Below: TypeAlias = dict[int, tuple[int, str]]


@dataclass(slots=True)
class Grid:
    rows: list[list[str]] = field(default_factory=list)
    head_rows: int = 0
    captions: list[str] = field(default_factory=list)


def read_grid(table: Branch, writer: MarkdownWriter) -> Grid | None:
    """The table's cells as text, or None when it is better written as plain blocks."""
    if table.attr("role") in {"presentation", "none"} or _holds(table, NOT_IN_CELLS):
        return None
    grid = _read_rows(table, writer)
    width = max((len(row) for row in grid.rows), default=0)
    too_long = any(_length(cell) > LONGEST_CELL for row in grid.rows for cell in row)
    if width < 2 or too_long or (_holds(table, HEADING_TAGS) and len(grid.rows) < 2):
        return None
    return grid


def marked_line(grid: Grid) -> str:
    """One row of a text or formula and its number, which laws and papers set in a table of its own; "" for others."""
    cells = [cell for cell in grid.rows[0] if cell] if len(grid.rows) == 1 and not grid.head_rows else []
    return " ".join(cells) if len(cells) == 2 and any(map(NUMBERED.fullmatch, cells)) else ""


def _length(cell: str) -> int:
    """Of the text without the addresses of its links."""
    return len(cell) if len(cell) <= LONGEST_CELL else len(LINK_ADDRESS.sub("]", cell))


def _read_rows(table: Branch, writer: MarkdownWriter) -> Grid:
    grid = Grid(captions=caption_lines(table, writer))
    section: Branch | None = None
    below: Below = {}
    for row in _rows(table):
        if row.parent is not section:
            section, below = row.parent, {}
        cells = _cells(row)
        is_head = grid.head_rows == len(grid.rows) and _is_header(row, cells, is_first=not grid.rows)
        texts = _texts(cells, writer, below, widens=is_head and _is_one_of_several(row))
        if any(texts):
            grid.rows.append(texts)
            grid.head_rows += is_head
    grid.rows = _without_empty_columns(_join_head(grid.rows, grid.head_rows))
    return grid


def _join_head(rows: list[list[str]], head_rows: int) -> list[list[str]]:
    """The rows of a head as one: what stands over a column, from above."""
    if head_rows < 2:
        return rows
    width = max(map(len, rows[:head_rows]))
    columns = ([row[place] for row in rows[:head_rows] if place < len(row)] for place in range(width))
    return [[" ".join(dict.fromkeys(filter(None, column))) for column in columns], *rows[head_rows:]]


def is_data(table: Branch, blocks: Sequence[Block]) -> bool:
    """Whether a table holds data rather than the layout of a page: short cells in rows and columns."""
    if table.attr("role") in {"presentation", "none"} or _holds(table, NOT_IN_CELLS):
        return False
    if not _holds(table, BLOCKS_IN_CELLS):
        return True
    rows = [[branch for _, branch in _cells(row)] for row in _rows(table)]
    wide = [row for row in rows if len(row) > 1]
    sizes = [_size(cell, blocks) for row in rows for cell in row if cell]
    most = sum(sizes) * (1 if _holds(table, HEAD_CELLS) else MOST_OF_ALL)
    return len(wide) > 1 and max(sizes) <= min(LONGEST_SHORT_CELL, max(80, most))


def _size(cell: Branch, blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks[cell.start : cell.end])


def all_rows(table: Branch, writer: MarkdownWriter) -> list[list[str]]:
    """The text of every cell, whatever stands in it, one list a row."""
    rows = [[writer.inline.lines(cell.children) if cell else "" for _, cell in _cells(row)] for row in _rows(table)]
    return [row for row in rows if any(row)]


def caption_lines(table: Branch, writer: MarkdownWriter) -> list[str]:
    return [text for part in _parts(table, "caption") if (text := writer.inline.line(part.children))]


def grid_markdown(table_grid: Grid) -> str:
    width = max(len(row) for row in table_grid.rows)
    return join_rows(table_grid.rows if table_grid.head_rows else [[], *table_grid.rows], width)


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
    nodes = [node for node in row.element if isinstance(node, Element)]
    return [(node, branches.get(node)) for node in nodes if node.tag in CELLS or tag_by_role(node) in CELLS]


def _in_head(row: Branch) -> bool:
    return row.parent is not None and row.parent.tag == "thead"


def _is_one_of_several(row: Branch) -> bool:
    return row.parent is not None and _in_head(row) and len(_parts(row.parent, "tr")) > 1


def _is_header(row: Branch, cells: list[Cell], *, is_first: bool) -> bool:
    if _in_head(row):
        return True
    return is_first and all(branch is None or branch.tag == "th" for _, branch in cells)


def _texts(cells: list[Cell], writer: MarkdownWriter, below: Below, *, widens: bool = False) -> list[str]:
    """One text a column, of a head over every column it `widens` over; `below` is kept up here."""
    texts: list[str] = []
    above = {column: text for column, (rows, text) in below.items() if rows > 0}
    for column in above:
        below[column] = (below[column][0] - 1, above[column])
    for element, branch in cells:
        while len(texts) in above:
            texts.append(above[len(texts)])
        columns, rows = _span(element, "colspan"), _span(element, "rowspan")
        written = [_text(branch, writer) if branch else ""]
        written += (written if widens else [""]) * (columns - 1)
        if rows > 1:
            below.update({len(texts) + place: (rows - 1, text) for place, text in enumerate(written)})
        texts += written
        if len(texts) >= MAX_COLUMNS:
            break
    while len(texts) in above:
        texts.append(above[len(texts)])
    return texts[:MAX_COLUMNS]


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    used = sorted({column for row in rows for column, text in enumerate(row) if text})
    return [[row[column] if column < len(row) else "" for column in used] for row in rows]


def _text(cell: Branch, writer: MarkdownWriter) -> str:
    if not any(isinstance(child, Branch) for child in cell.children):
        text = writer.inline.line(cell.children)
    else:
        text = " ".join([_in_line(chunk) for chunk in writer.chunks(cell)])
    return text.replace("|", "\\|")


def _in_line(chunk: str) -> str:
    """A block on one line: code between its signs, headings and quotations as text, items one below the other."""
    if chunk.startswith("```"):
        return "<br>".join(f"`{line.strip()}`" for line in chunk.split("\n")[1:-1] if line.strip(" `"))
    lines = [BLOCK_MARK.sub("", line.strip()) for line in chunk.split("\n")]
    return ("<br>" if ITEM.match(chunk) else " ").join(" ".join(line.split()) for line in lines if line)


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
