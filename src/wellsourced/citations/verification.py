"""What came of checking a citation, and who said what: evidence in sentences, for whoever has to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from wellsourced.citations.candidate_search import CandidateSearchResult, Confidence
from wellsourced.citations.link_checker import CheckedLink
from wellsourced.citations.match.record_comparison import RecordComparison
from wellsourced.citations.parse.citation import CitationKind
from wellsourced.citations.reference import Reference
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.tool.base import OutputPart
from wellsourced.upstreams.types.paper import Integrity, Paper

Status: TypeAlias = Literal["confirmed", "uncertain", "not_found"]
# pydantic leaves out None fields; a word in its place keeps the field in the answer.
UNKNOWN: Literal["unknown"] = "unknown"

Existence: TypeAlias = Annotated[
    bool | Literal["unknown"],
    BeforeValidator(lambda value: UNKNOWN if value is None else value),
    PlainSerializer(lambda value: None if value == UNKNOWN else value),
    WithJsonSchema({"type": ["boolean", "null"]}),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationNote:
    """Who was asked, and what came of it."""

    source: str
    finding: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """`exists` is None when nobody could tell. `possible` is a work that may be the one that was meant."""

    kind: CitationKind
    cited: Reference
    exists: bool | None
    status: Status
    record: Paper | None = None
    possible: Paper | None = None
    comparison: RecordComparison | None = None
    confidence: Confidence | None = None
    integrity: LookupAnswer[Integrity] | None = None
    link: CheckedLink | None = None
    detected_doi: str | None = None
    differences: tuple[str, ...] = ()
    caveat: str | None = None
    evidence: tuple[VerificationNote, ...] = ()

    @property
    def retraction(self) -> Integrity | None:
        return self.integrity.value if self.integrity else None


def record_note(scheme: str, record: LookupAnswer[Paper]) -> VerificationNote:
    if record.value:
        return VerificationNote(source=record.value.source, finding=f"Record by {scheme}: {record.value.title}")
    finding = record.why or "no record"
    return VerificationNote(source=", ".join(record.sources) or "catalogues", finding=finding)


def integrity_note(found: LookupAnswer[Integrity]) -> VerificationNote:
    source = ", ".join(found.sources) or "retraction check"
    if found.value:
        return VerificationNote(source=source, finding=f"{found.value.kind} recorded by {found.value.source}")
    finding = (
        "nothing is recorded against the work" if found.state == "none" else f"not checked: {found.why or 'no answer'}"
    )
    return VerificationNote(source=source, finding=finding)


def search_note(result: CandidateSearchResult) -> VerificationNote:
    failed = f"; could not ask {', '.join(result.failed)}" if result.failed else ""
    best = result.best
    if not (result.asked or result.failed):
        return VerificationNote(source="catalogues", finding="nothing was given to search for")
    if best is None or best.confidence == "none":
        return VerificationNote(
            source=", ".join(result.asked) or "catalogues", finding=f"no work like it was found{failed}"
        )
    finding = f"best match ({best.confidence}): {best.paper.title}{failed}"
    return VerificationNote(source=", ".join(result.asked), finding=finding)


def link_note(link: CheckedLink) -> VerificationNote:
    finding = link.reason or f"HTTP {link.http_status}"
    return VerificationNote(
        source="link", finding=finding if link.live is not None else f"could not be checked: {finding}"
    )


class FieldCheckPart(OutputPart):
    field: str
    cited: str
    recorded: str | None = None
    result: str
    grade: str | None = None
    note: str | None = None


def field_check_parts(comparison: RecordComparison | None) -> list[FieldCheckPart]:
    """Every cited field beside the recorded one."""
    return [FieldCheckPart.from_record(check) for check in comparison.checks] if comparison else []


def existence(exists: bool | None) -> bool | Literal["unknown"]:
    return UNKNOWN if exists is None else exists
