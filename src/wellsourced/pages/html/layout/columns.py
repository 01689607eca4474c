"""Text in several columns beside each other, all about as high."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.pages.html.layout.blocks import FlowMaker
from wellsourced.pages.html.layout.sizes import columns_of, edges
from wellsourced.pages.html.layout.tree import Box

if TYPE_CHECKING:
    from wellsourced.pages.html.layout.flow import Layouter


def lay_columns(layouter: Layouter, box: Box, size: float, inner: float | None) -> float:
    """Lays out a block in columns; gives how high it is."""
    start, end, before, after = edges(box, size, box.style.mode)
    room, gap = max(0.0, size - start - end), box.style.font
    count, least = columns_of(box) or (1, 0.0)
    if least:
        fitting = max(1, int((room + gap) / (least + gap)))
        count = min(count, fitting) if count else fitting
    width = max(0.0, (room - gap * (count - 1)) / count)
    grown = FlowMaker(layouter, box, width + start + end, None, None, (0.0, 0.0)).lay() - before - after
    box.baseline = (None, None) if not box.words else box.baseline
    if count == 1:
        return grown + before + after
    return _Columns(box, before, count, width + gap).cut(grown, inner) + after


class _Columns:
    """What was laid out in one column, cut and put beside each other."""

    def __init__(self, box: Box, before: float, count: int, step: float) -> None:
        self.box, self.before, self.count, self.step = box, before, count, step

    def cut(self, grown: float, inner: float | None) -> float:
        strips = sorted(set(_strips(self.box, 0.0)))
        height = inner if inner is not None else self._balanced(strips, grown)
        starts = self._starts(strips, height)
        _move(self.box, 0.0, starts, self.step * (-1 if self.box.style.is_rtl else 1))
        ends = [*starts[1:], self.before + grown]
        highest = max((end - start for start, end in zip(starts, ends, strict=True)), default=0.0)
        return self.before + (inner if inner is not None else min(max(height, 0.0), highest) if starts else 0.0)

    def _balanced(self, strips: list[tuple[float, float]], grown: float) -> float:
        """The least height with which nothing is left over."""
        low = max([(end - top) for top, end in strips] + [grown / self.count, 0.0])
        tries = sorted(
            {max(low, end - top) for top, _ in strips[:40] for _, end in strips[:200] if end > top} | {low, grown}
        )
        for height in tries:
            starts = self._starts(strips, height)
            if len(starts) <= self.count:
                return height
        return grown

    def _starts(self, strips: list[tuple[float, float]], height: float) -> list[float]:
        """Where in the one column each of the several begins."""
        starts = [self.before]
        for top, end in strips:
            if end - starts[-1] > height + 0.01 and top > starts[-1] + 0.01:
                starts.append(top)
        return starts


def _strips(box: Box, top: float) -> list[tuple[float, float]]:
    """From where to where lines, and boxes that are not parted, reach."""
    strips = [(top + word.y, top + word.y + word.h) for word in box.words]
    for each in box.laid:
        if each.level == "placed":
            continue
        is_whole = each.kind != "block" or each.level == "inline" or each.style.is_vertical
        if is_whole or each.style.own.get("overflow-y", "visible") not in {"visible", "clip"}:
            strips.append((top + each.y, top + each.y + each.h))
        else:
            strips += _strips(each, top + each.y)
    return strips


def _column(starts: list[float], top: float) -> int:
    number = 0
    while number + 1 < len(starts) and top >= starts[number + 1] - 0.01:
        number += 1
    return number


def _move(box: Box, top: float, starts: list[float], step: float) -> None:
    """Puts what stands in a later column there; boxes go where they begin."""
    for word in box.words:
        number = _column(starts, top + word.y)
        word.x, word.y = word.x + number * step, word.y - (starts[number] - starts[0])
    for _, rect, _ in box.rects:
        number = _column(starts, top + rect[1])
        rect[0], rect[1] = rect[0] + number * step, rect[1] - (starts[number] - starts[0])
    for each in box.laid:
        if each.level == "placed":
            number = _column(starts, top + each.static[1])
            each.static = each.static[0] + number * step, each.static[1] - (starts[number] - starts[0])
            continue
        place = top + each.y
        number = _column(starts, place)
        each.x, each.y = each.x + number * step, each.y - (starts[number] - starts[0])
        inner = [starts[number], *starts[number + 1 :]]
        if each.kind == "block" and each.level == "block" and len(inner) > 1 and place + each.h > inner[1]:
            _move(each, place, inner, step)
            each.h = min(each.h, inner[1] - place)
