"""Lines without wide gaps, of which few questions need to be asked.

None is wide where the line is as long as its characters are together, as the font tells. What one text object draws
(`Tj` or `TJ`) has one font, one size and one height; of other lines the numbers may still be raised. Where lines are
made equally long, no font tells how wide their blanks are: then it is asked where words begin.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from operator import sub
from types import SimpleNamespace
from typing import Any, NamedTuple

from wellsourced.documents.pdf_layout.chars import MATRIX, RECTANGLE, PageChars
from wellsourced.documents.pdf_layout.pdfium import take_room
from wellsourced.late_pattern import late_pattern

# How far the line may be from the sum of its characters, in parts of the size.
TOLERANCE = 0.25
WIDEST_BLANK = 0.6
GAP = 1.0
"""How far apart words are, in parts of the size, that do not belong to one piece of text."""
CERTAINLY = 0.75
"""So much of a wide gap is none: letters may stand closer together than the font tells."""
LEVEL = 0.1
"""As much do glyphs of one font reach above and below each other, in parts of the size."""
LONGEST_NAME = 256
MARK = late_pattern(r"[^ ]{1,2} ")
"""Numbers of lists and initials may be larger than the line that they begin."""


class DrawnLine(NamedTuple):
    """`is_one` says whether one object draws all of it, `is_even` whether it is of ASCII and its ends are equally high;
    `unit` and `size` are what the font's size is along and across it."""

    text: str
    start: int
    is_one: bool
    is_even: bool
    font: int
    unit: float
    size: float
    left: float
    top: float
    right: float
    bottom: float


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


def find_whole_lines(chars: PageChars, lines: Sequence[tuple[str, int]]) -> list[DrawnLine]:
    """Those that are known to have no wide gap. The lines are of plain words with single blanks between them."""
    if chars.turns:
        return []
    fonts: dict[int, WordWidths] = {}
    likely = [(line, found) for line in _level_lines(chars, lines) if (found := _compare(chars, line, fonts))]
    lefts = iter(chars.lefts([place for _, (places, _) in likely for place in places]))
    return [
        line
        for line, (places, reached) in likely
        if not reached or _has_no_wide_gap(line, list(islice(lefts, len(places))), reached)
    ]


def _compare(chars: PageChars, line: DrawnLine, fonts: dict[int, WordWidths]) -> tuple[list[int], list[float]] | None:
    """Nothing more to ask where the line is as long as the font tells; else which places, as `_places_to_ask` says.
    None where that would not help."""
    if (widths := fonts.get(line.font)) is None:
        widths = fonts[line.font] = _widths(chars, line.font)
    words = line.text.split(" ")
    sizes, blank, blanks = list(map(widths.__getitem__, words)), widths[" "], len(words) - 1
    gaps = (line.right - line.left) / line.unit - sum(sizes)
    is_as_told = line.is_even and -TOLERANCE < gaps - blank * blanks < TOLERANCE and blank <= WIDEST_BLANK
    if not blanks or is_as_told:
        return [], []
    return _places_to_ask(line, words, sizes) if line.is_one else None


def _places_to_ask(line: DrawnLine, words: list[str], sizes: list[float]) -> tuple[list[int], list[float]]:
    """Where words begin, but for the first and the last; how long the words before each of them are, and all."""
    places = list(accumulate([len(word) + 1 for word in words[:-2]], initial=line.start))
    reached = [line.unit * length for length in accumulate(sizes)]
    del places[0], reached[-2]
    return places, reached


def _has_no_wide_gap(line: DrawnLine, lefts: list[float], reached: list[float]) -> bool:
    """Whether there is none between words that begin at these places; the last gap is known from the line's end."""
    sums = list(map(sub, (*lefts, line.right), reached))
    gaps: list[float] = list(map(sub, sums, (line.left, *sums)))
    return min(gaps) > 0 and max(gaps) < CERTAINLY * GAP * max(line.size, 1.0)


def _level_lines(chars: PageChars, lines: Sequence[tuple[str, int]]) -> Iterator[DrawnLine]:
    """Those that are written from the left to the right and end as high as they begin."""
    font_of = chars.ask.FPDFTextObj_GetFont
    for (text, start), drawn, drawn_last, size, (a, b, c, d, _, _), first, (_, high, right, low) in _looks(
        chars, lines
    ):
        left, top, _, bottom = first
        if b or c or a <= 0 or d <= 0 or size <= 0 or left >= right or not drawn:
            continue
        is_one, apart = drawn == drawn_last, abs(top - high) + abs(bottom - low)
        is_even = not apart and text.isascii()
        if apart < LEVEL * size * d if is_one else is_even and not MARK.match(text):
            across = max(top, high), right, min(bottom, low)
            yield DrawnLine(text, start, is_one, is_even, font_of(drawn), size * a, size * d, left, *across)


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
