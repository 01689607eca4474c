"""Characters of a PDF page as pdfium gives them, in the order of the content stream.

pdfium adds blanks and line ends of its own and writes U+FFFE or U+0002 for a hyphen at a line end.

Where most of a page is written sideways, as on landscape pages, places are given as if the sheet had been turned.
"""

from __future__ import annotations

import ctypes
import math
import struct
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, repeat
from types import SimpleNamespace
from typing import Any

from wellsourced.documents.pdf_layout.pdfium import as_argument, take_room
from wellsourced.text.plain_text import without_ascii

MOST_CHARS_A_PAGE = 200_000
LINE_HYPHEN = "\x02"
SAMPLES = 15
WHITE = 250
PRINTED = bytes(range(ord(" "), 0x7F)) + b"\r\n"
# FPDF_TEXTRENDERMODE_INVISIBLE of pdfium.
INVISIBLE = 3
QUARTER = math.pi / 2
RECTANGLE, COLOUR, MATRIX = struct.Struct("4f"), struct.Struct("4I"), struct.Struct("6f")
ROOMS = 1024
"""How many answers are written into memory that is used again and again."""
Box = tuple[float, float, float, float]


class PageChars:
    """One text page of pdfium with the questions asked of it. `sheet` is the part of the page that is shown, `fonts`
    what is known of those of the document, by their names."""

    def __init__(self, pdfium: SimpleNamespace, handle: int, page: int, fonts: dict[bytes, Any]) -> None:
        self.ask = pdfium
        self.fonts = fonts
        self._handle = handle
        self.page = repeat(as_argument(handle))
        self.count = min(max(pdfium.FPDFText_CountChars(handle), 0), MOST_CHARS_A_PAGE)
        self.set_text(self._text())
        self.drawn_by = DrawnBy(pdfium, self.page)
        self.turns = self._usual_turns()
        memory, address = take_room(RECTANGLE.size)
        pdfium.FPDF_GetPageBoundingBox(page, address)
        sheet: Box = RECTANGLE.unpack(memory)
        self._size = sheet[2] - sheet[0], sheet[1] - sheet[3]
        self.sheet: Box = self._turned(*sheet) if self.turns else sheet
        self.width, self.height = self._size[::-1] if self.turns % 2 else self._size

    def set_text(self, text: str) -> None:
        """What is taken for the text of the page; `lines` are those of it, and `is_printed` says whether it has only
        characters that are printed, so that no line has to be asked."""
        self.text, self.lines = text, split_lines(text)
        self.is_printed = without_ascii(text, PRINTED).isprintable()

    def _usual_turns(self) -> int:
        """By how many quarters, clockwise, most of the writing is turned."""
        places = [place for place in range(0, self.count, self.count // SAMPLES + 1) if not self.text[place].isspace()]
        angles = list(map(self.ask.FPDFText_GetCharAngle, self.page, places))
        if not any(angles):
            return 0
        turns = Counter(round(angle / QUARTER) % 4 for angle in angles)
        usual, count = turns.most_common(1)[0] if turns else (0, 0)
        return usual if count * 2 > len(places) else 0

    def _text(self) -> str:
        """One character for each index; halves of surrogate pairs stay apart."""
        memory, address = take_room(2 * self.count + 2)
        written = self.ask.FPDFText_GetText(self._handle, 0, self.count, address)
        if written == self.count + 1:
            text = memory[:-2].decode("utf-16-le", "replace")
            # A pair of halves has become one character, or a lone half something else.
            is_whole = len(text) == self.count and "\ufffd" not in text
            return (text if is_whole else "".join(map(chr, array("H", memory[:-2])))).replace("\ufffe", LINE_HYPHEN)
        ask, handle = self.ask.FPDFText_GetUnicode, self._handle
        return "".join(chr(min(ask(handle, index), 0xFFFF)) for index in range(self.count))

    def box(self, index: int) -> Box:
        """Left, top, right, bottom of a character, as high as its font."""
        return as_boxes(self.edges([index]))[0]

    def edges(self, places: Sequence[int]) -> list[float]:
        """The same of several, number by number."""
        found = self.answers("FPDFText_GetLooseCharBox", places, RECTANGLE.size)[1]
        edges = array("f", found).tolist()
        return [edge for box in as_boxes(edges) for edge in self._turned(*box)] if self.turns else edges

    def lefts(self, places: Sequence[int]) -> array[float]:
        """Where several characters begin, as pdfium gives it, be the sheet turned or not."""
        return array("f", self.answers("FPDFText_GetLooseCharBox", places, RECTANGLE.size)[1])[::4]

    def answers(self, name: str, places: Sequence[int], size: int, parts: int = 1) -> tuple[list[int], bytes]:
        """What a function says about places, and what it writes for each, in so many bytes and parts.

        Asked for every word, hence with few steps.
        """
        ask, (memory, rooms) = getattr(self.ask, name), _rooms(size, parts)
        said: list[int] = []
        written: list[bytes] = []
        for first in range(0, len(places), ROOMS):
            some = places[first : first + ROOMS]
            length = size * len(some)
            memory[:length] = bytes(length)
            said += map(ask, self.page, some, *rooms)
            written.append(bytes(memory[:length]))
        return said, b"".join(written)

    def _turned(self, left: float, top: float, right: float, bottom: float) -> Box:
        width, height = self._size
        if self.turns == 1:
            return height - top, right, height - bottom, left
        if self.turns == 2:
            return width - right, height - bottom, width - left, height - top
        return bottom, width - left, top, width - right

    def size(self, index: int) -> float:
        """The font size as it appears on the page."""
        page, (memory, rooms) = next(self.page), _rooms(MATRIX.size, 1)
        if not self.ask.FPDFText_GetMatrix(page, index, rooms[0][0]):
            return 0.0
        _, _, c, d, _, _ = MATRIX.unpack_from(memory)
        return float(self.ask.FPDFText_GetFontSize(page, index)) * math.hypot(c, d)

    def differ(self, places: Sequence[int]) -> bool:
        """Whether they belong to several text objects, and may therefore be of several sizes or heights."""
        return len(set(map(self.ask.FPDFText_GetTextObject, self.page, places))) > 1

    def upright(self, index: int) -> bool:
        angle = (self._angle(index) - self.turns * QUARTER) % (4 * QUARTER)
        return angle < 0.3 or angle > 5.98

    def _angle(self, index: int) -> float:
        return float(self.ask.FPDFText_GetCharAngle(next(self.page), index))

    def faint_objects(self, places: Mapping[int, int]) -> set[int]:
        """Those text objects that would not be seen on white paper: white, transparent or not painted at all; `places`
        are of a character that each draws."""
        known, colours = self.answers("FPDFText_GetFillColor", list(places.values()), COLOUR.size, 4)
        modes = list(map(self.ask.FPDFTextObj_GetTextRenderMode, places))
        used = set(COLOUR.iter_unpack(colours))
        faint = {colour for colour in used if colour[3] == 0 or min(colour[:3]) >= WHITE}
        if not faint and INVISIBLE not in modes:
            return set()
        looks = zip(places, known, COLOUR.iter_unpack(colours), modes, strict=True)
        return {drawn for drawn, is_known, colour, mode in looks if mode == INVISIBLE or (is_known and colour in faint)}

    def unmapped(self, index: int) -> bool:
        """Whether the font does not say which character this glyph is."""
        return bool(self.ask.FPDFText_HasUnicodeMapError(next(self.page), index) == 1)


class DrawnBy(dict[int, int]):
    """The text objects that draw the characters at places of a page, each asked once."""

    def __init__(self, ask: SimpleNamespace, page: Iterator[Any]) -> None:
        super().__init__()
        self._ask, self._page = ask.FPDFText_GetTextObject, page

    def __missing__(self, place: int) -> int:
        drawn: int = self._ask(next(self._page), place)
        self[place] = drawn
        return drawn

    def ask_all(self, places: Sequence[int]) -> list[int]:
        """What draws each of these, asked in one go."""
        drawn = list(map(self._ask, self._page, places))
        self.update(zip(places, drawn, strict=True))
        return drawn


def split_lines(text: str) -> list[tuple[str, int]]:
    """Lines that are not empty, with the places at which they begin."""
    lines = text.replace("\r", "\n").split("\n")
    starts = accumulate([len(line) + 1 for line in lines], initial=0)
    return [(line, start) for line, start in zip(lines, starts, strict=False) if line]


@cache
def _rooms(size: int, parts: int) -> tuple[memoryview, list[list[Any]]]:
    """Memory for answers, and by the parts of an answer the addresses for them."""
    memory = (ctypes.c_char * (ROOMS * size))()
    first = ctypes.addressof(memory)
    starts = range(first, first + size, size // parts)
    rooms = [[as_argument(start + place * size) for place in range(ROOMS)] for start in starts]
    return memoryview(memory).cast("B"), rooms


def as_boxes(edges: list[float]) -> list[Box]:
    numbers = iter(edges)
    return list(zip(numbers, numbers, numbers, numbers, strict=True))


def joined(text: str) -> str:
    """Surrogate halves put together; single halves dropped."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return text


def is_right_to_left(char: str) -> bool:
    return char > "\u058f" and unicodedata.bidirectional(char) in {"R", "AL"}


def logical(chars: PageChars, text: str, start: int) -> str:
    """Right-to-left letters in reading order, judged by where they stand.

    They must run leftwards on the page, while some files store them the way they look. A glyph that stands for
    several letters comes out of pdfium with those letters turned round: they all have the same box.
    """
    boxes = [chars.box(start + index) for index in range(len(text))]
    strong = [index for index, char in enumerate(text) if is_right_to_left(char)]
    text = _with_ligatures_turned(text, boxes)
    if len(strong) > 1 and boxes[strong[0]][0] < boxes[strong[-1]][0]:
        return _reversed_clusters(text)
    return text


def _with_ligatures_turned(text: str, boxes: list[Box]) -> str:
    parts: list[str] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and boxes[end] == boxes[start]:
            continue
        group = text[start:end]
        turned = len(group) > 2 or (len(group) == 2 and group[0] in "اأإآ" and group[1] == "ل")
        parts.append(_reversed_clusters(group, marks_lead=True) if turned and is_right_to_left(group[-1]) else group)
        start = end
    return "".join(parts)


def _reversed_clusters(text: str, *, marks_lead: bool = False) -> str:
    """Letters reversed with their marks behind them; numbers keep their direction."""
    if marks_lead:
        return text[::-1]
    clusters: list[str] = []
    for char in text:
        joins = unicodedata.combining(char) or (char.isdigit() and clusters and clusters[-1][-1].isdigit())
        if clusters and joins:
            clusters[-1] += char
        else:
            clusters.append(char)
    return "".join(reversed(clusters))
