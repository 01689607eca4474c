"""local_search: physical places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from wellsourced.records.record_search import RecordList, look_up, record_fields
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import MOST_ACTIONS, Hints, SuggestedAction, build_query
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.records import PlaceQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup


class LocalSearchInput(ToolInput):
    query: str = Field(min_length=1, max_length=400, description="Kind of place, e.g. coffee shops.")
    near: str | None = Field(None, description="City or area.")
    latitude: float | None = Field(None, ge=-90, le=90, description="WGS-84, with longitude; before near.")
    longitude: float | None = Field(None, ge=-180, le=180, description="WGS-84, with latitude.")
    radius: float = Field(0, ge=0, description="Metres; 0 is any distance.")
    country: str | None = Field(None, description="ISO 3166-1.")
    units: Literal["metric", "imperial"] | None = Field(None, description="Units shown.")
    num_results: int = Field(5, ge=1, le=20, description="How many.")
    provider: str | None = Field(None, description="brave, openstreetmap (no key) or wikipedia (sights).")
    session_id: SessionId = None

    @model_validator(mode="after")
    def coordinates_come_in_pairs(self) -> LocalSearchInput:
        if (self.latitude is None) != (self.longitude is None):
            raise ValueError("latitude and longitude must be given together.")
        return self


class PlaceResult(OutputPart):
    id: str | None = None
    name: str | None = None
    address: str | None = None
    lat: float | None = None
    lon: float | None = None
    distance: float | None = None
    phone: str | None = None
    website: str | None = None
    categories: list[str] | None = None
    rating: float | None = None
    rating_count: int | None = None
    price_range: str | None = None
    hours: list[str] | None = None
    timezone: str | None = None
    description: str | None = None
    source: str | None = None


class LocalSearchOutput(RecordList):
    places: list[PlaceResult]
    provider: str
    filters_not_applied: list[str] | None = None

    def found_sources(self) -> list[FoundSource]:
        return [FoundSource(url=p.website, title=p.name or "", type="local place") for p in self.places if p.website]


async def run(input: LocalSearchInput, call: Call, lookup: Lookup) -> LocalSearchOutput:
    query = build_query(PlaceQuery, input, text=input.query, count=input.num_results)
    looked = await look_up(Kind.PLACES, query, input.provider, call, lookup)
    places = [
        PlaceResult.from_record(place, lat=place.latitude, lon=place.longitude)
        for place in looked.found.items[: input.num_results]
    ]
    fields = record_fields(input.query, places, looked, used_place_filters(input), input)
    if not places and not input.near and input.latitude is None:
        fields["hints"] = ask_for_location(fields["hints"])
    return LocalSearchOutput(places=places, filters_not_applied=sorted(looked.found.not_applied) or None, **fields)


def used_place_filters(input: LocalSearchInput) -> dict[str, str]:
    filters = {"country": input.country or "", "radius": f"{input.radius:g}" if input.radius else ""}
    return {name: value for name, value in filters.items() if value}


def ask_for_location(hints: Hints) -> Hints:
    """The same hints, with the place to search around asked for first."""
    anchor = SuggestedAction(action="add_parameter", parameter="near", detail="Say where: a city or area.")
    actions = [anchor, *hints.suggested_actions][:MOST_ACTIONS]
    return hints.model_copy(update={"reason": "missing_location_anchor", "suggested_actions": actions})


TOOL = Tool(
    name="local_search",
    title="Places",
    description=(
        "Find places (shops, restaurants, services) near a city or coordinates (then nearest first): address, "
        "phone, website, rating, opening hours."
    ),
    input=LocalSearchInput,
    output=LocalSearchOutput,
    run=run,
    toolset="domain",
    order=270,
    label="local search",
    cache=21600,
    when=("BRAVE_API_KEY", "OPENSTREETMAP_CONTACT_EMAIL", "OPENALEX_EMAIL"),
)
