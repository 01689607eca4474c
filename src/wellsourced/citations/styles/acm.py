"""ACM: the numbered list of the Association for Computing Machinery."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    format_long_date,
    is_part_of_work,
    issue_number,
    join_sentences,
    ordinal_edition,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names
from wellsourced.text.partial_dates import PartialDate

AUTHORS = NameRule(turned="none", initial=None, point_initials=False)
EDITORS = NameRule(turned="none", initial=None, and_more=" and ", point_initials=False)


def format_entry(reference: Reference) -> str:
    year = year_with_era(reference.year) if reference.year is not None else ""
    edition = f" ({ordinal_edition(reference.edition)} ed.)" if reference.edition and reference.title else ""
    title = f"{reference.title}{edition}" if reference.title else None
    text = join_sentences([_people(reference), year, title, *_source(reference)])
    return " ".join(part for part in (text, _where(reference)) if part)


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    return write_names(people, AUTHORS, et_al)


def _people(reference: Reference) -> str | None:
    if reference.authors:
        return format_names(reference.authors, reference.et_al)
    if reference.editors:
        return f"{format_names(reference.editors)} {'(Eds.)' if len(reference.editors) > 1 else '(Ed.)'}"
    return None


def _source(reference: Reference) -> list[str | None]:
    imprint = ", ".join(part for part in (reference.publisher, reference.place) if part)
    if reference.type.startswith("article-"):
        return [_journal(reference)]
    if reference.type in {"chapter", "paper-conference"}:
        return [_inside(reference), ", ".join(part for part in (imprint, reference.pages) if part)]
    genre = reference.extra.get("genre") if reference.type == "thesis" else None
    return [genre, reference.container if is_part_of_work(reference) and reference.type != "book" else None, imprint]


def _journal(reference: Reference) -> str:
    date = _month(reference)
    numbers = ", ".join(part for part in (reference.volume, issue_number(reference)) if part)
    numbers = f"{numbers}{',' if reference.volume and not reference.issue else ''}"
    place = " ".join(part for part in (reference.container, numbers, f"({date})" if date else "") if part)
    return ", ".join(part for part in (place, reference.pages) if part)


def _month(reference: Reference) -> str:
    if reference.date:
        return format_long_date(PartialDate(reference.date.year, reference.date.month))
    return year_with_era(reference.year) if reference.year is not None else ""


def _inside(reference: Reference) -> str | None:
    if not reference.container:
        return None
    role = "(eds.)" if len(reference.editors) > 1 else "(ed.)"
    editors = f"{write_names(reference.editors, EDITORS)} {role}" if reference.editors and reference.authors else ""
    date = _month(reference) if reference.type == "paper-conference" else ""
    return ", ".join(part for part in (f"In {reference.container}", editors, date) if part)


def _where(reference: Reference) -> str | None:
    address, seen = best_link(reference), reference.accessed
    if not address or reference.doi:
        return address
    return f"Retrieved {format_long_date(seen)} from {address}" if seen else f"Retrieved from {address}"
