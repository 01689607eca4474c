"""EndNote's XML export, read by way of the RIS reader: each record becomes the tags that RIS has for its fields."""

from __future__ import annotations

from typing import Any

from wellsourced.citations.formats.ris import reference_from_tags
from wellsourced.citations.formats.ris_lines import RisRecord
from wellsourced.citations.reference import Reference
from wellsourced.documents.document import Unreadable
from wellsourced.documents.xml import parse_xml
from wellsourced.errors import BadInput

KINDS = {
    "Journal Article": "JOUR", "Book": "BOOK", "Book Section": "CHAP", "Conference Proceedings": "CPAPER",
    "Conference Paper": "CPAPER", "Edited Book": "EDBOOK", "Thesis": "THES", "Report": "RPRT", "Web Page": "ELEC",
    "Electronic Article": "EJOUR", "Newspaper Article": "NEWS", "Magazine Article": "MGZN", "Patent": "PAT",
    "Dataset": "DATA", "Computer Program": "COMP", "Standard": "STAND", "Case": "CASE", "Statute": "STAT",
}  # fmt: skip
PATHS = (
    ("contributors/authors/author", "AU"), ("contributors/secondary-authors/author", "A2"), ("titles/title", "TI"),
    ("titles/secondary-title", "T2"), ("periodical/full-title", "JF"), ("alt-periodical/abbr-1", "J2"), ("pages", "SP"),
    ("volume", "VL"), ("number", "IS"), ("dates/year", "PY"), ("publisher", "PB"), ("pub-location", "CY"),
    ("isbn", "SN"), ("electronic-resource-num", "DO"), ("urls/related-urls/url", "UR"), ("edition", "ET"),
    ("abstract", "AB"), ("keywords/keyword", "KW"), ("language", "LA"), ("accession-num", "AN"),
)  # fmt: skip


def read_endnote_xml(text: str, most: int) -> tuple[list[Reference], list[tuple[int, str]]]:
    try:
        root = parse_xml(text.encode(), "the bibliography")
    except Unreadable as problem:
        raise BadInput(str(problem)) from None
    records = root.findall(".//record")
    problems = [(most, f"Only the first {most} entries were read.")] if len(records) > most else []
    read = (reference_from_tags(_as_ris(record)) for record in records[:most])
    return [reference for reference in read if reference], problems


def _as_ris(record: Any) -> RisRecord:
    kind = record.find("ref-type")
    made = RisRecord(record.sourceline or 0, has_end=True)
    made.add("TY", KINDS.get(kind.get("name", "") if kind is not None else "", "GEN"))
    for path, tag in PATHS:
        values = [" ".join("".join(found.itertext()).split()) for found in record.findall(path)]
        for value in values:
            if value and not (tag == "JF" and record.find("titles/secondary-title") is not None):
                made.values.append((tag, [value]))
    return made
