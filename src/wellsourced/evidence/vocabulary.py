"""The words of a text, asked for relatives of a word: a shared beginning, or one inside the other (compounds).

A loose comparison, for telling that a text has nothing at all of a claim: it rather finds too much. Quick enough for
any text: beginnings by bisection, compounds by one search through all words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from math import ceil

SHORTEST = 5
SHARED_PART = 0.6
LONGEST = 40


class Vocabulary:
    """Distinct words, each only letters or not considered for relatives."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)
        self._sorted = sorted(word for word in self._words if len(word) >= SHORTEST and word.isalpha())
        self._joined = "\n".join(("", *self._sorted, ""))

    def relatives(self, word: str) -> frozenset[str]:
        """The words of the text that may belong to the same family, the word itself included."""
        if not SHORTEST <= len(word) <= LONGEST or not word.isalpha():
            return frozenset({word})
        return frozenset({word, *self._beginning_like(word), *self._containing(word), *self._inside(word)})

    def _beginning_like(self, word: str) -> list[str]:
        start = word[: max(SHORTEST, ceil(len(word) * SHARED_PART))]
        return self._sorted[bisect_left(self._sorted, start) : bisect_left(self._sorted, start + "\U0010ffff")]

    def _containing(self, word: str) -> Iterator[str]:
        place = self._joined.find(word)
        while place >= 0:
            start, end = self._joined.rfind("\n", 0, place) + 1, self._joined.find("\n", place)
            yield self._joined[start:end]
            place = self._joined.find(word, end)

    def _inside(self, word: str) -> Iterator[str]:
        ends = range(len(word) + 1)
        parts = (word[start:end] for start in ends for end in ends[start + SHORTEST :])
        return (part for part in parts if part in self._words)
