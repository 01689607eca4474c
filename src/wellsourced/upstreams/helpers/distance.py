"""How far two places are apart."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt
from typing import TypeAlias

EARTH_RADIUS = 6_371_000.0  # metres
Point: TypeAlias = tuple[float, float]
"""Latitude and longitude, in degrees."""


def metres_between(one: Point, other: Point) -> float:
    """The great-circle distance of two points given as latitude and longitude in degrees (haversine)."""
    (lat1, lon1), (lat2, lon2) = ((radians(lat), radians(lon)) for lat, lon in (one, other))
    half = sin((lat2 - lat1) / 2) ** 2 + cos(lat1) * cos(lat2) * sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_RADIUS * asin(min(1.0, sqrt(half)))
