"""Fragments: pieces of line that belong together, in the order of the content stream."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wellsourced.documents.pdf_layout.chars import LINE_HYPHEN, Box, PageChars, is_right_to_left, joined, logical

WORD = re.compile(r"([\x21-\x7e]++(?:\x02|(?=[\s\x00]|\Z)))|[^\s\x00\x02]+\x02?|\x02")
GAP = 1.0
SHIFT = 0.7
SHORT_MARK = 4
"""Numbers of lists and initials, with the blank behind them, may be larger than the line that they begin."""


@dataclass(slots=True)
class TextFragment:
    """Words on one line without a wide gap between them. Heights grow upwards, as in PDF.

    While words are added, `parts` are its text and `length` is how long that is.
    """

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
    parts: list[str] = field(default_factory=list)
    length: int = 0

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
    found = [(match.group(), match.start(), match.lastindex) for match in WORD.finditer(text)]
    boxes = iter(chars.boxes([place for word, start, _ in found for place in _ends(word, start)]))
    for (word, start, is_plain), first, last in zip(found, boxes, boxes, strict=True):
        end = start + len(word) - 1
        if is_plain is None:
            word, strange = _readable(chars, word, start)
            unmapped += strange
            if not word:
                continue
        new_line = start == 0 or text[start - 1] in "\r\n"
        if previous is None or new_line or not _took_up(previous, word, first, last):
            previous = _begin(word, first, last, chars, start)
            fragments.append(previous)
        elif previous.length - len(word) < SHORT_MARK:
            previous.size = chars.size(start) or previous.size
        previous.end = end
    for fragment in fragments:
        fragment.text = "".join(fragment.parts)
    return fragments, unmapped


def _ends(word: str, start: int) -> tuple[int, int]:
    """The places of its first and its last character, a hyphen at the end of a line left aside."""
    length = len(word)
    return start, start + length - (2 if length > 1 and word[-1] == LINE_HYPHEN else 1)


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
    upright = chars.upright(start)
    return TextFragment("", left, right, bottom, top, size, upright, last, start, 0, [word], len(word))


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
    if line.parts[-1][-1] != LINE_HYPHEN:
        word = " " + word
    line.parts.append(word)
    line.length += len(word)
    if left < line.left:
        line.left = left
    if right > line.right:
        line.right = right
    _, last_top, _, last_bottom = last
    bottom, top = bottom if bottom < last_bottom else last_bottom, top if top > last_top else last_top
    if bottom < line.bottom:
        line.bottom = bottom
    if top > line.top:
        line.top = top
    line.last = last
    return True
