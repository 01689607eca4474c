"""legal_search: opinions of US courts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field, model_validator

from wellsourced.records.date_window import check_date_window
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.hints import filled, hints
from wellsourced.tool.listing import Listing
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.records import Case, CaseQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup


class LegalSearchInput(ToolInput):
    query: str = Field(min_length=1, max_length=500, description="Topic, case name or statute.")
    jurisdiction: str | None = Field(None, description="Court id, e.g. scotus, ca9, ny.")
    date_from: str | None = Field(None, description="YYYY-MM-DD.")
    date_to: str | None = Field(None, description="YYYY-MM-DD.")
    num_results: int = Field(10, ge=1, le=20, description="How many.")
    provider: str | None = Field(None, description="courtlistener.")
    session_id: str | None = Field(None, alias="sessionId", description="Session.")

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
    citation_count: int | None = None
    status: str | None = None
    snippet: str | None = None
    url: str | None = None
    source: str | None = None


class LegalSearchOutput(Listing):
    empty_lifetime: ClassVar[float] = 0
    cases: list[CaseResult]
    provider: str

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(url=c.url, title=c.case_name or "", type="case", date=c.date_filed) for c in self.cases if c.url
        ]


async def run(input: LegalSearchInput, call: Call, lookup: Lookup) -> LegalSearchOutput:
    query = CaseQuery(
        text=input.query,
        court=input.jurisdiction,
        date_from=input.date_from,
        date_to=input.date_to,
        count=input.num_results,
    )
    looked = await lookup.ask(Kind.CASES, query, provider=input.provider, deadline=call.deadline, trace=call.trace)
    cases = [result(case) for case in looked.found.items[: input.num_results]]
    filters = filled(input, "jurisdiction", "date_from", "date_to")
    return LegalSearchOutput(
        cases=cases,
        query=input.query,
        result_count=len(cases),
        provider=looked.provider,
        notes=list(looked.found.notes) or None,
        hints=None if cases else hints(filters, [looked.provider], []),
        trust=UNTRUSTED,
    )


def result(case: Case) -> CaseResult:
    return CaseResult(
        case_name=case.case_name,
        citation=case.citation,
        citations=list(case.citations) or None,
        court=case.court,
        court_id=case.court_id,
        date_filed=case.date_filed,
        docket_number=case.docket_number,
        citation_count=case.citation_count,
        status=case.status,
        snippet=case.snippet,
        url=case.url,
        source=case.source,
    )


TOOL = Tool(
    name="legal_search",
    title="Court opinions",
    description=(
        "Search opinions of US courts (CourtListener) by topic or case name, e.g. to check that a cited case "
        "exists; read them with scrape_page."
    ),
    input=LegalSearchInput,
    output=LegalSearchOutput,
    run=run,
    toolset="domain",
    order=220,
    label="legal search",
    cache=86400,
)
