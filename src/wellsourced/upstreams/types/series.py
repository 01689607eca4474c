"""Statistics: series that can be found, and their observations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.upstreams.types.origin import Origin
from wellsourced.upstreams.types.search import Found

Frequency: TypeAlias = Literal["d", "w", "m", "q", "a"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesQuery:
    """With `series_id` its observations are asked for; without, series whose name has the words of `text`.

    Without `date_from` the newest observations come first; with it, the first ones from that date on, oldest first.
    """

    text: str = ""
    series_id: str = ""
    country: str | None = None
    date_from: str | None = None
    date_to: str | None = None
    frequency: Frequency | None = None
    units: str | None = None
    count: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesHit:
    """A series, an indicator or a dataset; `series_id` fetches its observations."""

    series_id: str
    title: str
    origin: Origin
    units: str | None = None
    frequency: str | None = None
    last_updated: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One value of one period. `value` is what the upstream wrote, digit for digit, and None where it is missing.

    `date` is the period as the upstream names it (`2024-07-01`, `2024Q3`, `2024`). `title` tells the series of one
    dataset apart. `notes` are the upstream's flags: provisional, estimated, break in series.
    """

    series_id: str
    date: str
    value: str | None
    origin: Origin
    title: str | None = None
    units: str | None = None
    country: str | None = None
    notes: tuple[str, ...] = ()


SeriesFound: TypeAlias = Found[SeriesHit] | Found[Observation]
