"""The passage of a text that shows why it was found, as plain text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from wellsourced.storage.library.query import SearchTerm
from wellsourced.text.index_words import ACCENTS, RUN

LENGTH = 300
BEFORE = 60
SEARCHED = 200_000
PIECE = 10_000
MOST_PLACES = 2000
MOST_OCCURRENCES = 10_000  # of a word, also within others
EDGE = 30
WORD = re.compile(r"\w")
REST = re.compile(r"\w{0,12}")


def passage(text: str, wanted: Iterable[SearchTerm]) -> str:
    """The stretch of about LENGTH characters that holds the most different words; else the beginning."""
    flat = " ".join(text[:SEARCHED].split())
    start, end = _bounds(flat, _best(_places(fold_each(flat), {word for sought in wanted for word in sought.words})))
    return flat[start:end]


def fold_each(text: str) -> str:
    """The text folded letter by letter, so that every place in it is the same as in the original."""
    if text.isascii():
        return text.lower()
    # In pieces: one call over all of it would keep every other thread waiting.
    return "".join("".join(map(_fold_letter, text[start : start + PIECE])) for start in range(0, len(text), PIECE))


@lru_cache(maxsize=4096)
def _fold_letter(letter: str) -> str:
    folded = ACCENTS.sub("", unicodedata.normalize("NFKD", letter)).casefold()
    composed = unicodedata.normalize("NFC", folded)
    return composed if len(composed) == 1 else letter


def _places(text: str, words: Iterable[str]) -> list[tuple[int, str]]:
    """Where words begin, so that `sea` is not found in `research`, and pairs anywhere, with the rest of the word."""
    found: dict[int, str] = {}
    for word in sorted(words, key=len, reverse=True):
        is_pair = bool(RUN.match(word))
        for start in islice(_occurrences(text, word), MOST_OCCURRENCES):
            if start not in found and (is_pair or not start or not WORD.match(text, start - 1)):
                rest = None if is_pair else REST.match(text, start + len(word))
                found[start] = word + (rest[0] if rest else "")
    return sorted(found.items())[:MOST_PLACES]


def _occurrences(text: str, word: str) -> Iterator[int]:
    start = text.find(word)
    while start >= 0:
        yield start
        start = text.find(word, start + 1)


def _best(places: Sequence[tuple[int, str]]) -> int:
    """Where the window begins that holds the most different words, then the most words."""
    starts = [place[0] for place in places]
    best, score = 0, (0, 0)
    for index, start in enumerate(starts):
        last = min(bisect_right(starts, start + LENGTH - BEFORE - EDGE), index + 50)
        inside = {place[1] for place in places[index:last]}
        if (len(inside), last - index) > score:
            best, score = start, (len(inside), last - index)
    return best


def _bounds(text: str, first: int) -> tuple[int, int]:
    """A window around the first word, moved to the edges of words where there are any nearby."""
    start = max(0, min(first - BEFORE, len(text) - LENGTH))
    if start:
        blank = text.find(" ", start, start + EDGE)
        start = blank + 1 if 0 <= blank < first else start
        while start < first and unicodedata.category(text[start]).startswith("M"):
            start += 1
    end = min(len(text), start + LENGTH)
    if end < len(text):
        blank = text.rfind(" ", end - EDGE, end)
        end = blank if blank > first else end
        while end < len(text) and unicodedata.category(text[end]).startswith("M"):
            end += 1
    return start, end
