"""The passage of a text that shows why it was found, as plain text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from wellsourced.storage.library.query import SearchTerm
from wellsourced.text.index_words import ACCENTS, RUN

LENGTH = 300
BEFORE = 60
SEARCHED = 200_000
PIECE = 10_000
MOST_PLACES = 2000
EDGE = 30


def passage(text: str, wanted: Iterable[SearchTerm]) -> str:
    """The stretch of about LENGTH characters that holds the most different words; else the beginning."""
    flat = " ".join(text[:SEARCHED].split())
    pattern = _pattern(tuple(wanted))
    places = [(found.start(), found[0]) for found in _some(pattern, fold_each(flat))] if pattern else []
    start, end = _bounds(flat, _best(places))
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


@lru_cache(maxsize=64)
def _pattern(wanted: tuple[SearchTerm, ...]) -> re.Pattern[str] | None:
    """Words at their beginning, so that `sea` is not found in `research`; pairs anywhere."""
    alternatives = sorted({word for sought in wanted for word in sought.words}, key=len, reverse=True)
    if not alternatives:
        return None
    spaced_words = [re.escape(word) for word in alternatives if _has_spaces(word)]
    pairs = [re.escape(word) for word in alternatives if not _has_spaces(word)]
    parts = [rf"(?<!\w)(?:{'|'.join(spaced_words)})\w{{0,12}}"] if spaced_words else []
    return re.compile("|".join([*parts, *pairs]))


def _has_spaces(word: str) -> bool:
    return not RUN.match(word)


def _some(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    found = []
    for match in pattern.finditer(text):
        found.append(match)
        if len(found) >= MOST_PLACES:
            break
    return found


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
