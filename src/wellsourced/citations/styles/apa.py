"""APA, seventh edition: the reference list. Facts: the Publication Manual, chapters 9 and 10.

Titles keep the capitals they came with: lowering them would hurt names, genes and every German noun.
"""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    best_link,
    end_sentence,
    family_first,
    format_long_date,
    given_first,
    is_part_of_work,
    is_range,
    ordinal_edition,
    year_with_era,
)

MOST_AUTHORS = 20
DATED_TO_THE_DAY_TEXT = "webpage post-weblog post article-newspaper article-magazine motion_picture speech"
DATED_TO_THE_DAY = frozenset(DATED_TO_THE_DAY_TEXT.split())


def format_entry(reference: Reference) -> str:
    people, role = _people(reference)
    title = _title(reference)
    parts = [_with_role(people, role), _date(reference)] if people else [title, _date(reference)]
    parts += [title if people else None, _source(reference)]
    text = " ".join(end_sentence(part) for part in parts if part)
    return f"{text} {where}" if (where := _where(reference)) else text


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    """Up to twenty; of more, the first nineteen and the last."""
    written = [family_first(name, short=True) for name in people]
    if len(written) > MOST_AUTHORS:
        return f"{', '.join(written[: MOST_AUTHORS - 1])}, . . . {written[-1]}"
    if et_al:
        return f"{', '.join(written)}, et al."
    if len(written) == 2 and any(name.literal for name in people):
        return " & ".join(written)
    return f"{', '.join(written[:-1])}, & {written[-1]}" if len(written) > 1 else "".join(written)


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
    return f"({year_with_era(reference.year)}, {fine})." if fine else f"({year_with_era(reference.year)})."


def _title(reference: Reference) -> str | None:
    edition = f"{ordinal_edition(reference.edition)} ed." if reference.edition else ""
    volume = f"Vol. {reference.volume}" if reference.volume and not is_part_of_work(reference) else ""
    about = ", ".join(part for part in (edition, volume) if part)
    pages = f" ({about})" if about and not is_part_of_work(reference) else ""
    return f"{reference.title}{pages}" if reference.title else None


def _source(reference: Reference) -> str | None:
    if not is_part_of_work(reference):
        return reference.publisher if reference.publisher not in _literals(reference) else None
    if reference.type in {"chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"}:
        return _in_book(reference)
    volume = f"{reference.volume or ''}{f'({reference.issue})' if reference.issue else ''}"
    parts = (reference.container if reference.container not in _literals(reference) else None, volume, reference.pages)
    return ", ".join(part for part in parts if part) or None


def _literals(reference: Reference) -> set[str]:
    """An author who is also the publisher is not named twice."""
    return {name.literal for name in reference.authors}


def _in_book(reference: Reference) -> str:
    editors = [given_first(name, short=True) for name in reference.editors]
    role = "(Eds.)" if len(editors) > 1 else "(Ed.)"
    joined = " & ".join(editors) if len(editors) < 3 else f"{', '.join(editors[:-1])}, & {editors[-1]}"
    pages = f"{'pp.' if is_range(reference.pages) else 'p.'} {reference.pages}" if reference.pages else ""
    edition = f"{ordinal_edition(reference.edition)} ed." if reference.edition else ""
    about = ", ".join(part for part in (edition, f"Vol. {reference.volume}" if reference.volume else "", pages) if part)
    book = f"{reference.container} ({about})" if about else f"{reference.container}"
    text = f"In {joined} {role}, {book}" if editors else f"In {book}"
    return f"{text}. {reference.publisher}" if reference.publisher else text


def _where(reference: Reference) -> str | None:
    address = best_link(reference)
    seen = reference.accessed
    if address and seen and not reference.doi and not reference.arxiv:
        return f"Retrieved {format_long_date(seen)}, from {address}"
    return address
