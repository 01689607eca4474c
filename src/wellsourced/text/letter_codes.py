"""Texts as arrays of the codes of their characters: folded by a table, and cut into words without a string for each.

A table has a number for every character. It is filled for 256 characters at a time, when one of them first occurs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from wellsourced.text.index_words import NO_WORD, fold_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint32]
    Places: TypeAlias = NDArray[np.int64]
    Numbers: TypeAlias = NDArray[np.uint64]

BLOCK_BITS = 8
CHARACTERS = 0x110000
SEVERAL = CHARACTERS
"""Stands for what a letter becomes where that is not one letter."""
# An odd constant near 2^64 divided by the golden ratio spreads the products evenly.
MULTIPLIER = 0x9E3779B97F4A7C15
FACTORS = 64
LETTER, ALONE = 1, 2
"""Characters that make words with those beside them, and those that are words by themselves."""


class CharacterTable:
    def __init__(self, number_of: Callable[[str], int]) -> None:
        self._number_of = number_of

    def look_up(self, codes: Codes) -> Codes:
        """The number of each character."""
        import numpy as np

        found = self._numbers.take(codes)
        if not found.all():
            for block in np.unique(codes[found == 0] >> BLOCK_BITS).tolist():
                first = block << BLOCK_BITS
                characters = map(chr, range(first, first + (1 << BLOCK_BITS)))
                self._numbers[first : first + (1 << BLOCK_BITS)] = [1 + self._number_of(each) for each in characters]
            found = self._numbers.take(codes)
        return found - np.uint32(1)

    @cached_property
    def _numbers(self) -> Codes:
        """One more than the number, or 0 where it is not known yet; only what is written takes memory."""
        import numpy as np

        return np.zeros(CHARACTERS, np.uint32)


def fold_letters(text: str) -> str:
    """The text in one spelling, letter by letter, with spaces for what is neither ASCII nor part of a word."""
    import numpy as np

    if text.isascii():
        return text.lower()
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    codes = codes_of(text)
    folded = FOLDED.look_up(codes)
    if (is_several := folded == SEVERAL).any():
        for letter in map(chr, np.unique(codes[is_several]).tolist()):
            text = text.replace(letter, fold_letter(letter))
        codes = codes_of(text)
        folded = FOLDED.look_up(codes)
        folded = np.where(folded == SEVERAL, codes, folded)
    return folded.tobytes().decode("utf-32-le", "surrogatepass")


def fold_letter(letter: str) -> str:
    """ASCII in lower case; for others a space where they belong to no word."""
    return letter.lower() if letter.isascii() else NO_WORD.sub(" ", fold_text(letter))


def codes_of(text: str) -> Codes:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def word_kinds(letters: str, alone: str) -> CharacterTable:
    """A table of LETTER, ALONE or 0, by two classes of characters as regular expressions write them."""
    is_letter, is_alone = re.compile(letters), re.compile(alone)
    return CharacterTable(
        lambda character: ALONE if is_alone.match(character) else LETTER if is_letter.match(character) else 0
    )


def word_places(kinds: Codes) -> tuple[Places, Places]:
    """Where the words begin and end, in order."""
    import numpy as np

    is_letter = np.concatenate(([False], kinds == LETTER, [False]))
    inside, is_alone = is_letter[1:-1], kinds == ALONE
    starts = np.flatnonzero((inside & ~is_letter[:-2]) | is_alone)
    ends = np.flatnonzero((inside & ~is_letter[2:]) | is_alone) + 1
    return starts, ends


def number_words(codes: Codes, kinds: Codes, starts: Places, ends: Places) -> Numbers:
    """A number for each word: the same for the same letters, and so large that two words do not share it by chance."""
    import numpy as np

    if not len(starts):
        return np.zeros(0, np.uint64)
    lengths = ends - starts
    firsts = np.cumsum(lengths) - lengths
    letters = codes[kinds > 0] + np.uint32(1)
    places = np.arange(len(letters), dtype=np.int32) - np.repeat(firsts.astype(np.int32), lengths)
    factors = np.cumprod(np.full(FACTORS, MULTIPLIER, np.uint64))
    numbers = np.add.reduceat(letters * factors[places & (FACTORS - 1)], firsts)
    return numbers ^ (numbers >> np.uint64(32))


def number_runs(numbers: Numbers, length: int) -> Numbers:
    """A number for each run of so many numbers."""
    import numpy as np

    places = max(0, len(numbers) - length + 1)
    runs = np.zeros(places, np.uint64)
    for offset in range(length):
        runs = runs * np.uint64(MULTIPLIER) + numbers[offset : offset + places]
    return runs


def _folded_code(letter: str) -> int:
    folded = fold_letter(letter)
    return ord(folded) if len(folded) == 1 else SEVERAL


FOLDED = CharacterTable(_folded_code)
