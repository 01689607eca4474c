"""Characters of a PDF page as pdfium gives them, in the order of the content stream.

pdfium adds blanks and line ends of its own and writes U+FFFE or U+0002 for a hyphen at a line end. Its functions are
described in its public header `fpdf_text.h`. Each question costs about a microsecond, so few are asked.

Where most of a page is written sideways, as on landscape pages, places are given as if the sheet had been turned.
"""

from __future__ import annotations

import ctypes
import math
import struct
import unicodedata
from collections import Counter, deque
from collections.abc import Sequence
from functools import cache
from itertools import repeat
from types import SimpleNamespace
from typing import Any

MOST_CHARS_A_PAGE = 200_000
LINE_HYPHEN = "\x02"
SAMPLES = 15
WHITE = 250
# FPDF_TEXTRENDERMODE_INVISIBLE of pdfium.
INVISIBLE = 3
QUARTER = math.pi / 2
RECTANGLE, COLOUR = struct.Struct("4f"), struct.Struct("4I")
INT, ADDRESS = ctypes.c_int, ctypes.c_void_p
# With addresses as plain numbers, and the lock kept, a call takes half of the time.
FAST_CALLS = {
    "FPDFText_GetLooseCharBox": (INT, ADDRESS, INT, ADDRESS),
    "FPDFText_GetMatrix": (INT, ADDRESS, INT, ADDRESS),
    "FPDFText_GetFontSize": (ctypes.c_double, ADDRESS, INT),
    "FPDFText_GetCharAngle": (ctypes.c_float, ADDRESS, INT),
    "FPDFText_HasUnicodeMapError": (INT, ADDRESS, INT),
    "FPDFText_GetTextObject": (ADDRESS, ADDRESS, INT),
    "FPDFText_GetFillColor": (INT, ADDRESS, INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS),
    "FPDFTextObj_GetTextRenderMode": (INT, ADDRESS),
    "FPDFTextObj_GetFont": (ADDRESS, ADDRESS),
    "FPDFFont_GetGlyphWidth": (INT, ADDRESS, ctypes.c_uint32, ctypes.c_float, ADDRESS),
}
Box = tuple[float, float, float, float]


class PageChars:
    """One text page of pdfium with the questions asked of it. `sheet` is the part of the page that is shown."""

    def __init__(self, raw: Any, handle: Any, page: Any) -> None:
        self._raw = raw
        self._handle = handle
        self.count = min(max(raw.FPDFText_CountChars(handle), 0), MOST_CHARS_A_PAGE)
        rectangle = raw.FS_RECTF()
        self.ask = fast_calls(raw)
        self.address = _address_of(handle)
        self._matrix = (ctypes.c_float * 6)()
        self.text = self._text()
        self.turns = self._usual_turns()
        raw.FPDF_GetPageBoundingBox(page, ctypes.byref(rectangle))
        sheet: Box = RECTANGLE.unpack_from(rectangle)
        self._size = sheet[2] - sheet[0], sheet[1] - sheet[3]
        self.sheet: Box = self._turned(*sheet) if self.turns else sheet
        self.width, self.height = self._size[::-1] if self.turns % 2 else self._size

    def _usual_turns(self) -> int:
        """By how many quarters, clockwise, most of the writing is turned."""
        places = [place for place in range(0, self.count, self.count // SAMPLES + 1) if not self.text[place].isspace()]
        turns = Counter(round(self._angle(place) / QUARTER) % 4 for place in places)
        usual, count = turns.most_common(1)[0] if turns else (0, 0)
        return usual if count * 2 > len(places) else 0

    def _text(self) -> str:
        """One character for each index; halves of surrogate pairs stay apart."""
        buffer = (ctypes.c_ushort * (self.count + 1))()
        written = self._raw.FPDFText_GetText(self._handle, 0, self.count, buffer)
        if written == self.count + 1:
            text = bytes(buffer)[: 2 * self.count].decode("utf-16-le", "replace")
            # A pair of halves has become one character, or a lone half something else.
            is_whole = len(text) == self.count and "\ufffd" not in text
            return (text if is_whole else "".join(map(chr, buffer[: self.count]))).replace("\ufffe", LINE_HYPHEN)
        ask, handle = self._raw.FPDFText_GetUnicode, self._handle
        return "".join(chr(min(ask(handle, index), 0xFFFF)) for index in range(self.count))

    def box(self, index: int) -> Box:
        """Left, top, right, bottom of a character, as high as its font."""
        return as_boxes(self.edges([index]))[0]

    def edges(self, places: Sequence[int]) -> list[float]:
        """The same of several, number by number."""
        edges: list[float] = self.ask_boxes(places)[:]
        return [edge for box in as_boxes(edges) for edge in self._turned(*box)] if self.turns else edges

    def ask_boxes(self, places: Sequence[int]) -> ctypes.Array[ctypes.c_float]:
        """As they are on the sheet before it is turned. Asked for every word, hence with few steps, into one array."""
        array = (ctypes.c_float * (4 * len(places)))()
        first = ctypes.addressof(array)
        ends = range(first, first + ctypes.sizeof(array), RECTANGLE.size)
        deque(map(self.ask.FPDFText_GetLooseCharBox, repeat(self.address), places, ends), maxlen=0)
        return array

    def _turned(self, left: float, top: float, right: float, bottom: float) -> Box:
        width, height = self._size
        if self.turns == 1:
            return height - top, right, height - bottom, left
        if self.turns == 2:
            return width - right, height - bottom, width - left, height - top
        return bottom, width - left, top, width - right

    def size(self, index: int) -> float:
        """The font size as it appears on the page."""
        if not self.ask.FPDFText_GetMatrix(self.address, index, ctypes.addressof(self._matrix)):
            return 0.0
        return float(self.ask.FPDFText_GetFontSize(self.address, index)) * math.hypot(self._matrix[2], self._matrix[3])

    def upright(self, index: int) -> bool:
        angle = (self._angle(index) - self.turns * QUARTER) % (4 * QUARTER)
        return angle < 0.3 or angle > 5.98

    def _angle(self, index: int) -> float:
        return float(self.ask.FPDFText_GetCharAngle(self.address, index))

    def faint_places(self, places: Sequence[int]) -> set[int]:
        """Those that would not be seen on white paper: white, transparent or not painted at all."""
        page, colours = repeat(self.address), (ctypes.c_uint * (4 * len(places)))()
        first, last = ctypes.addressof(colours), ctypes.addressof(colours) + ctypes.sizeof(colours)
        rooms = (range(first + part, last, COLOUR.size) for part in range(0, COLOUR.size, 4))
        known = list(map(self.ask.FPDFText_GetFillColor, page, places, *rooms))
        modes = map(self.ask.FPDFTextObj_GetTextRenderMode, map(self.ask.FPDFText_GetTextObject, page, places))
        return {
            place
            for place, is_known, (red, green, blue, cover), mode in zip(
                places, known, COLOUR.iter_unpack(colours), modes, strict=True
            )
            if mode == INVISIBLE or (is_known and (cover == 0 or min(red, green, blue) >= WHITE))
        }

    def unmapped(self, index: int) -> bool:
        """Whether the font does not say which character this glyph is."""
        return bool(self.ask.FPDFText_HasUnicodeMapError(self.address, index) == 1)


def as_boxes(edges: list[float]) -> list[Box]:
    numbers = iter(edges)
    return list(zip(numbers, numbers, numbers, numbers, strict=True))


@cache
def fast_calls(raw: Any) -> SimpleNamespace:
    """The functions of pdfium that are asked most often, by their names."""
    made = {name: ctypes.PYFUNCTYPE(*kinds)(_address_of(getattr(raw, name))) for name, kinds in FAST_CALLS.items()}
    return SimpleNamespace(**made)


def _address_of(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


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
