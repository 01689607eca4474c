"""The words of the index of several texts, as bytes behind each other: counted and compared without a string for each.

A word is compared by a number. Of up to eight bytes it is these; of a longer one all are mixed, as far as the index
tells words apart, into one so large that two words do not share it by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wellsourced.text.spaced_letters import space_text
from wellsourced.text.word_numbers import mix_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.uint64]
    Places: TypeAlias = NDArray[np.int64]

BLANK = ord(" ")
EIGHT = 8
COMPARED = 264  # bytes
SLOT_BITS = 16


class SpacedWords(NamedTuple):
    """`written` has a blank behind every word; `counts` tells how many words each text has."""

    written: bytes
    starts: Places
    ends: Places
    counts: Places

    @classmethod
    def of(cls, texts: Iterable[str]) -> SpacedWords:
        return cls.of_spaced(list(map(space_text, texts)))

    @classmethod
    def of_spaced(cls, spaced: Sequence[bytes]) -> SpacedWords:
        """Of texts that are nothing but words of the index, with blanks between them and behind the last."""
        import numpy as np

        letters = np.frombuffer(b"".join(spaced), np.uint8)
        is_blank = letters == BLANK
        is_after_blank = np.append(True, is_blank)[:-1]
        words_until = np.flatnonzero(is_blank & ~is_after_blank).searchsorted(np.cumsum(list(map(len, spaced))))
        written = letters[~(is_blank & is_after_blank)]
        ends = np.flatnonzero(written == BLANK)
        return cls(written.tobytes(), np.append(0, ends + 1)[:-1], ends, np.diff(words_until, prepend=0))

    def numbers(self) -> Numbers:
        """One for each word."""
        import numpy as np

        sizes = self.ends - self.starts
        filled = self.written + bytes(EIGHT)
        eights: Numbers = np.ndarray(len(self.written) + 1, "<u8", filled, strides=(1,))  # the bytes from each place on
        numbers: Numbers = eights[self.starts] & _masks()[np.minimum(sizes, EIGHT)]
        longer = np.flatnonzero(sizes > EIGHT)
        for place in range(EIGHT, COMPARED, EIGHT):
            if not len(longer):
                break
            more = eights[self.starts[longer] + place] & _masks()[np.minimum(sizes[longer] - place, EIGHT)]
            numbers[longer] = mix_numbers(numbers[longer]) + more
            longer = longer[sizes[longer] > place + EIGHT]
        return numbers

    def different(self) -> tuple[Places, Places]:
        """Which words stand for all that are different, and for each word which of these it is."""
        import numpy as np

        numbers = self.numbers()
        order = numbers.argsort()
        is_first = np.diff(numbers[order], prepend=np.uint64(0)) > 0  # no word has the number 0
        which = np.empty_like(order)
        which[order] = np.cumsum(is_first) - 1
        return order[is_first], which

    def encoded(self, places: Places) -> list[bytes]:
        """The words at these places among all."""
        spans = zip(self.starts[places].tolist(), self.ends[places].tolist(), strict=True)
        return [self.written[start:end] for start, end in spans]


@cache
def _masks() -> Numbers:
    """By length, the bits of so many bytes."""
    import numpy as np

    return np.array([2 ** (8 * length) - 1 for length in range(EIGHT + 1)], np.uint64)


def find_numbers(sought: Numbers, numbers: Numbers) -> Places:
    """For each number which of those sought it is, counted from 1, or 0."""
    import numpy as np

    which, shift = np.arange(1, len(sought) + 1), np.uint64(64 - SLOT_BITS)
    slots, table = mix_numbers(sought) >> shift, np.zeros(2**SLOT_BITS, np.int64)
    table[slots] = which
    found: Places = table[mix_numbers(numbers) >> shift]
    found[np.append(np.uint64(0), sought)[found] != numbers] = 0
    for other in which[table[slots] != which].tolist():  # the few that share a slot with a later one
        found[numbers == sought[other - 1]] = other
    return found
