"""Vancouver: the numbered reference list of medical journals. Facts: ICMJE's samples after Citing Medicine (NLM)."""

from __future__ import annotations

from wellsourced.citations.person_names import initials
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    MONTHS,
    best_link,
    end_sentence,
    is_part_of_work,
    join_sentences,
    ordinal_edition,
    shorten_pages_vancouver,
    year_with_era,
)
from wellsourced.text.partial_dates import PartialDate

MOST_AUTHORS = 6


def format_entry(reference: Reference) -> str:
    people = format_names(reference.authors or reference.editors, reference.et_al)
    if reference.editors and not reference.authors:
        people += ", editors" if len(reference.editors) > 1 else ", editor"
    online = " [Internet]" if reference.url and not reference.doi and not is_part_of_work(reference) else ""
    title = f"{reference.title}{online}" if reference.title else None
    text = join_sentences([people, title, _source(reference)])
    return " ".join(part for part in (text, *_identifiers(reference)) if part)


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    written = [_name(name) for name in people[:MOST_AUTHORS]]
    return ", ".join([*written, "et al"] if len(people) > MOST_AUTHORS or et_al else written)


def _name(name: Name) -> str:
    if name.literal:
        return name.literal
    given = initials(name.given, dots=False, spaced=False)
    return " ".join(part for part in (name.surname, given, name.suffix.rstrip(".")) if part)


def _date(date: PartialDate | None, year: int | None) -> str:
    if date is None:
        return year_with_era(year) if year is not None else "date unknown"
    month = MONTHS[date.month - 1][:3] if date.month else ""
    return " ".join(part for part in (year_with_era(date.year), month, str(date.day or "")) if part)


def _source(reference: Reference) -> str:
    seen = reference.accessed
    cited = f" [cited {_date(seen, None)}]" if seen and reference.url and not reference.doi else ""
    date = f"{_date(reference.date, reference.year)}{cited}"
    if not is_part_of_work(reference) or reference.type in {"chapter", "paper-conference"}:
        return _in_book(reference, date)
    volume = f"{reference.volume or ''}{f'({reference.issue})' if reference.issue else ''}"
    pages = f":{shorten_pages_vancouver(reference.pages)}" if reference.pages else ""
    where = f";{volume}{pages}" if volume or pages else ""
    return f"{end_sentence(reference.container or '')} {date}{where}"


def _in_book(reference: Reference, date: str) -> str:
    editors = format_names(reference.editors) if is_part_of_work(reference) else ""
    role = "editors" if len(reference.editors) > 1 else "editor"
    book = (
        f"In: {f'{editors}, {role}. ' if editors else ''}{reference.container}" if is_part_of_work(reference) else None
    )
    edition = f"{ordinal_edition(reference.edition)} ed." if reference.edition else None
    imprint = ": ".join(part for part in (reference.place, reference.publisher) if part)
    pages = f"p. {shorten_pages_vancouver(reference.pages)}" if reference.pages and is_part_of_work(reference) else None
    return join_sentences([book, edition, f"{imprint}; {date}" if imprint else date, pages])


def _identifiers(reference: Reference) -> list[str]:
    if reference.doi:
        return [f"doi:{reference.doi}"] + ([f"PMID: {reference.pmid}"] if reference.pmid else [])
    address = best_link(reference)
    return ([f"Available from: {address}"] if address else []) + ([f"PMID: {reference.pmid}"] if reference.pmid else [])
