"""Fragments: pieces of line that belong together, in the order of the content stream."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wellsourced.readers.layout.chars import LINE_HYPHEN, Box, PageChars, is_right_to_left, joined, logical

PLAIN = re.compile(r"[\x21-\x7e]+\x02?")
WORD = re.compile(r"[^\s\x00\x02]+\x02?|\x02")
GAP = 1.0
SHIFT = 0.7


@dataclass(slots=True)
class Fragment:
    """Words on one line without a wide gap between them. Heights grow upwards, as in PDF."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    upright: bool = True
    last: Box = (0.0, 0.0, 0.0, 0.0)

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


def fragments(chars: PageChars) -> tuple[list[Fragment], int]:
    """All fragments of a page, and how many characters its fonts do not explain."""
    found: list[Fragment] = []
    text = chars.text()
    unmapped = 0
    for match in WORD.finditer(text):
        start = match.start()
        word, strange = _readable(chars, match.group(), start)
        unmapped += strange
        if not word:
            continue
        first, last = _ends(chars, match.group(), start)
        new_line = start == 0 or text[start - 1] in "\r\n"
        previous = found[-1] if found else None
        if previous is not None and not new_line and _continues(previous, first, last):
            _extend(previous, word, first, last)
        else:
            found.append(_begin(word, first, last, chars, start))
    return found, unmapped


def _readable(chars: PageChars, word: str, start: int) -> tuple[str, int]:
    """The word in logical order without glyphs that no font table explains."""
    if PLAIN.fullmatch(word):
        return word, 0
    known = [word[index] == LINE_HYPHEN or not chars.unmapped(start + index) for index in range(len(word))]
    strange = known.count(False)
    if strange and any(known):
        return joined("".join(char for char, is_known in zip(word, known, strict=True) if is_known)), strange
    if any(is_right_to_left(char) for char in word):
        return joined(logical(chars, word, start)), strange
    return joined(word), strange


def _ends(chars: PageChars, word: str, start: int) -> tuple[Box, Box]:
    end = start + len(word) - 1
    if word.endswith(LINE_HYPHEN) and end > start:
        end -= 1
    first = chars.box(start)
    return first, chars.box(end) if end > start else first


def _begin(word: str, first: Box, last: Box, chars: PageChars, start: int) -> Fragment:
    left, right = min(first[0], last[0]), max(first[1], last[1])
    bottom, top = min(first[2], last[2]), max(first[3], last[3])
    size = chars.size(start) or max(first[3] - first[2], 0.1)
    return Fragment(word, left, right, bottom, top, size, chars.upright(start), last)


def _continues(line: Fragment, first: Box, last: Box) -> bool:
    """About the same height as the word before, and no further away than a wide blank."""
    size = max(line.size, 1.0)
    before = line.last
    if abs((first[2] + first[3]) - (before[2] + before[3])) / 2 > SHIFT * size:
        return not line.upright
    gap = max(min(first[0], last[0]) - line.right, line.left - max(first[1], last[1]))
    return gap < GAP * size


def _extend(line: Fragment, word: str, first: Box, last: Box) -> None:
    line.text += ("" if line.text.endswith(LINE_HYPHEN) else " ") + word
    line.left, line.right = min(line.left, first[0], last[0]), max(line.right, first[1], last[1])
    line.bottom, line.top = min(line.bottom, first[2], last[2]), max(line.top, first[3], last[3])
    line.last = last
