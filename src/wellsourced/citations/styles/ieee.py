"""IEEE: the numbered reference list. Facts: the IEEE Reference Guide."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    end_sentence,
    hyphenate,
    issue_number,
    journal_name,
    numbered_edition,
    page_label,
    quote_title,
    undated_words,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names
from wellsourced.text.partial_dates import PartialDate

AUTHORS = NameRule(turned="none", most=6)
EDITORS = NameRule(turned="none")
SHORT_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "Jun.", "Jul.", "Aug.", "Sep.", "Oct.", "Nov.", "Dec.")
IN_ITALICS = frozenset(
    {"book", "legal_case", "legislation", "bill", "motion_picture", "software", "standard", "graphic"}
)
DATED_TO_THE_MONTH = frozenset({"article-journal", "report", "paper-conference"})
DATED_TO_THE_YEAR = frozenset({"book", "chapter", "thesis", "legal_case", "legislation", "bill", "graphic"})
QUOTED_END = ',"'
PAGES_OF_SITES = frozenset({"webpage", "post", "post-weblog"})


def format_entry(reference: Reference) -> str:
    front = [f"{_people(reference)},"] if reference.authors or reference.editors else []
    text = " ".join([*front, *_body(reference)])
    link = _found_at(reference)
    is_serial = reference.type == "article-journal" or (_is_serial(reference) and text.endswith('"'))
    if is_serial and link:
        return f"{text}{'' if text.endswith(',') or text.endswith(QUOTED_END) else ','} {link}"
    is_bare = is_serial and text.endswith('"') and not text.endswith(QUOTED_END)
    ended = f"{text}." if is_bare else end_sentence(text.rstrip(","))
    return " ".join(part for part in (ended, link) if part)


def _is_serial(reference: Reference) -> bool:
    """An article, or a paper of which nothing is known but its title."""
    is_paper = reference.type == "paper-conference" and not reference.container
    return is_paper or reference.type == "article-journal"


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    return write_names(people, AUTHORS, et_al)


def _people(reference: Reference) -> str:
    if reference.authors:
        return format_names(reference.authors, reference.et_al)
    return f"{format_names(reference.editors)}, {'Eds.' if len(reference.editors) > 1 else 'Ed.'}"


def _body(reference: Reference) -> list[str]:
    title = reference.title or ""
    if reference.type in IN_ITALICS:
        opened = ", ".join(part for part in (title, *_numbers(reference)) if part)
        behind = ", ".join(part for part in (_imprint(reference), _date(reference), _pages(reference)) if part)
        return [part for part in (end_sentence(opened) if opened else "", _series(reference), behind) if part]
    parts = ", ".join(part for part in _details(reference) if part)
    # With nothing behind it, the end of the entry stands outside the quotation marks.
    is_bare = not parts and _is_serial(reference)
    is_open = parts or (is_bare and reference.type == "paper-conference" and _found_at(reference))
    quoted = f'"{title}"' if is_bare and not is_open else quote_title(title, "," if is_open else ".")
    return [part for part in (quoted if title else "", parts) if part]


def _details(reference: Reference) -> list[str]:
    if reference.type == "article-journal":
        return [journal_name(reference), *_numbers(reference), _pages(reference), _date(reference)]
    if reference.type in PAGES_OF_SITES:
        return [reference.container or ""]
    behind = [_imprint(reference), _date(reference), _pages(reference)]
    if reference.type == "paper-conference":
        return [_inside(reference), _editors(reference), *_behind_series(reference, behind)]
    if reference.type == "chapter":
        return [_inside(reference), *_numbers(reference), _editors(reference), *_behind_series(reference, behind)]
    if reference.type in {"report", "thesis"}:
        genre = " ".join(part for part in (reference.extra.get("genre"), reference.extra.get("number")) if part)
        return (
            [genre, _imprint(reference), _date(reference)]
            if reference.type == "thesis"
            else [_imprint(reference), genre, _date(reference)]
        )
    return [reference.container or "", *_numbers(reference), _imprint(reference), _pages(reference), _date(reference)]


def _inside(reference: Reference) -> str:
    return f"in {reference.container}" if reference.container else ""


def _behind_series(reference: Reference, behind: list[str]) -> list[str]:
    """A series ends in a full stop, without a comma behind it."""
    series, rest = _series(reference), ", ".join(part for part in behind if part)
    return [f"{series} {rest}".strip()] if series else [rest]


def _numbers(reference: Reference) -> list[str]:
    volume = f"vol. {reference.volume}" if reference.volume else ""
    issue = f"no. {issue_number(reference)}" if reference.issue else ""
    is_edited = reference.type in IN_ITALICS or reference.type == "chapter"
    count = reference.extra.get("number-of-volumes", "") if reference.type == "book" else ""
    count = f"{count} vols." if count.isdigit() else ""
    return [numbered_edition(reference) or "" if is_edited else "", volume, count, issue]


def _editors(reference: Reference) -> str:
    if not reference.editors or not reference.authors:
        return ""
    return f"{write_names(reference.editors, EDITORS)}, {'Eds.' if len(reference.editors) > 1 else 'Ed.'}"


def _series(reference: Reference) -> str:
    series = reference.extra.get("collection-title")
    if not series:
        return ""
    number = reference.extra.get("collection-number")
    parts = (f"in {series}", f"no. {number}" if number else "", f"vol. {reference.volume}" if reference.volume else "")
    return ", ".join(part for part in parts if part) + "."


def _imprint(reference: Reference) -> str:
    if reference.type in {"chapter", "paper-conference", *IN_ITALICS}:
        return ": ".join(part for part in (reference.place, reference.publisher) if part)
    return ", ".join(part for part in (reference.publisher, reference.place) if part)


def _pages(reference: Reference) -> str:
    number = reference.extra.get("number")
    if number and reference.type == "article-journal":
        return f"Art. no. {number}"
    return page_label(hyphenate(reference.pages.rstrip("–-"))) if reference.pages else ""


def _date(reference: Reference) -> str:
    if reference.year is None:
        return undated_words(reference)
    date = reference.date or PartialDate(reference.year)
    if reference.type in DATED_TO_THE_YEAR:
        return year_with_era(date.year)
    return _day(PartialDate(date.year, date.month) if reference.type in DATED_TO_THE_MONTH else date)


def _day(date: PartialDate) -> str:
    month = f"{SHORT_MONTHS[date.month - 1]} " if date.month else ""
    day = f"{date.day:02d}, " if date.day else ""
    return f"{month}{day}{year_with_era(date.year)}"


def _found_at(reference: Reference) -> str:
    if reference.doi and reference.type not in PAGES_OF_SITES:
        return f"doi: {reference.doi}."
    if reference.arxiv and not reference.url:
        return f"arXiv: {reference.arxiv}."
    if not reference.url:
        return ""
    seen = f"Accessed: {_day(reference.accessed)}. " if reference.accessed else ""
    return f"{seen}[Online]. Available: {reference.url}"
