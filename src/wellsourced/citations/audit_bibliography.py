"""audit_bibliography: a whole reference list at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from wellsourced.citations.bibliography_auditor import MOST_ENTRIES, AuditedEntry, BibliographyAudit
from wellsourced.citations.claim_checker import ClaimCheck
from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.link_checker import link_fields
from wellsourced.citations.reference import Reference
from wellsourced.citations.verification import (
    Existence,
    FieldCheckPart,
    Verification,
    existence,
    field_check_parts,
)
from wellsourced.citations.webpage_citation import page_reference, reference_from_source
from wellsourced.errors import BadInput
from wellsourced.evidence.difference_part import DifferencePart, difference_parts, difference_sentence
from wellsourced.evidence.standing import StandingPart, standing_parts
from wellsourced.scholarly.retraction_output import RetractionStatus, retraction_status
from wellsourced.text.moments import format_rfc3339
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.citations.bibliography_auditor import BibliographyAuditor
    from wellsourced.library.connector import Connector
    from wellsourced.pages.reader import Reader
    from wellsourced.sessions.sessions import Sessions

LONGEST = 5_000_000
PROBLEMS_TOLD = 20
ADDRESS = re.compile(r"https?://\S{4,4000}", re.IGNORECASE)
# An id of the library, or the address of something that was kept for this caller.
STORED = re.compile(r"[a-z2-7]{16}|research://\S{4,200}")


class BibliographyEntryInput(ToolInput):
    url: str | None = None
    title: str | None = None
    author: str | None = Field(None, description="Separated by ';'.")
    site: str | None = Field(None, description="Journal or site.")
    date: str | None = None
    doi: str | None = None
    claim: str | None = Field(None, max_length=2000, description="What it is cited for.")


class AuditBibliographyInput(ToolInput):
    bibliography: str | None = Field(
        None,
        max_length=LONGEST,
        description="References as text, BibTeX, RIS, CSL-JSON, or a document's URL or id; or entries, sessionId.",
    )
    format: Literal["auto", "csl-json", "ris", "bibtex", "endnote-xml", "text"] = Field(
        "auto", description="Format of bibliography."
    )
    entries: list[BibliographyEntryInput] | None = Field(
        None, max_length=2000, description="References one by one; come first."
    )
    session_id: str | None = Field(None, alias="sessionId", description="Session to audit.")

    @property
    def is_personal(self) -> bool:
        """What only this caller may see: a document of the library, a session."""
        return bool(self.session_id) or STORED.fullmatch((self.bibliography or "")[:300].strip()) is not None


class AuditSummary(OutputPart):
    total: int
    retracted: int
    dead_link: int
    not_found: int
    mismatch: int
    unchecked: int
    mischaracterized: int
    ok: int


class AuditedEntryPart(OutputPart):
    index: int
    key: str | None = None
    title: str | None = None
    doi: str | None = None
    url: str | None = None
    exists: Existence
    flags: list[str]
    reason: str | None = None
    retraction_status: RetractionStatus | None = None
    retraction_checked: bool | None = None
    title_match: str | None = None
    matched_title: str | None = None
    differences: list[str] | None = None
    fields_matched: list[str] | None = None
    field_checks: list[FieldCheckPart] | None = None
    possible_match: dict[str, Any] | None = None
    link_live: bool | None = None
    http_status: int | None = None
    archived_url: str | None = None
    moved_to: str | None = None
    duplicate_of: int | None = None
    claim: str | None = None
    claim_support: str | None = None
    claim_evidence: list[str] | None = None
    claim_stances: list[str] | None = None
    claim_source_url: str | None = None
    claim_note: str | None = None
    source_standing: list[StandingPart] | None = None
    contrast_signal: bool | None = None
    claim_differences: list[DifferencePart] | None = None
    quotation: str | None = None


class AuditBibliographyOutput(ToolOutput):
    source: str
    entry_count: int
    summary: AuditSummary
    entries: list[AuditedEntryPart]
    checked_at: str
    skipped: int | None = None
    skipped_note: str | None = None
    unreadable: list[str] | None = None
    trust: str

    def found_sources(self) -> list[FoundSource]:
        """What the audit of a session says of its sources, so that an export of the session carries it."""
        return [audited_source(entry) for entry in self.entries if entry.url] if self.source == "session" else []


async def run(
    input: AuditBibliographyInput,
    call: Call,
    bibliography_auditor: BibliographyAuditor,
    sessions: Sessions,
    reader: Reader,
    get_connector: Callable[[], Connector],
) -> AuditBibliographyOutput:
    asked_at = datetime.now(UTC).replace(microsecond=0)
    source, wanted, problems = await gather_references(input, call, sessions, reader, get_connector)
    if not wanted:
        raise BadInput("There is nothing to audit: no entry names a work by title, address, DOI or author.")
    audit = await bibliography_auditor.audit(
        wanted, deadline=call.deadline, tenant=call.identity.tenant, progress=call.progress
    )
    repeated = find_duplicates([with_matched_doi(entry) for entry in audit.entries])
    return AuditBibliographyOutput(
        source=source,
        entry_count=len(audit.entries),
        summary=summarise(audit),
        entries=[entry_part(entry, repeated.get(place)) for place, entry in enumerate(audit.entries)],
        checked_at=format_rfc3339(asked_at),
        skipped=audit.skipped or None,
        skipped_note=skipped_note(audit.skipped),
        unreadable=problems or None,
        trust=UNTRUSTED,
    )


async def gather_references(
    input: AuditBibliographyInput,
    call: Call,
    sessions: Sessions,
    reader: Reader,
    get_connector: Callable[[], Connector],
) -> tuple[str, list[tuple[Reference, str | None]], list[str]]:
    """Where the entries come from, the entries with their claims, and what could not be read."""
    if input.entries:
        pairs = [(reference_from_input(given), given.claim or None) for given in input.entries]
        return "entries", pairs if any(cited.identifies_something for cited, _ in pairs) else [], []
    if input.bibliography and input.bibliography.strip():
        text = await fetch_document(input.bibliography.strip(), call, reader, get_connector)
        read = await reader.workers.run(read_bibliography, text, input.format)
        problems = read.complaints[:PROBLEMS_TOLD]
        if not read.entries:
            first_problem = f" {problems[0]}" if problems else ""
            raise BadInput(f"The bibliography holds no entry that could be read.{first_problem}")
        return f"bibliography:{read.format}", [(entry, None) for entry in read.entries], problems
    if input.session_id:
        session = await sessions.fetch(call.identity, input.session_id)
        return "session", [(reference_from_source(item), None) for item in session.sources], []
    raise BadInput("Give one of bibliography, entries or sessionId.")


async def fetch_document(given: str, call: Call, reader: Reader, get_connector: Callable[[], Connector]) -> str:
    """What was pasted, or, where it is nothing but an address or an id of the library, the text of that document."""
    if STORED.fullmatch(given):
        return (await get_connector().fetch(given, call)).text
    if not ADDRESS.fullmatch(given):
        return given
    reading = await reader.read(given, tenant=call.identity.tenant, deadline=call.deadline)
    return reading.page.plain or reading.page.markdown


def with_matched_doi(entry: AuditedEntry) -> Reference:
    """The entry with the DOI of the work it was found to be: one work may be cited with its DOI and without."""
    record = entry.verification.record if entry.verification else None
    return replace(entry.reference, doi=entry.reference.doi or record.doi) if record else entry.reference


def find_duplicates(references: Sequence[Reference]) -> dict[int, int]:
    """Entries that stand in the list already, each with the place of the first: by DOI, else by title and details."""
    first: dict[tuple[object, ...], int] = {}
    repeated: dict[int, int] = {}
    for place, cited in enumerate(references):
        names = tuple(name.surname.casefold() for name in cited.authors[:1])
        title = "".join(letter for letter in (cited.title or "").casefold() if letter.isalnum())
        key = (cited.doi,) if cited.doi else (title, cited.year, names, cited.volume, cited.pages) if title else ()
        if key and first.setdefault(key, place) != place:
            repeated[place] = first[key]
    return repeated


def reference_from_input(given: BibliographyEntryInput) -> Reference:
    return page_reference(
        given.url or "", given.title or "", given.author or "", given.site or "", given.date or "", given.doi or ""
    )


def summarise(audit: BibliographyAudit) -> AuditSummary:
    counts = audit.counts()
    flags = {name: counts[name] for name in AuditSummary.model_fields if name != "total"}
    return AuditSummary(total=len(audit.entries), **flags)


def entry_part(entry: AuditedEntry, duplicate_of: int | None = None) -> AuditedEntryPart:
    verification, cited, claim = entry.verification, entry.reference, entry.claim
    link = verification.link if verification else None
    possible = verification.possible if verification else None
    return AuditedEntryPart(
        index=entry.index,
        key=cited.key,
        title=cited.title,
        doi=cited.doi,
        url=cited.url,
        exists=existence(verification.exists if verification else None),
        flags=list(entry.flags),
        reason=" ".join([*(sentence for _, sentence in entry.reasons), *claim_remarks(claim)]) or None,
        retraction_status=retraction_status(verification.retraction) if verification else None,
        retraction_checked=verification.integrity.is_known if verification and verification.integrity else None,
        title_match=verification.comparison.title_match if verification and verification.comparison else None,
        matched_title=verification.record.title if verification and verification.record else None,
        **field_results(verification),
        possible_match={"title": possible.title, "doi": possible.doi, "url": possible.url} if possible else None,
        **link_fields(link),
        duplicate_of=duplicate_of,
        claim=claim.claim if claim else None,
        claim_support=claim.support if claim else None,
        claim_evidence=list(claim.evidence) or None if claim else None,
        claim_stances=list(claim.stances) or None if claim else None,
        claim_source_url=claim.source_url if claim else None,
        claim_note=claim.reason if claim else None,
        source_standing=standing_parts(claim.standings) if claim else None,
        contrast_signal=(claim.contrast or None) if claim else None,
        claim_differences=difference_parts(claim.differences) if claim else None,
        quotation=claim.quotation if claim else None,
    )


def audited_source(entry: AuditedEntryPart) -> FoundSource:
    notice = entry.retraction_status
    beside = (
        f"{check.field}: cited “{check.cited}”, recorded “{check.recorded}”"
        for check in entry.field_checks or ()
        if check.result == "differs" and check.grade != "variant"
    )
    return FoundSource(
        url=entry.url or "",
        retraction=" ".join(filter(None, (notice.kind, notice.date))) if notice else None,
        verified=entry.link_live,
        http_status=entry.http_status,
        archived_url=entry.archived_url,
        standing=(*beside, *(["not found in the registry that should hold it"] if "not_found" in entry.flags else [])),
    )


def claim_remarks(claim: ClaimCheck | None) -> list[str]:
    """Where source and claim differ, in words; no flag, since nobody says which of them is right."""
    return [difference_sentence(each) for each in claim.differences] if claim else []


def field_results(verification: Verification | None) -> dict[str, Any]:
    """The names of the fields that agree, and the others in full: a long list must stay readable."""
    checks = field_check_parts(verification.comparison if verification else None)
    return {
        "differences": list(verification.differences) or None if verification else None,
        "fields_matched": [check.field for check in checks if check.result == "match" and not check.note] or None,
        "field_checks": [check for check in checks if check.result != "match" or check.note] or None,
    }


def skipped_note(skipped: int) -> str | None:
    if not skipped:
        return None
    return f"Only the first {MOST_ENTRIES} entries are audited in one call; {skipped} more were left out."


TOOL = Tool(
    name="audit_bibliography",
    title="Audit a bibliography",
    description=(
        "Check a whole reference list: existence, agreement with the record, retraction, link, and the claim "
        "cited for. Every flag has its reason; unchecked says nothing against an entry."
    ),
    input=AuditBibliographyInput,
    output=AuditBibliographyOutput,
    run=run,
    toolset="trust",
    order=280,
    label="audit",
    asks_anew=True,
)
