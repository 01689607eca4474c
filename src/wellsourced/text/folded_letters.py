"""Texts as arrays of folded letters: one number for a character, so that whole texts are looked through at once.

What a character folds to is worked out when it is first met and kept. Most fold to one character; the others ("ß",
accents of their own) are exchanged in the text before.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

from wellsourced.text.index_words import NO_WORD, fold_text
from wellsourced.text.terms import MARKS, UNSPACED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]
    Kinds = NDArray[np.uint8]
    Places = NDArray[np.intp]

CODE_POINTS = 0x110000
# Bits of what is known of a character.
KNOWN, LETTER, IN_RUN, IDEOGRAPH, SEVERAL, GROUPS, DIGIT = 1, 2, 4, 8, 16, 32, 64
GROUPING = ",.’'\u00a0\u202f"
"""What stands between the digits of a number before each three of them."""
FIRST_IDEOGRAPH = "\u3400"
SPACED_LETTER = re.compile(rf"[^\W_{UNSPACED}]|[{MARKS}]")
RUN_LETTER = re.compile(f"[{UNSPACED}]")
# Marks that make one letter with the one before them also where that is no accent.
VOICED = ("\uff9e", "\uff9f")
SEVERAL_OF: dict[str, str] = {}


def fold_letters(text: str, *, join_digits: bool = False) -> tuple[str, Codes, Kinds]:
    """A text folded, with a space for what belongs to no word; its letters as numbers, and their kinds.

    The character 0 is left as it is, for those who part a text by it. With `join_digits` a number is one word however
    its digits are grouped.
    """
    folded, kinds = _fold_ascii(text) if text.isascii() else _fold_any(text)
    if join_digits and len(grouping := _grouping_places(kinds)):
        import numpy as np

        folded, kinds = np.delete(folded, grouping), np.delete(kinds, grouping)
    if folded.dtype.itemsize == 1:
        return folded.tobytes().decode("ascii"), folded.astype("uint32"), kinds
    return folded.tobytes().decode("utf-32-le", "surrogatepass"), folded, kinds


def _fold_ascii(text: str) -> tuple[Any, Kinds]:
    import numpy as np

    folded_of, kind_of = _ascii_tables()
    raw = text.encode("ascii")
    return np.frombuffer(raw.translate(folded_of), np.uint8), np.frombuffer(raw.translate(kind_of), np.uint8)


def _fold_any(text: str) -> tuple[Any, Kinds]:
    text = unicodedata.normalize("NFKC" if any(map(text.__contains__, VOICED)) else "NFC", text)
    places, kinds = _read_kinds(text)
    if (kinds & SEVERAL).any():
        for letter in map(chr, set(places[kinds & SEVERAL > 0].tolist())):
            text = text.replace(letter, SEVERAL_OF[letter])
        places, kinds = _read_kinds(text)
    return _tables()[0].take(places), kinds


def _grouping_places(kinds: Kinds) -> Places:
    """Where a sign stands behind a digit and before three digits, but not four."""
    import numpy as np

    signs = np.flatnonzero(kinds & GROUPS > 0)
    if not len(signs):
        return signs
    around = np.append(kinds, np.zeros(4, np.uint8))
    inside = around[signs - 1] & around[signs + 1] & around[signs + 2] & around[signs + 3] & DIGIT
    places: Places = signs[inside > around[signs + 4] & DIGIT]
    return places


def _read_kinds(text: str) -> tuple[Places, Kinds]:
    import numpy as np

    places, kind_of = encode_letters(text).astype(np.intp), _tables()[1]
    kinds = kind_of.take(places)
    if not kinds.all():
        _learn(places[kinds == 0])
        kinds = kind_of.take(places)
    return places, kinds


def encode_letters(text: str) -> Codes:
    import numpy as np

    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def _tables() -> tuple[Codes, Kinds]:
    """By code point, what it folds to and its kind; memory is taken for the parts that are used."""
    import numpy as np

    return np.zeros(CODE_POINTS, np.uint32), np.zeros(CODE_POINTS, np.uint8)


@cache
def _ascii_tables() -> tuple[bytes, bytes]:
    """For all bytes, though none is above the first 128."""
    import numpy as np

    _learn(np.arange(128))
    folded_of, kind_of = _tables()
    return folded_of[:256].astype(np.uint8).tobytes(), kind_of[:256].tobytes()


def _learn(codes: Places) -> None:
    folded_of, kind_of = _tables()
    for code in set(codes.tolist()):
        letter = NO_WORD.sub(" ", fold_text(chr(code)))
        if len(letter) != 1:
            SEVERAL_OF[chr(code)] = letter
        kind = _kind(letter) if len(letter) == 1 else SEVERAL
        folded_of[code] = ord(letter) if kind & (LETTER | IN_RUN) else ord(" ") if code else 0
        kind |= (GROUPS if chr(code) in GROUPING else 0) | (DIGIT if chr(code).isdecimal() else 0)
        kind_of[code] = KNOWN | kind  # last, since other threads take a letter of a kind for one that is known


def _kind(letter: str) -> int:
    if RUN_LETTER.match(letter):
        return IN_RUN | IDEOGRAPH if letter >= FIRST_IDEOGRAPH else IN_RUN
    return LETTER if SPACED_LETTER.match(letter) else 0
