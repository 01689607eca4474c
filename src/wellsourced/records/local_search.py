"""local_search: physical places."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, model_validator

from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.hints import Hints, SuggestedAction, hints
from wellsourced.tool.listing import Listing
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.records import Place, PlaceQuery

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
    provider: str | None = Field(None, description="brave.")
    session_id: str | None = Field(None, alias="sessionId", description="Session.")

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


class LocalSearchOutput(Listing):
    empty_lifetime: ClassVar[float] = 0
    places: list[PlaceResult]
    provider: str
    filters_not_applied: list[str] | None = None

    def found_sources(self) -> list[FoundSource]:
        return [FoundSource(url=p.website, title=p.name or "", type="local place") for p in self.places if p.website]


async def run(input: LocalSearchInput, call: Call, lookup: Lookup) -> LocalSearchOutput:
    query = PlaceQuery(
        text=input.query,
        near=input.near,
        latitude=input.latitude,
        longitude=input.longitude,
        radius=input.radius,
        country=input.country,
        units=input.units,
        count=input.num_results,
    )
    looked = await lookup.ask(Kind.PLACES, query, provider=input.provider, deadline=call.deadline, trace=call.trace)
    places = [result(place) for place in looked.found.items[: input.num_results]]
    return LocalSearchOutput(
        places=places,
        query=input.query,
        result_count=len(places),
        provider=looked.provider,
        filters_not_applied=sorted(looked.found.not_applied) or None,
        notes=list(looked.found.notes) or None,
        hints=None if places else zero_result_hints(input, looked.provider),
        trust=UNTRUSTED,
    )


def zero_result_hints(input: LocalSearchInput, provider: str) -> Hints:
    filters = {"country": input.country or "", "radius": f"{input.radius:g}" if input.radius else ""}
    told = hints({name: value for name, value in filters.items() if value}, [provider], [])
    if input.near or input.latitude is not None:
        return told
    anchor = SuggestedAction(action="add_parameter", parameter="near", detail="Say where: a city or area.")
    return told.model_copy(
        update={"reason": "missing_location_anchor", "suggested_actions": [anchor, *told.suggested_actions][:3]}
    )


def result(place: Place) -> PlaceResult:
    return PlaceResult(
        id=place.id,
        name=place.name,
        address=place.address,
        lat=place.latitude,
        lon=place.longitude,
        distance=place.distance,
        phone=place.phone,
        website=place.website,
        categories=list(place.categories) or None,
        rating=place.rating,
        rating_count=place.rating_count,
        price_range=place.price_range,
        hours=list(place.hours) or None,
        timezone=place.timezone,
        description=place.description,
        source=place.source,
    )


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
    when=("BRAVE_API_KEY",),
)
