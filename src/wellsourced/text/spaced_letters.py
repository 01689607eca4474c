"""Long texts as words of the index, letter by letter.

In Latin, Greek, Cyrillic and Arabic writing, and among the usual signs, every character is folded for itself: a table
has what becomes of each. A text with any other one is folded word by word, which takes three times as long.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wellsourced.text.index_words import PLAIN_BYTES, space_word, space_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONG = 1000
"""Characters from which on a table is worth its while."""
ALONE = (
    (0x80, 0x300), (0x370, 0x483), (0x48A, 0x530), (0x621, 0x63B), (0x641, 0x64B), (0x1E00, 0x1F00), (0x2010, 0x2028),
    (0x2030, 0x205F), (0x20A0, 0x20C0),
)  # fmt: skip
"""Characters that are folded alike whatever stands beside them."""
ASCII = 0x80


class FoldedLetters(NamedTuple):
    """What each character becomes, 0 where that is not one character; those that become several."""

    one: NDArray[np.uint32]
    several: dict[int, str]


def space_text(text: str) -> bytes:
    """The words of the index, with blanks between them and behind the last, as `space_words` has them."""
    if len(text) < LONG or text.isascii():
        return space_words(text)
    folded = _fold(text)
    return space_words(text) if folded is None else folded.encode().translate(PLAIN_BYTES) + b" "


def _fold(text: str) -> str | None:
    """None where a character is not folded for itself."""
    import numpy as np

    letters = _letters()
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    if codes.max() >= len(letters.one):
        return None
    folded = letters.one[codes]
    if folded.all():
        return folded.tobytes().decode("utf-32-le")
    others = set(codes[folded == 0].tolist())
    if not others <= letters.several.keys():
        return None
    for code in others:
        text = text.replace(chr(code), letters.several[code])
    return _fold(text)


@cache
def _letters() -> FoldedLetters:
    import numpy as np

    spaced = {code: space_word(chr(code)) for first, end in ALONE for code in range(first, end)}
    one = np.zeros(ALONE[-1][1], np.uint32)
    one[0], one[1:ASCII] = ord(" "), np.arange(1, ASCII)
    for code, letter in spaced.items():
        one[code] = ord(letter) if len(letter) == 1 else 0
    return FoldedLetters(one, {code: letters for code, letters in spaced.items() if len(letters) != 1})
