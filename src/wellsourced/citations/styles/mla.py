"""MLA, ninth edition: works cited. Facts: the MLA Handbook, chapter 5."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    format_day_first,
    genre_of,
    is_numeric,
    is_part_of_work,
    is_range,
    issue_number,
    join_sentences,
    labelled_volume,
    name_case,
    numbered_edition,
    page_label,
    quote_title,
    series_of,
    shorten_pages_mla,
    translators,
    undated_words,
    volume_count,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names
from wellsourced.citations.styles.title_case import title_case
from wellsourced.text.partial_dates import PartialDate

AUTHORS = NameRule(turned="first", initial=None, and_two=", and ", most=2, et_al=", et al.")
EDITORS = NameRule(turned="none", initial=None, most=2)
NUMBERED = frozenset({"article-journal", "book", "chapter", "paper-conference"})
QUOTED_ALONE = frozenset({"article", "dataset", "document", "manuscript", "paper-conference", "speech"})
EDITORS_FIRST = frozenset({"book", "chapter", "webpage"})
DATED_TO_THE_YEAR = frozenset({"book", "chapter", "thesis", "report", "paper-conference"})


def format_entry(reference: Reference) -> str:
    seen = reference.accessed
    front = [_people(reference), _title(reference), genre_of(reference)]
    source, database = _source(reference)
    seen_on = f"Accessed {format_day_first(seen)}" if seen and best_link(reference) and not reference.doi else ""
    series = "" if _is_serial(reference) else title_case(series_of(reference), reference.language)
    count = f"{volume_count(reference)} vols" if volume_count(reference) else ""
    # With a database named, series and number of volumes belong to what is found in it.
    behind = [source, series, count, database, seen_on] if database else [source, seen_on, series, count]
    return join_sentences([*front, *behind])


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    """The first turned round; of two the second as it is read; of three or more the first and others."""
    return write_names(people, AUTHORS, et_al)


def _people(reference: Reference) -> str | None:
    if reference.authors:
        return format_names(reference.authors, reference.et_al)
    if reference.editors and (not is_part_of_work(reference) or reference.type in EDITORS_FIRST):
        return f"{format_names(reference.editors)}, {'editors' if len(reference.editors) > 1 else 'editor'}"
    return None


def _title(reference: Reference) -> str | None:
    if not reference.title:
        return None
    title = title_case(reference.title, reference.language)
    is_quoted = is_part_of_work(reference) or reference.type in QUOTED_ALONE
    return quote_title(title) if is_quoted and reference.type != "book" else title


def _source(reference: Reference) -> tuple[str, str]:
    """The container and all that says where in it the work is, in the handbook's order; a database and its link."""
    is_part = is_part_of_work(reference) and reference.type not in EDITORS_FIRST
    editors = reference.editors if reference.authors or is_part else ()
    pages = shorten_pages_mla(reference.pages)
    parts = (
        _container(reference) if is_part_of_work(reference) else None,
        f"edited by {write_names(editors, EDITORS)}" if editors else None,
        f"translated by {write_names(people, EDITORS)}" if (people := translators(reference)) else None,
        numbered_edition(reference),
        _volume(reference),
        _issue(reference),
        _number(reference),
        _publisher(reference),
        _date(reference),
        reference.extra.get("archive"),
        page_label(pages) if pages else None,
    )
    text = ", ".join(part for part in parts if part)
    text = text[:1].upper() + text[1:] if text.startswith(("edited", "translated")) else text
    database, link = reference.extra.get("source"), best_link(reference)
    if database and link:
        return text, f"{database}, {link}"
    return ", ".join(part for part in (text, link) if part), ""


def _volume(reference: Reference) -> str | None:
    """Not that of a series, which stands behind its name."""
    in_series = reference.type == "book" and series_of(reference) and not is_part_of_work(reference)
    if in_series or (reference.type == "webpage" and not reference.container):
        return None
    return labelled_volume(reference, "vols." if is_range(reference.volume or "") else "vol.")


def _is_serial(reference: Reference) -> bool:
    """A journal, or a conference that nobody edited as a book."""
    is_paper = reference.type == "paper-conference" and not reference.editors
    return reference.type.startswith("article-") or is_paper


def _container(reference: Reference) -> str:
    place = f" [{reference.place}]" if reference.place and _is_serial(reference) else ""
    series = reference.extra.get("collection-title") if _is_serial(reference) else None
    title = f"{name_case(reference)}{place}"
    return f"{title}, {series}" if series else title


def _publisher(reference: Reference) -> str | None:
    return None if _is_serial(reference) else reference.publisher


def _issue(reference: Reference) -> str | None:
    issue = issue_number(reference)
    return f"{'nos.' if is_range(issue) else 'no.'} {issue}" if issue else None


def _date(reference: Reference) -> str | None:
    is_year_only = reference.type in DATED_TO_THE_YEAR
    if reference.date and not is_year_only:
        is_journal = reference.type == "article-journal"
        return format_day_first(
            PartialDate(reference.date.year, reference.date.month) if is_journal else reference.date
        )
    return year_with_era(reference.year) if reference.year is not None else undated_words(reference)


def _number(reference: Reference) -> str | None:
    """The number of an article that has no pages, or of a part."""
    number = reference.extra.get("number") if reference.type in NUMBERED else None
    is_bare = reference.type == "paper-conference" and not is_numeric(number or "")
    return f"no. {number}" if number and not is_bare else number
