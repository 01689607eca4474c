"""Searching names: every word, any order, any script, acronyms on either side."""

from __future__ import annotations

import time

import pytest

from wellsourced.upstreams.helpers.name_search import search_names

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
        ("unemployment rate", []),
        ("labor unemployment", [5]),
        ("% !", []),
        ("", []),
    ],
)
def test_search(query: str, found: list[int]) -> None:
    assert search_names(query, NAMES) == found


def test_a_long_catalogue_is_quick() -> None:
    names = [f"{name} {number}" for number in range(1000) for name in NAMES]
    began = time.thread_time()
    search_names("a b c d e f g h " * 40, names)
    assert len(search_names("gdp growth", names)) == 2000
    assert time.thread_time() - began < 5
