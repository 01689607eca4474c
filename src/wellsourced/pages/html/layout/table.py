"""Rows and columns of tables, each column as wide as what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wellsourced.pages.html.dom import Element
from wellsourced.pages.html.layout.flow import turn
from wellsourced.pages.html.layout.sizes import content_sizes, contribution, edges, is_vertical, said_size
from wellsourced.pages.html.layout.tree import Box

if TYPE_CHECKING:
    from wellsourced.pages.html.layout.flow import Layouter

MOST_SPAN = 200


class CellPlace(NamedTuple):
    cell: Box
    column: int
    span: int


def rows_of(table: Box) -> list[Box]:
    """All rows, those of groups among them; the head first, the foot last."""
    rows: dict[str, list[Box]] = {"head": [], "": [], "foot": []}
    for child in table.children:
        place = {"table-header-group": "head", "table-footer-group": "foot"}.get(child.style.display, "")
        rows[place] += (
            [child]
            if child.kind == "row"
            else [e for e in child.children if e.kind == "row"]
            if child.kind == "group"
            else []
        )
    return [*rows["head"], *rows[""], *rows["foot"]]


def span_of(cell: Box, name: str) -> int:
    said = (cell.node.attr(name) or "") if isinstance(cell.node, Element) else ""
    return max(1, min(int(said), MOST_SPAN)) if said.isdecimal() and len(said) < 5 else 1


def places_in(row: Box) -> list[CellPlace]:
    column, places = 0, list[CellPlace]()
    for cell in row.children:
        if cell.kind == "cell":
            span = span_of(cell, "colspan")
            places.append(CellPlace(cell, column, span))
            column += span
    return places


def spacing(table: Box) -> float:
    return table.style.length(table.style.handed.get("border-spacing", "0px")) or 0.0


def column_sizes(table: Box) -> list[list[float]]:
    """How narrow and how wide each column can be."""
    sizes = list[list[float]]()
    for row in rows_of(table):
        for cell, column, span in places_in(row):
            while len(sizes) < column + span:
                sizes.append([0.0, 0.0])
            narrow, wide = cell_sizes(cell, table.style.mode)
            for each in sizes[column : column + span]:
                each[0], each[1] = max(each[0], narrow / span), max(each[1], wide / span)
    return sizes


def cell_sizes(cell: Box, mode: str) -> tuple[float, float]:
    narrow, wide = contribution(cell, mode)
    start, end, _, _ = edges(cell, 0.0, mode)
    said = said_size(cell.style, "height" if is_vertical(mode) else "width", None, start + end)
    return (narrow, wide) if said is None else (narrow, max(narrow, said))


def table_sizes(table: Box) -> tuple[float, float]:
    """How narrow and how wide a table can be."""
    sizes, gap = column_sizes(table), spacing(table)
    captions = [content_sizes(child)[0] for child in table.children if child.kind == "caption"]
    gaps = gap * (len(sizes) + 1) if sizes else 0.0
    narrow, wide = sum(size[0] for size in sizes) + gaps, sum(size[1] for size in sizes) + gaps
    return max([narrow, *captions]), max([wide, *captions])


class TableMaker:
    """Lays out one table."""

    def __init__(self, layouter: Layouter, table: Box, size: float, inner: float | None) -> None:
        self.layouter, self.table, self.size, self.inner = layouter, table, size, inner
        self.mode = table.style.mode
        self.start, end, self.before, self.after = edges(table, size, self.mode)
        self.room = size - self.start - end
        self.gap = spacing(table)

    def lay(self) -> float:
        widths = self._widths()
        top = self._lay_captions(self.before)
        rows = rows_of(self.table)
        heights = [self._lay_row(row, widths) for row in rows]
        self._grow(heights)
        top += self.gap if rows else 0.0
        edges_of = dict[Box, list[float]]()
        for row, height in zip(rows, heights, strict=True):
            self._put_row(row, widths, height, top)
            if row.parent is not None and row.parent.kind == "group":
                edges_of.setdefault(row.parent, [top, top])[1] = top + height
            top += height + (self.gap if not _is_collapsed(row) else 0.0)
        for group, (first, last) in edges_of.items():
            self._put_group(group, first, last)
        return top + self.after

    def _widths(self) -> list[float]:
        """The room, shared by how much the columns hold."""
        sizes = column_sizes(self.table)
        room = self.room - self.gap * (len(sizes) + 1)
        least, most = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
        if room >= most:
            return [size[1] + (room - most) * (size[1] / most if most else 1 / len(sizes)) for size in sizes]
        share = (room - least) / (most - least) if most > least and room > least else 0.0
        return [size[0] + (size[1] - size[0]) * share for size in sizes]

    def _lay_captions(self, top: float) -> float:
        for child in self.table.children:
            if child.kind == "caption":
                self.layouter.lay(child, self.size)
                self.layouter.put(child, self.table, 0.0, top)
                top += self._high(child)
            elif child.level == "placed":
                start = self.start + self.room if self.table.style.is_rtl else self.start
                child.static, child.holder = (start, top), self.table
                self.table.laid.append(child)
        return top

    def _high(self, box: Box) -> float:
        return box.w if is_vertical(self.mode) else box.h

    def _lay_row(self, row: Box, widths: list[float]) -> float:
        row.words, row.rects, row.laid = [], [], []
        highest = row.style.of("height" if not is_vertical(self.mode) else "width") or 0.0
        for cell, column, span in places_in(row):
            width = sum(widths[column : column + span]) + self.gap * (span - 1)
            if is_vertical(cell.style.mode) == is_vertical(self.mode):
                self.layouter.lay(cell, width)
            else:
                self.layouter.lay_turned(cell)
            _, _, before, after = edges(cell, width, self.mode)
            said = said_size(cell.style, "width" if is_vertical(self.mode) else "height", None, before + after)
            if span_of(cell, "rowspan") == 1:
                highest = max(highest, self._high(cell), said or 0.0)
        return 0.0 if _is_collapsed(row) else highest

    def _grow(self, heights: list[float]) -> None:
        """What a table is higher than its rows is shared among them."""
        if self.inner is None or not heights:
            return
        spare = self.inner - sum(heights) - self.gap * (len(heights) + 1)
        total = sum(heights)
        for number, height in enumerate(heights):
            if spare > 0:
                heights[number] += spare * (height / total if total else 1 / len(heights))

    def _put_row(self, row: Box, widths: list[float], height: float, top: float) -> None:
        place = 0.0
        starts = list[float]()
        for width in widths:
            starts.append(place)
            place += width + self.gap
        whole = max(0.0, place - self.gap)
        for cell, column, span in places_in(row):
            width = sum(widths[column : column + span]) + self.gap * (span - 1)
            spare = max(0.0, height - self._high(cell))
            self._sink(cell, spare)
            left = starts[column] if column < len(starts) else 0.0
            if self.table.style.is_rtl:
                left = whole - left - width
            if is_vertical(self.mode):
                cell.h = width
            else:
                cell.w = width
            self.layouter.put(cell, row, left, 0.0)
        row.w, row.h = (height, whole) if is_vertical(self.mode) else (whole, height)
        if is_vertical(self.mode):
            turn(row, self.mode)
        self.layouter.put(row, self.table, self.start + self.gap, top)
        first, _ = self.table.baseline
        base = next((place.cell.baseline[0] for place in places_in(row) if place.cell.baseline[0] is not None), None)
        if first is None and base is not None:
            self.table.baseline = top + base, top + base

    def _sink(self, cell: Box, spare: float) -> None:
        """Moves what is in a cell to its middle, and makes the cell as high as its row."""
        shift = spare / 2 if cell.style.own.get("vertical-align") == "middle" else 0.0
        if is_vertical(self.mode):
            cell.w += spare
        else:
            cell.h += spare
        if cell.style.is_vertical != is_vertical(self.mode):
            return
        if not is_vertical(self.mode):
            _move(cell, 0.0, shift)
        else:
            _move(cell, shift if self.mode == "vertical-lr" else spare - shift, 0.0)
        first, last = cell.baseline
        cell.baseline = (None if first is None else first + shift), (None if last is None else last + shift)

    def _put_group(self, group: Box, first: float, last: float) -> None:
        group.words, group.rects, group.laid = [], [], []
        width = self.room - 2 * self.gap
        group.w, group.h = (last - first, width) if is_vertical(self.mode) else (width, last - first)
        self.layouter.put(group, self.table, self.start + self.gap, first)


def _move(cell: Box, across: float, down: float) -> None:
    """Moves all that is in a cell."""
    if not across and not down:
        return
    for word in cell.words:
        word.x, word.y = word.x + across, word.y + down
    for box in cell.laid:
        box.x, box.y = box.x + across, box.y + down
        box.static = box.static[0] + across, box.static[1] + down
    for _, rect, _ in cell.rects:
        rect[0], rect[1] = rect[0] + across, rect[1] + down


def _is_collapsed(row: Box) -> bool:
    around = row.parent
    return "collapse" in {
        row.style.own.get("visibility"),
        around.style.own.get("visibility") if around is not None and around.kind == "group" else "",
    }
