"""BibTeX and biblatex bibliographies, read as they are in the wild.

Facts: the BibTeX documentation (btxdoc, btxhak) for syntax, strings, names and crossref; the biblatex manual for its
fields, types and data inheritance. What belongs to the parent alone (its DOI, its address, its pages) is not inherited.
"""

from __future__ import annotations

from collections.abc import Mapping

from wellsourced.citations.formats.bibtex_entries import BibtexEntry, BibtexValuePart, parse_entries
from wellsourced.citations.formats.bibtex_fields import reference_from_fields
from wellsourced.citations.reference import Reference
from wellsourced.text.dates import ENGLISH_MONTHS

MONTH_MACROS = {name: name for name in ENGLISH_MONTHS}
LONGEST_STRING = 5_000
DEEPEST_CHAIN = 8
PARTS_OF_BOOKS_TEXT = "inproceedings incollection inbook conference suppbook suppcollection bookinbook inreference"
PARTS_OF_BOOKS = frozenset(PARTS_OF_BOOKS_TEXT.split())
NOT_INHERITED_TEXT = """
    crossref xref xdata ids entryset entrysubtype execute label options presort related relatedtype
    relatedstring relatedoptions shorthand shorthandintro sortkey sorttitle sortname sortyear doi url urldate
    eprint pages abstract keywords file note annote annotation pmid key timestamp owner groups shorttitle
    indextitle date-added date-modified bibsource biburl swhid pagetotal numpages
"""
NOT_INHERITED = frozenset(NOT_INHERITED_TEXT.split())


def read_bibtex(text: str, most: int) -> tuple[list[Reference], list[tuple[int, str]]]:
    """References in the order of the file, and a sentence for every entry that was damaged."""
    macros: dict[str, str] = dict(MONTH_MACROS)
    found: list[tuple[BibtexEntry, dict[str, str]]] = []
    problems: list[tuple[int, str]] = []
    for entry in parse_entries(text):
        values = {name: _value(pieces, macros) for name, pieces in entry.fields.items()}
        if entry.kind == "string":
            macros |= {name: value[:LONGEST_STRING] for name, value in values.items() if name not in MONTH_MACROS}
            continue
        if len(found) >= most:
            problems.append((entry.line, f"Only the first {most} entries were read."))
            break
        found.append((entry, values))
        problems += _problem(entry)
    return _resolved(found), problems


def _problem(entry: BibtexEntry) -> list[tuple[int, str]]:
    name = f"entry {entry.key!r}" if entry.key else f"@{entry.kind} without a key"
    if not entry.fields:
        return [(entry.line, f"The {name} has no fields that could be read.")]
    return (
        [(entry.line, f"The {name} is damaged: {entry.trouble}; what could be read was kept.")] if entry.trouble else []
    )


def _value(pieces: list[BibtexValuePart], macros: Mapping[str, str]) -> str:
    """Concatenated; a string nobody defined stands for itself."""
    return "".join(macros.get(piece.text.lower(), piece.text) if piece.is_macro else piece.text for piece in pieces)


def _resolved(found: list[tuple[BibtexEntry, dict[str, str]]]) -> list[Reference]:
    by_key: dict[str, tuple[str, dict[str, str]]] = {}
    for entry, values in found:
        by_key.setdefault(entry.key.casefold(), (entry.kind, values))
    read = [(entry, _inherited(entry.kind, values, by_key)) for entry, values in found if entry.kind != "xdata"]
    return [reference_from_fields(entry.kind, entry.key, values, entry.raw) for entry, values in read if values]


def _inherited(kind: str, values: dict[str, str], by_key: Mapping[str, tuple[str, dict[str, str]]]) -> dict[str, str]:
    """With what `xdata` and `crossref` add, along a chain that ends when it is long or bites its tail."""
    complete = dict(values)
    waiting = _parents(kind, values)
    seen: set[str] = set()
    while waiting and len(seen) < DEEPEST_CHAIN:
        key, child, is_whole = waiting.pop(0)
        if key in seen or key not in by_key:
            continue
        seen.add(key)
        parent = by_key[key][1]
        for name, value in parent.items():
            if is_whole or name not in NOT_INHERITED:
                complete.setdefault(_inherited_name(child, name), value)
        waiting += _parents(child, parent)
    return complete


def _parents(kind: str, values: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    """Keys of the entries to inherit from, for which kind of child, and whether everything comes from there."""
    data = [
        (key.strip().casefold(), "", True) for key in values.get("xdata", "").split(",")[:DEEPEST_CHAIN] if key.strip()
    ]
    crossref = values.get("crossref", "").strip().casefold()
    return data + ([(crossref, kind, False)] if crossref else [])


def _inherited_name(child: str, name: str) -> str:
    if child not in PARTS_OF_BOOKS:
        return name
    return {"title": "booktitle", "subtitle": "booksubtitle", "author": "bookauthor"}.get(name, name)
