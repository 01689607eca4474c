"""filing_search: disclosures of US public companies, and single figures out of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from wellsourced.errors import BadInput
from wellsourced.records.record_search import RecordList, check_date_window, look_up, record_fields
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import build_query, used_filters
from wellsourced.tool.sources import FoundSource, WorkDetails
from wellsourced.upstream import Kind
from wellsourced.upstream_client.entities import COMPANY, resolution_note
from wellsourced.upstreams.types.records import Fact, Filing, FilingQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.entities import Entities
    from wellsourced.upstream_client.lookup import Lookup, LookupResult
    from wellsourced.upstreams.types.entity import Entity

SEC = "U.S. Securities and Exchange Commission"


class FilingSearchInput(ToolInput):
    query: str | None = Field(None, max_length=500, description="Company name, ticker or CIK, or words to find.")
    form_type: str | None = Field(None, description="e.g. 10-K, DEF 14A.")
    ticker: str | None = Field(None, description="Ticker; goes before query.")
    date_from: str | None = Field(None, description="YYYY-MM-DD.")
    date_to: str | None = Field(None, description="YYYY-MM-DD.")
    facts: bool = Field(False, description="Reported figures (XBRL) instead of filings.")
    concept: str | None = Field(None, description="One figure over the years, e.g. revenue.")
    num_results: int = Field(5, ge=1, le=10, description="How many.")
    provider: str | None = Field(None, description="edgar.")
    session_id: SessionId = None

    @model_validator(mode="after")
    def names_something(self) -> FilingSearchInput:
        if not (self.query or "").strip() and not (self.ticker or "").strip():
            raise ValueError("query or ticker is required.")
        return self

    @model_validator(mode="after")
    def has_a_readable_window(self) -> FilingSearchInput:
        check_date_window(self.date_from, self.date_to)
        return self


class FilingResult(OutputPart):
    company: str | None = None
    cik: str | None = None
    form_type: str | None = None
    filing_date: str | None = None
    period_of_report: str | None = None
    accession: str | None = None
    url: str | None = None
    description: str | None = None
    source: str | None = None
    concept: str | None = None
    unit: str | None = None
    value: str | None = None
    period_start: str | None = None
    period_days: int | None = None
    fiscal_year: str | None = None
    fiscal_period: str | None = None
    record: str | None = None


class FilingSearchOutput(RecordList):
    filings: list[FilingResult]
    provider: str

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=f.url,
                title=f"{f.company or ''} {f.form_type or ''}".strip(),
                type="filing",
                author=f.company,
                date=f.filing_date,
                work=WorkDetails(kind="report", publisher=SEC, number=f.accession),
            )
            for f in self.filings
            if f.url
        ]


async def run(input: FilingSearchInput, call: Call, lookup: Lookup, entities: Entities) -> FilingSearchOutput:
    query = build_query(FilingQuery, input, text=input.query or "", count=input.num_results)
    looked = await find_filings(query, input.provider, call, lookup, entities)
    filings = [filing_result(item) for item in looked.found.items[: input.num_results]]
    filters = used_filters(input, "form_type", "date_from", "date_to")
    asked = input.query or input.ticker or ""
    return FilingSearchOutput(filings=filings, **record_fields(asked, filings, looked, filters, input))


async def find_filings(
    query: FilingQuery, provider: str | None, call: Call, lookup: Lookup, entities: Entities
) -> LookupResult:
    """What SEC has; a company that it does not know by this name is asked for by the CIK that Wikidata knows."""
    looked, problem = None, None
    try:
        looked = await look_up(Kind.FILINGS, query, provider, call, lookup)
    except BadInput as error:
        problem = error
    is_name = bool(query.text) and not query.ticker and (query.facts or not problem)
    if is_name and not (looked and looked.found.items):
        company = await entities.resolve(query.text, COMPANY, call.deadline)
        if company:
            return await ask_by_cik(query, company, provider, call, lookup)
    if looked is None:
        raise problem or AssertionError("neither an answer nor an error")
    return looked


async def ask_by_cik(
    query: FilingQuery, company: Entity, provider: str | None, call: Call, lookup: Lookup
) -> LookupResult:
    cik = company.identifiers["CIK"]
    again = await look_up(Kind.FILINGS, replace(query, text="", ticker=cik), provider, call, lookup)
    note = resolution_note(query.text, company, f"CIK {cik}")
    return replace(again, found=replace(again.found, notes=(note, *again.found.notes)))


def filing_result(item: Filing | Fact) -> FilingResult:
    """A filing; or a figure with its period, so that a quarter cannot be taken for a year."""
    if isinstance(item, Filing):
        return FilingResult.from_record(item, record=item.origin.record)
    return FilingResult.from_record(
        item,
        period_of_report=item.end,
        description=item.label,
        period_start=item.start,
        period_days=item.days,
        record=item.origin.record,
    )


TOOL = Tool(
    name="filing_search",
    title="Company filings",
    description=(
        "Search SEC EDGAR for filings of US public companies, or with facts=true their reported figures exactly "
        "as filed. Read a filing with scrape_page, section=Item 1A."
    ),
    input=FilingSearchInput,
    output=FilingSearchOutput,
    run=run,
    toolset="domain",
    order=210,
    label="filing search",
    cache=86400,
    when=("EDGAR_CONTACT_EMAIL", "OPENALEX_EMAIL"),
)
