"""Cells of a statistical cube, whatever format it came in, and the observations made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wellsourced.upstreams.helpers.name_search import find_names
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit

UNIT_DIMENSIONS = ("UNIT_MEASURE", "UNIT")
AREA_DIMENSIONS = ("REF_AREA", "GEO", "LOCATION", "COUNTRY")
FREQUENCY_DIMENSIONS = ("FREQ", "FREQUENCY")
ADJUSTMENT_DIMENSIONS = ("ADJUSTMENT", "S_ADJ", "SEASONAL_ADJUST", "SEASONAL_ADJUSTMENT")
FREQUENCIES = {"A": "Annual", "S": "Half-yearly", "H": "Half-yearly", "Q": "Quarterly", "M": "Monthly", "W": "Weekly",
               "D": "Daily", "B": "Daily, business week"}  # fmt: skip
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
    title: str | None = None

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


def observation(
    cell: CubeCell, *, dataset: str, title: str, url: str, vintage: str | None, source: str, has_key: bool = False
) -> Observation:
    """The cell as an observation: title and key separate the series that one dataset interleaves.

    The id is the dataset's, or with `has_key` that of the single series.
    """
    unit = cell.unit or (measured.name if (measured := cell.at(UNIT_DIMENSIONS)) else None)
    area = cell.at(AREA_DIMENSIONS)
    named = cell.title or ", ".join(cell.labels)
    series_id = f"{dataset}/{cell.key}" if has_key else dataset
    full_title = " — ".join(part for part in (title, named) if part) or series_id
    return Observation(
        series_id=series_id,
        date=cell.period,
        value=cell.value,
        origin=Origin(url=url, record=f"{dataset} {cell.key} {cell.period}", unit=unit, vintage=vintage),
        title=full_title,
        units=unit,
        country=area.code if area else None,
        notes=cell.flags,
        about=SeriesHit(
            series_id=series_id,
            title=full_title,
            origin=Origin(url=url, record=f"{dataset} {cell.key}", unit=unit, vintage=vintage),
            units=unit,
            frequency=_frequency(cell),
            seasonal_adjustment=adjusted.name if (adjusted := cell.at(ADJUSTMENT_DIMENSIONS)) else None,
            last_updated=vintage,
            source=source,
        ),
    )


def _frequency(cell: CubeCell) -> str | None:
    often = cell.at(FREQUENCY_DIMENSIONS)
    return (FREQUENCIES.get(often.code, often.name) if often.name == often.code else often.name) if often else None


def choose_series(cells: Sequence[CubeCell], text: str, areas: int = 1) -> tuple[list[CubeCell], tuple[str, ...]]:
    """The cells of the series whose labels have the words of the text, and what has to be said about the choice.

    `areas` is how many countries were asked for, and so how many series are expected.
    """
    keys = {cell.key: ", ".join([*cell.labels, cell.title or ""]) for cell in cells}
    notes: tuple[str, ...] = ()
    if text.strip() and len(keys) > 1:
        names = list(keys)
        matches = find_names(text, [keys[name] for name in names])
        notes = matches.notes
        if matches.order:
            keys = {names[position]: "" for position in matches.order}
        else:
            notes = ("No series of this dataset has the words of the query; all are listed.",)
    if len(keys) > max(1, areas) and not notes:
        notes = (f"{len(keys)} series of this dataset match; words of their titles in query choose among them.",)
    return [cell for cell in cells if cell.key in keys], notes
