"""Fragments: pieces of line that belong together, in the order of the content stream."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wellsourced.documents.pdf_layout.chars import LINE_HYPHEN, Box, PageChars, is_right_to_left, joined, logical

WORD = re.compile(r"([\x21-\x7e]++(?:\x02|(?=[\s\x00]|\Z)))|[^\s\x00\x02]+\x02?|\x02")
GAP = 1.0
SHIFT = 0.7
SHORT_MARK = 4
"""Numbers of lists and initials, with the blank behind them, may be larger than the line that they begin."""


@dataclass(slots=True)
class TextFragment:
    """Words on one line without a wide gap between them. Heights grow upwards, as in PDF."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    upright: bool = True
    last: Box = (0.0, 0.0, 0.0, 0.0)
    start: int = 0
    end: int = 0

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def rightwards(self) -> bool:
        """Whether it is read from the right to the left."""
        if self.text.isascii():
            return False
        letters = [is_right_to_left(char) for char in self.text if char.isalpha()]
        return sum(letters) * 2 > len(letters)


def group_words(chars: PageChars) -> tuple[list[TextFragment], int]:
    """All fragments of a page, and how many characters its fonts do not explain."""
    fragments: list[TextFragment] = []
    text, unmapped = chars.text, 0
    previous: TextFragment | None = None
    for match in WORD.finditer(text):
        start, word = match.start(), match.group()
        end = start + len(word) - 1
        first, last = chars.ends(start, end - 1 if word[-1] == LINE_HYPHEN and end > start else end)
        if match.lastindex is None:
            word, strange = _readable(chars, word, start)
            unmapped += strange
            if not word:
                continue
        new_line = start == 0 or text[start - 1] in "\r\n"
        if previous is None or new_line or not _took_up(previous, word, first, last):
            previous = _begin(word, first, last, chars, start)
            fragments.append(previous)
        elif len(previous.text) - len(word) < SHORT_MARK:
            previous.size = chars.size(start) or previous.size
        previous.end = end
    return fragments, unmapped


def _readable(chars: PageChars, word: str, start: int) -> tuple[str, int]:
    """The word in logical order without glyphs that no font table explains."""
    known = [word[index] == LINE_HYPHEN or not chars.unmapped(start + index) for index in range(len(word))]
    strange = known.count(False)
    if strange and any(known):
        return joined("".join(char for char, is_known in zip(word, known, strict=True) if is_known)), strange
    if any(is_right_to_left(char) for char in word):
        return joined(logical(chars, word, start)), strange
    return joined(word), strange


def _begin(word: str, first: Box, last: Box, chars: PageChars, start: int) -> TextFragment:
    left, right = min(first[0], last[0]), max(first[2], last[2])
    bottom, top = min(first[3], last[3]), max(first[1], last[1])
    size = chars.size(start) or max(first[1] - first[3], 0.1)
    return TextFragment(word, left, right, bottom, top, size, chars.upright(start), last, start)


def _took_up(line: TextFragment, word: str, first: Box, last: Box) -> bool:
    """Add the word to the line if it belongs there, and say so.

    About the same height as the word before, and no further away than a wide blank. Plain comparisons, as this
    happens for every word.
    """
    left, top, right, bottom = first
    _, high, _, low = line.last
    size = line.size if line.size > 1.0 else 1.0
    reach = GAP * size
    near = abs((bottom + top) - (low + high)) / 2 <= SHIFT * size
    left, right = left if left < last[0] else last[0], right if right > last[2] else last[2]
    if not (left - line.right < reach and line.left - right < reach if near else not line.upright):
        return False
    line.text += word if line.text[-1] == LINE_HYPHEN else f" {word}"
    line.left, line.right = left if left < line.left else line.left, right if right > line.right else line.right
    line.bottom, line.top = min(line.bottom, bottom, last[3]), max(line.top, top, last[1])
    line.last = last
    return True
