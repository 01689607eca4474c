"""econ_search: economic series and their observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from wellsourced.errors import BadInput, NotFound
from wellsourced.records.record_search import RecordList, check_date_window, look_up, record_fields
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import build_query, used_filters
from wellsourced.upstream import Kind
from wellsourced.upstream_client.lookup import LookupResult
from wellsourced.upstreams.types.records import Observation, SeriesHit, SeriesQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup

SERIES_SHOWN = 5
OBSERVATIONS_SHOWN = 10
MOST = 1000


class EconSearchInput(ToolInput):
    query: str | None = Field(None, max_length=500, description="Words to find series by; or give series_id.")
    series_id: str | None = Field(None, description="Series to fetch, e.g. CPIAUCSL, une_rt_m.")
    country: str | None = Field(None, description="ISO code; World Bank default WLD.")
    date_from: str | None = Field(None, description="YYYY-MM-DD or YYYY; then oldest first.")
    date_to: str | None = Field(None, description="YYYY-MM-DD or YYYY.")
    frequency: Literal["d", "w", "m", "q", "a"] | None = Field(None, description="FRED: resample.")
    units: str | None = Field(None, description="FRED: transform, e.g. pch, pc1.")
    num_results: int | None = Field(None, ge=1, le=MOST, description="Default 5 series or 10 observations.")
    provider: str | None = Field(None, description="fred, worldbank, oecd or eurostat.")

    @model_validator(mode="after")
    def asks_something(self) -> EconSearchInput:
        if not (self.query or "").strip() and not (self.series_id or "").strip():
            raise ValueError("query or series_id is required.")
        return self

    @model_validator(mode="after")
    def has_a_readable_window(self) -> EconSearchInput:
        check_date_window(self.date_from, self.date_to, days_only=False)
        return self


class EconResult(OutputPart):
    series_id: str | None = None
    title: str | None = None
    units: str | None = None
    frequency: str | None = None
    last_updated: str | None = None
    notes: str | None = None
    date: str | None = None
    value: str | None = None
    country: str | None = None
    record: str | None = None
    url: str | None = None
    vintage: str | None = None


class EconSearchOutput(RecordList):
    mode: str
    results: list[EconResult]
    query: str | None = None  # type: ignore[assignment]  # a series may be asked for by its id alone
    series_id: str | None = None
    country: str | None = None
    provider: str
    filters_not_applied: list[str] | None = None


async def run(input: EconSearchInput, call: Call, lookup: Lookup) -> EconSearchOutput:
    observing = bool((input.series_id or "").strip())
    count = input.num_results or (OBSERVATIONS_SHOWN if observing else SERIES_SHOWN)
    query = build_query(
        SeriesQuery, input, text=input.query or "", series_id=(input.series_id or "").strip(), count=count
    )
    looked = await look_up_series(query, input.provider, call, lookup)
    results = [econ_result(item) for item in looked.found.items[:count]]
    filters = used_filters(input, "country", "date_from", "date_to", "frequency", "units")
    return EconSearchOutput(
        mode="observations" if observing else "series",
        results=results,
        series_id=input.series_id,
        country=input.country,
        filters_not_applied=sorted(looked.found.not_applied) or None,
        **record_fields(input.query, results, looked, filters),
    )


async def look_up_series(query: SeriesQuery, provider: str | None, call: Call, lookup: Lookup) -> LookupResult:
    """An id belongs to one provider. Where none was named and the one that was asked does not know it, say so."""
    try:
        return await look_up(Kind.SERIES, query, provider, call, lookup)
    except (NotFound, BadInput) as error:
        if query.series_id and not provider and (isinstance(error, NotFound) or "series_id" in error.sentence):
            error.sentence += f" Only {call.trace.used} was asked: an id of another source needs its name in provider."
        raise


def econ_result(item: SeriesHit | Observation) -> EconResult:
    """A series that was found; or a value digit for digit, with the exact record it was read from."""
    if isinstance(item, SeriesHit):
        return EconResult.from_record(item, url=item.origin.url)
    return EconResult.from_record(
        item,
        units=item.units or item.origin.unit,
        notes="; ".join(item.notes) or None,
        record=item.origin.record,
        url=item.origin.url,
        vintage=item.origin.vintage,
    )


TOOL = Tool(
    name="econ_search",
    title="Economic data",
    description=(
        "Find economic and development series (FRED, World Bank, OECD, Eurostat) by words, or fetch the "
        "observations of a series_id exactly as published, latest first."
    ),
    input=EconSearchInput,
    output=EconSearchOutput,
    run=run,
    toolset="domain",
    order=230,
    label="economic data search",
    cache=21600,
)
