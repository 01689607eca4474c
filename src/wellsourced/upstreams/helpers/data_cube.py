"""Cells of a statistical cube, whatever format it came in, and the observations made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wellsourced.upstreams.types.records import Observation, Origin

UNIT_DIMENSIONS = ("UNIT_MEASURE", "UNIT")
AREA_DIMENSIONS = ("REF_AREA", "GEO", "LOCATION", "COUNTRY")
NOT_APPLICABLE = frozenset({"_Z", "_X", "Z"})
MOST_CELLS = 2_000_000  # bounds the memory that one dataset may take


@dataclass(frozen=True, slots=True)
class CubeCategory:
    """One value of a dimension: its code and the name people read."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class CubeCell:
    """One value with the coordinates of all dimensions but time. `flags` are words about it."""

    period: str
    value: str | None
    coordinates: Mapping[str, CubeCategory] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    unit: str | None = None

    def at(self, names: tuple[str, ...]) -> CubeCategory | None:
        """The coordinate of the first dimension that goes by one of the names, in any case."""
        return next((value for name, value in self.coordinates.items() if name.upper() in names), None)

    @property
    def labels(self) -> list[str]:
        """The names of the coordinates that say something."""
        return [value.name for value in self.coordinates.values() if value.code not in NOT_APPLICABLE and value.name]

    @property
    def key(self) -> str:
        return ".".join(value.code for value in self.coordinates.values())


def observation(cell: CubeCell, *, series_id: str, title: str, url: str, vintage: str | None) -> Observation:
    """The cell as an observation: title and key separate the series that one dataset interleaves."""
    unit = cell.unit or (measured.name if (measured := cell.at(UNIT_DIMENSIONS)) else None)
    area = cell.at(AREA_DIMENSIONS)
    named = ", ".join(cell.labels)
    return Observation(
        series_id=series_id,
        date=cell.period,
        value=cell.value,
        origin=Origin(url=url, record=f"{series_id} {cell.key} {cell.period}", unit=unit, vintage=vintage),
        title=f"{title} — {named}" if named else title,
        units=unit,
        country=area.code if area else None,
        notes=cell.flags,
    )
