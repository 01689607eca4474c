"""Vancouver: the numbered reference list of medical journals. Facts: ICMJE's samples after Citing Medicine (NLM)."""

from __future__ import annotations

from wellsourced.citations.names import initials
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.phrases import MONTHS, ended, era, is_part, link, ordinal, sentences, shortest_pages
from wellsourced.text.partial_dates import PartialDate

MOST_AUTHORS = 6


def entry(reference: Reference) -> str:
    people = names(reference.authors or reference.editors, reference.et_al)
    if reference.editors and not reference.authors:
        people += ", editors" if len(reference.editors) > 1 else ", editor"
    online = " [Internet]" if reference.url and not reference.doi and not is_part(reference) else ""
    title = f"{reference.title}{online}" if reference.title else None
    text = sentences([people, title, _source(reference)])
    return " ".join(part for part in (text, *_identifiers(reference)) if part)


def names(people: tuple[Name, ...], et_al: bool = False) -> str:
    written = [_name(name) for name in people[:MOST_AUTHORS]]
    return ", ".join([*written, "et al"] if len(people) > MOST_AUTHORS or et_al else written)


def _name(name: Name) -> str:
    if name.literal:
        return name.literal
    given = initials(name.given, dots=False, spaced=False)
    return " ".join(part for part in (name.surname, given, name.suffix.rstrip(".")) if part)


def _date(date: PartialDate | None, year: int | None) -> str:
    if date is None:
        return era(year) if year is not None else "date unknown"
    month = MONTHS[date.month - 1][:3] if date.month else ""
    return " ".join(part for part in (era(date.year), month, str(date.day or "")) if part)


def _source(reference: Reference) -> str:
    seen = reference.accessed
    cited = f" [cited {_date(seen, None)}]" if seen and reference.url and not reference.doi else ""
    date = f"{_date(reference.date, reference.year)}{cited}"
    if not is_part(reference) or reference.type in {"chapter", "paper-conference"}:
        return _in_book(reference, date)
    volume = f"{reference.volume or ''}{f'({reference.issue})' if reference.issue else ''}"
    pages = f":{shortest_pages(reference.pages)}" if reference.pages else ""
    where = f";{volume}{pages}" if volume or pages else ""
    return f"{ended(reference.container or '')} {date}{where}"


def _in_book(reference: Reference, date: str) -> str:
    editors = names(reference.editors) if is_part(reference) else ""
    role = "editors" if len(reference.editors) > 1 else "editor"
    book = f"In: {f'{editors}, {role}. ' if editors else ''}{reference.container}" if is_part(reference) else None
    edition = f"{ordinal(reference.edition)} ed." if reference.edition else None
    imprint = ": ".join(part for part in (reference.place, reference.publisher) if part)
    pages = f"p. {shortest_pages(reference.pages)}" if reference.pages and is_part(reference) else None
    return sentences([book, edition, f"{imprint}; {date}" if imprint else date, pages])


def _identifiers(reference: Reference) -> list[str]:
    if reference.doi:
        return [f"doi:{reference.doi}"] + ([f"PMID: {reference.pmid}"] if reference.pmid else [])
    address = link(reference)
    return ([f"Available from: {address}"] if address else []) + ([f"PMID: {reference.pmid}"] if reference.pmid else [])
