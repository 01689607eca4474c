"""Chicago, author-date: the reference list. Facts: the Chicago Manual of Style, seventeenth edition,
chapters 14 and 15."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    end_sentence,
    family_first,
    format_long_date,
    given_first,
    is_part_of_work,
    join_names,
    join_sentences,
    ordinal_edition,
    quote_title,
    shorten_pages_chicago,
    year_with_era,
)

MOST_AUTHORS, SHOWN_OF_MORE = 10, 7
DATED_TO_THE_DAY_TEXT = "webpage post-weblog post article-newspaper article-magazine"
DATED_TO_THE_DAY = frozenset(DATED_TO_THE_DAY_TEXT.split())


def format_entry(reference: Reference) -> str:
    seen = reference.accessed
    people, title = _people(reference), _title(reference)
    year = year_with_era(reference.year) if reference.year is not None else "n.d."
    parts = [people, year, title] if people else [title, year]
    accessed_note = (
        f"Accessed {format_long_date(seen)}" if seen and best_link(reference) and not reference.doi else None
    )
    return join_sentences([*parts, _source(reference), _day(reference), accessed_note, best_link(reference)])


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    """The first turned round. Up to ten; of more, seven and others."""
    written = [family_first(people[0], short=False)] + [given_first(name) for name in people[1:]]
    if len(written) > MOST_AUTHORS or et_al:
        return f"{', '.join(written[:SHOWN_OF_MORE])}, et al."
    return f"{written[0]}, and {written[1]}" if len(written) == 2 else join_names(written, "and")


def _people(reference: Reference) -> str | None:
    if reference.authors:
        return format_names(reference.authors, reference.et_al)
    if reference.editors and not is_part_of_work(reference):
        return f"{format_names(reference.editors)}, {'eds.' if len(reference.editors) > 1 else 'ed.'}"
    return None


def _title(reference: Reference) -> str | None:
    title = reference.title
    if not title:
        return None
    if not is_part_of_work(reference) and reference.type not in {"webpage", "thesis", "article-journal", "article"}:
        return title
    return quote_title(title)


def _day(reference: Reference) -> str | None:
    date = reference.date
    return format_long_date(date) if date and date.month and reference.type in DATED_TO_THE_DAY else None


def _source(reference: Reference) -> str | None:
    if not is_part_of_work(reference):
        edition = f"{ordinal_edition(reference.edition)} ed." if reference.edition else None
        return join_sentences([edition, _imprint(reference)]) or None
    if reference.type in {"chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"}:
        return _in_book(reference)
    volume = f" {reference.volume}" if reference.volume else ""
    issue = f" ({reference.issue})" if reference.issue else ""
    pages = f": {shorten_pages_chicago(reference.pages)}" if reference.pages else ""
    return f"{reference.container}{volume}{issue}{pages}"


def _in_book(reference: Reference) -> str:
    editors = join_names([given_first(name) for name in reference.editors], "and")
    text = f"In {reference.container}" + (f", edited by {editors}" if editors else "")
    text += f", {shorten_pages_chicago(reference.pages)}" if reference.pages else ""
    imprint = _imprint(reference)
    return f"{end_sentence(text)} {imprint}" if imprint else text


def _imprint(reference: Reference) -> str:
    return ": ".join(part for part in (reference.place, reference.publisher) if part)
