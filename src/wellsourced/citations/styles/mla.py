"""MLA, ninth edition: works cited. Facts: the MLA Handbook, chapter 5."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    end_sentence,
    family_first,
    format_day_first,
    given_first,
    is_part_of_work,
    is_range,
    ordinal_edition,
    quote_title,
)


def format_entry(reference: Reference) -> str:
    seen = reference.accessed
    parts = [end_sentence(part) for part in (_people(reference), _title(reference)) if part]
    parts += [end_sentence(source)] if (source := _source(reference)) else []
    if seen and best_link(reference) and not reference.doi:
        parts.append(f"Accessed {format_day_first(seen)}.")
    return " ".join(parts)


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    """The first turned round; of two the second as it is read; of three or more the first and others."""
    first = family_first(people[0], short=False)
    if len(people) > 2 or et_al:
        return f"{first}, et al."
    return f"{first}, and {given_first(people[1])}" if len(people) == 2 else first


def _people(reference: Reference) -> str | None:
    if reference.authors:
        return format_names(reference.authors, reference.et_al)
    if reference.editors and not is_part_of_work(reference):
        return f"{format_names(reference.editors)}, {'editors' if len(reference.editors) > 1 else 'editor'}"
    return None


def _title(reference: Reference) -> str | None:
    title = reference.title
    if not title:
        return None
    if not is_part_of_work(reference) and reference.type not in {"webpage", "article-journal", "article"}:
        return title
    return quote_title(title)


def _source(reference: Reference) -> str | None:
    """The container and all that says where in it the work is, in the handbook's order."""
    editors = [given_first(name) for name in reference.editors] if is_part_of_work(reference) else []
    pages = f"{'pp.' if is_range(reference.pages) else 'p.'} {reference.pages}" if reference.pages else None
    place = reference.publisher if reference.publisher not in {name.literal for name in reference.authors} else None
    parts = (
        reference.container if is_part_of_work(reference) else None,
        f"edited by {' and '.join(editors) if len(editors) < 3 else f'{editors[0]} et al.'}" if editors else None,
        f"{ordinal_edition(reference.edition)} ed." if reference.edition else None,
        f"vol. {reference.volume}" if reference.volume else None,
        f"no. {reference.issue}" if reference.issue else None,
        place if reference.type != "article-journal" else None,
        format_day_first(reference.date) if reference.date else str(reference.year) if reference.year else None,
        pages,
        best_link(reference),
    )
    return ", ".join(part for part in parts if part) or None
