"""Words as numbers: one for the letters of each, so that texts are compared without a string for every word."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Flags: TypeAlias = NDArray[np.bool_]
    Numbers: TypeAlias = NDArray[np.uint64]
    Places: TypeAlias = NDArray[np.int64]

# An odd constant near 2^64 divided by the golden ratio spreads the products evenly; the other one undoes it.
MULTIPLIER = 0x9E3779B97F4A7C15
INVERSE = pow(MULTIPLIER, -1, 2**64)
MIXER = 0xBF58476D1CE4E5B9
KEPT_POWERS = 1 << 16
# Long texts are numbered in parts of so many letters: their powers are at hand, and they fit into a processor's cache.
PART = KEPT_POWERS // 2


def word_starts(is_letter: Flags, is_alone: Flags) -> Places:
    """Where the words begin, in order; a letter that stands alone is a word."""
    import numpy as np

    is_inside = np.append(False, (is_letter & ~is_alone)[:-1])
    return np.flatnonzero((is_letter & ~is_inside) | is_alone)


def number_words(letters: NDArray[np.uint32], starts: Places) -> Numbers:
    """A number for each word of a text, between which letters are 0: so large that two do not share it by chance."""
    import numpy as np

    if not len(starts):
        return np.zeros(0, np.uint64)
    firsts = np.unique(np.searchsorted(starts, np.arange(PART, len(letters), PART)))
    parts = [part for part in np.split(starts, firsts) if len(part)]
    ends = [part[0] for part in parts[1:]] + [len(letters)]
    numbers: Numbers = np.concatenate(
        [_sum_words(letters[part[0] : end], part - part[0]) for part, end in zip(parts, ends, strict=True)]
    )
    return mix_numbers(numbers)


def mix_numbers(numbers: Numbers) -> Numbers:
    """So that words alike do not have numbers alike."""
    import numpy as np

    return (numbers ^ (numbers >> np.uint64(31))) * np.uint64(MIXER) ^ (numbers >> np.uint64(29))


def _sum_words(letters: NDArray[np.uint32], starts: Places) -> Numbers:
    import numpy as np

    weighed = letters * _powers(MULTIPLIER, len(letters))
    return np.add.reduceat(weighed, starts) * _powers(INVERSE, len(letters))[starts]


def number_stretches(numbers: Numbers, starts: Places, ends: Places) -> Numbers:
    """A number for each stretch of numbers, made of all of them in their order wherever it stands."""
    import numpy as np

    until = np.zeros(len(numbers) + 1, np.uint64)
    np.cumsum(numbers * _powers(MULTIPLIER, len(numbers)), out=until[1:])
    return (until[ends] - until[starts]) * _powers(INVERSE, len(numbers) + 1)[starts]


def _powers(base: int, count: int) -> Numbers:
    return _first_powers(base)[:count] if count <= KEPT_POWERS else _make_powers(base, count)


@cache
def _first_powers(base: int) -> Numbers:
    return _make_powers(base, KEPT_POWERS)


def _make_powers(base: int, count: int) -> Numbers:
    import numpy as np

    powers = np.full(count, base, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, out=powers)


def number_runs(numbers: Numbers, length: int) -> Numbers:
    """A number for each run of so many numbers, a power of two: made of two runs of half the length, and so on."""
    import numpy as np

    runs, reached = numbers, 1
    while reached < length:
        factor = np.uint64(pow(MULTIPLIER, reached, 2**64))
        runs = runs[:-reached] * factor + runs[reached:]
        reached *= 2
    return runs
