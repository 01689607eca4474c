"""AMA, eleventh edition: the numbered list of the American Medical Association."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    end_sentence,
    format_long_date,
    is_part_of_work,
    issue_number,
    join_sentences,
    journal_name,
    name_case,
    numbered_edition,
    whole_pages,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names
from wellsourced.citations.styles.title_case import title_case

PEOPLE = NameRule(initial="", comma=" ", and_two=", ", and_more=", ", most=6, shown=3, et_al=", et al")
BOOK_PARTS = frozenset({"chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"})
BOOKS = frozenset({"book", "thesis", "report"})


def format_entry(reference: Reference) -> str:
    people = format_names(reference.authors or reference.editors, reference.et_al)
    if reference.editors and not reference.authors:
        people += f", {_role(reference)}"
    title = reference.title or ""
    title = title_case(title, reference.language) if reference.type in BOOKS else title
    text = join_sentences([people, title, *_source(reference)])
    return " ".join(part for part in (text, *_where(reference)) if part)


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    return write_names(people, PEOPLE, et_al)


def _role(reference: Reference) -> str:
    return "eds" if len(reference.editors) > 1 else "ed"


def _source(reference: Reference) -> list[str | None]:
    year = year_with_era(reference.year) if reference.year is not None else ""
    pages = whole_pages(reference.pages).replace("–", "-")
    if reference.type.startswith("article-"):
        volume = f"{reference.volume or ''}{f'({issue_number(reference)})' if reference.issue else ''}"
        place = ":".join(part for part in (volume.replace("–", "-"), reference.extra.get("number") or pages) if part)
        name = journal_name(reference).replace(".", "") if reference.type == "article-journal" else reference.container
        if not volume and year:
            return [_editors(reference), name, ":".join(part for part in (f"Published online {year}", pages) if part)]
        return [_editors(reference), name, ";".join(part for part in (year, place) if part)]
    if reference.type == "webpage":
        date = format_long_date(reference.date) if reference.date else year
        return [reference.container, date]
    imprint = "; ".join(part for part in (reference.publisher, year) if part)
    imprint = ":".join(part for part in (imprint, pages if reference.type != "book" else "") if part)
    return [*_book(reference), imprint]


def _editors(reference: Reference) -> str:
    """Those of a work that has authors."""
    are_second = reference.editors and reference.authors
    return f"{format_names(reference.editors)}, {_role(reference)}" if are_second else ""


def _book(reference: Reference) -> list[str | None]:
    volume = f"Vol {reference.volume}" if reference.volume else None
    editors = _editors(reference)
    tail = [volume, numbered_edition(reference)]
    if reference.type in BOOK_PARTS and is_part_of_work(reference):
        book = name_case(reference)
        return [f"In: {end_sentence(editors) + ' ' if editors else ''}{book}", *tail]
    genre = reference.extra.get("genre") if reference.type == "thesis" else None
    return [genre, *tail, f"({editors}.)" if editors else None]


def _where(reference: Reference) -> list[str]:
    if reference.doi:
        return [f"doi:{reference.doi}"]
    address = reference.url or (f"https://arxiv.org/abs/{reference.arxiv}" if reference.arxiv else "")
    seen = f"Accessed {format_long_date(reference.accessed)}." if reference.accessed and address else ""
    return [part for part in (seen, address) if part]
