"""Chicago, eighteenth edition: the reference list (author-date) and the bibliography of notes.

Facts: the Chicago Manual of Style, chapters 13 and 14. The eighteenth edition names neither the place of a publisher
nor the pages of a chapter in the list.
"""

from __future__ import annotations

from dataclasses import replace

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    end_sentence,
    format_long_date,
    genre_of,
    is_part_of_work,
    is_range,
    issue_number,
    join_sentences,
    labelled_volume,
    name_case,
    numbered_edition,
    quote_title,
    series_of,
    shorten_pages_chicago,
    translators,
    undated_words,
    volume_count,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names
from wellsourced.citations.styles.title_case import title_case
from wellsourced.text.partial_dates import PartialDate

AUTHORS = NameRule(
    turned="first", initial=None, and_two=", and ", most=6, shown=3, et_al=", et al.", particle_last=True
)
EDITORS = NameRule(turned="none", initial=None, most=6, shown=3, et_al=", et al.")
DATED_TO_THE_DAY_TEXT = "webpage post-weblog post article-newspaper article-magazine"
DATED_TO_THE_DAY = frozenset(DATED_TO_THE_DAY_TEXT.split())
BOOK_PARTS = frozenset({"book", "chapter", "entry-encyclopedia", "entry-dictionary"})
EDITED = frozenset({"book", "chapter"})
EDITORS_FIRST = frozenset({"book", "chapter", "webpage"})
QUOTED_ALONE = frozenset({"webpage", "thesis", "article", "paper-conference", "dataset", "document"})


def format_entry(reference: Reference) -> str:
    """Author and date in front."""
    reference = _under_site(reference)
    people, title = _people(reference), _title(reference)
    year = year_with_era(reference.year) if reference.year is not None else undated_words(reference) or "n.d."
    parts = [people, year, title] if people else [title, year]
    text = join_sentences([*parts, *_source(reference, _day(reference)), *_found_at(reference)])
    return f"N{text[1:]}" if text.startswith("n.d.") else text


def format_note_entry(reference: Reference) -> str:
    """The date behind the publisher, in the brackets of a journal, or alone."""
    reference = _under_site(reference)
    when = format_long_date(reference.date) if reference.date and _is_dated(reference) else undated_words(reference)
    unknown = "" if reference.type == "webpage" else "n.d."
    when = when or (year_with_era(reference.year) if reference.year is not None else unknown)
    return join_sentences(
        [_people(reference), _title(reference), *_source(reference, when, in_notes=True), *_found_at(reference)]
    )


def _under_site(reference: Reference) -> Reference:
    """A page that nobody signed stands under its publisher, or its site."""
    if reference.type != "webpage" or reference.authors or reference.editors:
        return reference
    if reference.publisher:
        return replace(reference, authors=(Name(literal=reference.publisher),), publisher=None)
    site = name_case(reference)
    return replace(reference, authors=(Name(literal=site),), container=None) if site else reference


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    """The first turned round. Up to six; of more, three and others."""
    return write_names(people, AUTHORS, et_al)


def _people(reference: Reference) -> str | None:
    if reference.authors:
        return format_names(reference.authors, reference.et_al)
    if reference.editors and (not is_part_of_work(reference) or reference.type in EDITORS_FIRST):
        return f"{format_names(reference.editors)}, {'eds.' if len(reference.editors) > 1 else 'ed.'}"
    return None


def _title(reference: Reference) -> str | None:
    if not reference.title:
        return None
    title = title_case(reference.title, reference.language)
    is_quoted = is_part_of_work(reference) or reference.type in QUOTED_ALONE
    return quote_title(title) if is_quoted and reference.type != "book" else title


def _is_dated(reference: Reference) -> bool:
    is_journal = reference.type == "article-journal" and not (reference.volume or reference.issue)
    is_paper = reference.type == "paper-conference" and bool(reference.container) and not reference.editors
    return is_journal or is_paper or reference.type in DATED_TO_THE_DAY


def _day(reference: Reference) -> str:
    """What the year in front leaves to say: `May 25`."""
    date = reference.date
    return format_long_date(date, year=False) if date and date.month and _is_dated(reference) else ""


def _source(reference: Reference, when: str, in_notes: bool = False) -> list[str | None]:
    if not is_part_of_work(reference):
        return _alone(reference, when, in_notes)
    if reference.type in BOOK_PARTS or (reference.type == "paper-conference" and reference.editors):
        return _in_book(reference, when, in_notes)
    edited = _edited_by(reference) if reference.type == "webpage" and reference.authors else ""
    edited = edited[:1].upper() + edited[1:]
    return [genre_of(reference), edited, _in_journal(reference, when, in_notes), reference.extra.get("archive")]


def _alone(reference: Reference, when: str, in_notes: bool) -> list[str | None]:
    pages = shorten_pages_chicago(reference.pages) if reference.type not in EDITED else ""
    if reference.type in {"article-journal", "webpage"}:
        edited = _edited_by(reference) if reference.authors else ""
        publisher = reference.publisher if reference.type == "webpage" else None
        where = ", ".join(part for part in (publisher, when, pages) if part)
        return [genre_of(reference), edited[:1].upper() + edited[1:], where]
    roles = [_edited_by(reference) if reference.authors else "", _translated_by(reference)]
    volume = labelled_volume(reference, "Vol.") if reference.type == "book" else None
    count = f"{volume_count(reference)} vols" if volume_count(reference) else None
    series = title_case(series_of(reference), reference.language)
    imprint = ", ".join(part for part in (reference.publisher, when if in_notes else "") if part)
    people = [role[:1].upper() + role[1:] for role in roles]
    number = reference.extra.get("number") if reference.type == "book" else None
    count = f"No. {number}" if number else count
    return [numbered_edition(reference), *people, volume, count, series, imprint or when, pages]


def _in_journal(reference: Reference, when: str, in_notes: bool) -> str:
    container = name_case(reference)
    pages = reference.extra.get("number") or shorten_pages_chicago(reference.pages)
    if reference.type == "webpage":
        return ", ".join(part for part in (container, reference.publisher, when) if part)
    if reference.type == "paper-conference":
        place = f" ({reference.place})" if reference.place else ""
        series = reference.extra.get("collection-title")
        return ", ".join(part for part in (f"{container}{place}", series, when, pages) if part)
    container += f" ({reference.place})" if reference.place else ""
    numbers = _numbers_in_note(reference, when) if in_notes else _numbers(reference, when)
    mark = ": " if reference.volume or reference.issue else ", "
    return f"{container}{numbers}{mark + pages if pages else ''}"


def _numbers(reference: Reference, when: str) -> str:
    """`62 (3)`, or with the month where there is no number."""
    issue, date = issue_number(reference), reference.date
    month = format_long_date(PartialDate(date.year, date.month), year=False) if date and date.month else ""
    if not reference.volume and issue:
        return f", no. {issue}" + (f" ({month})" if month else "")
    if not reference.volume:
        return _ahead(reference) + (f", {when}" if when else "")
    bracket = issue or month
    return f" {reference.volume}" + (f" ({bracket})" if bracket else "")


def _ahead(reference: Reference) -> str:
    """An article that has a DOI and no place yet."""
    is_ahead = reference.doi and not reference.pages and not reference.extra.get("number")
    return ", ahead of print" if is_ahead else ""


def _numbers_in_note(reference: Reference, when: str) -> str:
    issue = issue_number(reference)
    issue = f", {'nos.' if is_range(issue) else 'no.'} {issue}" if issue else ""
    numbers = f" {reference.volume}{issue}" if reference.volume else issue
    if not numbers:
        return _ahead(reference) + (f", {when}" if when else "")
    date = reference.date
    is_month_needed = date is not None and date.month is not None and not (reference.volume and reference.issue)
    when = format_long_date(PartialDate(date.year, date.month)) if date and is_month_needed else when
    return f"{numbers} ({when})" if when else numbers


def _edited_by(reference: Reference) -> str:
    are_behind = reference.editors and (reference.authors or reference.type not in EDITED)
    return f"edited by {write_names(reference.editors, EDITORS)}" if are_behind else ""


def _translated_by(reference: Reference) -> str:
    people = translators(reference)
    return f"translated by {write_names(people, EDITORS)}" if people else ""


def _in_book(reference: Reference, when: str, in_notes: bool) -> list[str | None]:
    number = reference.extra.get("number")
    number = f"No. {number}" if number and reference.type in EDITED else ""
    book = f"In {name_case(reference)}"
    people, volume = [_edited_by(reference), _translated_by(reference)], labelled_volume(reference, "vol.")
    behind = [volume, *people] if in_notes else [*people, volume]
    text = ", ".join(part for part in (book, numbered_edition(reference), number, *behind) if part)
    series = title_case(series_of(reference), reference.language)
    imprint = ", ".join(part for part in (reference.publisher, when if in_notes else "") if part)
    return [end_sentence(text), series, imprint]


def _found_at(reference: Reference) -> list[str | None]:
    seen = reference.accessed if reference.year is None and not reference.doi and reference.url else None
    return [f"Accessed {format_long_date(seen)}" if seen else None, best_link(reference)]
