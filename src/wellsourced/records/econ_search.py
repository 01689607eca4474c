"""econ_search: economic series and their observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, model_validator

from wellsourced.errors import BadInput, NotFound
from wellsourced.records.date_window import check_date_window
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.hints import filled, hints
from wellsourced.tool.listing import Listing
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


class Result(OutputPart):
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


class EconSearchOutput(Listing):
    empty_lifetime: ClassVar[float] = 0
    mode: str
    results: list[Result]
    query: str | None = None  # type: ignore[assignment]  # a series may be asked for by its id alone
    series_id: str | None = None
    country: str | None = None
    provider: str
    filters_not_applied: list[str] | None = None


async def run(input: EconSearchInput, call: Call, lookup: Lookup) -> EconSearchOutput:
    observing = bool((input.series_id or "").strip())
    count = input.num_results or (OBSERVATIONS_SHOWN if observing else SERIES_SHOWN)
    query = SeriesQuery(
        text=input.query or "",
        series_id=(input.series_id or "").strip(),
        country=input.country,
        date_from=input.date_from,
        date_to=input.date_to,
        frequency=input.frequency,
        units=input.units,
        count=count,
    )
    looked = await ask(query, input.provider, call, lookup)
    results = [observed(i) if isinstance(i, Observation) else listed(i) for i in looked.found.items[:count]]
    filters = filled(input, "country", "date_from", "date_to", "frequency", "units")
    return EconSearchOutput(
        mode="observations" if observing else "series",
        results=results,
        query=input.query,
        series_id=input.series_id,
        country=input.country,
        result_count=len(results),
        provider=looked.provider,
        filters_not_applied=sorted(looked.found.not_applied) or None,
        notes=list(looked.found.notes) or None,
        hints=None if results else hints(filters, [looked.provider], []),
        trust=UNTRUSTED,
    )


async def ask(query: SeriesQuery, provider: str | None, call: Call, lookup: Lookup) -> LookupResult:
    """An id belongs to one provider. Where none was named and the one that was asked does not know it, say so."""
    try:
        return await lookup.ask(Kind.SERIES, query, provider=provider, deadline=call.deadline, trace=call.trace)
    except (NotFound, BadInput) as error:
        if query.series_id and not provider and (isinstance(error, NotFound) or "series_id" in error.sentence):
            error.sentence += f" Only {call.trace.used} was asked: an id of another source needs its name in provider."
        raise


def listed(hit: SeriesHit) -> Result:
    return Result(
        series_id=hit.series_id,
        title=hit.title,
        units=hit.units,
        frequency=hit.frequency,
        last_updated=hit.last_updated,
        notes=hit.notes,
        url=hit.origin.url,
    )


def observed(item: Observation) -> Result:
    """A value digit for digit, with the exact record it was read from."""
    return Result(
        series_id=item.series_id,
        title=item.title,
        units=item.units or item.origin.unit,
        date=item.date,
        value=item.value,
        country=item.country,
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
