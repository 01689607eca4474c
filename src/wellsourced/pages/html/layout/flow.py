"""Boxes of all kinds: how large each is, and who lays out what is in it."""

from __future__ import annotations

from wellsourced.pages.html.layout.blocks import FlowMaker
from wellsourced.pages.html.layout.floats import Floats
from wellsourced.pages.html.layout.sizes import (
    across_by_ratio,
    along_by_ratio,
    clamp,
    columns_of,
    contained,
    content_sizes,
    edges,
    is_vertical,
    margins,
    names,
    overflows,
    ratio,
    replaced_size,
    said_size,
)
from wellsourced.pages.html.layout.tree import NO_MARGIN, Box, TooMuch

WINDOW = (1280.0, 1270.0)
WORK_PER_BOX, LEAST_WORK = 20, 2000
MOST_WORDS = 120_000
# Of letters without those that reach farther up, as a share of their size.
EX = 0.52


class Layouter:
    """Gives every box its size, and a place in the box that holds it."""

    def __init__(self, count: int) -> None:
        self.left = LEAST_WORK + WORK_PER_BOX * count
        self._words_left = MOST_WORDS

    def spend(self, work: int) -> None:
        """Counts words, each with the inline boxes around it."""
        self._words_left -= work
        if self._words_left < 0:
            raise TooMuch

    # Sizes along the lines of what is around a box.

    def fitted(self, box: Box, room: float, mode: str) -> float:
        """As wide as its content, at most as there is room, at least as its longest word."""
        if is_vertical(box.style.mode) != is_vertical(mode):
            return self._turned_size(box, room)
        start, end, _, _ = margins(box, room, mode)
        inner = room - (start or 0.0) - (end or 0.0)
        said = self.said(box, room, mode)
        if said is not None:
            return said
        least, most = content_sizes(box)
        word = box.style.own.get(names(mode)[0], "auto")
        size = least if word == "min-content" else most if word == "max-content" else min(max(least, inner), most)
        return self.within(box, size, room, mode)

    def _turned_size(self, box: Box, room: float) -> float:
        """How wide a box with lines in another direction is; it is laid out for that."""
        self.lay_turned(box)
        return box.h if is_vertical(box.style.mode) is False else box.w

    def lay_turned(self, box: Box) -> None:
        mode = box.style.mode
        most = WINDOW[1] if is_vertical(mode) else WINDOW[0]
        start, end, _, _ = edges(box, most, mode)
        said = said_size(box.style, names(mode)[0], None, start + end)
        size = min(max(content_sizes(box)), most) if said is None else said
        self.lay(box, clamp(box.style, names(mode)[0], size, None, start + end))

    def said(self, box: Box, base: float, mode: str) -> float | None:
        """The size that a style gives to the whole box along lines of a direction."""
        start, end, _, _ = edges(box, base, mode)
        name = names(mode)[0]
        if box.kind == "replaced":
            width, height = replaced_size(box)
            size: float | None = (height if is_vertical(mode) else width) + start + end
        else:
            size = said_size(box.style, name, base, start + end)
        if size is None and ratio(box) and (box.level != "block" or box.kind == "table"):
            high = said_size(box.style, names(mode)[1], None, 0.0)
            size = None if high is None else along_by_ratio(box, high, mode) + start + end
        if size is not None and box.kind == "table" and not is_vertical(box.style.mode) and not is_vertical(mode):
            return max(self.within(box, size, base, mode), content_sizes(box)[0])
        return None if size is None else self.within(box, size, base, mode)

    def within(self, box: Box, size: float, base: float, mode: str) -> float:
        """A size along lines, as far as styles allow it."""
        start, end, _, _ = edges(box, base, mode)
        return max(clamp(box.style, names(mode)[0], size, base, start + end), start + end)

    # One box.

    def lay(
        self,
        box: Box,
        size: float,
        height: float | None = None,
        base: float | None = None,
        floats: Floats | None = None,
        offset: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Lays out what is in a box of a size along its lines; `height` is one that others give it, across them.

        `base` is that of which heights in percent are shares, `offset` its place among the floats.
        """
        self.left -= 1
        if self.left < 0:
            raise TooMuch
        mode = box.style.mode
        box.words, box.rects, box.laid, box.lines = [], [], [], 0
        box.baseline, box.ends = (None, None), NO_MARGIN
        across = self._lay_inside(box, size, height, base, floats, offset)
        box.w, box.h = (across, size) if is_vertical(mode) else (size, across)
        if is_vertical(mode):
            turn(box, mode)

    def _lay_inside(
        self,
        box: Box,
        size: float,
        height: float | None,
        base: float | None,
        floats: Floats | None,
        offset: tuple[float, float],
    ) -> float:
        _, _, before, after = edges(box, size, box.style.mode)
        fixed = self.fixed_height(box, size, height, base)
        if box.kind == "replaced":
            own = replaced_size(box)[0 if is_vertical(box.style.mode) else 1]
            return fixed if fixed is not None else own + before + after
        inner = None if fixed is None else max(0.0, fixed - before - after)
        grown = self._lay_content(box, size, inner, floats, offset)
        if contained(box) == "size":
            grown = before + after
        is_least = box.kind == "table" or (height is None and _is_least(box, base))
        return fixed if fixed is not None and not is_least else self.final_height(box, grown, fixed, size, base)

    def _lay_content(
        self, box: Box, size: float, inner: float | None, floats: Floats | None, offset: tuple[float, float]
    ) -> float:
        """Gives how high the box is by what is in it."""
        if box.kind == "flex":
            from wellsourced.pages.html.layout.flex import FlexMaker

            return FlexMaker(self, box, size, inner).lay()
        if box.kind == "grid":
            from wellsourced.pages.html.layout.grid import lay_grid

            return lay_grid(self, box, size, inner)
        if box.kind == "table":
            from wellsourced.pages.html.layout.table import TableMaker

            return TableMaker(self, box, size, inner).lay()
        if columns_of(box) is not None:
            from wellsourced.pages.html.layout.columns import lay_columns

            return lay_columns(self, box, size, inner)
        return FlowMaker(self, box, size, inner, floats, offset).lay()

    def fixed_height(self, box: Box, size: float, height: float | None, base: float | None) -> float | None:
        """The size across lines that is known before anything is laid out."""
        if height is not None:
            return height
        _, _, before, after = edges(box, size, box.style.mode)
        name = names(box.style.mode)[1]
        if box.kind in {"cell", "row", "group"}:
            return None
        said = said_size(box.style, name, base, before + after)
        if said is None and ratio(box) and box.kind != "replaced":
            start, end, _, _ = edges(box, size, box.style.mode)
            said = across_by_ratio(box, size - start - end) + before + after
            if box.kind not in {"table", "flex"} and _holds_content(box):
                box.ends = NO_MARGIN
                return None
        return None if said is None else max(clamp(box.style, name, said, base, before + after), before + after)

    def final_height(self, box: Box, grown: float, fixed: float | None, size: float, base: float | None) -> float:
        start, end, before, after = edges(box, size, box.style.mode)
        if ratio(box) and fixed is None:
            grown = max(grown, across_by_ratio(box, size - start - end) + before + after)
        grown = max(grown, fixed or 0.0)
        if box.kind in {"row", "group", "table", "cell"}:
            return grown
        return max(clamp(box.style, names(box.style.mode)[1], grown, base, before + after), before + after)

    # Boxes in lines and at their sides.

    def lay_atomic(self, box: Box, holder: Box, room: float) -> float:
        """Lays out a box among words; gives its width with margins."""
        mode = holder.style.mode
        size = self.fitted(box, room, mode)
        if is_vertical(box.style.mode) == is_vertical(mode):
            self.lay(box, size)
        start, end, _, _ = margins(box, room, mode)
        return (box.h if is_vertical(mode) else box.w) + (start or 0.0) + (end or 0.0)

    def atomic_heights(self, box: Box, holder: Box) -> tuple[float, float]:
        """How far it reaches above and below the place on which letters stand."""
        mode = holder.style.mode
        _, _, before, after = (each or 0.0 for each in margins(box, 0.0, mode))
        height = box.w if is_vertical(mode) else box.h
        if box.style.own.get("vertical-align") == "middle" and not is_vertical(mode):
            rise, middle = (before + height + after) / 2, EX * holder.style.font / 2
            return rise + middle, rise - middle
        base = self.base_of(box, is_last=box.kind == "block") if not is_vertical(mode) else None
        if is_vertical(mode):
            return height / 2 + before, height / 2 + after
        if base is None:
            return before + height + after, 0.0
        return before + base, height - base + after

    def base_of(self, box: Box, *, is_last: bool) -> float | None:
        if is_last and overflows(box)[1] != "visible":
            return None
        return box.baseline[1 if is_last else 0]

    def put_atomic(self, box: Box, holder: Box, place: float, base: float) -> None:
        start, _, before, _ = (each or 0.0 for each in margins(box, 0.0, holder.style.mode))
        rise, _ = self.atomic_heights(box, holder)
        self.put(box, holder, place + start, base - rise + before)

    def put(self, box: Box, holder: Box, place: float, top: float) -> None:
        box.x, box.y, box.holder, box.line = place, top, holder, holder.lines
        holder.laid.append(box)

    def lay_float(self, box: Box, holder: Box, room: float) -> None:
        mode = holder.style.mode
        size = self.fitted(box, room, mode)
        if is_vertical(box.style.mode) == is_vertical(mode):
            self.lay(box, size)

    def put_float(
        self, box: Box, holder: Box, floats: Floats, offset: tuple[float, float], room: tuple[float, float, float]
    ) -> None:
        start, end, top = room
        mode = holder.style.mode
        left, right, before, after = (each or 0.0 for each in margins(box, end - start, mode))
        wide, high = (box.h, box.w) if is_vertical(mode) else (box.w, box.h)
        clear = box.style.own.get("clear", "none")
        lowest = floats.below(clear) if clear != "none" else top + offset[1]
        place, height = floats.add(
            box.style.floats, max(0.0, wide + left + right), max(0.0, high + before + after),
            max(top + offset[1], lowest), start + offset[0], end + offset[0],
        )  # fmt: skip
        self.put(box, holder, place - offset[0] + left, height - offset[1] + before)


def _is_least(box: Box, base: float | None) -> bool:
    """Whether the height that a row has by its ratio is only the least, as what is in it may be higher."""
    is_by_ratio = box.kind == "flex" and ratio(box) > 0 and _holds_content(box)
    return is_by_ratio and said_size(box.style, names(box.style.mode)[1], base, 0.0) is None


def _holds_content(box: Box) -> bool:
    """Whether a ratio leaves it as high as what is in it."""
    is_open = overflows(box)[1] in {"visible", "clip"}
    return is_open and f"min-{names(box.style.mode)[1]}" not in box.style.own


def turn(box: Box, mode: str) -> None:
    """From places along and across lines that run down to places across and down."""
    is_from_right = mode != "vertical-lr"
    for each in box.laid:
        if each.level == "placed":
            along, across = each.static
            each.static = (box.w - across if is_from_right else across), along
        else:
            each.x, each.y = (box.w - each.y - each.w if is_from_right else each.y), each.x
    for word in box.words:
        word.x, word.y, word.w, word.h = (
            (box.w - word.y - word.h if is_from_right else word.y), word.x, word.h, word.w
        )  # fmt: skip
    for _, rect, _ in box.rects:
        rect[:] = [(box.w - rect[1] - rect[3] if is_from_right else rect[1]), rect[0], rect[3], rect[2]]
