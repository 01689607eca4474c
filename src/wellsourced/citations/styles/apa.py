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
    join_sentences,
    labelled_volume,
    name_case,
    numbered_edition,
    page_label,
    translators,
    undated_words,
    volume_count,
    whole_pages,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_name, write_names

MOST_AUTHORS = 20
AUTHORS = NameRule(and_two=", & ", and_more=", & ")
EDITORS = NameRule(turned="none", and_two=" & ", and_more=", & ")
EDITORS_FIRST = frozenset({"chapter", "webpage"})
DATED_TO_THE_DAY_TEXT = "webpage post-weblog post article-newspaper article-magazine motion_picture speech"
DATED_TO_THE_DAY = frozenset(DATED_TO_THE_DAY_TEXT.split())


def format_entry(reference: Reference) -> str:
    people, role = _people(reference)
    title = _title(reference)
    genre = f"[{genre_of(reference)}]" if genre_of(reference) else ""
    if people:
        title = " ".join(part for part in (title, genre) if part)
    parts = [_with_role(people, role), _date(reference), title] if people else [title, _date(reference), genre]
    parts += [_source(reference), reference.extra.get("archive")]
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
    if reference.editors and (not is_part_of_work(reference) or reference.type in EDITORS_FIRST):
        return format_names(reference.editors), "(Eds.)" if len(reference.editors) > 1 else "(Ed.)"
    return reference.publisher or "" if reference.type == "webpage" else "", ""


def _with_role(people: str, role: str) -> str:
    return f"{people} {role}" if role else people


def _date(reference: Reference) -> str:
    if reference.year is None:
        return f"({undated_words(reference) or 'n.d.'})."
    fine = format_long_date(reference.date, year=False) if reference.date and reference.type in DATED_TO_THE_DAY else ""
    year = year_with_era(reference.year, "B.C.E.")
    return f"({year}, {fine})." if fine else f"({year})."


def _title(reference: Reference) -> str | None:
    title = double_quotes(reference.title or "")
    if not title:
        return title
    if is_part_of_work(reference):
        is_page = reference.type == "webpage"
        about = "; ".join(
            part for part in (_editors_behind(reference) if is_page else "", _translated(reference)) if part
        )
        return f"{title} ({about})" if about else title
    volume = _volume(reference) if reference.type != "webpage" else ""
    if volume == reference.volume:
        title, volume = f"{title}: {volume}", ""
    volume = f"Vols. 1–{volume_count(reference)}" if volume_count(reference) else volume
    is_article = reference.type == "article-journal"
    pages = page_label(whole_pages(reference.pages)) if reference.pages and not is_article else ""
    about = ", ".join(part for part in (numbered_edition(reference), volume, pages) if part)
    number = f"No. {reference.extra['number']}" if reference.type == "book" and "number" in reference.extra else ""
    about = "; ".join(part for part in (_editors_behind(reference), _translated(reference), number, about) if part)
    return f"{title} ({about})" if about else title


def _volume(reference: Reference) -> str:
    return labelled_volume(reference, "Vol.")


def _translated(reference: Reference) -> str:
    people = translators(reference)
    return f"{write_names(people, EDITORS)}, Trans." if people else ""


def _editors_behind(reference: Reference) -> str:
    """The editors of a book that has authors."""
    if not reference.authors or not reference.editors:
        return ""
    return f"{write_names(reference.editors, EDITORS)}, {'Eds.' if len(reference.editors) > 1 else 'Ed.'}"


def _source(reference: Reference) -> str | None:
    if not is_part_of_work(reference):
        if reference.type == "article-journal":
            return whole_pages(reference.pages) or None
        return reference.publisher if reference.type != "webpage" or reference.authors else None
    is_edited_paper = reference.type == "paper-conference" and reference.editors
    if reference.type in {"book", "chapter", "entry-encyclopedia", "entry-dictionary"} or is_edited_paper:
        return _in_book(reference)
    if reference.type == "webpage":
        publisher = reference.publisher if reference.authors else None
        return join_sentences([publisher, name_case(reference)])
    volume = f"{reference.volume or ''}{f'({issue_number(reference)})' if reference.issue else ''}"
    number = reference.extra.get("number")
    pages = f"Article {number}" if number and reference.type == "article-journal" else whole_pages(reference.pages)
    name = name_case(reference)
    series = reference.extra.get("collection-title") if reference.type == "paper-conference" else None
    return ", ".join(part for part in (name, series, volume, pages) if part) or None


def _in_book(reference: Reference) -> str:
    are_first = reference.type in EDITORS_FIRST and not reference.authors
    editors = "" if are_first else write_names(reference.editors, EDITORS)
    role = "(Eds.)" if len(reference.editors) > 1 else "(Ed.)"
    pages = page_label(whole_pages(reference.pages)) if reference.pages else ""
    volume, title = _volume(reference), reference.container
    if volume == reference.volume:
        title, volume = f"{title}: {volume}", ""
    number = f"No. {reference.extra['number']}" if "number" in reference.extra else ""
    about = ", ".join(part for part in (numbered_edition(reference), volume, pages) if part)
    about = "; ".join(part for part in (number, about) if part)
    book = f"{title} ({about})" if about else f"{title}"
    text = f"In {editors} {role}, {book}" if editors else f"In {book}"
    return f"{text}. {reference.publisher}" if reference.publisher else text


def _where(reference: Reference) -> str | None:
    address = best_link(reference)
    seen = reference.accessed
    if address and seen and not reference.doi and not reference.arxiv:
        return f"Retrieved {format_long_date(seen)}, from {address}"
    is_undated = address and reference.year is None and not reference.doi and not reference.arxiv
    return f"Retrieved {address}" if is_undated else address
