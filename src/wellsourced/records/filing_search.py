"""filing_search: disclosures of US public companies, and single figures out of them."""

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
from wellsourced.upstreams.types.records import Fact, Filing, FilingQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup


class FilingSearchInput(ToolInput):
    query: str | None = Field(None, max_length=500, description="Company name, ticker or CIK, or words to find.")
    form_type: str | None = Field(None, description="e.g. 10-K, DEF 14A.")
    ticker: str | None = Field(None, description="Ticker; goes before query.")
    date_from: str | None = Field(None, description="YYYY-MM-DD.")
    date_to: str | None = Field(None, description="YYYY-MM-DD.")
    facts: bool = Field(False, description="Reported figures (XBRL) instead of filings.")
    num_results: int = Field(5, ge=1, le=10, description="How many.")
    provider: str | None = Field(None, description="edgar.")
    session_id: str | None = Field(None, alias="sessionId", description="Session.")

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


class FilingSearchOutput(Listing):
    empty_lifetime: ClassVar[float] = 0
    filings: list[FilingResult]
    provider: str

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=f.url, title=f"{f.company or ''} {f.form_type or ''}".strip(), type="filing", date=f.filing_date
            )
            for f in self.filings
            if f.url
        ]


async def run(input: FilingSearchInput, call: Call, lookup: Lookup) -> FilingSearchOutput:
    query = FilingQuery(
        text=input.query or "",
        ticker=input.ticker,
        form_type=input.form_type,
        date_from=input.date_from,
        date_to=input.date_to,
        facts=input.facts,
        count=input.num_results,
    )
    looked = await lookup.ask(Kind.FILINGS, query, provider=input.provider, deadline=call.deadline, trace=call.trace)
    filings = [fact(item) if isinstance(item, Fact) else filing(item) for item in looked.found.items]
    filings = filings[: input.num_results]
    filters = filled(input, "form_type", "date_from", "date_to")
    return FilingSearchOutput(
        filings=filings,
        query=input.query or input.ticker or "",
        result_count=len(filings),
        provider=looked.provider,
        notes=list(looked.found.notes) or None,
        hints=None if filings else hints(filters, [looked.provider], []),
        trust=UNTRUSTED,
    )


def filing(item: Filing) -> FilingResult:
    return FilingResult(
        company=item.company,
        cik=item.cik,
        form_type=item.form_type,
        filing_date=item.filing_date,
        period_of_report=item.period_of_report,
        accession=item.accession,
        url=item.url,
        description=item.description,
        source=item.source,
        record=item.origin.record,
    )


def fact(item: Fact) -> FilingResult:
    """A figure with its period, so that a quarter cannot be taken for a year, and the filing that states it."""
    return FilingResult(
        company=item.company,
        cik=item.cik,
        form_type=item.form_type,
        filing_date=item.filing_date,
        period_of_report=item.end,
        accession=item.accession,
        url=item.url,
        description=item.label,
        source=item.source,
        concept=item.concept,
        unit=item.unit,
        value=item.value,
        period_start=item.start,
        period_days=item.days,
        fiscal_year=item.fiscal_year,
        fiscal_period=item.fiscal_period,
        record=item.origin.record,
    )


TOOL = Tool(
    name="filing_search",
    title="Company filings",
    description=(
        "Search SEC EDGAR for filings of US public companies, or with facts=true their reported figures exactly "
        "as filed. Read a filing with scrape_page."
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
