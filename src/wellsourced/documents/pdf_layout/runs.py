"""Lines that a page draws whole with one text object, of which few questions need to be asked.

Such an object (`Tj` or `TJ`) has one font, one size and one height, so that only the gaps between its words are open.
None of them is wide where the line is as long as its characters are together, as the font tells.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from wellsourced.documents.pdf_layout.chars import MATRIX, RECTANGLE, Box, PageChars

THREE_BOXES = struct.Struct("12f")
# How far the first word and the line may be from the sum of their characters, in parts of the size.
WORD_TOLERANCE, LINE_TOLERANCE = 0.05, 0.25
WIDEST_BLANK = 0.6


class WordWidths(dict[str, float]):
    """Of words in a font at size 1, each added up once, and each glyph asked once."""

    def __init__(self, ask: SimpleNamespace, font: int) -> None:
        super().__init__()
        self._ask, self._font = ask, font

    def __missing__(self, word: str) -> float:
        self[word] = width = sum(map(self.__getitem__, word)) if len(word) != 1 else self._glyph(word)
        return width

    def _glyph(self, char: str) -> float:
        width = ctypes.c_float()
        self._ask.FPDFFont_GetGlyphWidth(self._font, ord(char), 1.0, ctypes.addressof(width))
        return width.value


def find_whole_lines(chars: PageChars, lines: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int, float, Box]]:
    """Those that are known to have no wide gap, with their places, sizes and left, top, right and bottom.

    The lines are of ASCII words with single blanks between them.
    """
    if chars.turns:
        return
    ask, fonts = chars.ask, dict[int, WordWidths]()
    drawn = _drawn_at_once(chars, lines)
    places = [start for _, start, _ in drawn]
    words = [text.split(" ") for text, _, _ in drawn]
    sizes = map(ask.FPDFText_GetFontSize, chars.page, places)
    drawn_in = map(ask.FPDFTextObj_GetFont, [drawn_by for _, _, drawn_by in drawn])
    ends = [
        place
        for (text, start, _), (first, *_) in zip(drawn, words, strict=True)
        for place in (start, start + len(first) - 1, start + len(text) - 1)
    ]
    _, boxes = chars.answers("FPDFText_GetLooseCharBox", ends, RECTANGLE.size)
    _, matrices = chars.answers("FPDFText_GetMatrix", places, MATRIX.size)
    for (text, start, _), parts, font, font_size, (a, b, c, d, _, _), box in zip(
        drawn, words, drawn_in, sizes, MATRIX.iter_unpack(matrices), THREE_BOXES.iter_unpack(boxes), strict=True
    ):
        left, top, _, bottom, _, word_top, word_right, word_bottom, _, last_top, right, last_bottom = box
        is_level = top == word_top == last_top and bottom == word_bottom == last_bottom
        if not is_level or b or c or a <= 0 or d <= 0 or font_size <= 0 or not left < word_right <= right:
            continue
        widths = fonts.get(font) or fonts.setdefault(font, WordWidths(ask, font))
        scale = font_size * a
        if len(parts) == 1 or _is_close(parts, widths, (word_right - left) / scale, (right - left) / scale):
            yield text, start, font_size * d, (left, top, right, bottom)


def _is_close(words: Sequence[str], widths: WordWidths, word: float, whole: float) -> bool:
    """Whether it is as long as its characters. The first word shows that the font is right and nothing is spread."""
    blank = widths[" "]
    if abs(word - widths[words[0]]) > WORD_TOLERANCE or blank > WIDEST_BLANK:
        return False
    return abs(whole - sum(map(widths.__getitem__, words)) - blank * (len(words) - 1)) < LINE_TOLERANCE


def _drawn_at_once(chars: PageChars, lines: Sequence[tuple[str, int]]) -> list[tuple[str, int, int]]:
    """The lines whose first and last characters belong to one text object, with that."""
    ask = chars.ask.FPDFText_GetTextObject
    firsts = map(ask, chars.page, [start for _, start in lines])
    lasts = map(ask, chars.page, [start + len(text) - 1 for text, start in lines])
    found = zip(lines, firsts, lasts, strict=True)
    return [(text, start, first) for (text, start), first, last in found if first and first == last]
