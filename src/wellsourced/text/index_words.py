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
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain, count, pairwise
from struct import unpack_from
from typing import TYPE_CHECKING, NamedTuple

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

PIECE = 10_000
SHINGLE = 5
SKETCH = 32
SKETCHED_WORDS = 20_000
FEWEST_SHINGLES = 6
ALIKE = 0.75  # share of equal hashes from which two texts count as near-copies


def fold_text(text: str) -> str:
    """One spelling whatever the case, the accents and the width."""
    if text.isascii():
        return text.lower()
    bare = ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", bare.casefold())


def _space_word(word: str) -> str:
    # In pieces: a whole text without a blank would be one call, during which no other thread can run.
    pieces = [word] if len(word) <= PIECE else [word[start : start + PIECE] for start in range(0, len(word), PIECE)]
    folded = "".join(map(fold_text, pieces))
    if folded.isascii():
        return folded
    spaced = folded if folded.isalnum() else NO_WORD.sub(" ", folded)
    return RUN.sub(lambda run: f" {' '.join(run_words(run[0]))} ", spaced)


def index_words(text: str) -> list[str]:
    """The words of the index, in order."""
    if text.isascii():
        return text.translate(PLAIN).split()
    return list(chain.from_iterable(map(_words_of, text.split())))


def _words_of(written: str) -> list[str]:
    """What is written between two blanks, as the words of the index that it holds."""
    return TOKEN.findall(written.lower() if written.isascii() else _space_word(written))


class WordNumbers(dict[str, list[int]]):
    """Numbers the words of several texts in the order in which they first occur.

    Holds what is written between two blanks with the numbers of its words: most of it occurs again.
    """

    def __init__(self) -> None:
        self.known: defaultdict[str, int] = defaultdict(count().__next__)

    def __missing__(self, written: str) -> list[int]:
        found = self[written] = [self.known[word] for word in _words_of(written)]
        return found

    def of(self, text: str) -> NDArray[np.int64]:
        """The numbers of the words of a text, in order."""
        import numpy as np

        if text.isascii():
            return np.fromiter(map(self.known.__getitem__, text.translate(PLAIN).split()), np.int64)
        return np.fromiter(chain.from_iterable(map(self.__getitem__, text.split())), np.int64)


def run_words(run: str) -> list[str]:
    """A run of an unspaced script as pairs, and its last letter."""
    letters = [match[0] for match in CLUSTER.finditer(run)]
    return [*(one + other for one, other in pairwise(letters)), *letters[-1:]]


def number_words(words: Iterable[str]) -> tuple[dict[str, int], NDArray[np.int64]]:
    """The different words with a number each, in the order in which they first occur, and the number of every word."""
    import numpy as np

    known: defaultdict[str, int] = defaultdict(count().__next__)
    numbers = np.fromiter(map(known.__getitem__, words), np.int64)
    return dict(known), numbers


class RunStarts(NamedTuple):
    """Of each word whether a run of the sketch begins with it, and its length in bytes."""

    begins: NDArray[np.bool_]
    sizes: NDArray[np.int64]

    def of(self, numbers: NDArray[np.int64]) -> RunStarts:
        """For the words with these numbers."""
        return RunStarts(self.begins[numbers], self.sizes[numbers])


def run_starts(known: Collection[str]) -> RunStarts:
    """Only every eighth word begins a run, chosen by its own hash and so alike in all texts: an eighth of the work."""
    import numpy as np

    encoded = [word.encode("utf-8", "replace") for word in known]
    hashes = np.fromiter(map(zlib.crc32, encoded), np.uint32, len(encoded))
    return RunStarts(hashes % 8 == 0, np.fromiter(map(len, encoded), np.int64, len(encoded)))


def sketch_text(lexemes: Sequence[str], starts: RunStarts | None = None) -> bytes:
    """A few numbers that near-copies of a text share: the smallest hashes of runs of five words.

    Whoever knows already where runs begin says so by `starts`.
    """
    known = lexemes[:SKETCHED_WORDS]
    if starts is None:
        words, numbers = number_words(known)
        starts = run_starts(words).of(numbers)
    begins, sizes = starts
    ends = (sizes + 1).cumsum() - 1
    chosen = begins[: max(0, len(known) - SHINGLE + 1)].nonzero()[0]
    first, last = (ends - sizes)[chosen].tolist(), ends[chosen + SHINGLE - 1].tolist()
    written = memoryview(" ".join(known).encode("utf-8", "replace"))
    hashes = sorted({zlib.crc32(written[start:end]) for start, end in zip(first, last, strict=True)})
    return b"".join(number.to_bytes(4, "big") for number in hashes[:SKETCH])


def are_sketches_alike(one: bytes, other: bytes) -> bool:
    """Whether two sketches are of texts that are nearly the same (an estimate of their Jaccard similarity)."""
    first, second = sketch_numbers(one), sketch_numbers(other)
    if first.isdisjoint(second) or min(len(first), len(second)) < FEWEST_SHINGLES:
        return False
    smallest = sorted(first | second)[:SKETCH]
    shared = sum(number in first and number in second for number in smallest)
    return shared >= ALIKE * len(smallest)


@lru_cache(maxsize=1024)
def sketch_numbers(sketched: bytes) -> frozenset[int]:
    return frozenset(unpack_from(f">{len(sketched) // 4}I", sketched))
