"""Bibliographies written out: for people (APA, MLA, Chicago, Harvard, IEEE, Vancouver, AMA, ACM, Nature) and for
programs (BibTeX, BibLaTeX, RIS, CSL-JSON), as CSL processors write them.

The same references give the same bytes. An access date is printed only when it came with the reference.
APA, MLA, Chicago and Harvard are sorted by their lines, formats for programs by citation key; the other styles number
the works in the order in which they are cited.

Where citeproc-js prints what a reader would take for a mistake, these styles do not follow: titles of works that are
plainly not English get no English capitals, `J.-P.` keeps its hyphen, a book that names itself as its container is
named once, MLA keeps the volume of a book, IEEE has no `. ,` behind a series, and `203–` is page 203.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles import (
    acm,
    ama,
    apa,
    bibtex,
    chicago,
    csl_json,
    harvard,
    ieee,
    keys,
    mla,
    nature,
    ris,
    vancouver,
)
from wellsourced.citations.styles.common import DOUBLE_NUMBER, plain_pages
from wellsourced.errors import BadInput

Style: TypeAlias = Literal[
    "apa", "mla", "bibtex", "ris", "csl-json", "chicago", "ieee", "vancouver", "chicago-notes", "harvard", "ama", "acm",
    "nature", "biblatex",
]  # fmt: skip
STYLES: tuple[Style, ...] = get_args(Style)
Writer: TypeAlias = Callable[[Reference], str]
BARE_INITIALS = re.compile(r"[A-ZÀ-ÖØ-Þ]{2,3}")
SORTED: dict[str, Writer] = {
    "apa": apa.format_entry,
    "mla": mla.format_entry,
    "chicago": chicago.format_entry,
    "chicago-notes": chicago.format_note_entry,
    "harvard": harvard.format_entry,
}
NUMBERED: dict[str, tuple[str, Writer]] = {
    "ieee": ("[{}] ", ieee.format_entry),
    "vancouver": ("{}. ", vancouver.format_entry),
    "ama": ("{}. ", ama.format_entry),
    "acm": ("[{}] ", acm.format_entry),
    "nature": ("{}. ", nature.format_entry),
}


def format_bibliography(references: Iterable[Reference], style: Style) -> str:
    """All different works of the list in one style, entries separated by an empty line (CSL-JSON: one list)."""
    works = distinct_references(references)
    if style in SORTED:
        # Sorted as printed: works without an author stand under their title.
        lines = [_line(SORTED[style], as_listed(work, style)) for work in works]
        return "\n\n".join(sorted(lines, key=_sorting))
    if style in NUMBERED:
        number, writer = NUMBERED[style]
        lines = [_line(writer, as_listed(work, style)) for work in works]
        return "\n\n".join(number.format(place) + line for place, line in enumerate(lines, start=1))
    return _for_programs(works, style)


def distinct_references(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Each work once, by address, else by DOI, else by everything it says; the first stays. Empty ones go."""
    kept: dict[object, Reference] = {}
    for reference in references:
        if reference.identifies_something or reference.container:
            kept.setdefault(_identity(reference), reference)
    return tuple(kept.values())


def _identity(reference: Reference) -> object:
    people = tuple(name.display for name in reference.authors)
    return (
        reference.url
        or reference.doi
        or (reference.title, people, reference.year, reference.container, reference.pages)
    )


def as_listed(work: Reference, style: str) -> Reference:
    """Double numbers have an en dash. APA, MLA and Chicago say when a work was seen only where it has no date of its
    own."""
    is_dated = style in SORTED and style != "harvard" and work.year is not None
    numbers = [DOUBLE_NUMBER.sub("–", number) if number else number for number in (work.volume, work.issue)]
    seen = None if is_dated else work.accessed
    people = tuple(map(_with_points, work.authors)) if work.is_from_text else work.authors
    return replace(
        work, volume=numbers[0], issue=numbers[1], pages=plain_pages(work.pages), accessed=seen, authors=people
    )


def _with_points(name: Name) -> Name:
    """In running text, `Doe JB` has two initials; a record may have such a given name."""
    return replace(name, given=". ".join(name.given) + ".") if BARE_INITIALS.fullmatch(name.given) else name


def _line(writer: Writer, work: Reference) -> str:
    """A line break in a title must not pass for the end of the entry and the beginning of another."""
    return " ".join(writer(work).split())


def _for_programs(works: Sequence[Reference], style: str) -> str:
    pairs = list(zip(keys.citation_keys(works), works, strict=True))
    pairs.sort(key=lambda pair: (pair[0], pair[1].url or ""))
    if style in {"bibtex", "biblatex"}:
        write = bibtex.format_entry if style == "bibtex" else bibtex.format_biblatex_entry
        return "\n\n".join(write(work, key) for key, work in pairs)
    if style == "ris":
        return "\n\n".join(ris.format_record(work, key) for key, work in pairs)
    if style == "csl-json":
        return json.dumps([csl_json.format_item(work, key) for key, work in pairs], ensure_ascii=False, indent=2)
    raise BadInput(f"The citation style {style!r} is not known; it is one of {', '.join(STYLES)}.")


def _sorting(line: str) -> tuple[str, str]:
    """Letters before everything else: an opening quotation mark or an accent does not move an entry."""
    split = unicodedata.normalize("NFKD", line).casefold()
    return "".join(character for character in split if character.isalnum() or character == " ").strip(), line
