"""econ_search: economic series and their observations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from wellsourced.errors import BadInput, NotFound
from wellsourced.records.record_search import RecordList, check_date_window, look_up, record_fields
from wellsourced.records.series_values import (
    COMPUTED_ONLY,
    TRANSFORMS,
    YEAR_AGO,
    SeriesHeader,
    ShownSeries,
    make_table,
    split_series,
    transform,
)
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import (
    Hints,
    SuggestedAction,
    build_query,
    describe_rest,
    make_hints,
    used_filters,
)
from wellsourced.upstream import Kind
from wellsourced.upstream_client.lookup import LookupResult
from wellsourced.upstreams.helpers.countries import three_letters
from wellsourced.upstreams.helpers.periods import days_of, first_day
from wellsourced.upstreams.types.records import Observation, SeriesHit, SeriesQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup

SERIES_SHOWN = 5
OBSERVATIONS_SHOWN = 10
MOST = 1000
MOST_HEADERS = 12  # further series differ by the titles on their rows or the heads of their columns
WHOLE_RANGE = 400  # values of a range that are shown unless a number is given: about 4,000 tokens
MOST_ROWS = 150  # above, the values stand in the table alone, unless a number was given
YEAR_OF_DAYS = 370
# Ids that only one source writes so. FRED's are plain words, which may be anybody's.
IDS = {
    "imf": re.compile(r"IMF(?:\.\w{1,20}){0,3}[,:].{1,300}"),
    "oecd": re.compile(r"[\w.]{2,60}[,:][\w@.-]{2,120}(?:[,(].{0,400})?"),
    "ecb": re.compile(r"[A-Z][A-Z0-9_]{1,19}/[A-Z]\.[\w.+-]{1,300}"),
    "bls": re.compile(
        r"(?:C[UW][SU]R|LN[SU]|CE[SU]|JT[SU]|WP[SU]|EI[UX]|SM[SU]|LA[SU]|PR[SU]|CI[SU]|OEU)[A-Z0-9]{6,24}"
    ),
    "dbnomics": re.compile(r"[\w.-]{1,40}/[^\s/,]{1,80}(?:/.{1,400})?"),
    "worldbank": re.compile(r"[A-Z0-9]{2,8}(?:\.[A-Z0-9]{1,8}){2,6}"),
    "eurostat": re.compile(r"[a-z][a-z0-9]{1,20}(?:_[a-z0-9]{1,20}){1,8}"),
}
FRED = "fred"
WITHOUT_FRED = (
    " An id like this is FRED's, which needs FRED_API_KEY; without one, provider dbnomics has the series of the offices"
    " that FRED copies, and finds them by words."
)
LONGEST_PERIOD = 366
PLAIN_ID = re.compile(r"[A-Z0-9]{2,25}")


class EconSearchInput(ToolInput):
    query: str | None = Field(
        None, max_length=500, description="Words to find series by, or to choose among those of series_id."
    )
    series_id: str | None = Field(None, description="Series to fetch, e.g. CPIAUCSL, une_rt_m.")
    country: str | None = Field(None, description="ISO code, several with a comma; World Bank default WLD.")
    date_from: str | None = Field(None, description="YYYY-MM-DD or YYYY; then oldest first.")
    date_to: str | None = Field(None, description="YYYY-MM-DD or YYYY.")
    frequency: Literal["d", "w", "m", "q", "a"] | None = Field(None, description="FRED resamples; others choose.")
    units: str | None = Field(None, description="Transform: chg, pch, ch1 or pc1 (from a year ago), index, per_capita.")
    num_results: int | None = Field(
        None, ge=1, le=MOST, description="Default 5 series, 10 values, or all from date_from."
    )
    provider: str | None = Field(None, description="fred, worldbank, oecd, eurostat, ecb, imf, dbnomics, bls.")

    @model_validator(mode="after")
    def asks_something(self) -> EconSearchInput:
        if not (self.query or "").strip() and not (self.series_id or "").strip():
            raise ValueError("query or series_id is required.")
        return self

    @model_validator(mode="after")
    def has_a_readable_window(self) -> EconSearchInput:
        check_date_window(self.date_from, self.date_to, days_only=False)
        return self

    @property
    def id(self) -> str:
        return (self.series_id or "").strip()

    @property
    def count(self) -> int:
        """For each country."""
        if self.num_results or not self.id:
            return self.num_results or SERIES_SHOWN
        countries = len(re.findall(r"[^\s,;+]+", self.country or "")) or 1
        return WHOLE_RANGE // countries if self.date_from else OBSERVATIONS_SHOWN


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
    source: str | None = None


class EconSearchOutput(RecordList):
    """`series` says once what holds for all values of a series; `table` has the values of several side by side."""

    mode: str
    series: list[SeriesHeader] | None = None
    results: list[EconResult]
    table: str | None = None
    query: str | None = None  # type: ignore[assignment]  # a series may be asked for by its id alone
    series_id: str | None = None
    country: str | None = None
    provider: str
    filters_not_applied: list[str] | None = None
    total: int | None = None


async def run(input: EconSearchInput, call: Call, lookup: Lookup) -> EconSearchOutput:
    if not input.id:
        return await find_series(input, call, lookup)
    computed = None if input.units is None else computed_transform(input, lookup)
    query = build_query(SeriesQuery, input, text=input.query or "", series_id=input.id, count=input.count)
    looked = await look_up_series(widen(query, computed), provider_of(input), call, lookup)
    shown = split_series(looked.found.items)
    if computed:
        people = await population(shown, input, call, lookup) if computed == "per_capita" else {}
        shown = [cut_back(transform(each, computed, people), input) for each in shown]
        shown = [each for each in shown if each.observations]
    return observations_output(input, looked, shown)


async def find_series(input: EconSearchInput, call: Call, lookup: Lookup) -> EconSearchOutput:
    query = build_query(SeriesQuery, input, text=input.query or "", series_id="", count=input.count)
    looked = await look_up(Kind.SERIES, query, input.provider, call, lookup)
    hits = [found_series(item) for item in looked.found.items[: input.count]]
    fields = shared_fields(input, hits, looked)
    fields["more"] = describe_rest(
        input, len(hits), total=looked.found.total, more_available=looked.found.more_available
    )
    return EconSearchOutput(mode="series", results=hits, total=looked.found.total, **fields)


def observations_output(input: EconSearchInput, looked: LookupResult, shown: Sequence[ShownSeries]) -> EconSearchOutput:
    observations = [item for each in shown for item in each.observations]
    has_rows = input.num_results is not None or len(observations) <= MOST_ROWS
    total, more = describe_range(input, looked, observations)
    fields = shared_fields(input, observations, looked)
    return EconSearchOutput(
        mode="observations",
        series=[each.header(with_flags=not has_rows) for each in shown[:MOST_HEADERS]] or None,
        results=make_rows(shown) if has_rows else [],
        table=make_table(shown) if len(shown) > 1 or not has_rows else None,
        total=total,
        **(fields | {"more": more}),
    )


def shared_fields(input: EconSearchInput, found: Sequence[object], looked: LookupResult) -> dict[str, Any]:
    filters = used_filters(input, "country", "date_from", "date_to", "frequency", "units")
    fields = record_fields(input.query, found, looked, filters)
    if input.id and not found:
        fields["hints"] = without_series(input).model_copy(update={"providers_attempted": [looked.provider]})
    lost = set(looked.found.not_applied)
    if input.id and "units" in lost and input.units not in TRANSFORMS:
        known = f"units {(input.units or '')[:20]!r} is no transformation; there are {', '.join(TRANSFORMS)}."
        fields["notes"] = [*(fields["notes"] or ()), known]
    if input.id and input.units in TRANSFORMS:
        lost.discard("units")
    return {
        "series_id": input.series_id,
        "country": input.country,
        "filters_not_applied": sorted(lost) or None,
        **fields,
    }


def without_series(input: EconSearchInput) -> Hints:
    """What helps where a series has no values: other filters, or finding the right one by words."""
    filters = used_filters(input, "country", "date_from", "date_to", "frequency", "units")
    hints = make_hints(filters, [])
    words = SuggestedAction(
        action="search_by_words", parameter="query", detail="Leave out series_id and find the series by words in query."
    )
    kept = [action for action in hints.suggested_actions if action.action == "remove_filter"]
    return hints.model_copy(update={"suggested_actions": [*kept, words]})


def make_rows(shown: Sequence[ShownSeries]) -> list[EconResult]:
    """One row a value, those of the same place in their series beside each other.

    What tells series apart is on the rows only where there are several.
    """
    longest = max((len(each.observations) for each in shown), default=0)
    has_own_unit = len({each.observations[0].units for each in shown}) > 1
    return [
        econ_row(each.observations[place], each.label, has_own_unit)
        for place in range(longest)
        for each in shown
        if place < len(each.observations)
    ]


def econ_row(item: Observation, label: str, has_own_unit: bool) -> EconResult:
    """A value digit for digit."""
    return EconResult(
        series_id=item.series_id,
        date=item.date,
        value=item.value,
        country=item.country if label else None,
        title=label if label and label != item.country else None,
        units=item.units if has_own_unit else None,
        notes="; ".join(item.notes) or None,
    )


def found_series(item: SeriesHit) -> EconResult:
    return EconResult.from_record(item, url=item.origin.url)


def describe_range(
    input: EconSearchInput, looked: LookupResult, shown: Sequence[Observation]
) -> tuple[int | None, str | None]:
    """How many values there are, and how to get those that are not shown."""
    total = looked.found.total
    if not looked.found.more_available or not shown:
        return total, None
    edge = shown[-1].date
    days = days_of(edge)
    if days is None:
        way = "a larger num_results"
    elif input.date_from:
        way = f"date_from={days[1] + timedelta(days=1)}"
    else:
        way = f"date_to={days[0] - timedelta(days=1)} or a larger num_results"
    of = f" of {total}" if total else ""
    return total, f"{len(shown)}{of} values, up to {edge}; the next part with {way}."


async def look_up_series(query: SeriesQuery, provider: str | None, call: Call, lookup: Lookup) -> LookupResult:
    """An id belongs to one provider. Where none was named and the one that was asked does not know it, say so."""
    try:
        return await look_up(Kind.SERIES, query, provider, call, lookup)
    except (NotFound, BadInput) as error:
        if not provider and (isinstance(error, NotFound) or "series_id" in error.sentence):
            error.sentence += f" Only {call.trace.used} was asked: an id of another source needs its name in provider."
            if call.trace.used != FRED and PLAIN_ID.fullmatch(query.series_id):
                error.sentence += WITHOUT_FRED
        raise


def provider_of(input: EconSearchInput) -> str | None:
    """The one the caller named, or the one whose ids look like this."""
    named = (input.provider or "").strip()
    return named or next((name for name, pattern in IDS.items() if pattern.fullmatch(input.id)), None)


def computed_transform(input: EconSearchInput, lookup: Lookup) -> str | None:
    """The transformation that is computed here: FRED does the usual ones itself."""
    wanted = (input.units or "").strip().lower()
    if wanted not in TRANSFORMS:
        return None
    asked = provider_of(input) or lookup.first(Kind.SERIES)
    return wanted if wanted in COMPUTED_ONLY or asked != FRED else None


def widen(query: SeriesQuery, computed: str | None) -> SeriesQuery:
    """The query with what the computation needs before the first value that is shown, and without its name."""
    if computed is None:
        return query
    query = replace(query, units=None)
    if computed in COMPUTED_ONLY:
        return query
    earlier = YEAR_OF_DAYS if computed in YEAR_AGO else LONGEST_PERIOD
    start = first_day(query.date_from, "date_from")
    begin = str(start - timedelta(days=earlier)) if start else None
    return replace(query, date_from=begin, count=query.count + (earlier if computed in YEAR_AGO else 1))


def cut_back(series: ShownSeries, input: EconSearchInput) -> ShownSeries:
    """What was asked for, without what was only fetched to compute it."""
    start = first_day(input.date_from, "date_from")
    inside = [
        item
        for item in series.observations
        if start is None or (days := days_of(item.date)) is None or days[1] >= start
    ]
    return replace(series, observations=inside[: input.count])


async def population(
    shown: Sequence[ShownSeries], input: EconSearchInput, call: Call, lookup: Lookup
) -> dict[tuple[str, str], str]:
    """Inhabitants by country, as the series name it, and year."""
    named = {item.country or "": three_letters(item.country or "USA") for each in shown for item in each.observations}
    years = sorted(item.date[:4] for each in shown for item in each.observations)
    if not years:
        return {}
    query = SeriesQuery(
        series_id="SP.POP.TOTL",
        country=";".join(sorted(set(named.values()))),
        date_from=years[0],
        date_to=years[-1],
        count=MOST,
    )
    found = await look_up(Kind.SERIES, query, "worldbank", call, lookup)
    people = {(item.country, item.date): item.value for item in found.found.items if item.value}
    return {
        (ours, year): people[code, year] for ours, code in named.items() for year in years if (code, year) in people
    }


TOOL = Tool(
    name="econ_search",
    title="Economic data",
    description=(
        "Find economic and development series (FRED, World Bank, OECD, Eurostat, ECB, IMF, DBnomics) by words, or "
        "fetch the observations of a series_id exactly as published, latest first."
    ),
    input=EconSearchInput,
    output=EconSearchOutput,
    run=run,
    toolset="domain",
    order=230,
    label="economic data search",
    cache=21600,
)
