"""Finds a passage by its words, whatever markup stands between them: one place in markdown and in plain text alike."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

WORD = re.compile(r"[^\W_]+")
# What markdown has and a rendered page does not show: pictures, and the targets of links.
UNSHOWN = re.compile(r"!\[[^\]\n]{0,2000}\]\([^\s()]{0,2000}\)|(?<=\])\([^\s()]{0,2000}\)")
EDGE = 8
"""So many words at its beginning and its end tell where a passage stands."""
FARTHEST_END = 3
"""A passage's end further on than so many times its own words is the end of another one."""
TEXT_LENGTH = 5_000_000


class WordIndex:
    """The words of a text with their places."""

    def __init__(self, text: str) -> None:
        shown = _blank_unshown(text[:TEXT_LENGTH])
        self._spans = [word.span() for word in WORD.finditer(shown)]
        words = [shown[start:end].casefold() for start, end in self._spans]
        self._joined = f" {' '.join(words)} "
        # Where each word begins in the joined text, so that a place in it leads back to the word.
        self._begins = list(accumulate((len(word) + 1 for word in words), initial=1))

    def locate(self, passage: str, start: int = 0) -> tuple[int, int] | None:
        """Where the passage stands, the first time at or after `start`; None where its words do not."""
        words = [word.casefold() for word in WORD.findall(_blank_unshown(passage))]
        after = self._begins[bisect_right(self._spans, (start, 0))] - 1 if start else 0
        first = self._find(words[:EDGE], after)
        if first is None:
            return None
        last = first + min(EDGE, len(words)) - 1
        if len(words) > EDGE:
            tail = self._find(words[-EDGE:], self._begins[first] - 1)
            if tail is not None and tail - first <= FARTHEST_END * len(words):
                last = max(last, tail + EDGE - 1)
        return self._spans[first][0], self._spans[last][1]

    def _find(self, words: list[str], after: int) -> int | None:
        """The number of the word at which these words begin."""
        place = self._joined.find(f" {' '.join(words)} ", after) if words else -1
        return bisect_right(self._begins, place + 1) - 1 if place >= 0 else None


def _blank_unshown(text: str) -> str:
    """The text in its own length with nothing in it that is not shown."""
    return UNSHOWN.sub(lambda match: " " * len(match[0]), text)
