"""Words and boxes in lines: where lines break, how high they are and where everything stands in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wellsourced.pages.html.dom import Text
from wellsourced.pages.html.layout.floats import Floats
from wellsourced.pages.html.layout.fonts import rise_and_fall
from wellsourced.pages.html.layout.sizes import contribution, edges, margins
from wellsourced.pages.html.layout.style import Style
from wellsourced.pages.html.layout.tree import Box, LaidWord, Piece, Run

if TYPE_CHECKING:
    from wellsourced.pages.html.layout.flow import Layouter

SPACES = re.compile(r"([ \t\n\r\f]+)")
BREAKS = re.compile(r"(\n|[ \t\r\f]+)")


def pieces_of(run: Run) -> list[Piece]:
    """The words of a run and what is between them, spaces that follow a space left out."""
    if run.pieces is None:
        run.pieces = list[Piece]()
        after_space = True
        for kind, box in run.tokens:
            if kind == "text":
                after_space = _add_text(run.pieces, box, after_space=after_space)
            else:
                run.pieces.append(Piece(kind, box))
                after_space = kind == "break" or (after_space and kind != "atomic")
    return run.pieces


def _add_text(pieces: list[Piece], box: Box, *, after_space: bool) -> bool:
    style = box.style
    data = box.node.data if isinstance(box.node, Text) else ""
    for part in (BREAKS if style.keeps_breaks else SPACES).split(data):
        if not part:
            continue
        if part == "\n" and style.keeps_breaks:
            pieces.append(Piece("break", box))
            after_space = True
        elif not part.isspace():
            pieces.append(Piece("word", box, part, style.width_of(part)))
            after_space = False
        elif style.keeps_spaces:
            pieces.append(Piece("space", box, part, style.width_of(part.replace("\t", " " * 8))))
            after_space = False
        elif not after_space:
            pieces.append(Piece("space", box, " ", style.width_of(" ")))
            after_space = True
    return after_space


def edge_side(piece: Piece) -> str:
    """The side of an inline box at which it begins or ends."""
    is_first = piece.kind == "open"
    if piece.box.is_parted and piece.box.style.is_rtl:
        # In one line it begins at the left all the same, as the words in it do.
        is_first = not is_first
    if piece.box.style.is_vertical:
        return "top" if is_first else "bottom"
    return "left" if is_first else "right"


def edge_width(piece: Piece, base: float) -> float:
    """Of the edge at which an inline box begins or ends."""
    style = piece.box.style
    own = style.own
    if piece.kind == "reopen":
        return 0.0
    side = edge_side(piece)
    width = 0.0
    if f"padding-{side}" in own or "border" in own:
        start, end, _, _ = edges(piece.box, base, style.mode)
        width += start if side in {"left", "top"} else end
    return width + (style.pixels(f"margin-{side}", base) if f"margin-{side}" in own else 0.0)


def run_sizes(run: Run, holder: Box) -> tuple[float, float, float]:
    """How narrow a run can be, how wide it is in one line, and how wide all floats in it are."""
    least = line = most = chunk = floated = trailing = 0.0
    line = chunk = holder.style.indent(0.0) + holder.marker
    for piece in pieces_of(run):
        kind = piece.kind
        if kind == "word" or kind in {"open", "close", "reopen"}:
            width = piece.width if kind == "word" else edge_width(piece, 0.0)
            chunk += width
            line += width
            trailing = 0.0 if kind == "word" else trailing
        elif kind == "space":
            line += piece.width
            trailing = piece.width
            if piece.box.style.wraps:
                least, chunk = max(least, chunk), 0.0
            else:
                chunk += piece.width
        elif kind == "break":
            least, most = max(least, chunk), max(most, line - trailing)
            chunk = line = trailing = 0.0
        elif kind == "atomic":
            narrow, wide = contribution(piece.box, holder.style.mode)
            if holder.style.wraps:
                least, chunk = max(least, chunk, narrow), 0.0
            else:
                chunk += wide
            line, trailing = line + wide, 0.0
        elif kind == "float":
            narrow, wide = contribution(piece.box, holder.style.mode)
            least, floated = max(least, narrow), floated + wide
    return max(least, chunk, 0.0), max(most, line - trailing, 0.0), floated


class Item(NamedTuple):
    """A piece in a line, with its width there."""

    piece: Piece
    width: float


class LineMaker:
    """Lays out one run in a block. Places are from the corner of the block, along its lines and across them."""

    def __init__(self, layouter: Layouter, holder: Box, run: Run, floats: Floats, offset: tuple[float, float]) -> None:
        self.layouter, self.holder, self.run = layouter, holder, run
        self.floats, self.offset = floats, offset
        self.start = self.end = self.top = 0.0
        self.items: list[Item] = []
        self.used = 0.0
        self.chunk: list[Item] = []
        self.chunk_width = 0.0
        self.left = self.right = 0.0
        self.opened: list[Box] = []
        self.indent = 0.0
        self.late: list[Box] = []
        self.first: float | None = None
        self.last: float | None = None
        self.is_fresh = True

    def lay(self, start: float, end: float, top: float, indent: float) -> float:
        """Puts everything in lines from a height on; gives the height at which they end."""
        self.start, self.end, self.top, self.indent = start, end, top, indent
        self._new_line(0.0)
        for piece in pieces_of(self.run):
            self._take(piece)
        self._flush()
        if self.items:
            self._finish_line(is_last=True)
        self._place_late()
        return self.top

    def _new_line(self, width: float) -> None:
        """The room for a line, lower down where floats leave too little."""
        across, down = self.offset
        height = self.holder.style.line_height
        place, left, right = self.floats.fit(
            width + self.indent, height, self.top + down, self.start + across, self.end + across
        )
        self.top, self.left, self.right = place - down, left - across, right - across

    def _take(self, piece: Piece) -> None:
        kind = piece.kind
        if kind == "word":
            self._add(piece, piece.width)
        elif kind == "space":
            self._take_space(piece)
        elif kind in {"open", "close", "reopen"}:
            self._add(piece, edge_width(piece, self.end - self.start))
        elif kind == "break":
            self._add(piece, 0.0)
            self._flush()
            self._finish_line(is_last=True)
        elif kind == "atomic":
            self._take_atomic(piece)
        elif kind == "float":
            self._take_float(piece.box)
        else:
            self._add(piece, 0.0)

    def _add(self, piece: Piece, width: float) -> None:
        self.chunk.append(Item(piece, width))
        self.chunk_width += width

    def _take_space(self, piece: Piece) -> None:
        if not piece.box.style.wraps:
            self._add(piece, piece.width)
            return
        self._flush()
        if self._has_content() or piece.box.style.keeps_spaces:
            self.items.append(Item(piece, piece.width))
            self.used += piece.width

    def _has_content(self) -> bool:
        return any(item.piece.kind in {"word", "atomic"} for item in self.items)

    def _take_atomic(self, piece: Piece) -> None:
        wraps = self.holder.style.wraps
        if wraps:
            self._flush()
        width = self.layouter.lay_atomic(piece.box, self.holder, self.end - self.start)
        self._add(piece, width)
        if wraps:
            self._flush()

    def _flush(self) -> None:
        """Moves what cannot be parted into the line, or into the next one."""
        if not self.chunk:
            return
        room = self.right - self.left - self.indent
        has_width = any(item.piece.kind in {"word", "atomic"} for item in self.chunk)
        if has_width and self.used + self.chunk_width > room + 0.01:
            if self._has_content():
                self._finish_line(is_last=False)
            if self.chunk_width > self.right - self.left - self.indent:
                self._new_line(self.chunk_width)
        self.items += self.chunk
        self.used += self.chunk_width
        self.chunk, self.chunk_width = [], 0.0

    def _take_float(self, box: Box) -> None:
        self.layouter.lay_float(box, self.holder, self.end - self.start)
        start, end, _, _ = margins(box, self.end - self.start, self.holder.style.mode)
        width = (box.h if self.holder.style.is_vertical else box.w) + (start or 0.0) + (end or 0.0)
        if self._has_content() and self.used + self.chunk_width + width > self.right - self.left - self.indent + 0.01:
            self.late.append(box)
            return
        self._put_float(box)
        across, down = self.offset
        left, right = self.floats.room(
            self.top + down, self.holder.style.line_height, self.start + across, self.end + across
        )
        self.left, self.right = left - across, right - across

    def _put_float(self, box: Box) -> None:
        self.layouter.put_float(box, self.holder, self.floats, self.offset, (self.start, self.end, self.top))

    def _place_late(self) -> None:
        for box in self.late:
            self._put_float(box)
        self.late = []

    def _finish_line(self, *, is_last: bool) -> None:
        items = self._trimmed()
        rise, fall = self._heights(items)
        has_content = any(item.piece.kind in {"word", "atomic", "break"} or item.width for item in items)
        if not has_content and not any(item.piece.kind == "space" for item in items):
            rise = fall = 0.0
        used = sum(item.width for item in items)
        style = self.holder.style
        room = self.right - self.left - self.indent - used
        align = style.handed.get("text-align", "start").removeprefix("-webkit-")
        is_right = align == "right" or (align == ("end" if not style.is_rtl else "start"))
        shift = room if is_right else room / 2 if align == "center" else 0.0
        if shift < 0:
            shift = room if style.is_rtl and is_right else 0.0
        place = self.left + shift + (0.0 if style.is_rtl else self.indent)
        self.holder.lines += 1
        self._put(_in_order(items) if style.is_rtl else items, place, rise, fall)
        base = self.top + rise
        if has_content:
            self.first = base if self.first is None else self.first
            self.last = base
        self.top += rise + fall
        self.items, self.used, self.indent = [], 0.0, 0.0
        self._place_late()
        self._new_line(0.0)

    def _trimmed(self) -> list[Item]:
        """Without the space at the end."""
        items = list(self.items)
        for number in range(len(items) - 1, -1, -1):
            kind = items[number].piece.kind
            if kind == "space" and not items[number].piece.box.style.keeps_spaces:
                del items[number]
                break
            if kind in {"word", "atomic"}:
                break
        return items

    def _heights(self, items: list[Item]) -> tuple[float, float]:
        """How far the line reaches above and below the place on which its letters stand."""
        rise, fall = strut(self.holder.style)
        for box in self.opened:
            more, less = strut(box.style)
            rise, fall = max(rise, more), max(fall, less)
        for item in items:
            kind, box = item.piece.kind, item.piece.box
            if kind == "atomic":
                more, less = self.layouter.atomic_heights(box, self.holder)
            elif kind in {"word", "open", "reopen"} or (kind == "break" and box.kind == "text"):
                more, less = strut(box.style)
            else:
                continue
            rise, fall = max(rise, more), max(fall, less)
        return rise, fall

    def _put(self, items: list[Item], place: float, rise: float, fall: float) -> None:
        base = self.top + rise
        ranges: dict[Box, list[float]] = {box: [place, place] for box in self.opened}
        for item in items:
            after = place + item.width
            if item.piece.kind in {"open", "reopen", "close"}:
                self._put_edge(item, place, ranges)
            else:
                self._put_item(item, place, base, rise + fall)
            if item.piece.kind in {"word", "atomic", "space"}:
                around = self._around(item.piece.box)
                self.layouter.spend(1 + len(around))
                for each in around:
                    self._stretch(ranges, each, place, after)
            place = after
        for box, (start, end) in ranges.items():
            up, down = rise_and_fall(box.style.letters)
            _, _, before, behind = edges(box, self.end - self.start, box.style.mode)
            rect = [start, base - up - before, end - start, up + down + before + behind]
            if not rise + fall:
                rect[1], rect[3] = self.top, 0.0
            self.holder.rects.append((box, rect, self.holder.lines))

    def _put_edge(self, item: Item, place: float, ranges: dict[Box, list[float]]) -> None:
        """Where an inline box begins or ends."""
        kind, box, after = item.piece.kind, item.piece.box, place + item.width
        if kind == "close":
            self._stretch(ranges, box, place, after - self._margin(item, "close"))
            if box in self.opened:
                self.opened.remove(box)
            return
        self._stretch(ranges, box, place + self._margin(item, "open"), after)
        self.opened.append(box)

    def _put_item(self, item: Item, place: float, base: float, height: float) -> None:
        kind, box = item.piece.kind, item.piece.box
        if kind == "word":
            up, down = rise_and_fall(box.style.letters)
            rect = (place, base - up, item.width, up + down)
            self.holder.words.append(LaidWord(box, item.piece.text, rect, self.holder.lines))
        elif kind == "atomic":
            self.layouter.put_atomic(box, self.holder, place, base)
        elif kind == "placed":
            self._put_placed(box, place, height)

    def _around(self, box: Box) -> list[Box]:
        around = list[Box]()
        each = box.parent
        while each is not None and each is not self.holder and each.kind == "inline":
            around.append(each)
            each = each.parent
        return around

    def _margin(self, item: Item, kind: str) -> float:
        if item.piece.kind != kind:
            return 0.0
        style = item.piece.box.style
        side = edge_side(item.piece)
        return style.pixels(f"margin-{side}", self.end - self.start) if f"margin-{side}" in style.own else 0.0

    def _stretch(self, ranges: dict[Box, list[float]], box: Box, start: float, end: float) -> None:
        reach = ranges.setdefault(box, [start, end])
        reach[0], reach[1] = min(reach[0], start), max(reach[1], end)

    def _put_placed(self, box: Box, place: float, height: float) -> None:
        """Where it would stand: in the line, or as a block below what the line holds."""
        box.holder = self.holder
        if box.style.display.startswith("inline") or box.style.display == "contents":
            box.static = (place, self.top)
        else:
            is_below = self._is_after_text(box)
            start = self.end if self.holder.style.is_rtl else self.start
            box.static = (start, self.top + (height if is_below else 0.0))
        if box not in self.holder.laid:
            self.holder.laid.append(box)

    def _is_after_text(self, box: Box) -> bool:
        for item in self.items:
            if item.piece.box is box:
                return False
            if item.piece.kind in {"word", "atomic"}:
                return True
        return False


def strut(style: Style) -> tuple[float, float]:
    """How much room letters of a style take above and below the place they stand on, with what is between lines."""
    rise, fall = rise_and_fall(style.letters)
    spare = style.line_height - rise - fall
    above = rise + spare / 2
    return above, style.line_height - above


def _in_order(items: list[Item]) -> list[Item]:
    """Of a line that is written from right to left, with words that are not: as it is seen from left to right."""
    words = [number for number, item in enumerate(items) if item.piece.kind == "word"]
    if not words:
        return items[::-1]
    first, last = words[0], words[-1]
    while first > 0 and items[first - 1].piece.kind != "atomic":
        first -= 1
    while last + 1 < len(items) and items[last + 1].piece.kind != "atomic":
        last += 1
    return [*items[last + 1 :][::-1], *items[first : last + 1], *items[:first][::-1]]
