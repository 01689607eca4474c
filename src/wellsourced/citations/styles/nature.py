"""Nature: the numbered list of the Nature journals."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    end_sentence,
    is_part_of_work,
    journal_name,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names
from wellsourced.citations.styles.title_case import title_case

PEOPLE = NameRule(and_two=" & ", and_more=" & ", most=5)
INSIDE = frozenset({"chapter", "paper-conference"})


def format_entry(reference: Reference) -> str:
    people = format_names(reference.authors, reference.et_al) if reference.authors else ""
    front = " ".join(end_sentence(part) for part in (people, _title(reference)) if part)
    text = end_sentence(" ".join(part for part in (front, _source(reference)) if part))
    if not reference.doi or reference.type == "book" or (reference.volume and reference.type.startswith("article-")):
        return text
    return f"{text[:-1] if reference.type.startswith('article-') else text} doi:{reference.doi}."


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    return write_names(people, PEOPLE, et_al)


def _title(reference: Reference) -> str:
    title = reference.title or ""
    return title_case(title, reference.language) if reference.type == "book" else title


def _source(reference: Reference) -> str:
    year = year_with_era(reference.year) if reference.year is not None else ""
    dated = f"({year})" if year else ""
    volume = reference.volume or ""
    if reference.type.startswith("article-"):
        pages = reference.pages or reference.extra.get("number") or ""
        numbered = f"{volume}, {pages}".strip() if volume else pages
        return " ".join(part for part in (journal_name(reference), numbered, dated) if part)
    imprint = ", ".join(part for part in (reference.publisher, reference.place, year) if part)
    if reference.type in INSIDE and is_part_of_work(reference):
        volume = f"vol. {volume}" if volume else ""
        parts = (
            f"in {reference.container}",
            _editors(reference),
            volume,
            reference.pages,
            f"({imprint})" if imprint else "",
        )
        return " ".join(part for part in parts if part)
    if reference.type == "webpage":
        return " ".join(part for part in (reference.container, best_link(reference), dated) if part)
    return " ".join(part for part in (f"vol. {volume}" if volume else "", f"({imprint})" if imprint else "") if part)


def _editors(reference: Reference) -> str:
    if not reference.editors:
        return ""
    return f"({'eds' if len(reference.editors) > 1 else 'ed.'} {write_names(reference.editors, PEOPLE)})"
