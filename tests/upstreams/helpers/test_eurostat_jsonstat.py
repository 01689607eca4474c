"""JSON-stat: recorded cubes in the list and in the object form, and positions turned into coordinates."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Reply
from wellsourced.upstreams.helpers.eurostat_jsonstat import cells_of
from wellsourced.upstreams.helpers.exact_json import parse_exact_json


def load(shared: Path, name: str) -> Any:
    return parse_exact_json(Reply(200, {}, (shared / "wire" / "eurostat" / name).read_bytes()))


def test_recorded_lists(shared: Path) -> None:
    cells = cells_of(load(shared, "obsolete-v1.1-nama_gdp_c-it-fr.json")["nama_gdp_c"], {})
    assert (len(cells), cells[0].period, cells[0].value, cells[0].flags) == (138, "1946", None, (":: not available",))
    values = {(cell.coordinates["geo"].name, cell.period): cell.value for cell in cells}
    assert (values["France", "1974"], values["France", "2013"], values["Italy", "1990"]) == ("4500", "31300", "15800")


def test_recorded_cubes_with_flags(shared: Path) -> None:
    cubes = load(shared, "jsonstat-oecd-canada-with-status.json")
    oecd, canada = (cells_of(cubes[name], {"a": "approximate"}) for name in ("oecd", "canada"))
    assert (len(oecd), len(canada)) == (432, 120)
    assert (oecd[0].period, oecd[0].value, oecd[0].key) == ("2003", "5.943826289", "UNR.AU")
    assert (canada[0].value, canada[0].flags) == ("34880.5", ("a: approximate",))
    assert canada[-1].labels == ["Canada", "90 and older", "weight of age group in the population", "female"]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_every_position_finds_its_coordinates(sizes: list[int], data: st.DataObject) -> None:
    sizes = [*sizes, data.draw(st.integers(1, 3))]
    names = [*(f"d{n}" for n in range(len(sizes) - 1)), "time"]
    position = data.draw(st.integers(0, prod(sizes) - 1))
    dimension = {
        name: {"category": {"index": {f"{name}-{n}": n for n in range(size)}}}
        for name, size in zip(names, sizes, strict=True)
    }
    body = {"id": names, "size": sizes, "dimension": dimension, "value": {str(position): 1.50}, "status": {}}
    (cell,) = cells_of(parse_exact_json(Reply(200, {}, json.dumps(body).encode())), {})
    places = [int(category.code.split("-")[1]) for category in cell.coordinates.values()]
    places.append(int(cell.period.split("-")[1]))
    expected = 0
    for size, place in zip(sizes, places, strict=True):
        expected = expected * size + place
    assert (expected, cell.value) == (position, "1.5")


@pytest.mark.parametrize(
    "change", [{"size": [2]}, {"value": [1]}, {"value": {"2": 1}}, {"value": {"x": 1}}, {"id": ["a"]}]
)
def test_values_that_do_not_fit(change: dict[str, Any]) -> None:
    time = {"category": {"index": ["2020", "2021"]}}
    body = {"id": ["time"], "size": [2], "dimension": {"time": time, "a": time}, "value": {"0": 1}}
    with pytest.raises((UpstreamChanged, KeyError)):
        cells_of(
            parse_exact_json(Reply(200, {}, json.dumps({**body, **change, "dimension": {"a": time}}).encode())), {}
        )
