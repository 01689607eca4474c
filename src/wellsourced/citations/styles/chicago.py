"""Chicago, author-date: the reference list. Facts: the Chicago Manual of Style, seventeenth edition,
chapters 14 and 15."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.phrases import (
    chicago_pages,
    ended,
    era,
    family_first,
    given_first,
    is_part,
    link,
    listed,
    long_date,
    ordinal,
    quoted,
    sentences,
)

MOST_AUTHORS, SHOWN_OF_MORE = 10, 7
DATED_TO_THE_DAY_TEXT = "webpage post-weblog post article-newspaper article-magazine"
DATED_TO_THE_DAY = frozenset(DATED_TO_THE_DAY_TEXT.split())


def entry(reference: Reference) -> str:
    seen = reference.accessed
    people, title = _people(reference), _title(reference)
    year = era(reference.year) if reference.year is not None else "n.d."
    parts = [people, year, title] if people else [title, year]
    accessed_note = f"Accessed {long_date(seen)}" if seen and link(reference) and not reference.doi else None
    return sentences([*parts, _source(reference), _day(reference), accessed_note, link(reference)])


def names(people: tuple[Name, ...], et_al: bool = False) -> str:
    """The first turned round. Up to ten; of more, seven and others."""
    written = [family_first(people[0], short=False)] + [given_first(name) for name in people[1:]]
    if len(written) > MOST_AUTHORS or et_al:
        return f"{', '.join(written[:SHOWN_OF_MORE])}, et al."
    return f"{written[0]}, and {written[1]}" if len(written) == 2 else listed(written, "and")


def _people(reference: Reference) -> str | None:
    if reference.authors:
        return names(reference.authors, reference.et_al)
    if reference.editors and not is_part(reference):
        return f"{names(reference.editors)}, {'eds.' if len(reference.editors) > 1 else 'ed.'}"
    return None


def _title(reference: Reference) -> str | None:
    title = reference.title
    if not title:
        return None
    if not is_part(reference) and reference.type not in {"webpage", "thesis", "article-journal", "article"}:
        return title
    return quoted(title)


def _day(reference: Reference) -> str | None:
    date = reference.date
    return long_date(date) if date and date.month and reference.type in DATED_TO_THE_DAY else None


def _source(reference: Reference) -> str | None:
    if not is_part(reference):
        edition = f"{ordinal(reference.edition)} ed." if reference.edition else None
        return sentences([edition, _imprint(reference)]) or None
    if reference.type in {"chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"}:
        return _in_book(reference)
    volume = f" {reference.volume}" if reference.volume else ""
    issue = f" ({reference.issue})" if reference.issue else ""
    pages = f": {chicago_pages(reference.pages)}" if reference.pages else ""
    return f"{reference.container}{volume}{issue}{pages}"


def _in_book(reference: Reference) -> str:
    editors = listed([given_first(name) for name in reference.editors], "and")
    text = f"In {reference.container}" + (f", edited by {editors}" if editors else "")
    text += f", {chicago_pages(reference.pages)}" if reference.pages else ""
    imprint = _imprint(reference)
    return f"{ended(text)} {imprint}" if imprint else text


def _imprint(reference: Reference) -> str:
    return ": ".join(part for part in (reference.place, reference.publisher) if part)
