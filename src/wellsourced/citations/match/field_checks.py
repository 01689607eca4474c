"""Every field of a citation beside the record's: whether it agrees, differs, or could not be compared and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.citations.match.authors import is_same_person
from wellsourced.citations.match.differences import FieldDifference, Grade
from wellsourced.citations.match.fields import FieldMatches
from wellsourced.citations.match.venues import compare_venues
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.identifiers import find_all_isbns
from wellsourced.text.titles import Outcome

CheckResult: TypeAlias = Literal["match", "differs", "not_compared"]

# Shown of a list of authors.
MOST_NAMES = 10
NOT_RECORDED = "The record does not say."
UNCLEAR = "Read from running text, which may have been taken apart wrongly."
APART: dict[str, str] = {
    "title": "The titles are in two languages or scripts, or one is that of a part of the other.",
    "authors": "An organisation and people, or names in two scripts.",
    "container": "A preprint and a journal, or names in two scripts.",
    "volume": "One of them is not a number.",
    "issue": "One of them is not a number.",
    "pages": "Pages and an article number, or pages counted in two ways.",
}
# Kinds that say nothing about the work.
VAGUE = frozenset({"document", "webpage", "article"})
VARIANTS: dict[str, str] = {
    "title": "Nearly the same words.",
    "year": "Online and in print, an edition, a version, or a preprint and its published form.",
    "container": "A short or longer form of the name.",
    "volume": "Counted in another way.",
    "issue": "Counted in another way.",
    "pages": "A part of the pages, or an edition.",
    "publisher": "Imprints and parent houses differ.",
    "type": "Registries and reference managers sort works differently.",
}
# Where nothing of a name agrees, and that is not held against the citation: another difference outweighs it, or a
# series, a site or a publisher stands in its place.
UNLIKE = {"title": "Other words.", "container": "Another name."}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCheck:
    """`grade` says how much a difference weighs: another work, a slip, or a variant that is nobody's mistake."""

    field: str
    cited: str
    recorded: str | None
    result: CheckResult
    grade: Grade | None = None
    note: str | None = None


def check_fields(
    fields: FieldMatches,
    cited: Reference,
    record: Reference,
    differences: Sequence[FieldDifference],
    *,
    free_text: bool,
) -> Iterator[FieldCheck]:
    """One check for each field that the citation has."""
    by_field = {difference.field: difference for difference in differences}
    rows: tuple[tuple[str, str | None, str | None, Outcome], ...] = (
        ("title", cited.title, record.title, fields.title),
        ("authors", _names(cited), _names(record), fields.authors),
        ("year", _text(cited.year), _text(record.year), fields.year),
        ("container", cited.container, record.container, fields.venue),
        ("volume", cited.volume, record.volume, fields.volume),
        ("issue", cited.issue, record.issue, fields.issue),
        ("pages", cited.pages, record.pages, fields.pages),
        ("publisher", cited.publisher, record.publisher, _publisher(cited, record)),
    )
    for field, ours, theirs, outcome in rows:
        if ours:
            check = _check(field, ours, theirs, outcome, by_field.get(field), free_text)
            yield _with_people(check, cited, record) if field == "authors" else check
    if not free_text:
        yield from _type_checks(cited, record)
    yield from _identifier_checks(cited, record)


def _type_checks(cited: Reference, record: Reference) -> Iterator[FieldCheck]:
    """Reference managers have fewer kinds than registries, so another kind is only a variant."""
    if cited.type in VAGUE or record.type == "document":
        return
    is_same = cited.type == record.type or cited.type.partition("-")[0] == record.type.partition("-")[0]
    yield FieldCheck(
        field="type", cited=cited.type, recorded=record.type, result="match" if is_same else "differs",
        grade=None if is_same else "variant", note=None if is_same else VARIANTS["type"],
    )  # fmt: skip


def _check(
    field: str, ours: str, theirs: str | None, outcome: Outcome, difference: FieldDifference | None, free_text: bool
) -> FieldCheck:
    result, grade, note = _judge(field, outcome, theirs, difference, free_text)
    return FieldCheck(field=field, cited=ours, recorded=theirs, result=result, grade=grade, note=note)


def _judge(
    field: str, outcome: Outcome, theirs: str | None, difference: FieldDifference | None, free_text: bool
) -> tuple[CheckResult, Grade | None, str | None]:
    if difference:
        return "differs", difference.grade, difference.sentence
    if outcome == "match":
        return "match", None, None
    if outcome == "not_given":
        return "not_compared", None, None if theirs else NOT_RECORDED
    if outcome == "not_comparable":
        return "not_compared", None, APART.get(field)
    if outcome == "mismatch" and free_text and field != "year":
        return "not_compared", None, UNCLEAR
    apart = UNLIKE.get(field) if outcome == "mismatch" else None
    return "differs", "variant", apart or VARIANTS.get(field)


def _with_people(check: FieldCheck, cited: Reference, record: Reference) -> FieldCheck:
    """Who is missing, who was added, and whether the order is another."""
    if check.result == "not_compared" or check.grade not in {None, "variant"}:
        return check
    places = [_place(name, record.authors) for name in cited.authors]
    known = [place for place in places if place is not None]
    added = len(places) - len(known)
    missing = len(record.authors) - len(set(known))
    notes = [f"{missing} of the record's {len(record.authors)} authors are not named."] if missing else []
    notes += [f"{added} named otherwise than in the record."] if added else []
    notes += ["They are in another order."] if known != sorted(known) else []
    grade: Grade | None = "variant" if notes else check.grade
    return FieldCheck(
        field=check.field, cited=check.cited, recorded=check.recorded, result=check.result, grade=grade,
        note=" ".join(notes) or check.note,
    )  # fmt: skip


def _place(name: Name, people: Sequence[Name]) -> int | None:
    return next((place for place, other in enumerate(people[:200]) if is_same_person(name, other)), None)


def _publisher(cited: Reference, record: Reference) -> Outcome:
    outcome = compare_venues(cited.publisher, record.publisher)
    return "partial" if outcome == "mismatch" else outcome


def _identifier_checks(cited: Reference, record: Reference) -> Iterator[FieldCheck]:
    """Numbers of the work elsewhere; a book has an ISBN for each binding, so another one is only a variant."""
    for field, ours, theirs in (
        ("doi", cited.doi, record.doi),
        ("pmid", cited.pmid, record.pmid),
        ("arxiv", cited.arxiv, record.arxiv),
    ):
        if ours and theirs:
            is_same = ours.strip().casefold() == theirs.strip().casefold()
            result: CheckResult = "match" if is_same else "differs"
            yield FieldCheck(
                field=field, cited=ours, recorded=theirs, result=result, grade=None if is_same else "variant"
            )
    if cited.isbn and record.isbn:
        is_same = bool(find_all_isbns(cited.isbn) & find_all_isbns(record.isbn))
        yield FieldCheck(
            field="isbn",
            cited=cited.isbn,
            recorded=record.isbn,
            result="match" if is_same else "differs",
            grade=None if is_same else "variant",
            note=None if is_same else "Each binding and edition has its own number.",
        )


def _names(reference: Reference) -> str | None:
    shown = "; ".join(name.display for name in reference.authors[:MOST_NAMES])
    more = " et al." if reference.et_al or len(reference.authors) > MOST_NAMES else ""
    return shown + more if shown else None


def _text(year: int | None) -> str | None:
    return str(year) if year is not None else None
