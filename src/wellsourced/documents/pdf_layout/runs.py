"""Lines without wide gaps, of which few questions need to be asked.

None is wide where the line is as long as its characters are together, as the font tells. What one text object draws
(`Tj` or `TJ`) has one font, one size and one height; of other lines the numbers may still be raised.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from wellsourced.documents.pdf_layout.chars import MATRIX, RECTANGLE, Box, PageChars
from wellsourced.documents.pdf_layout.pdfium import take_room
from wellsourced.late_pattern import late_pattern

# How far the line may be from the sum of its characters, in parts of the size.
TOLERANCE = 0.25
WIDEST_BLANK = 0.6
LONGEST_NAME = 256
MARK = late_pattern(r"[^ ]{1,2} ")
"""Numbers of lists and initials may be larger than the line that they begin."""
WholeLine = tuple[str, int, bool, float, Box]
"""Its text and place, whether one object draws all of it, its size, and left, top, right and bottom."""


class WordWidths(dict[str, float]):
    """Of words in a font at size 1, each added up once, and each glyph asked once in a document."""

    def __init__(self, ask: SimpleNamespace) -> None:
        super().__init__()
        self.font = 0
        self._ask, self._width = ask.FPDFFont_GetGlyphWidth, ctypes.c_float()
        self._address = ctypes.addressof(self._width)

    def __missing__(self, word: str) -> float:
        self[word] = width = sum(map(self.__getitem__, word)) if len(word) != 1 else self._glyph(word)
        return width

    def _glyph(self, char: str) -> float:
        self._width.value = 0.0
        self._ask(self.font, ord(char), 1.0, self._address)
        return self._width.value


def _widths(chars: PageChars, font: int) -> WordWidths:
    """Of a font of this page. The page before may have had another one at the same address, hence by its name."""
    memory, address = take_room(LONGEST_NAME)
    chars.ask.FPDFFont_GetBaseFontName(font, address, LONGEST_NAME)
    widths: WordWidths = chars.fonts.setdefault(bytes(memory), WordWidths(chars.ask))
    widths.font = font
    return widths


def find_whole_lines(chars: PageChars, lines: Sequence[tuple[str, int]]) -> Iterator[WholeLine]:
    """Those that are known to have no wide gap. The lines are of ASCII words with single blanks between them."""
    if chars.turns:
        return
    fonts: dict[int, WordWidths] = {}
    font_of = chars.ask.FPDFTextObj_GetFont
    for (text, start), drawn, drawn_last, size, (a, b, c, d, _, _), box, (_, high, right, low) in _looks(chars, lines):
        left, top, _, bottom = box
        if top != high or bottom != low or b or c or a <= 0 or d <= 0 or size <= 0 or left >= right:
            continue
        if not drawn or (drawn != drawn_last and MARK.match(text)):
            continue
        font = font_of(drawn)
        if (widths := fonts.get(font)) is None:
            widths = fonts[font] = _widths(chars, font)
        words = text.split(" ")
        blank, blanks = widths[" "], len(words) - 1
        spare = (right - left) / (size * a) - blank * blanks - sum(map(widths.__getitem__, words))
        if not blanks or (-TOLERANCE < spare < TOLERANCE and blank <= WIDEST_BLANK):
            yield text, start, drawn == drawn_last, size * d, (left, top, right, bottom)


def _looks(chars: PageChars, lines: Sequence[tuple[str, int]]) -> Iterator[tuple[Any, ...]]:
    """Of each line: itself, what draws its first and its last character, the font's size, the matrix, and the boxes of
    these characters."""
    starts = [start for _, start in lines]
    lasts = [start + len(text) - 1 for text, start in lines]
    sizes = map(chars.ask.FPDFText_GetFontSize, chars.page, starts)
    drawn_by, drawn_last_by = (map(chars.drawn_by.__getitem__, places) for places in (starts, lasts))
    matrices = MATRIX.iter_unpack(chars.answers("FPDFText_GetMatrix", starts, MATRIX.size)[1])
    boxes = list(RECTANGLE.iter_unpack(chars.answers("FPDFText_GetLooseCharBox", starts + lasts, RECTANGLE.size)[1]))
    first_boxes, last_boxes = boxes[: len(lines)], boxes[len(lines) :]
    return zip(lines, drawn_by, drawn_last_by, sizes, matrices, first_boxes, last_boxes, strict=True)
