"""SDMX: statistical data and structures as JSON, in its several versions, and structures as XML.

Format: sdmx-twg/sdmx-json. Codes are written as positions in lists of values, separated by colons. Version 2 has
`data.structures[]`, version 1 `data.structure`, the drafts `structure` beside `dataSets`. Data come as series with
observations, or flat. The values of time are not sorted. Read from JSON whose numbers are `ExactNumber`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wellsourced.errors import UpstreamChanged
from wellsourced.upstreams.helpers.data_cube import MOST_CELLS, NOT_APPLICABLE, CubeCategory, CubeCell
from wellsourced.upstreams.helpers.exact_json import as_whole_number, as_written
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TIME = "TIME_PERIOD"
LEVELS = ("dataSet", "series", "observation")
STATUS, UNIT, MULTIPLIER, REFERENCE = "OBS_STATUS", "UNIT_MEASURE", "UNIT_MULT", "BASE_PER"
OLDER_NAMES = {"UNIT": UNIT, "POWERCODE": MULTIPLIER, "REFERENCEPERIOD": REFERENCE, "SCALE": MULTIPLIER}
# The title that a series has of its own, the fullest first (ECB).
TITLES = ("TITLE_COMPL", "TITLE", "SERIES_NAME")
# Where codes come without names, as in XML.
UNIT_NAMES = {"IX": "Index", "PA": "Percent per annum", "PC": "Percent", "PCPA": "Percent per annum", "PS": "Persons"}
MULTIPLIERS = {"1": "Tens", "2": "Hundreds", "3": "Thousands", "6": "Millions", "9": "Billions", "12": "Trillions"}
NUMERIC = re.compile(r"[+-]?[0-9]{1,60}(?:\.[0-9]{1,60})?(?:[eE][+-]?[0-9]{1,3})?")
LAST = 1000  # position of a dimension that names none
NORMAL = frozenset({"A", ""})


@dataclass(frozen=True, slots=True)
class SdmxMessage:
    """A decoded data message. `name` is the dataflow's, `prepared` the moment of extraction."""

    cells: tuple[CubeCell, ...]
    name: str
    prepared: str | None


@dataclass(frozen=True, slots=True)
class Axis:
    name: str
    values: Sequence[CubeCategory]
    position: int
    is_time: bool

    def at(self, position: int) -> CubeCategory:
        if position >= len(self.values):
            raise UpstreamChanged(f"The dimension {self.name} has no value number {position}.")
        return self.values[position]


def read_data(body: Any) -> SdmxMessage:
    """All cells of a data message."""
    content = body.get("data", body)
    datasets = content["dataSets"]
    structures = content.get("structures") or [content["structure"]]
    if not isinstance(datasets, list):
        raise UpstreamChanged("The SDMX message has no data sets.")
    cells = [cell for dataset in datasets for cell in _cells(dataset, _structure(dataset, structures))]
    if len(cells) > MOST_CELLS:
        raise UpstreamChanged("The SDMX message has more cells than can be read.")
    about = as_object(body.get("meta") or body.get("header"))
    return SdmxMessage(tuple(cells), as_text(structures[0].get("name")), as_text(about.get("prepared")) or None)


def numeric_text(value: Any) -> str | None:
    """A value as it was written: as a number, or as a text that is one (IMF, XML, CSV)."""
    return value if type(value) is str and NUMERIC.fullmatch(value) else as_written(value)


def _structure(dataset: Mapping[str, Any], structures: Sequence[Any]) -> Mapping[str, Any]:
    found = structures[as_whole_number(dataset.get("structure")) or 0]
    if not isinstance(found, dict):
        raise UpstreamChanged("The SDMX message has no structure.")
    return found


def _cells(dataset: Mapping[str, Any], structure: Mapping[str, Any]) -> Iterator[CubeCell]:
    axes = {level: [_axis(item) for item in structure["dimensions"].get(level) or ()] for level in LEVELS}
    order = sorted((axis for level in LEVELS for axis in axes[level]), key=lambda axis: axis.position)
    notes = {level: [_axis(item) for item in _attributes(structure, level)] for level in LEVELS}
    fixed = {axis.name: axis.at(0) for axis in axes["dataSet"]}
    shared = _attached(notes["dataSet"], dataset.get("attributes"))
    if "series" not in dataset:
        groups = [(fixed, shared, dataset["observations"])]
    else:
        groups = [
            (
                {**fixed, **_located(key, axes["series"])},
                {**shared, **_attached(notes["series"], series.get("attributes"))},
                series["observations"],
            )
            for key, series in dataset["series"].items()
        ]
    of_groups = _group_attributes(dataset, structure, order)
    for place, about, observations in groups:
        for key, row in observations.items():
            coordinates = {**place, **_located(key, axes["observation"])}
            attributes = {**about, **of_groups(coordinates), **_attached(notes["observation"], row[1:])}
            yield make_cell(numeric_text(row[0]), coordinates, attributes, order)


def _group_attributes(
    dataset: Mapping[str, Any], structure: Mapping[str, Any], order: Sequence[Axis]
) -> Callable[[Mapping[str, CubeCategory]], dict[str, CubeCategory]]:
    """Looks up what is attached to groups of dimensions (version 2): keys such as `0::3`, blank where any value does.

    Units and multipliers are there in the newer datasets; without them a value is wrong by a factor.
    """
    described = [_axis(item) for item in _attributes(structure, "dimensionGroup")]
    by_names: dict[tuple[str, ...], dict[tuple[CubeCategory, ...], dict[str, CubeCategory]]] = {}
    for key, positions in as_object(dataset.get("dimensionGroupAttributes")).items():
        place = _group_place(key, order)
        attached = by_names.setdefault(tuple(place), {}).setdefault(tuple(place.values()), {})
        attached.update(_attached(described, positions))

    def attributes_at(coordinates: Mapping[str, CubeCategory]) -> dict[str, CubeCategory]:
        joined: dict[str, CubeCategory] = {}
        for names, groups in by_names.items():
            joined.update(groups.get(tuple(coordinates[name] for name in names), {}))
        return joined

    return attributes_at


def _group_place(key: str, order: Sequence[Axis]) -> dict[str, CubeCategory]:
    """The dimensions that a group's key names. Time may be left off the end of it."""
    parts = key.split(":")
    axes = order if len(parts) == len(order) else [axis for axis in order if not axis.is_time]
    if len(parts) != len(axes) or not all(part == "" or (part.isdecimal() and len(part) < 10) for part in parts):
        raise UpstreamChanged("A key of a group of the SDMX message does not fit its dimensions.")
    return {axis.name: axis.at(int(part)) for axis, part in zip(axes, parts, strict=True) if part}


def _attributes(structure: Mapping[str, Any], level: str) -> Sequence[Any]:
    found = as_object(structure.get("attributes")).get(level)
    return found if isinstance(found, list) else ()


def _axis(item: Mapping[str, Any]) -> Axis:
    name, position = item["id"], as_whole_number(item.get("keyPosition"))
    values = [_category(value) for value in item.get("values") or ()]
    return Axis(name, values, LAST if position is None else position, name == TIME or item.get("role") == TIME)


def _category(value: Any) -> CubeCategory:
    """Coded values have an id; free ones only a value, in one language or several."""
    about = as_object(value)
    name = as_text(about.get("name")) or next((as_text(text) for text in as_object(about.get("names")).values()), "")
    free = about.get("value")
    said = name or as_text(free) or str(about.get("id") or "")
    return CubeCategory(str(about.get("id") or as_text(free)), said)


def _located(key: str, axes: Sequence[Axis]) -> dict[str, CubeCategory]:
    positions = key.split(":")
    if len(positions) != len(axes) or not all(part.isdecimal() and len(part) < 10 for part in positions):
        raise UpstreamChanged("A key of the SDMX message does not fit its dimensions.")
    return {axis.name: axis.at(int(part)) for axis, part in zip(axes, positions, strict=True)}


def _attached(axes: Sequence[Axis], positions: Any) -> dict[str, CubeCategory]:
    """Attributes by name. Positions are often null or left off; one without values may have no place in the list."""
    listed = positions if isinstance(positions, list) else []
    if len(listed) < len(axes):
        axes = [axis for axis in axes if axis.values]
    places = [(axis, as_whole_number(place)) for axis, place in zip(axes, listed, strict=False)]
    return {
        OLDER_NAMES.get(axis.name, axis.name): axis.values[place]
        for axis, place in places
        if place is not None and place < len(axis.values)
    }


def make_cell(
    value: str | None,
    coordinates: Mapping[str, CubeCategory],
    attributes: Mapping[str, CubeCategory],
    order: Sequence[Axis],
) -> CubeCell:
    """The coordinates in the order of the key, time apart from them; a few datasets have no time at all."""
    period = next((coordinates[axis.name].code for axis in order if axis.is_time), "")
    places = {axis.name: coordinates[axis.name] for axis in order if not axis.is_time}
    title = next((attributes[name].name for name in TITLES if name in attributes), None)
    return CubeCell(period, value, places, _flags(attributes), _unit(places, attributes), title)


def _flags(attributes: Mapping[str, CubeCategory]) -> tuple[str, ...]:
    status = attributes.get(STATUS)
    if status is None or status.code in NORMAL:
        return ()
    return (f"{status.code}: {status.name}" if status.name != status.code else status.code,)


def _unit(coordinates: Mapping[str, CubeCategory], attributes: Mapping[str, CubeCategory]) -> str | None:
    """`US dollar, Millions, reference period 2015`; a multiplier of one goes without saying."""
    unit, scale = coordinates.get(UNIT) or attributes.get(UNIT), attributes.get(MULTIPLIER)
    reference = attributes.get(REFERENCE)
    names = [UNIT_NAMES.get(unit.name, unit.name)] if unit else []
    if scale and scale.code not in {"0", ""}:
        is_power = re.fullmatch(r"-?[0-9]{1,2}", scale.name)
        names.append(MULTIPLIERS.get(scale.name, f"times 10^{scale.name}") if is_power else scale.name)
    if reference and reference.code not in NOT_APPLICABLE and reference.name:
        names.append(f"reference period {reference.name}")
    return ", ".join(names) or None


@dataclass(frozen=True, slots=True)
class Dataflow:
    agency: str
    id: str
    version: str
    name: str

    @property
    def reference(self) -> str:
        return f"{self.agency},{self.id},{self.version}"


def read_dataflows(body: Any) -> list[Dataflow]:
    """The dataflows of a structure message in JSON."""
    flows = body["data"]["dataflows"]
    if not isinstance(flows, list):
        raise UpstreamChanged("The SDMX message has no list of dataflows.")
    return [Dataflow(str(flow["agencyID"]), str(flow["id"]), str(flow["version"]), _name(flow)) for flow in flows]


def _name(flow: Mapping[str, Any]) -> str:
    names = as_object(flow.get("names"))
    return as_text(names.get("en")) or as_text(flow.get("name")) or str(flow["id"])


def read_dimensions(body: Any) -> list[str]:
    """The ids of the dimensions in the order of a key, time left out, from a structure message in JSON."""
    lists = [
        as_object(as_object(structure.get("dataStructureComponents")).get("dimensionList")).get("dimensions")
        for structure in objects_in(body["data"].get("dataStructures"))
    ]
    dimensions = [dimension for listed in lists[:1] for dimension in objects_in(listed)]
    if not dimensions:
        raise UpstreamChanged("The SDMX message describes no dimensions.")
    dimensions.sort(key=lambda dimension: as_whole_number(dimension.get("position")) or 0)
    return [str(dimension["id"]) for dimension in dimensions]


def read_dataflows_xml(body: bytes) -> list[Dataflow]:
    """The datasets of a structure message in XML, which servers send when they ignore the format that was asked for."""
    holder = parse_xml(body).find("Structures/Dataflows")
    if holder is None:
        raise UpstreamChanged("The SDMX message has no list of dataflows.")
    return [
        Dataflow(flow.attrib["agencyID"], flow.attrib["id"], flow.attrib["version"], _xml_name(flow))
        for flow in holder.findall("Dataflow")
    ]


def read_dimensions_xml(body: bytes) -> list[str]:
    """The ids of the dimensions in the order of a key, time left out."""
    lists = parse_xml(body).findall("Structures/DataStructures/DataStructure/DataStructureComponents/DimensionList")
    dimensions = lists[0].findall("Dimension") if lists else []
    if not dimensions:
        raise UpstreamChanged("The SDMX message describes no dimensions.")
    return [dimension.attrib["id"] for dimension in sorted(dimensions, key=_xml_position)]


def _xml_position(dimension: Element) -> int:
    text = dimension.get("position", "")
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def _xml_name(flow: Element) -> str:
    names = flow.findall("Name")
    english = [name for name in names if name.get("lang") == "en"]
    return text_of(next(iter(english or names), None)) or flow.attrib["id"]
