"""Harvard, as Cite Them Right has it: the reference list."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    end_sentence,
    format_long_date,
    is_part_of_work,
    issue_number,
    numbered_edition,
    page_label,
    quote_title,
    series_of,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names

AUTHORS = NameRule(initial=".", and_more=" and ", most=3)
EDITORS = NameRule(turned="none", initial=".", most=3)
QUOTED = frozenset({"article-journal", "article-magazine", "article-newspaper", "chapter", "paper-conference"})


def format_entry(reference: Reference) -> str:
    year = f"({year_with_era(reference.year)})" if reference.year is not None else "(no date)"
    people, body = _people(reference), _body(reference)
    front = f"{people} {year}" if people else ""
    if not people:
        title, _, rest = body.partition("\0")
        text = end_sentence(f"{title.rstrip(',.')} {year}{'. ' if rest else ''}{rest}")
        return " ".join(part for part in (text, _where(reference)) if part)
    body = end_sentence(body.replace("\0", " ").strip(", ")) if body.strip(", \0") else ""
    return " ".join(part for part in (front, body, _where(reference)) if part)


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    return write_names(people, AUTHORS, et_al)


def _people(reference: Reference) -> str:
    if reference.authors:
        return format_names(reference.authors, reference.et_al)
    if reference.editors and (not is_part_of_work(reference) or reference.type == "book"):
        return f"{format_names(reference.editors)} {'(eds.)' if len(reference.editors) > 1 else '(ed.)'}"
    return ""


def _body(reference: Reference) -> str:
    """Title and rest, a zero byte between them: without authors the year stands there."""
    title, rest = reference.title or "", _source(reference)
    if reference.type in QUOTED:
        return f"{quote_title(title, ',')}\0{rest}" if title and rest else quote_title(title) if title else rest
    if is_part_of_work(reference) and reference.type != "book":
        return f"{title},\0{rest}" if rest else title
    return f"{end_sentence(title)}\0{rest}" if rest else title


def _source(reference: Reference) -> str:
    pages = page_label(reference.pages) if reference.pages and reference.type != "book" else ""
    imprint = ": ".join(part for part in (reference.place, reference.publisher) if part)
    edited = f"Edited by {write_names(reference.editors, EDITORS)}" if reference.editors and reference.authors else ""
    if reference.type.startswith("article-"):
        volume = f"{reference.volume or ''}{f'({issue_number(reference)})' if reference.issue else ''}"
        return ", ".join(part for part in (reference.container, volume, pages) if part)
    if is_part_of_work(reference) and reference.type != "book":
        behind = ", ".join(part for part in (imprint, pages) if part)
        sentence = end_sentence(_container(reference)) if imprint else f"{_container(reference)}{',' if pages else ''}"
        return f"{sentence} {behind}".strip()
    series = f"({series_of(reference)})" if series_of(reference) else ""
    parts = (reference.extra.get("genre"), numbered_edition(reference), edited, f"{imprint} {series}".strip())
    return " ".join(end_sentence(part) for part in parts if part)


def _container(reference: Reference) -> str:
    if not reference.editors or not reference.authors:
        return reference.container or ""
    role = "(eds.)" if len(reference.editors) > 1 else "(ed.)"
    return f"in {write_names(reference.editors, EDITORS)} {role} {reference.container}"


def _where(reference: Reference) -> str:
    address, seen = best_link(reference), reference.accessed
    if not address:
        return ""
    visited = f" (Accessed: {format_long_date(seen)})" if seen and not reference.doi else ""
    return f"Available at: {address}{visited}."
