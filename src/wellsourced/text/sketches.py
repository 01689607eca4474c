"""Sketches of texts: a few numbers that near-copies share, the smallest hashes of runs of five words."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from struct import unpack_from
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellsourced.text.spaced_words import Places, SpacedWords

SHINGLE = 5
SKETCH = 32
SKETCHED_WORDS = 20_000
FEWEST_SHINGLES = 6
ALIKE = 0.75  # share of equal hashes from which two texts count as near-copies


def sketch_texts(words: SpacedWords, different: Places, which: Places) -> Iterator[bytes]:
    """The sketch of each text, whose different words are known.

    Only every eighth word begins a run, chosen by its own hash and so alike in all texts: an eighth of the work.
    """
    import numpy as np

    hashes = np.fromiter(map(zlib.crc32, words.encoded(different)), np.uint32, len(different))
    chosen = np.flatnonzero((hashes % 8 == 0)[which])
    counts = words.counts.tolist()
    for first, count in zip(accumulate(counts, initial=0), counts, strict=False):
        last = first + max(0, min(count, SKETCHED_WORDS) - SHINGLE + 1)
        yield _sketch(words, chosen[slice(*chosen.searchsorted((first, last)))])


def _sketch(words: SpacedWords, chosen: Places) -> bytes:
    """Of the runs that begin with these words."""
    import numpy as np

    if not len(chosen):
        return b""
    written = memoryview(words.written)
    spans = zip(words.starts[chosen].tolist(), words.ends[chosen + SHINGLE - 1].tolist(), strict=True)
    hashes = np.array([zlib.crc32(written[start:end]) for start, end in spans], np.uint32)
    return np.unique(hashes)[:SKETCH].astype(">u4").tobytes()


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
    return frozenset(read_sketch(sketched))


def read_sketch(sketched: bytes) -> tuple[int, ...]:
    """Its numbers as they stand."""
    return unpack_from(f">{len(sketched) // 4}I", sketched)
