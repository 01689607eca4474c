"""Fragments that share a line, and the tables that such lines form without any drawn border."""

from __future__ import annotations

import itertools
import re

from wellsourced.documents.pdf_layout.chars import LINE_HYPHEN
from wellsourced.documents.pdf_layout.words import TextFragment, is_raised
from wellsourced.late_pattern import late_pattern
from wellsourced.text.markdown_table import pipe_table

FEWEST_ROWS = 3
MOST_COLUMNS = 20
LONGEST_CELL = 60

PAGE = late_pattern(r"\[Page \d+\]")
RULE = late_pattern(r"\|(?: --- \|)+")
FIGURE = late_pattern(r"\d")
LONGEST_NOTE = 120
CONTINUED = late_pattern(
    r"\W*(?:(?:table|tabelle|tableau|tabla|exhibit|schedule|annex|appendix)\s[\w.]{1,8}(?:.{0,80}?[-–—(\[:,;.])?\s*)?"
    r"\b(?:continued|cont['’]d|cont|fortsetzung|suite|continuación)\b"
    r"(?:\W+(?:on|from|the|next|previous|preceding|following|last|page|below|above|overleaf|auf|von|der|nächster"
    r"|vorherigen|seite|sur|de|la|\d+))*\W*",
    re.I,
)

Row = list[TextFragment]


def rows_of(fragments: list[TextFragment]) -> list[Row]:
    """Neighbours in reading order that stand side by side."""
    rows: list[Row] = []
    before: TextFragment | None = None
    for item in fragments:
        if before is None or not _same_line(before, item):
            rows.append([item])
        elif _touch(before, item):
            rows[-1][-1] = item = merged([before, item])
        else:
            rows[-1].append(item)
        before = item
    return rows


def _same_line(before: TextFragment, item: TextFragment) -> bool:
    size = before.size if before.size < item.size else item.size
    if not abs(before.middle - item.middle) < (0.5 * size if size > 1.0 else 0.5):
        return False
    if before.text.endswith(LINE_HYPHEN) or not (before.upright and item.upright):
        return False
    return item.left >= before.right - 0.5 * item.size or item.right <= before.left + 0.5 * item.size


def _touch(before: TextFragment, item: TextFragment) -> bool:
    return max(item.left - before.right, before.left - item.right) < 0.12 * item.size


def merged(row: Row) -> TextFragment:
    """A row as one line. Raised marks keep to the word before them."""
    first = row[0]
    if len(row) == 1:
        return first
    text = first.text
    for before, item in itertools.pairwise(row):
        is_power = item.text.isdecimal() and is_raised(item.box, before.box)
        text += f"^{item.text}" if is_power else ("" if _touch(before, item) else " ") + item.text
    bottom, top = min(item.bottom for item in row), max(item.top for item in row)
    return TextFragment(
        text,
        min(item.left for item in row),
        max(item.right for item in row),
        bottom,
        top,
        max(row, key=lambda item: len(item.text)).size,
        first.upright,
        middle=(bottom + top) / 2,
    )


def split_tables(rows: list[Row], header: str = "") -> list[TextFragment | str]:
    """Lines as fragments, and runs of lines with aligned cells as markdown tables. Below the header of the table before
    one row is enough: the last of it."""
    parts: list[TextFragment | str] = []
    if max(map(len, rows), default=1) == 1:
        return [row[0] for row in rows]
    index = 0
    while index < len(rows):
        end = index
        while end < len(rows) and _may_be_table_row(rows[end]) and (end == index or _near(rows[end - 1], rows[end])):
            end += 1
        is_headed = end - index == FEWEST_ROWS - 1 and _cells_of(header) == [item.text for item in rows[index]]
        table = _table(rows[index:end]) if is_headed or end - index >= FEWEST_ROWS else None
        if table:
            parts.append(table)
            index = end
            continue
        stop = max(end, index + 1)
        parts += [merged(row) for row in rows[index:stop]]
        index = stop
    return parts


def last_header(blocks: list[str]) -> str:
    """That of the table with which a page ends, notes that it goes on aside."""
    last = next((block for block in reversed(blocks) if not _says_so(block)), "")
    return last.partition("\n")[0] if "\n| --- |" in last else ""


def _cells_of(header: str) -> list[str]:
    return [cell.strip() for cell in header.split("|")[1:-1]]


def _says_so(block: str) -> bool:
    """Whether a line only says that a table goes on."""
    return len(block) <= LONGEST_NOTE and CONTINUED.fullmatch(block) is not None


def join_pages_of_tables(blocks: list[str]) -> list[str]:
    """Tables that go on at the top of the next page as one, with its header once and a row for the page's number."""
    kept: list[str] = []
    for block in blocks:
        ends = _end_of_table(kept) if block.startswith("| ") else 0
        if ends and _goes_on(kept[ends - 1], block):
            marker = next(each for each in kept[ends:] if PAGE.fullmatch(each))
            del kept[ends:]
            header, rule, *rows = block.splitlines()
            blanks = " |" * (rule.count("---") - 1)
            first = [] if header == kept[-1].split("\n", 1)[0] else [header]
            kept[-1] = "\n".join((kept[-1], f"| {marker} |{blanks}", *first, *rows))
        else:
            kept.append(block)
    return kept


def _end_of_table(blocks: list[str]) -> int:
    """Where the blocks end with the end of a page, after a table and with notes that it goes on: how many stand before
    that; else 0."""
    end, marks = len(blocks), 0
    while end and ((is_mark := PAGE.fullmatch(blocks[end - 1]) is not None) or _says_so(blocks[end - 1])):
        end, marks = end - 1, marks + is_mark
    return end if marks == 1 else 0


def _goes_on(table: str, block: str) -> bool:
    """Whether a block repeats the table's header, or begins with a row like the table's last: figures below words."""
    above, below = table.splitlines(), block.splitlines()
    if len(above) < 3 or len(below) < 3 or above[1] != below[1] or not RULE.fullmatch(above[1]):
        return False
    header, last, first = (line.split("|") for line in (above[0], above[-1], below[0]))
    figures = [bool(FIGURE.search(cell)) for cell in first]
    like_last = figures == [bool(FIGURE.search(cell)) for cell in last] and any(figures)
    return header == first or (like_last and figures != [bool(FIGURE.search(cell)) for cell in header])


def _may_be_table_row(row: Row) -> bool:
    return len(row) >= 2 and all(len(item.text) <= LONGEST_CELL for item in row)


def _near(above: Row, below: Row) -> bool:
    drop = above[0].middle - below[0].middle
    return 0 < drop < 4 * max(above[0].size, below[0].size)


def _table(rows: list[Row]) -> str | None:
    columns = _columns(rows)
    if not (3 <= len(columns) <= MOST_COLUMNS or (len(columns) == 2 and len(rows) > FEWEST_ROWS)):
        return None
    cells: list[list[str]] = []
    for row in rows:
        line = [""] * len(columns)
        for item in row:
            place = next(index for index, (left, right) in enumerate(columns) if left <= item.left <= right)
            if line[place]:
                return None
            line[place] = item.text
        cells.append(line)
    return pipe_table(cells)


def _columns(rows: list[Row]) -> list[tuple[float, float]]:
    """Stretches of the line that cells of any row cover, with empty strips between them."""
    columns: list[tuple[float, float]] = []
    for left, right in sorted((item.left, item.right) for row in rows for item in row):
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns
