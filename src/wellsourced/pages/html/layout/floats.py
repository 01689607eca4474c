"""Boxes that float at the sides, and the room they leave between them."""

from __future__ import annotations

from typing import NamedTuple

from wellsourced.pages.html.layout.tree import TooMuch

MOST_LOOKS = 400_000


class Float(NamedTuple):
    side: str
    start: float
    end: float
    top: float
    bottom: float


class Floats:
    """Those of one block with its own floats, in places from its corner."""

    def __init__(self) -> None:
        self.all: list[Float] = []
        self.lowest = 0.0
        self._looks = 0

    def room(self, top: float, height: float, start: float, end: float) -> tuple[float, float]:
        """What is free between floats in a strip."""
        if not self.all or top >= self.lowest:
            return start, end
        self._looks += len(self.all)
        if self._looks > MOST_LOOKS:
            raise TooMuch
        bottom = top + max(height, 0.01)
        for each in self.all:
            if each.top < bottom and each.bottom > top:
                if each.side == "left":
                    start = max(start, each.end)
                else:
                    end = min(end, each.start)
        return start, end

    def next_end(self, top: float) -> float | None:
        """Where the first of the floats ends that are beside or below a place."""
        return min((each.bottom for each in self.all if each.bottom > top), default=None)

    def fit(self, width: float, height: float, top: float, start: float, end: float) -> tuple[float, float, float]:
        """The highest place from `top` on where a width fits, with the room that is there."""
        while True:
            left, right = self.room(top, height, start, end)
            lower = self.next_end(top) if self.all else None
            if right - left >= width - 0.01 or lower is None or (left == start and right == end):
                return top, left, right
            top = lower

    def add(self, side: str, width: float, height: float, top: float, start: float, end: float) -> tuple[float, float]:
        """Puts a box at a side, not higher than those before it; gives its corner."""
        if self.all:
            top = max(top, self.all[-1].top)
        top, left, right = self.fit(width, 0.01, top, start, end)
        place = left if side == "left" else right - width
        self.all.append(Float(side, place, place + width, top, top + height))
        self.lowest = max(self.lowest, top + height)
        return place, top

    def below(self, sides: str) -> float:
        """Where all floats at these sides have ended."""
        ends = [each.bottom for each in self.all if sides in {"both", each.side}]
        return max(ends, default=float("-inf"))
