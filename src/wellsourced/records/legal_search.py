"""legal_search: opinions of US courts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from wellsourced.records.record_search import RecordList, check_date_window, look_up, record_fields
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import build_query, used_filters
from wellsourced.tool.sources import FoundSource, WorkDetails
from wellsourced.upstream import Kind
from wellsourced.upstream_client.entities import resolution_note
from wellsourced.upstreams.helpers.court_names import court_id, is_unknown_name
from wellsourced.upstreams.types.records import CaseQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.entities import Entities
    from wellsourced.upstream_client.lookup import Lookup

US_COURTS = "courtlistener"


class LegalSearchInput(ToolInput):
    query: str = Field(
        min_length=1,
        max_length=500,
        description="Topic, case name, citations (; between), citing 384 U.S. 436, or dockets: words.",
    )
    jurisdiction: str | None = Field(None, description="Court, e.g. scotus, ca9, ewca/civ.")
    date_from: str | None = Field(None, description="YYYY-MM-DD.")
    date_to: str | None = Field(None, description="YYYY-MM-DD.")
    num_results: int = Field(10, ge=1, le=20, description="How many.")
    provider: str | None = Field(
        None,
        description="courtlistener, find_case_law (UK), eurlex, federal_register, ecfr, congress, regulations.",
    )
    session_id: SessionId = None

    @model_validator(mode="after")
    def has_a_readable_window(self) -> LegalSearchInput:
        check_date_window(self.date_from, self.date_to)
        return self


class CaseResult(OutputPart):
    case_name: str | None = None
    citation: str | None = None
    citations: list[str] | None = None
    court: str | None = None
    court_id: str | None = None
    date_filed: str | None = None
    docket_number: str | None = None
    docket_url: str | None = None
    asked: str | None = None
    judge: str | None = None
    posture: str | None = None
    attorneys: str | None = None
    parties: list[str] | None = None
    citation_count: int | None = None
    status: str | None = None
    snippet: str | None = None
    url: str | None = None
    source: str | None = None


class LegalSearchOutput(RecordList):
    cases: list[CaseResult]
    provider: str
    total: int | None = None
    filters_not_applied: list[str] | None = None

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=c.url,
                title=c.case_name or "",
                type="case",
                date=c.date_filed,
                work=WorkDetails(kind="legal_case", court=c.court, reporter=usual_reporter(c), number=c.docket_number),
            )
            for c in self.cases
            if c.url
        ]


def usual_reporter(case: CaseResult) -> str | None:
    """The place at which the case is usually cited, `401 U.S. 999`, among all where it was printed."""
    places = case.citations or []
    return next((place for place in places if place in (case.citation or "")), next(iter(places), None))


async def run(input: LegalSearchInput, call: Call, lookup: Lookup, entities: Entities) -> LegalSearchOutput:
    query = build_query(CaseQuery, input, text=input.query, court=input.jurisdiction, count=input.num_results)
    court, notes = await known_court(input, call, entities)
    looked = await look_up(Kind.CASES, replace(query, court=court), input.provider, call, lookup)
    looked = replace(looked, found=replace(looked.found, notes=(*notes, *looked.found.notes)))
    cases = [CaseResult.from_record(case) for case in looked.found.items[: input.num_results]]
    filters = used_filters(input, "jurisdiction", "date_from", "date_to")
    return LegalSearchOutput(
        cases=cases,
        total=looked.found.total,
        filters_not_applied=sorted(looked.found.not_applied) or None,
        **record_fields(input.query, cases, looked, filters, input),
    )


async def known_court(input: LegalSearchInput, call: Call, entities: Entities) -> tuple[str | None, tuple[str, ...]]:
    """The court as CourtListener knows it, where only Wikidata has the name that was given for it."""
    name = input.jurisdiction
    if not name or (input.provider or US_COURTS).strip().lower() != US_COURTS or not is_unknown_name(name):
        return name, ()
    entity = await entities.resolve(name, (), call.deadline)
    names = (entity.label, *entity.aliases) if entity else ()
    known = next((court_id(each) for each in names if not is_unknown_name(each)), None)
    return (known, (resolution_note(name, entity, f"the court {known}"),)) if entity and known else (name, ())


TOOL = Tool(
    name="legal_search",
    title="Court opinions",
    description=(
        "Search court opinions by topic, case name or citation, e.g. to check that a cited case exists; with "
        "provider also UK and EU courts and US regulations. Read them with scrape_page."
    ),
    input=LegalSearchInput,
    output=LegalSearchOutput,
    run=run,
    toolset="domain",
    order=220,
    label="legal search",
    cache=86400,
)
