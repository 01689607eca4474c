"""Periods: the days they cover, and which end of a window is kept."""

from __future__ import annotations

from datetime import date

import pytest

from wellsourced.errors import BadInput
from wellsourced.upstreams.helpers.periods import days_of, parse_bounds, select_window


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-A1", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024Q1", date(2024, 1, 1), date(2024, 3, 31)),
        ("2024-Q4", date(2024, 10, 1), date(2024, 12, 31)),
        ("2024S2", date(2024, 7, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2023M02", date(2023, 2, 1), date(2023, 2, 28)),
        ("2020-W53", date(2020, 12, 28), date(2021, 1, 3)),
        ("2024-07-01", date(2024, 7, 1), date(2024, 7, 1)),
        ("2024-07-01T00:00:00.000Z", date(2024, 7, 1), date(2024, 7, 1)),
    ],
)
def test_periods(period: str, first: date, last: date) -> None:
    assert days_of(period) == (first, last)


@pytest.mark.parametrize(
    "period", ["", "x", "2024Q5", "2024-13", "2023-02-29", "0000", "2021-W53", "２０２４", "20244"]
)
def test_other_names_are_not_guessed_at(period: str) -> None:
    assert days_of(period) is None


def test_windows_keep_the_end_that_was_asked_for() -> None:
    periods = ["2021", "2024-Q1", "2019", "unknown", "2023-06"]
    newest, cut = select_window(periods, str, (None, None), 2)
    assert (newest, cut) == (["2024-Q1", "2023-06"], True)
    oldest, cut = select_window(periods, str, (date(2020, 5, 1), None), 9)
    assert (oldest, cut) == (["2021", "2023-06", "2024-Q1", "unknown"], False)
    assert select_window(periods, str, (None, date(2021, 7, 1)), 1)[0] == ["2021"]


def test_bounds() -> None:
    assert parse_bounds("2020", "2021-02") == (date(2020, 1, 1), date(2021, 2, 28))
    assert parse_bounds(None, " ") == (None, None)
    for wrong in (("2021", "2020"), ("2020-1-1", None), (None, "31.12.2020"), ("0000", None), ("2023-02-29", None)):
        with pytest.raises(BadInput):
            parse_bounds(*wrong)
