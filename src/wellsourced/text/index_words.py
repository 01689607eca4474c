"""Text as the words of a full-text index, in any script.

Words are compared without case, accents, vowel points and width. Scripts that set no spaces between words (Chinese,
Japanese, Thai, and Korean, which ties particles to its words) are indexed as pairs of neighbouring letters, so that
any piece of two letters or more can be found; the last letter of a run stands alone as well, so that a single letter
is the beginning of something wherever it occurs. Pairs were chosen by measuring: over 3,000 made-up Chinese pages an
index of pairs took 1.6 times the text and SQLite's own index of triples, which cannot find words of two letters, 2.7
times; both answer in a fraction of a millisecond.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from operator import add
from typing import TYPE_CHECKING

from wellsourced.late_pattern import late_pattern
from wellsourced.text.terms import CLUSTER, MARKS, UNSPACED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OTHER_MARKS = (
    "\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u08d3-\u08ff\u0f18-\u0fbc\u1712-\u1734\u1920-\u193b"
    "\u1a17-\u1a7f\u1b00-\u1b44\u1b80-\u1bf3\u1c24-\u1c37\ua980-\ua9c0\uaa29-\uaa4d"
)
ACCENTS = late_pattern(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+"
)
NO_WORD = late_pattern(rf"[^\w{MARKS}{OTHER_MARKS}{UNSPACED}]+|_+")
RUN = late_pattern(rf"[{UNSPACED}]+")
TOKEN = late_pattern("[0-9A-Za-z\u0080-\U0010ffff]+")

# ASCII in lower case, with spaces for all that is no word.
PLAIN = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
PLAIN_BYTES = "".join(PLAIN.values()).encode() + bytes(range(128, 256))

PIECE = 10_000
CACHED_WORD = 64  # letters


def fold_text(text: str) -> str:
    """One spelling whatever the case, the accents and the width."""
    if text.isascii():
        return text.lower()
    bare = ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", bare.casefold())


def _space_word(word: str) -> str:
    return _space_short_word(word) if len(word) <= CACHED_WORD else space_word(word)


def space_word(word: str) -> str:
    """A word folded, with blanks where it is several of the index."""
    # In pieces: a whole text without a blank would be one call, during which no other thread can run.
    pieces = [word] if len(word) <= PIECE else [word[start : start + PIECE] for start in range(0, len(word), PIECE)]
    folded = "".join(map(fold_text, pieces))
    if folded.isascii():
        return folded
    spaced = folded if folded.isalnum() else NO_WORD.sub(" ", folded)
    return RUN.sub(lambda run: f" {' '.join(run_words(run[0]))} ", spaced)


_space_short_word = lru_cache(maxsize=8192)(space_word)
"""Most words occur again."""


def index_words(text: str) -> list[str]:
    """The words of the index, in order."""
    return text.translate(PLAIN).split() if text.isascii() else space_words(text).decode().split()


def space_words(text: str) -> bytes:
    """The same with blanks between them and behind the last."""
    if not text.isascii():
        words = text.split()
        spaced = {word: word if word.isascii() else _space_word(word) for word in set(words)}
        text = " ".join(map(spaced.__getitem__, words))
    return text.encode().translate(PLAIN_BYTES) + b" "


def run_words(run: str) -> list[str]:
    """A run of an unspaced script as pairs, and its last letter."""
    letters = run if run.isalnum() else CLUSTER.findall(run)
    return [*map(add, letters, letters[1:]), *letters[-1:]]


def number_words(words: Iterable[str]) -> tuple[dict[str, int], NDArray[np.int64]]:
    """The different words with a number each, in the order in which they first occur, and the number of every word."""
    import numpy as np

    known: defaultdict[str, int] = defaultdict(count().__next__)
    numbers = np.fromiter(map(known.__getitem__, words), np.int64)
    return dict(known), numbers
