"""JSON-stat: a cube as one list of values in row-major order, the last dimension fastest.

Format: json-stat.org. Values and status flags come as lists, or as objects keyed by position that leave out what is
missing. Read from JSON whose numbers are `Written`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from wellsourced.errors import UpstreamChanged
from wellsourced.upstreams.helpers.data_cube import MOST_CELLS, CubeCategory, CubeCell
from wellsourced.upstreams.helpers.exact_json import as_whole_number, as_written
from wellsourced.upstreams.helpers.json_fields import as_object, as_text

TIME = ("time", "TIME_PERIOD", "year")


def cells_of(dataset: Mapping[str, Any], flag_names: Mapping[str, str]) -> list[CubeCell]:
    """Every cell that has a value or a flag, in the order of the cube."""
    names, sizes = _shape(dataset)
    axes = [_axis(as_object(dataset["dimension"])[name], size) for name, size in zip(names, sizes, strict=True)]
    time = _time_position(dataset, names)
    if isinstance(dataset["value"], list) and len(dataset["value"]) != prod(sizes):
        raise UpstreamChanged("The values of the dataset do not fill its dimensions.")
    values, flags = _by_position(dataset["value"], prod(sizes)), _flags(dataset, prod(sizes))
    explanation = {**flag_names, **_flag_labels(dataset)}
    found = []
    for position in sorted(values.keys() | flags.keys()):
        value = values.get(position)
        coordinates = {
            name: axis[place] for name, axis, place in zip(names, axes, _places(position, sizes), strict=True)
        }
        period = coordinates.pop(names[time]).code
        flag = flags.get(position, "")
        found.append(CubeCell(period, as_written(value), coordinates, (_explained(flag, explanation),) if flag else ()))
    return found


def _shape(dataset: Mapping[str, Any]) -> tuple[list[str], list[int]]:
    """Names and lengths of the dimensions; before version 2 they stood inside `dimension`."""
    holder = dataset if "id" in dataset else as_object(dataset["dimension"])
    names, sizes = holder["id"], [as_whole_number(size) for size in holder["size"]]
    is_sound = isinstance(names, list) and all(isinstance(name, str) for name in names) and len(names) == len(sizes)
    lengths = [size for size in sizes if size is not None]
    if not is_sound or len(lengths) != len(sizes) or len(set(names)) != len(names) or not names:
        raise UpstreamChanged("The dimensions of the dataset do not fit together.")
    return names, lengths


def _axis(dimension: Any, size: int) -> list[CubeCategory]:
    """The categories in order; `index` is a list, an object of positions, or absent when there is only one."""
    category = dimension["category"]
    labels = as_object(category.get("label"))
    index = category.get("index", list(labels))
    codes = index if isinstance(index, list) else sorted(index, key=lambda code: as_whole_number(index[code]) or 0)
    if len(codes) != size:
        raise UpstreamChanged("A dimension of the dataset has another length than announced.")
    return [CubeCategory(str(code), as_text(labels.get(code)) or str(code)) for code in codes]


def _time_position(dataset: Mapping[str, Any], names: list[str]) -> int:
    roles = as_object(dataset.get("role") or as_object(dataset["dimension"]).get("role")).get("time")
    wanted = [*(roles if isinstance(roles, list) else ()), *TIME]
    for name in wanted:
        if name in names:
            return names.index(name)
    raise UpstreamChanged("The dataset has no dimension of time.")


def _by_position(values: Any, cells: int) -> dict[int, Any]:
    """Values by position, whether they came as a list or as an object."""
    if isinstance(values, list):
        pairs: Iterator[tuple[int | None, Any]] = iter(enumerate(values))
    elif isinstance(values, dict):
        pairs = ((int(key) if key.isdecimal() and len(key) < 18 else None, value) for key, value in values.items())
    else:
        raise UpstreamChanged("The dataset has no values.")
    found = {position: value for position, value in pairs if position is not None}
    if len(found) != len(values) or len(found) > MOST_CELLS or any(position >= cells for position in found):
        raise UpstreamChanged("The dataset has values outside its dimensions.")
    return found


def _flags(dataset: Mapping[str, Any], cells: int) -> dict[int, str]:
    status = dataset.get("status")
    if isinstance(status, dict) and "value" in status:
        status = status["value"]
    if not isinstance(status, (list, dict)):
        return {}
    return {position: flag for position, flag in _by_position(status, cells).items() if isinstance(flag, str) and flag}


def _flag_labels(dataset: Mapping[str, Any]) -> dict[str, str]:
    extension = as_object(as_object(as_object(dataset.get("extension")).get("status")).get("label"))
    older = as_object(as_object(as_object(dataset.get("status")).get("category")).get("label"))
    return {flag: as_text(label) for flag, label in {**older, **extension}.items() if as_text(label)}


def _explained(flag: str, explanation: Mapping[str, str]) -> str:
    """`p: provisional`; several flags may stand in one word (`bp`)."""
    if flag in explanation:
        return f"{flag}: {explanation[flag]}"
    single = [explanation[letter] for letter in flag if letter in explanation]
    return f"{flag}: {', '.join(single)}" if single else flag


def _places(position: int, sizes: list[int]) -> list[int]:
    places = []
    for size in reversed(sizes):
        position, place = divmod(position, size)
        places.append(place)
    return places[::-1]
