"""verify_citation: one citation before it is relied on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from wellsourced.citations.claim_checker import ClaimCheck
from wellsourced.citations.link_checker import link_fields
from wellsourced.citations.parse.citation import parse_citation
from wellsourced.citations.verification import (
    Existence,
    FieldCheckPart,
    Verification,
    existence,
    field_check_parts,
)
from wellsourced.evidence.difference_part import DifferencePart, difference_parts
from wellsourced.evidence.standing import StandingPart, standing_parts
from wellsourced.scholarly.paper_output import paper_part
from wellsourced.scholarly.retraction_output import RetractionStatus, retraction_status
from wellsourced.text.moments import format_rfc3339
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.citations.citation_verifier import CitationVerifier
    from wellsourced.citations.claim_checker import ClaimChecker


class VerifyCitationInput(ToolInput):
    citation: str = Field(
        min_length=1,
        max_length=4000,
        description="DOI, URL, arXiv id, PMID, ISBN, case citation, or a whole reference.",
    )
    claim: str | None = Field(None, max_length=2000, description="What it is cited for; the source is read for it.")
    quote: str | None = Field(None, max_length=2000, description="Words quoted from it.")


class FieldMatchesPart(OutputPart):
    title: str
    authors: str
    year: str
    venue: str
    volume: str
    pages: str


class VerifyCitationOutput(ToolOutput):
    input: str
    input_type: str
    exists: Existence
    verification_status: str
    matched_record: dict[str, Any] | None = None
    match_confidence: str | None = None
    title_match: str | None = None
    field_matches: FieldMatchesPart | None = None
    differences: list[str] | None = None
    field_checks: list[FieldCheckPart] | None = None
    notice_for: list[str] | None = None
    possible_match: dict[str, Any] | None = None
    detected_doi: str | None = None
    retraction_status: RetractionStatus | None = None
    retraction_checked: bool | None = None
    http_status: int | None = None
    link_live: bool | None = None
    archived_url: str | None = None
    moved_to: str | None = None
    authenticity_caveat: str | None = None
    claim: str | None = None
    claim_support: str | None = None
    claim_evidence: list[str] | None = None
    claim_stances: list[str] | None = None
    claim_source_url: str | None = None
    source_standing: list[StandingPart] | None = None
    claim_note: str | None = None
    contrast_signal: bool | None = None
    claim_differences: list[DifferencePart] | None = None
    quotation: str | None = None
    provenance: list[str]
    checked_at: str | None = None
    trust: str


async def run(
    input: VerifyCitationInput, call: Call, citation_verifier: CitationVerifier, claim_checker: ClaimChecker
) -> VerifyCitationOutput:
    citation, asked_at = parse_citation(input.citation), datetime.now(UTC)
    verification = await citation_verifier.verify(citation, deadline=call.deadline, tenant=call.identity.tenant)
    claim_check = None
    if input.claim or input.quote:
        claim_check = await claim_checker.check(
            input.claim or f"“{input.quote}”",
            quote=input.quote,
            url=citation.url or case_address(verification),
            link=verification.link,
            record=verification.record,
            tenant=call.identity.tenant,
            deadline=call.deadline,
        )
    return make_output(input.citation, verification, claim_check, asked_at)


def case_address(verification: Verification) -> str | None:
    """Where a decision that was found can be read."""
    return verification.record.url if verification.kind == "case" and verification.record else None


def make_output(
    given: str, verification: Verification, claim_check: ClaimCheck | None, asked_at: datetime
) -> VerifyCitationOutput:
    comparison, link, integrity = verification.comparison, verification.link, verification.integrity
    return VerifyCitationOutput(
        input=given,
        input_type=verification.kind,
        exists=existence(verification.exists),
        verification_status=verification.status,
        matched_record=paper_part(verification.record).model_dump(by_alias=True, exclude_none=True)
        if verification.record
        else None,
        match_confidence=verification.confidence,
        title_match=comparison.title_match if comparison else None,
        field_matches=FieldMatchesPart.from_record(comparison.fields) if comparison else None,
        differences=list(verification.differences) or None,
        field_checks=field_check_parts(comparison) or None,
        notice_for=list(verification.record.notice_for) or None if verification.record else None,
        possible_match=paper_part(verification.possible).model_dump(by_alias=True, exclude_none=True)
        if verification.possible
        else None,
        detected_doi=verification.detected_doi,
        retraction_status=retraction_status(verification.retraction),
        retraction_checked=integrity.is_known if integrity else None,
        **link_fields(link),
        authenticity_caveat=verification.caveat,
        provenance=[f"{item.source}: {item.finding}" for item in verification.evidence],
        checked_at=format_rfc3339(asked_at.replace(microsecond=0)),
        trust=UNTRUSTED,
        **claim_fields(claim_check),
    )


def claim_fields(claim_check: ClaimCheck | None) -> dict[str, Any]:
    if claim_check is None:
        return {}
    return {
        "claim": claim_check.claim,
        "claim_support": claim_check.support,
        "claim_evidence": list(claim_check.evidence) or None,
        "claim_stances": list(claim_check.stances) or None,
        "claim_source_url": claim_check.source_url,
        "source_standing": standing_parts(claim_check.standings),
        "claim_note": claim_check.reason,
        "contrast_signal": claim_check.contrast or None,
        "claim_differences": difference_parts(claim_check.differences),
        "quotation": claim_check.quotation,
    }


TOOL = Tool(
    name="verify_citation",
    title="Verify a citation",
    description=(
        "Check one citation: that it exists, agrees with the record, is not retracted, that its link is alive "
        "and, with claim, that the source deals with it. Evidence, not a verdict."
    ),
    input=VerifyCitationInput,
    output=VerifyCitationOutput,
    run=run,
    toolset="trust",
    order=240,
    label="verification",
    asks_anew=True,
)
