"""Blocks one below the other, with margins that fall together, floats, and lines of text between them."""

from __future__ import annotations

from wellsourced.pages.html.layout.floats import Floats
from wellsourced.pages.html.layout.lines import LineMaker
from wellsourced.pages.html.layout.sizes import (
    clamp,
    columns_of,
    contained,
    content_sizes,
    edges,
    is_apart,
    is_vertical,
    margins,
    names,
    overflows,
    ratio,
    replaced_size,
    said_size,
)
from wellsourced.pages.html.layout.tree import NO_MARGIN, Box, Margin, Run, TooMuch, flow_items

WINDOW = (1280.0, 1270.0)
WORK_PER_BOX, LEAST_WORK = 40, 4000
FITTED = frozenset(("fit-content", "max-content", "min-content", "-webkit-fit-content"))


class Layouter:
    """Gives every box its size, and a place in the box that holds it."""

    def __init__(self, count: int) -> None:
        self.left = LEAST_WORK + WORK_PER_BOX * count

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
        return self._within(box, size, room, mode)

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
        if size is None and ratio(box) and box.level != "block":
            high = said_size(box.style, names(mode)[1], None, 0.0)
            size = None if high is None else high * ratio(box) + start + end
        if size is not None and box.kind == "table" and not is_vertical(box.style.mode) and not is_vertical(mode):
            return max(self._within(box, size, base, mode), content_sizes(box)[0])
        return None if size is None else self._within(box, size, base, mode)

    def _within(self, box: Box, size: float, base: float, mode: str) -> float:
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
            _turn(box)

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
        return self.final_height(box, grown, fixed, size, base)

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
        if said is None and ratio(box) and box.kind != "replaced" and not is_vertical(box.style.mode):
            start, end, _, _ = edges(box, size, box.style.mode)
            said = (size - start - end) / ratio(box) + before + after
            if overflows(box)[1] == "visible" or overflows(box)[1] == "clip":
                box.ends = NO_MARGIN
                return None
        return None if said is None else max(clamp(box.style, name, said, base, before + after), before + after)

    def final_height(self, box: Box, grown: float, fixed: float | None, size: float, base: float | None) -> float:
        if fixed is not None and box.kind != "table":
            return fixed
        start, end, before, after = edges(box, size, box.style.mode)
        if ratio(box) and fixed is None and not is_vertical(box.style.mode):
            grown = max(grown, (size - start - end) / ratio(box) + before + after)
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
        box.x, box.y, box.holder = place, top, holder
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


def _turn(box: Box) -> None:
    """From places along and across lines that run down to places across and down."""
    is_from_right = box.style.mode != "vertical-lr"
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


class FlowMaker:
    """Lays out the blocks and lines in one block."""

    def __init__(
        self,
        layouter: Layouter,
        box: Box,
        size: float,
        inner: float | None,
        floats: Floats | None,
        offset: tuple[float, float],
    ) -> None:
        self.layouter, self.box, self.size, self.inner = layouter, box, size, inner
        self.mode = box.style.mode
        self.start, end, self.before, self.after = edges(box, size, self.mode)
        self.end = max(self.start, size - end)
        self.is_apart = floats is None or is_apart(box)
        self.floats = Floats() if self.is_apart or floats is None else floats
        self.offset = (0.0, 0.0) if self.is_apart else offset
        self.top = self.before
        self.margin = NO_MARGIN
        self.is_at_start = not self.is_apart and self.before == 0
        self.had_block = False

    @property
    def width(self) -> float:
        return self.end - self.start

    def lay(self) -> float:
        for item in flow_items(self.box):
            if isinstance(item, Run):
                self._lay_run(item)
            else:
                self._lay_block(item)
        return self._end()

    def _end(self) -> float:
        """How high the box is; the last margin may reach beyond it."""
        own = self.box.style.own
        name = names(self.mode)[1]
        is_open = not self.is_apart and self.after == 0 and self.inner is None
        is_open = is_open and not (own.get(f"min-{name}", "0") not in {"0", "0px", "auto"})
        if is_open and not (self.is_at_start and not is_empty(self.box)):
            self.box.ends = self.margin
        elif not self.is_at_start:
            self.top += self.margin.size
        bottom = max(self.top, self.before)
        if self.is_apart and self.floats.all:
            bottom = max(bottom, max(each.bottom for each in self.floats.all))
        return bottom + self.after

    def _lay_run(self, run: Run) -> None:
        if run.has_lines:
            if not self.is_at_start:
                self.top += self.margin.size
            self.margin, self.is_at_start = NO_MARGIN, False
        top = self.top + (0.0 if self.is_at_start else self.margin.size)
        maker = LineMaker(self.layouter, self.box, run, self.floats, self.offset)
        bottom = maker.lay(self.start, self.end, top, self._indent() if run.has_lines else 0.0)
        if run.has_lines:
            self.top, self.had_block = bottom, True
            first, last = self.box.baseline
            self.box.baseline = (
                (maker.first if first is None else first),
                maker.last if maker.last is not None else last,
            )

    def _indent(self) -> float:
        if self.had_block:
            return 0.0
        style = self.box.style
        return style.indent(self.width) + self.box.marker

    def _lay_block(self, child: Box) -> None:
        if is_vertical(child.style.mode) != is_vertical(self.mode):
            self._lay_turned(child)
            return
        above = top_margin(child, self.width)
        is_collapsed = self.is_at_start and not _clears(child)
        margin = NO_MARGIN if is_collapsed else self.margin.joined(above)
        top = self.top + margin.size
        if _clears(child) and self.floats.all:
            cleared = (
                self.floats.below(
                    child.style.own["clear"].replace("inline-start", "left").replace("inline-end", "right")
                )
                - self.offset[1]
            )
            top = max(top, cleared)
        size, place, top = self._size_and_place(child, top)
        offset = (self.offset[0] + place, self.offset[1] + top)
        self.layouter.lay(child, size, None, self.inner, self.floats, offset)
        self.layouter.put(child, self.box, place, top)
        if is_empty(child) and not (child.w and child.h if is_vertical(self.mode) else child.h):
            self.margin = self.margin.joined(above).joined(child.ends).with_one(self._margin_after(child))
            return
        self.is_at_start, self.had_block = False, True
        self.top = top + (child.w if is_vertical(self.mode) else child.h)
        self.margin = child.ends.with_one(self._margin_after(child))
        self._take_base(child, top)

    def _take_base(self, child: Box, top: float) -> None:
        first, last = self.box.baseline
        inner_first, inner_last = child.baseline
        self.box.baseline = (
            (top + inner_first if first is None and inner_first is not None else first),
            (top + inner_last if inner_last is not None else last),
        )

    def _margin_after(self, child: Box) -> float:
        return margins(child, self.width, self.mode)[3] or 0.0

    def _lay_turned(self, child: Box) -> None:
        self.layouter.lay_turned(child)
        start, _, before, _ = margins(child, self.width, self.mode)
        self.top += self.margin.with_one(before or 0.0).size
        self.is_at_start, self.had_block = False, True
        wide, high = (child.h, child.w) if is_vertical(self.mode) else (child.w, child.h)
        place = self.end - wide if self.box.style.is_rtl else self.start + (start or 0.0)
        self.layouter.put(child, self.box, place, self.top)
        self.top += high
        self.margin = NO_MARGIN.with_one(self._margin_after(child))

    def _size_and_place(self, child: Box, top: float) -> tuple[float, float, float]:
        """How wide a block is, where it begins, and where it is put for floats beside it."""
        start, end = self.start, self.end
        if self.floats.all and is_apart(child):
            across, down = self.offset
            least = self._least(child)
            top, left, right = self.floats.fit(least, 1.0, top + down, start + across, end + across)
            top, floor, ceiling = top - down, left - across, right - across
            if floor > start or ceiling < end:
                size, place = self._beside_floats(child, floor, ceiling)
                return size, place, top
        left_margin, right_margin, _, _ = margins(child, self.width, self.mode)
        size = self._size(child, end - start)
        return size, self._aligned(size, start, end, left_margin, right_margin), top

    def _least(self, child: Box) -> float:
        said = self.layouter.said(child, self.width, self.mode)
        return said if said is not None else content_sizes(child)[0]

    def _beside_floats(self, child: Box, floor: float, ceiling: float) -> tuple[float, float]:
        left, right, _, _ = margins(child, self.width, self.mode)
        floor, ceiling = max(floor, self.start + (left or 0.0)), min(ceiling, self.end - (right or 0.0))
        said = self.layouter.said(child, self.width, self.mode)
        is_fitted = child.kind == "table" or child.style.own.get("width") in FITTED
        size = said if said is not None and child.kind != "table" else ceiling - floor
        if is_fitted:
            size = self.layouter.fitted(child, ceiling - floor, self.mode)
        place = ceiling - size if self.box.style.is_rtl else floor
        return max(0.0, size), place

    def _size(self, child: Box, room: float) -> float:
        if child.kind == "table" or child.style.own.get(names(self.mode)[0]) in FITTED:
            return self.layouter.fitted(child, room, self.mode)
        said = self.layouter.said(child, room, self.mode)
        if said is not None:
            return said
        left, right, _, _ = margins(child, room, self.mode)
        return self.layouter._within(child, room - (left or 0.0) - (right or 0.0), room, self.mode)

    def _aligned(self, size: float, start: float, end: float, left: float | None, right: float | None) -> float:
        spare = end - start - size - (left or 0.0) - (right or 0.0)
        if left is None and right is None:
            return start + max(0.0, spare / 2) if spare > 0 or not self.box.style.is_rtl else start + spare
        if left is None:
            return start + max(0.0, spare)
        if self.box.style.is_rtl and right is not None:
            return end - right - size
        return start + left


def _clears(box: Box) -> bool:
    return box.style.own.get("clear", "none") != "none"


def is_empty(box: Box) -> bool:
    """Whether a block has no height of its own, so that its margins fall into one."""
    if box.collapses is None:
        box.collapses = _is_empty(box)
    return box.collapses


def _is_empty(box: Box) -> bool:
    if box.kind != "block" or is_apart(box) or any(edges(box, 0.0, box.style.mode)[2:]) or ratio(box):
        return False
    name = names(box.style.mode)[1]
    if box.style.own.get(name, "auto") not in {"auto", "0", "0px"}:
        if (box.style.of(name) or 0.0) > 0:
            return False
    if (box.style.of(f"min-{name}") or 0.0) > 0:
        return False
    return not any(item.has_lines if isinstance(item, Run) else not is_empty(item) for item in flow_items(box))


def top_margin(box: Box, base: float) -> Margin:
    """The margin above a block with those of the first blocks within, as far as nothing is between them."""
    if box.top is None:
        own = margins(box, base, box.parent.style.mode if box.parent else box.style.mode)[2] or 0.0
        margin = NO_MARGIN.with_one(own)
        if box.kind == "block" and not is_apart(box) and edges(box, base, box.style.mode)[2] == 0:
            margin = margin.joined(_inner_top_margin(box, base))
        box.top = margin
    return box.top


def _inner_top_margin(box: Box, base: float) -> Margin:
    margin = NO_MARGIN
    for item in flow_items(box):
        if isinstance(item, Run):
            if item.has_lines:
                return margin
            continue
        if _clears(item) or is_vertical(item.style.mode) != is_vertical(box.style.mode):
            return margin
        margin = margin.joined(top_margin(item, base))
        if not is_empty(item):
            return margin
        margin = margin.with_one(margins(item, base, box.style.mode)[3] or 0.0)
    return margin
