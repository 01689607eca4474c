"""A citation laid beside a record, field by field: evidence, never a verdict.

Each field is `match`, `partial`, `mismatch`, `not_given` (one side does not say) or `not_comparable` (both say
something that cannot be held against each other, such as titles in two scripts). A mismatch is said only where no
usual way of citing explains the difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from wellsourced.citations.match.authors import compare_authors
from wellsourced.citations.match.venues import compare_venues
from wellsourced.citations.reference import Reference
from wellsourced.text.titles import Outcome, compare_titles, title_similarity

NUMBER = re.compile(r"[0-9]+|\b[ivxlc]+\b", re.IGNORECASE)
Span: TypeAlias = tuple[str, int, int | None]
FIRST_ARTICLE_NUMBER = 10_000
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
RANGE = re.compile(r"([A-Za-z]{0,4})([0-9]{1,12})[A-Za-z]{0,2}(?:\s{0,3}[-–]\s{0,3}[A-Za-z]{0,4}([0-9]{1,12}))?")


# `not_comparable` comes before `mismatch`: what cannot be compared with one form is not held against the citation.
BEST_FIRST: tuple[Outcome, ...] = ("match", "partial", "not_comparable", "mismatch", "not_given")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedForms:
    """What else a record calls the same things: translated titles, abbreviated journals, years online and in print,
    an article number beside pages."""

    titles: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    pages: tuple[str, ...] = ()


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
    issue: Outcome = "not_given"


def compare_fields(cited: Reference, record: Reference, also: RecordedForms | None = None) -> FieldMatches:
    """How what is cited agrees with what is on record, in any of the forms in which it is on record."""
    also = also or RecordedForms()
    titles = [compare_titles(cited.title, title) for title in (record.title, *also.titles)]
    pages = [_pages(cited.pages, form) for form in (record.pages, *also.pages)]
    return FieldMatches(
        title=best_outcome(titles),
        authors=compare_authors(cited, record),
        year=_year(cited, record, also.years),
        venue=_venue(cited, record, also.containers),
        volume=_volume(cited.volume, record.volume),
        pages=best_outcome(pages),
        title_similarity=max(title_similarity(cited.title, title) for title in (record.title, *also.titles)),
        issue=_volume(cited.issue, record.issue),
    )


def best_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    return min(outcomes, key=BEST_FIRST.index)


def _year(cited: Reference, record: Reference, years: Sequence[int]) -> Outcome:
    """A year more or less is what lies between appearing online and in print."""
    known = {year for year in (record.year, *years) if year is not None}
    if cited.year is None or not known:
        return "not_given"
    apart = min(abs(cited.year - year) for year in known)
    return "match" if apart == 0 else "partial" if apart == 1 else "mismatch"


def _venue(cited: Reference, record: Reference, names: Sequence[str]) -> Outcome:
    """Compared with the short names of the record as well; a preprint may have appeared elsewhere later."""
    outcome = best_outcome([compare_venues(cited.container, name) for name in (record.container, *names)])
    if outcome == "match":
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
    if _is_article_number(ours) != _is_article_number(theirs) or _is_own_count(ours, theirs):
        return "not_comparable"
    within = theirs[2] is not None and theirs[1] <= ours[1] and (ours[2] or ours[1]) <= theirs[2]
    return "partial" if within else "mismatch"


def _is_article_number(span: Span) -> bool:
    """One long number; a range beside it counts the pages of the file."""
    return span[2] is None and span[1] >= FIRST_ARTICLE_NUMBER


def _is_own_count(ours: Span, theirs: Span) -> bool:
    """`1–18` before an issue was put together, and `501–518` afterwards."""
    is_counted = ours[1] == 1 and ours[2] is not None and theirs[2] is not None
    return is_counted and abs((ours[2] or 0) - ((theirs[2] or 0) - theirs[1] + 1)) <= 1


def _span(pages: str) -> Span | None:
    match = RANGE.search(pages[:60])
    if match is None:
        return None
    first, last = match[2], match[3]
    # `436–44` means `436–444`.
    if last and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return match[1].casefold().replace("pp", "").replace("p", ""), int(first), int(last) if last else None
