"""Lines without wide gaps, of which few questions need to be asked.

None is wide where the line is as long as its characters are together, as the font tells. What one text object draws
(`Tj` or `TJ`) has one font, one size and one height; of other lines the numbers may still be raised.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import NamedTuple

from wellsourced.documents.pdf_layout.chars import MATRIX, RECTANGLE, Box, PageChars, line_ends
from wellsourced.documents.pdf_layout.pdfium import take_room
from wellsourced.late_pattern import late_pattern

# How far the line may be from the sum of its characters, in parts of the size.
TOLERANCE = 0.25
WIDEST_BLANK = 0.6
LONGEST_NAME = 256
STEP, ROUNDING, NO_STEP = 1 / 240, 0.51 / 240, 255
"""Of rounded widths: the step, how far one may be from the exact width, and what stands for one too wide or narrow."""
MARK = late_pattern(r"[^ ]{1,2} ")
"""Numbers of lists and initials may be larger than the line that they begin."""
WholeLine = tuple[str, int, bool, float, Box]
"""Its text and place, whether one object draws all of it, its size, and left, top, right and bottom."""


class WordWidths(dict[str, float]):
    """Of words in a font at size 1, each added up once, and each glyph asked once in a document."""

    def __init__(self, ask: SimpleNamespace) -> None:
        super().__init__()
        self.font = 0
        self._steps = bytearray(256)
        self._ask, self._width = ask.FPDFFont_GetGlyphWidth, ctypes.c_float()
        self._address = ctypes.addressof(self._width)

    def __missing__(self, word: str) -> float:
        self[word] = width = sum(map(self.__getitem__, word)) if len(word) != 1 else self._glyph(word)
        return width

    def _glyph(self, char: str) -> float:
        self._width.value = 0.0
        self._ask(self.font, ord(char), 1.0, self._address)
        return self._width.value

    def rounded(self, text: str) -> float:
        """That of an ASCII text, each character rounded to a step; not a number where one has no step."""
        steps = text.encode().translate(self._steps)
        if 0 in steps:
            for char in set(text):
                exact = self[char] / STEP
                self._steps[ord(char)] = round(exact) if 1 <= exact < NO_STEP - 1 else NO_STEP
            steps = text.encode().translate(self._steps)
        return math.nan if NO_STEP in steps else sum(steps) * STEP


class FontWidths(dict[int, WordWidths]):
    """Those of the fonts of a page."""

    def __init__(self, chars: PageChars) -> None:
        super().__init__()
        self._chars = chars

    def __missing__(self, font: int) -> WordWidths:
        """The page before may have had another font at the same address, hence by its name."""
        memory, address = take_room(LONGEST_NAME)
        self._chars.ask.FPDFFont_GetBaseFontName(font, address, LONGEST_NAME)
        widths: WordWidths = self._chars.fonts.setdefault(bytes(memory), WordWidths(self._chars.ask))
        widths.font = font
        self[font] = widths
        return widths


def has_no_wide_gap(text: str, width: float, widths: WordWidths) -> bool:
    """Whether a line that is so wide at size 1 is about as long as its characters are together. Rounded widths of
    single characters tell that of most lines, in a fraction of the time that words take."""
    if " " not in text:
        return True
    if (blank := widths[" "]) > WIDEST_BLANK:
        return False
    if abs(width - widths.rounded(text)) < TOLERANCE - ROUNDING * len(text):
        return True
    words = text.split(" ")
    spare = width - blank * (len(words) - 1) - sum(map(widths.__getitem__, words))
    return -TOLERANCE < spare < TOLERANCE


def find_whole_lines(chars: PageChars, lines: Sequence[tuple[str, int]]) -> Iterator[WholeLine]:
    """Those that are known to have no wide gap. The lines are of ASCII words with single blanks between them."""
    if chars.turns:
        return
    fonts, font_of = FontWidths(chars), chars.ask.FPDFTextObj_GetFont
    looks = zip(lines, *look_at_lines(chars, lines), strict=True)
    for (text, start), drawn, drawn_last, size, (a, b, c, d, _, _), box, (_, high, right, low) in looks:
        left, top, _, bottom = box
        if top != high or bottom != low or b or c or a <= 0 or d <= 0 or size <= 0 or left >= right:
            continue
        if not drawn or (drawn != drawn_last and MARK.match(text)):
            continue
        if has_no_wide_gap(text, (right - left) / (size * a), fonts[font_of(drawn)]):
            yield text, start, drawn == drawn_last, size * d, (left, top, right, bottom)


class LineLooks(NamedTuple):
    """Of each line: what draws its first and its last character, the font's size, the matrix, and the boxes of these
    characters."""

    drawn: list[int]
    drawn_last: list[int]
    sizes: list[float]
    matrices: list[tuple[float, ...]]
    boxes: list[tuple[float, ...]]
    last_boxes: list[tuple[float, ...]]


def look_at_lines(chars: PageChars, lines: Sequence[tuple[str, int]]) -> LineLooks:
    """Where they are all lines of a tidy page, each is asked once."""
    if chars.looked_at and len(chars.lines) == len(lines):
        known: LineLooks = chars.looked_at
        return known
    starts, lasts = line_ends(lines)
    drawn, drawn_last = chars.drawn_by.ask_all(starts), chars.drawn_by.ask_all(lasts)
    sizes = list(map(chars.ask.FPDFText_GetFontSize, chars.page, starts))
    matrices = list(MATRIX.iter_unpack(chars.answers("FPDFText_GetMatrix", starts, MATRIX.size)[1]))
    boxes = list(RECTANGLE.iter_unpack(chars.answers("FPDFText_GetLooseCharBox", starts + lasts, RECTANGLE.size)[1]))
    looks = LineLooks(drawn, drawn_last, sizes, matrices, boxes[: len(lines)], boxes[len(lines) :])
    chars.looked_at = looks if lines is chars.lines and chars.is_tidy else None
    return looks
