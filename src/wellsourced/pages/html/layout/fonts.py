"""How wide words are and how high lines, in the fonts that an ordinary browser takes where none is named."""

from __future__ import annotations

from functools import lru_cache

# In thousandths of the size of the letters, from the blank to the tilde.
SERIF = (
    318, 402, 460, 838, 636, 950, 890, 275, 390, 390, 500, 838, 318, 338, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 536, 1000, 722, 735, 765, 802, 730, 694, 799, 872, 395, 401, 747, 664, 1024,
    875, 820, 673, 820, 753, 685, 667, 843, 722, 1028, 712, 660, 695, 390, 337, 390, 838, 500, 500, 596, 640, 560, 640,
    592, 370, 640, 644, 320, 310, 606, 320, 948, 644, 602, 640, 640, 478, 513, 402, 644, 565, 856, 564, 565, 527, 636,
    337, 636, 838,
)  # fmt: skip
# Letters of a word are moved towards each other a little.
CLOSE, BOLD = 0.978, 1.1
MONOSPACED = 0.602
OTHER, WIDE = 0.6, 1.0
FIRST_WIDE = 0x2E80
ASCENT, DESCENT = 0.928, 0.236


@lru_cache(8192)
def _relative_width(word: str) -> float:
    return sum(SERIF[code - 32] if 32 <= (code := ord(letter)) < 127 else _other_width(code) for letter in word) / 1000


def _other_width(code: int) -> float:
    return 1000 * (WIDE if code >= FIRST_WIDE else OTHER)


def text_width(text: str, size: float, *, is_bold: bool, is_monospaced: bool) -> float:
    """How wide a text without line breaks is."""
    if is_monospaced:
        return len(text) * MONOSPACED * size
    share = BOLD if is_bold else 1.0 if text == " " else CLOSE
    return _relative_width(text) * size * share


@lru_cache(256)
def rise_and_fall(size: float) -> tuple[float, float]:
    """How far letters reach above their line and below it."""
    return float(round(ASCENT * size)), float(round(DESCENT * size))
