"""Characters of a PDF page as pdfium gives them, in the order of the content stream.

pdfium adds blanks and line ends of its own and writes U+FFFE or U+0002 for a hyphen at a line end. Its functions are
described in its public header `fpdf_text.h`. Each question costs about a microsecond, so few are asked.
"""

from __future__ import annotations

import ctypes
import math
import unicodedata
from typing import Any

MOST_CHARS_A_PAGE = 200_000
LINE_HYPHEN = "\x02"
Box = tuple[float, float, float, float]


class PageChars:
    """One text page of pdfium with the questions asked of it."""

    def __init__(self, raw: Any, handle: Any) -> None:
        self._raw = raw
        self._handle = handle
        self.count = min(max(raw.FPDFText_CountChars(handle), 0), MOST_CHARS_A_PAGE)
        self._rectangle = raw.FS_RECTF()
        self._pointer = ctypes.byref(self._rectangle)

    def text(self) -> str:
        """One character for each index; halves of surrogate pairs stay apart."""
        buffer = (ctypes.c_ushort * (self.count + 1))()
        written = self._raw.FPDFText_GetText(self._handle, 0, self.count, buffer)
        if written == self.count + 1:
            return "".join(map(chr, buffer[: self.count])).replace("\ufffe", LINE_HYPHEN)
        ask, handle = self._raw.FPDFText_GetUnicode, self._handle
        return "".join(chr(min(ask(handle, index), 0xFFFF)) for index in range(self.count))

    def box(self, index: int) -> Box:
        """Left, right, bottom, top of a character, as high as its font."""
        self._raw.FPDFText_GetLooseCharBox(self._handle, index, self._pointer)
        found = self._rectangle
        return found.left, found.right, found.bottom, found.top

    def size(self, index: int) -> float:
        """The font size as it appears on the page."""
        found = self._raw.FS_MATRIX()
        if not self._raw.FPDFText_GetMatrix(self._handle, index, ctypes.byref(found)):
            return 0.0
        return float(self._raw.FPDFText_GetFontSize(self._handle, index)) * math.hypot(found.c, found.d)

    def upright(self, index: int) -> bool:
        angle = float(self._raw.FPDFText_GetCharAngle(self._handle, index))
        return angle < 0.3 or angle > 5.98

    def unmapped(self, index: int) -> bool:
        """Whether the font does not say which character this glyph is."""
        return bool(self._raw.FPDFText_HasUnicodeMapError(self._handle, index) == 1)


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
