"""How headings below the items of a filing rank: by type alone, centred, large, capitals, numbered, coloured.

The type of a bold run is written before its words as one private character, so that it outlives the markdown writer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellsourced.documents.filings.items import NOTES
from wellsourced.late_pattern import late_pattern

if TYPE_CHECKING:
    from wellsourced.pages.html import dom

BOLD = late_pattern(r"font-weight\s{0,3}:\s{0,3}(?:[6-9]00|bold)|font\s{0,3}:[^;]{0,40}\bbold", re.I)
SIZE = late_pattern(r"font-size\s{0,3}:\s{0,3}(\d{1,2})(?:\.\d{1,3})?pt|font\s{0,3}:[^;]{0,40}?\b(\d{1,2})pt", re.I)
CENTRED = late_pattern(r"text-align\s{0,3}:\s{0,3}center", re.I)
SLANTED = late_pattern(r"font-style\s{0,3}:\s{0,3}italic|text-decoration[^:;]{0,10}:[^;]{0,20}underline", re.I)
COLOUR = late_pattern(r"(?<![-\w])color\s{0,3}:\s{0,3}(?!#000|black|#?inherit|rgb\(0, ?0, ?0\))[#a-z]", re.I)
NUMBERED = late_pattern(r"(?:note\s{1,3})?(?:\d{1,2}|[A-Z])(?:\.|\s{0,2}[-–—:])\s{0,3}\S|note\s{1,3}\d", re.I)
REPORT = late_pattern(r"reports? of independent registered", re.I)
RUN_IN = late_pattern(r"((?:\*\*[^*\n]{1,150}\*\*\s{0,2}){1,3})[–—-]\s(?=\S)")
FIRST_MARK = 0xF0000
MARK = late_pattern("[\U000f0000-\U000f0fff]")
ANCESTORS = 4
TOP, LOWEST = 4, 6

Rank = tuple[int, int, bool, bool, bool, bool]


def mark_bold(document: dom.Document) -> None:
    """Bold is written in styles; as an element the markdown writer sees it."""
    for element in document.select("span[style], font[style]"):
        if BOLD.search(element.attr("style") or ""):
            element.tag = "b"


def mark_types(document: dom.Document) -> None:
    from wellsourced.pages.html.dom import Text

    for element in document.select("b, strong"):
        element.insert(0, Text(chr(FIRST_MARK + _type_of(element))))


def _type_of(element: dom.Element) -> int:
    """Centred, size in points, coloured, upright, as one number."""
    from wellsourced.pages.html import dom

    around = [element, *(above for _, above in zip(range(ANCESTORS), dom.ancestors(element), strict=False))]
    styles = ";".join(above.attr("style") or "" for above in around)
    tags = {above.tag for above in around} | {f"align={(above.attr('align') or '').lower()}" for above in around}
    size = SIZE.search(styles)
    points = min(31, int(size[1] or size[2])) if size else 0
    centred = bool(CENTRED.search(styles)) or bool(tags & {"center", "align=center"})
    upright = not SLANTED.search(styles) and not tags & {"i", "em", "u"}
    coloured = bool(COLOUR.search(element.attr("style") or ""))
    return centred << 7 | points << 2 | coloured << 1 | upright


class SubheadingLevels:
    """A heading stands below the last one that ranks higher, within its item."""

    def __init__(self) -> None:
        self._above: list[Rank] = []

    def restart(self) -> None:
        self._above = []

    def level(self, chunk: str, words: str) -> int:
        mark = MARK.search(chunk)
        kind = ord(mark[0]) - FIRST_MARK if mark else 1
        numbered = bool(NUMBERED.match(words))
        rank = (kind >> 7, kind >> 2 & 31, words.isupper(), numbered, bool(kind & 2), bool(kind & 1))
        is_notes = bool(NOTES.fullmatch(words))
        if is_notes:  # they hold what follows, but for a report and what is centred where they are not
            rank = (rank[0], 31, True, True, True, True)
        if is_notes or REPORT.match(words):
            self._above = []
        while self._above and self._above[-1] <= rank:
            self._above.pop()
        self._above.append(rank)
        return min(LOWEST, TOP + len(self._above) - 1)


def split_run_in(chunk: str) -> tuple[str, str]:
    """A numbered heading and the text that follows it in the same paragraph, as in `A. Basis – The …`."""
    match = RUN_IN.match(chunk)
    heading = " ".join(match[1].replace("**", " ").split()) if match else ""
    return (heading, chunk[match.end() :]) if match and NUMBERED.match(heading) else ("", chunk)
