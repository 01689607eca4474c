"""Physical places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wellsourced.upstreams.types.origin import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceQuery:
    """Coordinates are WGS-84 and come in pairs; they go before `near`. `radius` is in metres, 0 means any distance."""

    text: str
    near: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    radius: float = 0.0
    country: str | None = None
    units: Literal["metric", "imperial"] | None = None
    count: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place. `id` dies within hours and must not be stored. `distance` is in metres from the asked coordinates."""

    id: str
    name: str
    origin: Origin
    address: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    distance: float | None = None
    phone: str | None = None
    website: str | None = None
    categories: tuple[str, ...] = ()
    rating: float | None = None
    rating_count: int | None = None
    price_range: str | None = None
    hours: tuple[str, ...] = ()
    timezone: str | None = None
    description: str | None = None
    source: str = "brave"
