"""Searching names: every word, any order, any script, acronyms on either side."""

from __future__ import annotations

import time

import pytest

from wellsourced.upstreams.helpers.name_search import find_names

NAMES = [
    "GDP per capita growth (annual %)",
    "GDP growth (annual %)",
    "Gross domestic product, volume",
    "Taux de chômage par région",
    "失業率（季節調整済）",
    "Unemployment, total (% of total labor force)",
    "Agriculture, value added (% of GDP)",
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("growth gdp", [1, 0]),
        ("GDP growth", [1, 0]),
        ("gdp", [1, 0, 6, 2]),
        ("gross domestic product growth", [1, 0]),
        ("gross dp", []),
        ("chomage REGION", [3]),
        ("失業率", [4]),
        ("unemployment rate", [5]),
        ("labour unemployment", [5]),
        ("jobless", [5]),
        ("growth zebra", []),
        ("% !", []),
        ("", []),
    ],
)
def test_search(query: str, found: list[int]) -> None:
    assert find_names(query, NAMES).order == found


CATALOGUE = [
    "House price index (2015 = 100) - quarterly data",
    "Gas prices for household consumers - bi-annual data",
    "Electricity prices for household consumers - bi-annual data",
    "Crude birth rate",
    "Labour cost index by NACE Rev. 2 activity",
    "HICP - monthly data (annual rate of change)",
]


@pytest.mark.parametrize(
    ("query", "found", "left_out"),
    [
        ("house prices", [0], ()),
        ("housing prices", [0], ()),
        ("prices of residential property", [0], ()),
        ("electricity prices households", [2], ()),
        ("crude birth rates", [3], ()),
        ("labor cost index", [4], ()),
        ("inflation", [5], ()),
        ("monthly inflation rate euro", [], ()),
        ("electricity prices households germany", [2], ("germany",)),
        ("gas price index", [1], ("index",)),
    ],
)
def test_forms_synonyms_and_what_was_left_out(query: str, found: list[int], left_out: tuple[str, ...]) -> None:
    matches = find_names(query, CATALOGUE)
    assert (matches.order, matches.left_out) == (found, left_out)
    assert bool(matches.notes) is bool(left_out)


def test_a_long_catalogue_is_quick() -> None:
    names = [f"{name} {number}" for number in range(1000) for name in NAMES]
    began = time.thread_time()
    find_names("a b c d e f g h " * 40, names)
    assert len(find_names("gdp growth", names).order) == 2000
    assert time.thread_time() - began < 5
