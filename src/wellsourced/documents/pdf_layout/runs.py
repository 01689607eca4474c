"""Lines that a page draws whole with one text object, of which few questions need to be asked.

Such an object (`Tj` or `TJ`) has one font, one size and one height, so that only the gaps between its words are open.
None of them is wide where the line is as long as its characters are together, as the font tells.
"""

from __future__ import annotations

import ctypes
import struct
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import repeat
from types import SimpleNamespace
from typing import NamedTuple

from wellsourced.documents.pdf_layout.chars import Box, PageChars

MATRIX, THREE_BOXES = struct.Struct("6f"), struct.Struct("12f")
# How far the first word and the line may be from the sum of their characters, in parts of the size.
WORD_TOLERANCE, LINE_TOLERANCE = 0.05, 0.25
WIDEST_BLANK = 0.6


class DrawnLine(NamedTuple):
    """A line of ASCII words with single blanks between them, the places of its first character, of the ends of its
    first word and of itself, and the text object."""

    text: str
    start: int
    word_end: int
    end: int
    drawn_by: int


class GlyphWidths(dict[str, float]):
    """Of a font at size 1, each asked once."""

    def __init__(self, ask: SimpleNamespace, font: int) -> None:
        super().__init__()
        self._ask, self._font = ask, font

    def __missing__(self, char: str) -> float:
        width = ctypes.c_float()
        self._ask.FPDFFont_GetGlyphWidth(self._font, ord(char), 1.0, ctypes.addressof(width))
        self[char] = width.value
        return width.value


def find_whole_lines(chars: PageChars, lines: Sequence[tuple[str, int]]) -> Iterator[tuple[DrawnLine, float, Box]]:
    """Those that are known to have no wide gap, with their size and left, top, right and bottom."""
    if chars.turns:
        return
    ask, fonts = chars.ask, dict[int, GlyphWidths]()
    drawn = list(_drawn_at_once(chars, lines))
    places = [line.start for line in drawn]
    sizes = map(ask.FPDFText_GetFontSize, repeat(chars.address), places)
    for line, font_size, (a, b, c, d, _, _), box in zip(
        drawn, sizes, _matrices(chars, places), _boxes(chars, drawn), strict=False
    ):
        left, top, _, bottom, _, word_top, word_right, word_bottom, _, last_top, right, last_bottom = box
        is_level = top == word_top == last_top and bottom == word_bottom == last_bottom
        if not is_level or b or c or a <= 0 or d <= 0 or font_size <= 0 or not left < word_right <= right:
            continue
        font = ask.FPDFTextObj_GetFont(line.drawn_by)
        widths = fonts.get(font) or fonts.setdefault(font, GlyphWidths(ask, font))
        scale = font_size * a
        if line.word_end == line.end or _is_close(line, widths, (word_right - left) / scale, (right - left) / scale):
            yield line, font_size * d, (left, top, right, bottom)


def _is_close(line: DrawnLine, widths: GlyphWidths, word: float, whole: float) -> bool:
    """Whether it is as long as its characters. The first word shows that the font is right and nothing is spread."""
    length = line.word_end - line.start + 1
    expected = sum(map(widths.__getitem__, line.text[:length]))
    if abs(word - expected) > WORD_TOLERANCE or widths[" "] > WIDEST_BLANK:
        return False
    return abs(whole - expected - sum(map(widths.__getitem__, line.text[length:]))) < LINE_TOLERANCE


def _drawn_at_once(chars: PageChars, lines: Sequence[tuple[str, int]]) -> Iterator[DrawnLine]:
    """The lines whose first and last characters belong to one text object."""
    ask = chars.ask.FPDFText_GetTextObject
    firsts = map(ask, repeat(chars.address), [start for _, start in lines])
    lasts = map(ask, repeat(chars.address), [start + len(text) - 1 for text, start in lines])
    for (text, start), first, last in zip(lines, firsts, lasts, strict=False):
        if first and first == last:
            word = text.partition(" ")[0]
            yield DrawnLine(text, start, start + len(word) - 1, start + len(text) - 1, first)


def _matrices(chars: PageChars, places: Sequence[int]) -> Iterator[tuple[float, ...]]:
    array = (ctypes.c_float * (6 * len(places)))()
    first = ctypes.addressof(array)
    rooms = range(first, first + ctypes.sizeof(array), MATRIX.size)
    deque(map(chars.ask.FPDFText_GetMatrix, repeat(chars.address), places, rooms), maxlen=0)
    return MATRIX.iter_unpack(array)


def _boxes(chars: PageChars, lines: Sequence[DrawnLine]) -> Iterator[tuple[float, ...]]:
    """Of the first character, of the end of the first word and of the last character."""
    places = [place for _, start, word_end, end, _ in lines for place in (start, word_end, end)]
    return THREE_BOXES.iter_unpack(chars.ask_boxes(places))
