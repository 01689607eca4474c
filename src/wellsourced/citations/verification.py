"""What came of checking a citation, and who said what: evidence in sentences, for whoever has to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.citations.candidates import Confidence, Looked
from wellsourced.citations.links import Link
from wellsourced.citations.match.agreement import Agreement
from wellsourced.citations.recognise import CitationKind
from wellsourced.citations.reference import Reference
from wellsourced.scholarly.finding import Finding
from wellsourced.upstreams.types.paper import Integrity, Paper

Status: TypeAlias = Literal["confirmed", "uncertain", "not_found"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
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
    agreement: Agreement | None = None
    confidence: Confidence | None = None
    integrity: Finding[Integrity] | None = None
    link: Link | None = None
    detected_doi: str | None = None
    differences: tuple[str, ...] = ()
    caveat: str | None = None
    evidence: tuple[Evidence, ...] = ()

    @property
    def retraction(self) -> Integrity | None:
        return self.integrity.value if self.integrity else None


def record_told(scheme: str, record: Finding[Paper]) -> Evidence:
    if record.value:
        return Evidence(source=record.value.source, finding=f"Record by {scheme}: {record.value.title}")
    said = record.why or "no record"
    return Evidence(source=", ".join(record.sources) or "catalogues", finding=said)


def integrity_told(found: Finding[Integrity]) -> Evidence:
    who = ", ".join(found.sources) or "retraction check"
    if found.value:
        return Evidence(source=who, finding=f"{found.value.kind} recorded by {found.value.source}")
    said = (
        "nothing is recorded against the work" if found.state == "none" else f"not checked: {found.why or 'no answer'}"
    )
    return Evidence(source=who, finding=said)


def looked_told(looked: Looked) -> Evidence:
    failed = f"; could not ask {', '.join(looked.failed)}" if looked.failed else ""
    best = looked.best
    if not (looked.asked or looked.failed):
        return Evidence(source="catalogues", finding="nothing was given to search for")
    if best is None or best.confidence == "none":
        return Evidence(source=", ".join(looked.asked) or "catalogues", finding=f"no work like it was found{failed}")
    said = f"best match ({best.confidence}): {best.paper.title}{failed}"
    return Evidence(source=", ".join(looked.asked), finding=said)


def link_told(link: Link) -> Evidence:
    said = link.reason or f"HTTP {link.http_status}"
    return Evidence(source="link", finding=said if link.live is not None else f"could not be checked: {said}")
