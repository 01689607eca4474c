"""IEEE: the numbered reference list. Facts: the IEEE Reference Guide."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    SHORT_MONTHS,
    best_link,
    end_sentence,
    format_day_first,
    given_first,
    is_part_of_work,
    is_range,
    join_names,
    ordinal_edition,
    quote_title,
    year_with_era,
)

MOST_AUTHORS = 6


def format_entry(reference: Reference) -> str:
    title = reference.title
    is_quoted = is_part_of_work(reference) or reference.type in {
        "webpage",
        "thesis",
        "article",
        "article-journal",
        "report",
    }
    shown = None if not title else quote_title(title, ",") if is_quoted else f"{title},"
    details = [part for part in _details(reference) if part]
    front = (
        f"{format_names(reference.authors or reference.editors, reference.et_al)},"
        if reference.authors or reference.editors
        else ""
    )
    text = end_sentence(
        " ".join(part for part in (front, shown, ", ".join(details)) if part).rstrip(",") or best_link(reference) or ""
    )
    return " ".join(part for part in (text, *_online(reference)) if part)


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    written = [given_first(name, short=True) for name in people]
    if len(written) > MOST_AUTHORS or (et_al and written):
        return f"{written[0]} et al."
    return join_names(written, "and")


def _details(reference: Reference) -> list[str | None]:
    is_book_part = reference.type in {"chapter", "paper-conference"}
    container = f"in {reference.container}" if is_book_part and reference.container else reference.container
    pages = f"{'pp.' if is_range(reference.pages) else 'p.'} {reference.pages}" if reference.pages else None
    imprint = ": ".join(part for part in (reference.place, reference.publisher) if part)
    return [
        container if is_part_of_work(reference) else None,
        f"{ordinal_edition(reference.edition)} ed." if reference.edition else None,
        f"vol. {reference.volume}" if reference.volume else None,
        f"no. {reference.issue}" if reference.issue else None,
        imprint if not reference.type.startswith("article") else None,
        pages,
        _date(reference),
        f"doi: {reference.doi}" if reference.doi else None,
        f"arXiv:{reference.arxiv}" if reference.arxiv and not reference.doi else None,
    ]


def _date(reference: Reference) -> str | None:
    if reference.year is None:
        return None
    month = f"{SHORT_MONTHS[reference.date.month - 1]} " if reference.date and reference.date.month else ""
    return f"{month}{year_with_era(reference.year)}"


def _online(reference: Reference) -> list[str]:
    if reference.doi or not reference.url:
        return []
    seen = reference.accessed
    return ([f"Accessed: {format_day_first(seen)}."] if seen else []) + [f"[Online]. Available: {reference.url}"]
