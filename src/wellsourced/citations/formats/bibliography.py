"""A bibliography document of any format, or a list of references in plain text, read entry by entry.

One broken entry never loses the rest: what could not be read is listed in `problems`, with the line (BibTeX, RIS) or
the position in the list (CSL-JSON, counted from 1). `BadInput` is raised only when nothing says what the text is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from wellsourced.citations.formats.bibtex import read_bibtex
from wellsourced.citations.formats.csl_json import read_csl_json
from wellsourced.citations.formats.endnote_xml import read_endnote_xml
from wellsourced.citations.formats.reference_list import looks_like_references, read_reference_list
from wellsourced.citations.formats.ris import read_ris
from wellsourced.citations.formats.ris_lines import MEDLINE_START
from wellsourced.citations.reference import Reference
from wellsourced.errors import BadInput

Format: TypeAlias = Literal["csl-json", "ris", "bibtex", "endnote-xml", "text"]
FORMATS: tuple[Format, ...] = get_args(Format)
READERS = {
    "csl-json": read_csl_json,
    "ris": read_ris,
    "bibtex": read_bibtex,
    "endnote-xml": read_endnote_xml,
    "text": read_reference_list,
}
LARGEST = 5_000_000
# Both limits keep a hostile file from filling the answer.
MOST_ENTRIES = 10_000
MOST_PROBLEMS = 200
# Possessive or bounded everywhere: a file is searched from end to end.
ENTRY = re.compile(r"@\s{0,20}[A-Za-z_]{2,40}\s{0,20}[{(]")
TAG_LINE = re.compile(r"^\s{0,3}(?:TY|[A-Z][A-Z0-9])\s{1,3}-(?:\s|$)", re.MULTILINE)
# Web of Science exports have the RIS idea with tags of their own.
WEB_OF_SCIENCE = re.compile(r"(?:FN |PT [A-Z]\s)")
# A list of references, not of JSON: `[1] Doe J.`, `[Doe20] …`.
NUMBERED_ENTRY = re.compile(r"\[[^\[\]{}\"\s,]{1,40}\]\s")
ENDNOTE_XML = re.compile(r"(?:<\?xml[^>]{0,200}>\s{0,20})?<(?:xml|records)[\s>]", re.IGNORECASE)
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
        begin = {"csl-json": "", "text": "Piece {}: "}.get(self.format, "Line {}: ")
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
    moved = 0 if chosen in {"csl-json", "text"} else above
    placed = ((place + moved, sentence) for place, sentence in problems[:MOST_PROBLEMS])
    return ParsedBibliography(tuple(entries), tuple(placed), chosen)


def detect_format(text: str) -> Format:
    """By how the text begins, and by what is in it."""
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in {"[", "{"} and not NUMBERED_ENTRY.match(start):
        return "csl-json"
    if start.startswith("@"):
        return "bibtex"
    if ENDNOTE_XML.match(start):
        return "endnote-xml"
    if MEDLINE_START.match(start):
        return "ris"
    if WEB_OF_SCIENCE.match(start) or TAG_LINE.search(start[:100_000]):
        is_later = (match := ENTRY.search(start)) is not None and match.start() < _first_tag(start)
        return "bibtex" if is_later else "ris"
    if ENTRY.search(start):
        return "bibtex"
    if looks_like_references(start[:100_000]):
        return "text"
    raise BadInput(
        "The bibliography is neither CSL-JSON nor RIS nor BibTeX nor EndNote's XML, and no line of it looks like a "
        "reference: nothing in it has a year, a DOI or an address."
    )


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
