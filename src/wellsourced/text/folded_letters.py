"""Texts as arrays of folded letters: one number for a character, so that whole texts are looked through at once.

What a character folds to is worked out when it is first met and kept. Most fold to one character; the others ("ß",
accents of their own) are exchanged in the text before.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from wellsourced.text.index_words import NO_WORD, fold_text
from wellsourced.text.terms import MARKS, UNSPACED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]
    Kinds = NDArray[np.uint8]

CODE_POINTS = 0x110000
# Bits of what is known of a character.
KNOWN, LETTER, IN_RUN, IDEOGRAPH, SEVERAL = 1, 2, 4, 8, 16
FIRST_IDEOGRAPH = "\u3400"
SPACED_LETTER = re.compile(rf"[^\W_{UNSPACED}]|[{MARKS}]")
RUN_LETTER = re.compile(f"[{UNSPACED}]")
# Marks that make one letter with the one before them also where that is no accent.
VOICED = "\uff9e\uff9f"
SEVERAL_OF: dict[str, str] = {}


def fold_letters(text: str) -> tuple[str, Codes, Kinds]:
    """A text folded, with a space for what belongs to no word; its letters as numbers, and their kinds.

    The character 0 is left as it is, for those who part a text by it.
    """
    text = unicodedata.normalize("NFKC" if any(mark in text for mark in VOICED) else "NFC", text)
    codes, kinds = _read_kinds(text)
    if (kinds & SEVERAL).any():
        for letter in map(chr, set(codes[kinds & SEVERAL > 0].tolist())):
            text = text.replace(letter, SEVERAL_OF[letter])
        codes, kinds = _read_kinds(text)
    folded = _tables()[0][codes]
    return folded.tobytes().decode("utf-32-le", "surrogatepass"), folded, kinds


def _read_kinds(text: str) -> tuple[Codes, Kinds]:
    codes, kind_of = encode_letters(text), _tables()[1]
    kinds = kind_of[codes]
    if not kinds.all():
        _learn(codes[kinds == 0])
        kinds = kind_of[codes]
    return codes, kinds


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


def _learn(codes: Codes) -> None:
    folded_of, kind_of = _tables()
    for code in set(codes.tolist()):
        letter = NO_WORD.sub(" ", fold_text(chr(code)))
        if len(letter) != 1:
            SEVERAL_OF[chr(code)] = letter
        kind = _kind(letter) if len(letter) == 1 else SEVERAL
        folded_of[code] = ord(letter) if kind & (LETTER | IN_RUN) else ord(" ") if code else 0
        kind_of[code] = KNOWN | kind  # last, since other threads take a letter of a kind for one that is known


def _kind(letter: str) -> int:
    if RUN_LETTER.match(letter):
        return IN_RUN | IDEOGRAPH if letter >= FIRST_IDEOGRAPH else IN_RUN
    return LETTER if SPACED_LETTER.match(letter) else 0
