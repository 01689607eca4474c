"""A bibliography written again as BibTeX, with the fields that somebody chose to take from the record.

Order, keys and every field that was not chosen stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.person_names import parse_person_name
from wellsourced.citations.reference import Reference
from wellsourced.citations.styles import bibtex
from wellsourced.citations.styles.keys import citation_keys

TEXT_FIELDS = frozenset({"title", "container", "volume", "issue", "pages", "publisher", "doi", "isbn"})
SHORTENED = " et al."


def corrected_bibtex(text: str, fixes: Mapping[str, Mapping[str, str]]) -> str:
    """`fixes` has the recorded value of each chosen field, by the entry's place in the bibliography from "0" on."""
    entries = read_bibliography(text).entries
    corrected = [correct(entry, fixes.get(str(place), {})) for place, entry in enumerate(entries)]
    keys = citation_keys(corrected)
    return "\n\n".join(map(bibtex.format_entry, corrected, keys)) + "\n"


def correct(reference: Reference, fixes: Mapping[str, str]) -> Reference:
    """With these values; what cannot be written as a field of its own, such as a shortened list of names, is left."""
    changes: dict[str, Any] = {name: value for name, value in fixes.items() if name in TEXT_FIELDS and value}
    year = fixes.get("year", "")
    if year.isdecimal() and len(year) == 4:
        changes |= {"year": int(year), "date": None}
    authors = fixes.get("authors", "")
    if authors and not authors.endswith(SHORTENED):
        changes["authors"] = tuple(parse_person_name(name) for name in authors.split("; "))
    return replace(reference, **changes)
