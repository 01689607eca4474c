"""Finds a passage by its words, whatever markup stands between them: one place in markdown and in plain text alike."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, chain, islice

WORD = re.compile(r"[^\W_]+")
STRETCH = re.compile(r"[^\W_].{0,2000}[^\W_]*", re.DOTALL)
# What markdown has and a rendered page does not show: pictures, and the targets of links.
UNSHOWN = re.compile(r"!\[[^\]\n]{0,2000}\]\([^\s()]{0,2000}\)|(?<=\])\([^\s()]{0,2000}\)")
EDGE = 8
"""So many words at its beginning and its end tell where a passage stands."""
FARTHEST_END = 3
"""A passage's end further on than so many times its own words is the end of another one."""
TEXT_LENGTH = 5_000_000


class WordIndex:
    """The words of a text, and where each stretch of many words begins."""

    def __init__(self, text: str) -> None:
        self._shown = blank_unshown(text[:TEXT_LENGTH])
        stretches = [(stretch.start(), WORD.findall(stretch[0])) for stretch in STRETCH.finditer(self._shown)]
        self._starts = [start for start, _ in stretches]
        self._counts = list(accumulate((len(words) for _, words in stretches), initial=0))
        self._joined = f" {' '.join(chain.from_iterable(words for _, words in stretches))} ".casefold()

    def locate(self, passage: str) -> tuple[int, int] | None:
        """Where the passage stands the first time; None where its words do not."""
        words = [word.casefold() for word in WORD.findall(blank_unshown(passage))]
        place = self._find(words[:EDGE], 0)
        if place is None:
            return None
        first = self._number(place)
        last = first + min(EDGE, len(words)) - 1
        if len(words) > EDGE:
            tail = self._find(words[-EDGE:], place)
            if tail is not None and (number := self._number(tail)) - first <= FARTHEST_END * len(words):
                last = max(last, number + EDGE - 1)
        return self._span(first)[0], self._span(last)[1]

    def _find(self, words: list[str], after: int) -> int | None:
        """Where among the joined words these begin."""
        place = self._joined.find(f" {' '.join(words)} ", after) if words else -1
        return place if place >= 0 else None

    def _number(self, place: int) -> int:
        return self._joined.count(" ", 0, place)

    def _span(self, number: int) -> tuple[int, int]:
        """The place in the text of the word with this number."""
        stretch = bisect_right(self._counts, number) - 1
        words = WORD.finditer(self._shown, self._starts[stretch])
        return next(islice(words, number - self._counts[stretch], None)).span()


def blank_unshown(text: str) -> str:
    """The text in its own length with nothing in it that is not shown."""
    return UNSHOWN.sub(lambda match: " " * len(match[0]), text)
