"""A bibliography document of any format, read entry by entry.

One broken entry never loses the rest: what could not be read is listed in `problems`, with the line (BibTeX, RIS) or
the position in the list (CSL-JSON, counted from 1). `BadInput` is raised only when nothing says what the text is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.citations.formats.bibtex import read_bibtex
from wellsourced.citations.formats.csl_json import read_csl_json
from wellsourced.citations.formats.ris import read_ris
from wellsourced.citations.reference import Reference
from wellsourced.errors import BadInput

Format: TypeAlias = Literal["csl-json", "ris", "bibtex"]
FORMATS: tuple[Format, ...] = ("csl-json", "ris", "bibtex")
READERS = {"csl-json": read_csl_json, "ris": read_ris, "bibtex": read_bibtex}
LARGEST = 5_000_000
# Both limits keep a hostile file from filling the answer.
MOST_ENTRIES = 10_000
MOST_PROBLEMS = 200
# Possessive or bounded everywhere: a file is searched from end to end.
ENTRY = re.compile(r"@\s{0,20}[A-Za-z_]{2,40}\s{0,20}[{(]")
TAG_LINE = re.compile(r"^\s{0,3}(?:TY|[A-Z][A-Z0-9])\s{1,3}-(?:\s|$)", re.MULTILINE)
# Web of Science exports have the RIS idea with tags of their own.
WEB_OF_SCIENCE = re.compile(r"(?:FN |PT [A-Z]\s)")
# JabRef writes the encoding into the first line.
DECLARED = re.compile(rb"%\s{0,3}Encoding:\s{0,3}([A-Za-z0-9_.:-]{1,40})")
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class ParsedBibliography:
    """`problems` are pairs of a line or position and a sentence."""

    entries: tuple[Reference, ...]
    problems: tuple[tuple[int, str], ...]
    format: Format

    @property
    def complaints(self) -> list[str]:
        """The problems for people, each with its line; sentences about CSL-JSON name the item themselves."""
        begin = "" if self.format == "csl-json" else "Line {}: "
        return [begin.format(place) + sentence for place, sentence in self.problems]


def read_bibliography(text: str, format: Literal["auto"] | Format = "auto") -> ParsedBibliography:
    """Every entry that says anything about a work."""
    if len(text) > LARGEST:
        raise BadInput(f"The bibliography has {len(text)} characters; {LARGEST} is the most that is read at once.")
    text = text.encode("utf-8", "replace").decode()  # a request can carry half of a surrogate pair
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    begun = text.lstrip("\ufeff \t\n")
    above = text.count("\n", 0, len(text) - len(begun))
    chosen = detect_format(begun) if format == "auto" else format
    if chosen not in READERS:
        raise BadInput(f"The bibliography format {format!r} is not known; it is one of auto, {', '.join(FORMATS)}.")
    entries, problems = READERS[chosen](begun, MOST_ENTRIES)
    moved = 0 if chosen == "csl-json" else above
    placed = ((place + moved, sentence) for place, sentence in problems[:MOST_PROBLEMS])
    return ParsedBibliography(tuple(entries), tuple(placed), chosen)


def detect_format(text: str) -> Format:
    """By how the text begins, and by what is in it."""
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in {"[", "{"}:
        return "csl-json"
    if start.startswith("@"):
        return "bibtex"
    if WEB_OF_SCIENCE.match(start) or TAG_LINE.search(start[:100_000]):
        is_later = (match := ENTRY.search(start)) is not None and match.start() < _first_tag(start)
        return "bibtex" if is_later else "ris"
    if ENTRY.search(start):
        return "bibtex"
    raise BadInput("The bibliography is neither CSL-JSON nor RIS nor BibTeX: no entry of any of them was found in it.")


def decode_bibliography(data: bytes) -> str:
    """The text of a file: by its byte order mark, by what it declares (`% Encoding: …`), as UTF-8 or Windows-1252."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff")
    declared = DECLARED.search(data[:2_000])
    for encoding in ([declared[1].decode("ascii")] if declared else []) + ["utf-8"]:
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("windows-1252", "replace")


def _first_tag(text: str) -> int:
    match = TAG_LINE.search(text)
    return match.start() if match else len(text)
