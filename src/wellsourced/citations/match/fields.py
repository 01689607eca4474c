"""A citation laid beside a record, field by field: evidence, never a verdict.

Each field is `match`, `partial`, `mismatch`, `not_given` (one side does not say) or `not_comparable` (both say
something that cannot be held against each other, such as titles in two scripts). A mismatch is said only where no
usual way of citing explains the difference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wellsourced.citations.match.authors import compare_authors
from wellsourced.citations.match.venues import compare_venues
from wellsourced.citations.reference import Reference
from wellsourced.text.titles import Outcome, compare_titles, title_similarity

NUMBER = re.compile(r"[0-9]+|\b[ivxlc]+\b", re.IGNORECASE)
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
RANGE = re.compile(r"([A-Za-z]{0,4})([0-9]{1,12})[A-Za-z]{0,2}(?:\s{0,3}[-–]\s{0,3}[A-Za-z]{0,4}([0-9]{1,12}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldMatches:
    """`title_similarity` is between 0 and 1, and 0 where a title is missing."""

    title: Outcome
    authors: Outcome
    year: Outcome
    venue: Outcome
    volume: Outcome
    pages: Outcome
    title_similarity: float


def compare_fields(cited: Reference, record: Reference) -> FieldMatches:
    """How what is cited agrees with what is on record."""
    return FieldMatches(
        title=compare_titles(cited.title, record.title),
        authors=compare_authors(cited, record),
        year=_year(cited, record),
        venue=_venue(cited, record),
        volume=_volume(cited.volume, record.volume),
        pages=_pages(cited.pages, record.pages),
        title_similarity=title_similarity(cited.title, record.title),
    )


def _year(cited: Reference, record: Reference) -> Outcome:
    """A year more or less is what lies between appearing online and in print."""
    if cited.year is None or record.year is None:
        return "not_given"
    apart = abs(cited.year - record.year)
    return "match" if apart == 0 else "partial" if apart == 1 else "mismatch"


def _venue(cited: Reference, record: Reference) -> Outcome:
    """Compared with the short name of the record as well; a preprint may have appeared elsewhere later."""
    outcome = compare_venues(cited.container, record.container)
    short = compare_venues(cited.container, record.extra.get("container-title-short"))
    if "match" in (outcome, short):
        return "match"
    is_preprint = any("arxiv" in (side.container or "").casefold() or side.arxiv for side in (cited, record))
    return "not_comparable" if outcome == "mismatch" and is_preprint else outcome


def _volume(cited: str | None, recorded: str | None) -> Outcome:
    if not cited or not recorded:
        return "not_given"
    first, second = _number(cited), _number(recorded)
    if cited.strip().casefold() == recorded.strip().casefold() or (first is not None and first == second):
        return "match"
    return "mismatch" if first is not None and second is not None else "not_comparable"


def _number(text: str) -> int | None:
    match = NUMBER.search(text[:40])
    if match is None:
        return None
    return int(match[0][:9]) if match[0].isdigit() else _roman(match[0].lower())


def _roman(text: str) -> int:
    values = [ROMAN[letter] for letter in text]
    return sum(-value if value < max(values[place:], default=0) else value for place, value in enumerate(values))


def _pages(cited: str | None, recorded: str | None) -> Outcome:
    """The first page decides; a shortened last page is completed, and a page inside the range is a pinpoint."""
    if not cited or not recorded:
        return "not_given"
    ours, theirs = _span(cited), _span(recorded)
    if ours is None or theirs is None:
        return "match" if cited.strip().casefold() == recorded.strip().casefold() else "not_comparable"
    if ours[0] != theirs[0]:
        return "not_comparable"
    if ours[1] == theirs[1]:
        return "match" if ours[2] == theirs[2] or None in (ours[2], theirs[2]) else "partial"
    within = theirs[2] is not None and theirs[1] <= ours[1] and (ours[2] or ours[1]) <= theirs[2]
    return "partial" if within else "mismatch"


def _span(pages: str) -> tuple[str, int, int | None] | None:
    match = RANGE.search(pages[:60])
    if match is None:
        return None
    first, last = match[2], match[3]
    # `436–44` means `436–444`.
    if last and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return match[1].casefold().replace("pp", "").replace("p", ""), int(first), int(last) if last else None
