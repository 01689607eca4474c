"""Blocks one below the other, with margins that fall together, floats beside them and lines of text between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.pages.html.layout.floats import Floats
from wellsourced.pages.html.layout.lines import LineMaker
from wellsourced.pages.html.layout.sizes import (
    content_sizes,
    edges,
    is_apart,
    is_vertical,
    margins,
    names,
    ratio,
)
from wellsourced.pages.html.layout.tree import NO_MARGIN, Box, Margin, Run, flow_items

if TYPE_CHECKING:
    from wellsourced.pages.html.layout.flow import Layouter

FITTED = frozenset(("fit-content", "max-content", "min-content", "-webkit-fit-content"))


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
            bottom = max(bottom, self.floats.below("both"))
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
        return self.layouter.within(child, room - (left or 0.0) - (right or 0.0), room, self.mode)

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
    if (box.style.of(name) or 0.0) > 0 or (box.style.of(f"min-{name}") or 0.0) > 0:
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
