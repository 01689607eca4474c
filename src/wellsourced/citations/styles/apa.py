"""APA, seventh edition: the reference list. Facts: the Publication Manual, chapters 9 and 10.

Titles keep the capitals they came with: lowering them would hurt names, genes and every German noun.
"""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    double_quotes,
    end_sentence,
    format_long_date,
    genre_of,
    is_part_of_work,
    issue_number,
    numbered_edition,
    page_label,
    whole_pages,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_name, write_names
from wellsourced.citations.styles.title_case import title_case

MOST_AUTHORS = 20
AUTHORS = NameRule(and_two=", & ", and_more=", & ")
EDITORS = NameRule(turned="none", and_two=" & ", and_more=", & ")
DATED_TO_THE_DAY_TEXT = "webpage post-weblog post article-newspaper article-magazine motion_picture speech"
DATED_TO_THE_DAY = frozenset(DATED_TO_THE_DAY_TEXT.split())


def format_entry(reference: Reference) -> str:
    people, role = _people(reference)
    title = _title(reference)
    parts = [_with_role(people, role), _date(reference)] if people else [title, _date(reference)]
    parts += [title if people else None, _source(reference), reference.extra.get("archive")]
    text = " ".join(end_sentence(part) for part in parts if part)
    text = f"(N{text[2:]}" if text.startswith("(n.d.)") else text
    return f"{text} {where}" if (where := _where(reference)) else text


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    """Up to twenty; of more, the first nineteen and the last."""
    written = [write_name(name, AUTHORS) for name in people]
    if len(written) > MOST_AUTHORS:
        return f"{', '.join(written[: MOST_AUTHORS - 1])}, … {written[-1]}"
    if et_al:
        return f"{', '.join(written)}, et al."
    return write_names(people, AUTHORS)


def _people(reference: Reference) -> tuple[str, str]:
    if reference.authors:
        return format_names(reference.authors, reference.et_al), ""
    if reference.editors and not is_part_of_work(reference):
        return format_names(reference.editors), "(Eds.)" if len(reference.editors) > 1 else "(Ed.)"
    return "", ""


def _with_role(people: str, role: str) -> str:
    return f"{people} {role}" if role else people


def _date(reference: Reference) -> str:
    if reference.year is None:
        return "(n.d.)."
    fine = format_long_date(reference.date, year=False) if reference.date and reference.type in DATED_TO_THE_DAY else ""
    year = year_with_era(reference.year, "B.C.E.")
    return f"({year}, {fine})." if fine else f"({year})."


def _title(reference: Reference) -> str | None:
    genre = genre_of(reference)
    if not reference.title or is_part_of_work(reference):
        return double_quotes(reference.title or "") + (f" [{genre}]" if genre and reference.title else "")
    volume = f"Vol. {reference.volume}" if reference.volume and reference.type != "webpage" else ""
    is_article = reference.type == "article-journal"
    pages = page_label(whole_pages(reference.pages)) if reference.pages and not is_article else ""
    about = ", ".join(part for part in (numbered_edition(reference), volume, pages) if part)
    about = "; ".join(part for part in (_editors_behind(reference), about) if part)
    title = double_quotes(reference.title)
    return f"{title} ({about})" if about else title


def _editors_behind(reference: Reference) -> str:
    """The editors of a book that has authors."""
    if not reference.authors or not reference.editors:
        return ""
    return f"{write_names(reference.editors, EDITORS)}, {'Eds.' if len(reference.editors) > 1 else 'Ed.'}"


def _source(reference: Reference) -> str | None:
    if not is_part_of_work(reference):
        if reference.type == "article-journal" and reference.pages:
            return whole_pages(reference.pages)
        return reference.publisher if reference.publisher not in _literals(reference) else None
    is_edited_paper = reference.type == "paper-conference" and reference.editors
    if reference.type in {"chapter", "entry-encyclopedia", "entry-dictionary"} or is_edited_paper:
        return _in_book(reference)
    if reference.type == "webpage":
        return reference.container if reference.container not in _literals(reference) else None
    volume = f"{reference.volume or ''}{f'({issue_number(reference)})' if reference.issue else ''}"
    number = reference.extra.get("number")
    pages = f"Article {number}" if number and reference.type == "article-journal" else whole_pages(reference.pages)
    name = title_case(reference.container or "", reference.language)
    series = reference.extra.get("collection-title") if reference.type == "paper-conference" else None
    parts = (name if reference.container not in _literals(reference) else None, series, volume, pages)
    return ", ".join(part for part in parts if part) or None


def _literals(reference: Reference) -> set[str]:
    """An author who is also the publisher is not named twice."""
    return {name.literal for name in reference.authors}


def _in_book(reference: Reference) -> str:
    editors = write_names(reference.editors, EDITORS)
    role = "(Eds.)" if len(reference.editors) > 1 else "(Ed.)"
    pages = page_label(whole_pages(reference.pages)) if reference.pages else ""
    about = ", ".join(
        part
        for part in (numbered_edition(reference), f"Vol. {reference.volume}" if reference.volume else "", pages)
        if part
    )
    book = f"{reference.container} ({about})" if about else f"{reference.container}"
    text = f"In {editors} {role}, {book}" if editors else f"In {book}"
    return f"{text}. {reference.publisher}" if reference.publisher else text


def _where(reference: Reference) -> str | None:
    address = best_link(reference)
    seen = reference.accessed
    if address and seen and not reference.doi and not reference.arxiv:
        return f"Retrieved {format_long_date(seen)}, from {address}"
    is_undated = address and reference.year is None and not reference.doi and not reference.arxiv
    return f"Retrieved {address}" if is_undated else address
