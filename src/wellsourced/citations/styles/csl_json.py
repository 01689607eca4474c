"""CSL-JSON items that our reader reads back to the same reference. Facts: the CSL 1.0.2 data schema."""

from __future__ import annotations

from typing import Any

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.bibtex import escape_controls
from wellsourced.text.partial_dates import PartialDate

TEXTS = (
    ("title", "title"), ("container-title", "container"), ("publisher", "publisher"), ("publisher-place", "place"),
    ("volume", "volume"), ("issue", "issue"), ("page", "pages"), ("edition", "edition"), ("language", "language"),
    ("note", "note"),
)  # fmt: skip
IDENTIFIERS = (("DOI", "doi"), ("URL", "url"), ("ISBN", "isbn"), ("ISSN", "issn"), ("PMID", "pmid"))
VARIABLES_TEXT = """
    abstract annote archive archive-place archive_location authority call-number chapter-number citation-label
    collection-number collection-title container-title-short dimensions division event event-place event-title
    genre jurisdiction locator medium number number-of-pages number-of-volumes original-publisher
    original-publisher-place original-title part part-title PMCID references reviewed-genre reviewed-title
    scale section source status supplement title-short version volume-title
"""
VARIABLES = frozenset(VARIABLES_TEXT.split())


def format_item(reference: Reference, key: str) -> dict[str, Any]:
    made: dict[str, Any] = {"id": key, "type": reference.type}
    made |= {name: _lines(value) for name, field in TEXTS if (value := getattr(reference, field))}
    made |= {"author": [_name(name) for name in reference.authors]} if reference.authors else {}
    made |= {"editor": [_name(name) for name in reference.editors]} if reference.editors else {}
    date = reference.date or (PartialDate(reference.year) if reference.year is not None else None)
    made |= {"issued": _date(date)} if date else {}
    made |= {"accessed": _date(reference.accessed)} if reference.accessed else {}
    made |= {name: value for name, field in IDENTIFIERS if (value := getattr(reference, field))}
    made |= {"keyword": _keywords(reference.keywords)} if reference.keywords else {}
    return made | _others(reference)


def _lines(value: str) -> str:
    return "\n".join(escape_controls(line) for line in value.split("\n"))


def _keywords(words: tuple[str, ...]) -> str:
    has_comma = any("," in word for word in words)
    return escape_controls("; ".join(words) + (";" if len(words) == 1 else "") if has_comma else ", ".join(words))


def _name(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": escape_controls(name.literal)}
    made = {"family": escape_controls(name.family)}
    made |= {"given": escape_controls(name.given)} if name.given else {}
    is_ambiguous = name.family[:1].islower()
    made |= {"non-dropping-particle": escape_controls(name.particle)} if name.particle or is_ambiguous else {}
    return made | ({"suffix": escape_controls(name.suffix)} if name.suffix else {})


def _date(date: PartialDate) -> dict[str, list[list[int]]]:
    return {"date-parts": [[part for part in (date.year, date.month, date.day) if part is not None]]}


def _others(reference: Reference) -> dict[str, Any]:
    """Variables that CSL knows stand in the item; whatever else there is stands under `custom`."""
    kept = {name: _lines(value) for name, value in sorted(reference.extra.items()) if name not in {"issued", "DOI"}}
    known = {name: value for name, value in kept.items() if name in VARIABLES}
    custom: dict[str, Any] = {name: value for name, value in kept.items() if name not in VARIABLES}
    custom |= {"arxiv": reference.arxiv} if reference.arxiv else {}
    custom |= {"et-al": True} if reference.et_al else {}
    return known | ({"custom": custom} if custom else {})
