"""Boxes beside each other in a row that share its room, or one below the other in a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.pages.html.css_values import read_number
from wellsourced.pages.html.layout.sizes import (
    along_by_ratio,
    clamp,
    contained,
    content_sizes,
    edges,
    inner_sizes,
    is_vertical,
    margins,
    names,
    overflows,
    ratio,
    said_size,
)
from wellsourced.pages.html.layout.tree import Box

if TYPE_CHECKING:
    from wellsourced.pages.html.layout.flow import Layouter

RELAID = frozenset(("flex", "grid"))


class FlexMaker:
    """Lays out the items of one box."""

    def __init__(self, layouter: Layouter, box: Box, size: float, inner: float | None) -> None:
        self.layouter, self.box, self.inner = layouter, box, inner
        self.mode = box.style.mode
        self.start, end, self.before, self.after = edges(box, size, self.mode)
        self.width = max(0.0, size - self.start - end)
        self.items = [child for child in box.children if child.is_in_flow]
        self.is_column = box.style.own.get("flex-direction", "row").startswith("column")

    def lay(self) -> float:
        for child in self.box.children:
            if child.level == "placed":
                child.static, child.holder = (
                    (self.start + self.width if self.box.style.is_rtl else self.start, self.before),
                    self.box,
                )
                self.box.laid.append(child)
        return self._lay_column() if self.is_column else self._lay_row()

    def _margins(self, item: Box) -> list[float | None]:
        return margins(item, self.width, self.mode)

    def _around(self, item: Box) -> float:
        start, end, _, _ = self._margins(item)
        return (start or 0.0) + (end or 0.0)

    def _lay_row(self) -> float:
        sizes = self._shared([self._basis(item) for item in self.items])
        spare = self.width - sum(sizes) - sum(map(self._around, self.items))
        autos = sum(each is None for item in self.items for each in self._margins(item)[:2])
        gap = max(0.0, spare) / autos if autos else 0.0
        tallest = 0.0
        for item, size in zip(self.items, sizes, strict=True):
            self._lay_item(item, size)
            tallest = max(tallest, self._cross(item) + self._cross_margins(item))
        room = self.inner if self.inner is not None else tallest
        self._put_row(sizes, gap, self._least_cross(room))
        if self.inner is not None:
            tallest = max((self._cross(item) + self._cross_margins(item) for item in self.items), default=0.0)
        return self.before + tallest + self.after

    def _least_cross(self, room: float) -> float:
        name = names(self.mode)[1]
        extra = self.before + self.after
        return max(clamp(self.box.style, name, room + extra, None, extra) - extra, 0.0)

    def _lay_item(self, item: Box, size: float, height: float | None = None) -> None:
        if is_vertical(item.style.mode) == is_vertical(self.mode):
            self.layouter.lay(item, size, height, self.inner)
        else:
            self.layouter.lay_turned(item)

    def _cross(self, item: Box) -> float:
        return item.w if is_vertical(self.mode) else item.h

    def _main(self, item: Box) -> float:
        return item.h if is_vertical(self.mode) else item.w

    def _cross_margins(self, item: Box) -> float:
        _, _, before, after = self._margins(item)
        return (before or 0.0) + (after or 0.0)

    def _put_row(self, sizes: list[float], gap: float, room: float) -> None:
        place = self.start
        is_rtl = self.box.style.is_rtl
        for item, size in zip(self.items, sizes, strict=True):
            start, end, before, after = self._margins(item)
            size = self._main(item)
            first, last = (gap if start is None else start), (gap if end is None else end)
            self._stretch(item, size, room)
            spare = room - self._cross(item) - self._cross_margins(item)
            down = spare / 2 if before is None and after is None else spare if before is None else 0.0
            left = 2 * self.start + self.width - place - last - size if is_rtl else place + first
            self.layouter.put(item, self.box, left, self.before + (before or 0.0) + down)
            self._take_base(item)
            place += first + size + last

    def _stretch(self, item: Box, size: float, room: float) -> None:
        """To the height of the row, where nothing says another."""
        _, _, before, after = self._margins(item)
        name = names(self.mode)[1]
        if before is None or after is None or item.style.own.get(name, "auto") != "auto" or item.kind == "replaced":
            return
        extra = sum(edges(item, self.width, item.style.mode)[2:])
        height = clamp(item.style, name, room - before - after, self.inner, extra)
        if abs(height - self._cross(item)) < 0.01:
            return
        if (
            item.kind in RELAID or (item.kind == "block" and item.style.is_vertical)
        ) and item.style.is_vertical == is_vertical(self.mode):
            self._lay_item(item, size, height)
        elif is_vertical(self.mode):
            item.w = height
        else:
            item.h = height

    def _take_base(self, item: Box) -> None:
        """Of the first item, be there letters in it or not."""
        if self.box.baseline[0] is None:
            base = item.y + (item.baseline[0] if item.baseline[0] is not None else self._cross(item))
            self.box.baseline = base, base

    def _basis(self, item: Box) -> float:
        """How wide an item is before room is shared."""
        start, end, _, _ = edges(item, self.width, self.mode)
        basis = item.style.own.get("flex-basis", "auto")
        if is_vertical(item.style.mode) != is_vertical(self.mode):
            return self.layouter.fitted(item, self.width, self.mode)
        said = item.style.length(basis, self.width) if basis not in {"auto", "none", "content"} else None
        if said is not None:
            return max(0.0, said) + start + end
        whole = self.layouter.said(item, self.width, self.mode) if basis != "content" else None
        whole = self._by_ratio(item) if whole is None else whole
        return whole if whole is not None else content_sizes(item)[1]

    def _by_ratio(self, item: Box) -> float | None:
        """How wide it is where the height of the row says it."""
        if not ratio(item) or self.inner is None:
            return None
        start, end, before, after = edges(item, self.width, self.mode)
        said = said_size(item.style, names(self.mode)[1], self.inner, before + after)
        across = (self.inner - self._cross_margins(item) if said is None else said) - before - after
        return along_by_ratio(item, max(0.0, across), self.mode) + start + end

    def _least(self, item: Box) -> float:
        """What it does not go below of itself."""
        start, end, _, _ = edges(item, self.width, self.mode)
        if f"min-{names(self.mode)[0]}" in item.style.own or overflows(item)[0] not in {"visible", "clip"}:
            return start + end
        if is_vertical(item.style.mode) != is_vertical(self.mode):
            return self.layouter.fitted(item, self.width, self.mode)
        said = said_size(item.style, names(self.mode)[0], self.width, start + end)
        if said is None and (by_ratio := self._by_ratio(item)) is not None:
            return by_ratio
        least = content_sizes(item)[0] if said is None or item.kind == "table" else self._content_least(item)
        return min(least, said) if said is not None and item.kind != "table" else least

    def _content_least(self, item: Box) -> float:
        start, end, _, _ = edges(item, self.width, self.mode)
        if contained(item) or item.kind == "replaced":
            return start + end
        return inner_sizes(item)[0] + start + end

    def _bounded(self, item: Box, size: float) -> float:
        start, end, _, _ = edges(item, self.width, self.mode)
        name = names(self.mode)[0]
        most = item.style.of(f"max-{name}", self.width)
        least = self._least(item)
        if most is not None:
            least = min(least, most + start + end)
        return max(clamp(item.style, name, size, self.width, start + end), least, start + end)

    def _shared(self, bases: list[float]) -> list[float]:
        """The room of a row, handed out until nobody has less or more than it may."""
        room = self.width - sum(map(self._around, self.items))
        bounds = [self._bounded(item, base) for item, base in zip(self.items, bases, strict=True)]
        grows = sum(bounds) < room
        factors = [self._factor(item, base, grows=grows) for item, base in zip(self.items, bases, strict=True)]
        sizes: list[float | None] = [
            bound if factor == 0 or (base > bound if grows else base < bound) else None
            for factor, base, bound in zip(factors, bases, bounds, strict=True)
        ]
        for _ in range(len(bases) + 1):
            if all(size is not None for size in sizes) or self._freeze(sizes, bases, factors, room):
                break
        return [bound if size is None else size for size, bound in zip(sizes, bounds, strict=True)]

    def _freeze(self, sizes: list[float | None], bases: list[float], factors: list[float], room: float) -> bool:
        """One round; whether all are settled."""
        loose = [number for number, size in enumerate(sizes) if size is None]
        spare = room - sum(bases[n] if sizes[n] is None else sizes[n] or 0.0 for n in range(len(sizes)))
        total = sum(factors[number] for number in loose)
        if spare > 0 and total < 1:
            spare *= total
        tried = {n: bases[n] + spare * factors[n] / total for n in loose}
        fixed = {n: self._bounded(self.items[n], size) for n, size in tried.items()}
        excess = sum(fixed.values()) - sum(tried.values())
        for number in loose:
            off = fixed[number] - tried[number]
            if abs(excess) < 0.01 or (off > 0 if excess > 0 else off < 0):
                sizes[number] = fixed[number]
        return abs(excess) < 0.01

    def _factor(self, item: Box, base: float, *, grows: bool) -> float:
        if grows:
            return max(0.0, read_number(item.style.own.get("flex-grow", "0")) or 0.0)
        start, end, _, _ = edges(item, self.width, self.mode)
        return 0.0 if item.style.own.get("flex-basis") == "none" else max(0.0, base - start - end)

    def _lay_column(self) -> float:
        for item in self.items:
            self._lay_item(item, self._column_width(item))
        used = sum(self._cross(item) + self._cross_margins(item) for item in self.items)
        spare = max(0.0, self.inner - used) if self.inner is not None else 0.0
        total = sum(self._factor(item, 0.0, grows=True) for item in self.items)
        top = self.before
        for item in self.items:
            start, _, before, after = self._margins(item)
            more = spare * self._factor(item, 0.0, grows=True) / max(total, 1.0) if total else 0.0
            if more:
                item.h += more
            top += before or 0.0
            self.layouter.put(item, self.box, self.start + (start or 0.0), top)
            self._take_base(item)
            top += self._cross(item) + (after or 0.0)
        return top + self.after

    def _column_width(self, item: Box) -> float:
        start, end, _, _ = self._margins(item)
        said = self.layouter.said(item, self.width, self.mode)
        if said is not None:
            return said
        if start is None or end is None or item.kind == "table":
            return self.layouter.fitted(item, self.width, self.mode)
        return self.layouter.within(item, self.width - start - end, self.width, self.mode)
