"""Headline figures: a quarter is never taken for a year, and the newest filing speaks."""

from __future__ import annotations

from typing import Any

import pytest

from wellsourced.errors import UpstreamChanged
from wellsourced.upstreams.helpers.edgar_xbrl import XbrlFigure, figures_over_years, headline_figures
from wellsourced.upstreams.helpers.exact_json import ExactNumber


def row(start: str | None, end: str, value: str, form: str, filed: str) -> dict[str, Any]:
    dates = {"start": start, "end": end} if start else {"end": end}
    return {
        **dates,
        "val": ExactNumber(value),
        "accn": f"a-{filed}",
        "fy": ExactNumber("2025"),
        "form": form,
        "filed": filed,
    }


def concept(*rows: dict[str, Any], unit: str = "USD") -> dict[str, Any]:
    return {"label": "L", "units": {unit: list(rows)}}


INCOME = concept(
    row("2023-10-01", "2024-09-28", "93736", "10-K", "2024-11-01"),
    row("2024-09-29", "2025-09-27", "112010", "10-K", "2025-10-31"),
    row("2024-09-29", "2025-09-27", "112011", "10-K/A", "2025-12-01"),
    row("2025-06-29", "2025-09-27", "27466", "10-K", "2025-10-31"),
    row("2025-09-28", "2025-12-27", "42097.50", "10-Q", "2026-01-30"),
    row("2025-06-29", "2025-12-27", "69563", "10-Q", "2026-01-30"),
)
FACTS = {
    "us-gaap": {
        "Revenues": concept(row("2017-10-01", "2018-09-29", "265595", "10-K", "2018-11-05")),
        "NetIncomeLoss": INCOME,
        "Assets": concept(
            row(None, "2025-09-27", "359241", "10-K", "2025-10-31"),
            row(None, "2025-12-27", "379297", "10-Q", "2026-01-30"),
        ),
    }
}


def pick(form: str | None = None, facts: Any = FACTS) -> dict[str, tuple[str, int | None, str]]:
    found: list[XbrlFigure] = headline_figures(facts, form, lambda figure: True)
    return {figure.concept: (figure.value, figure.days, figure.form) for figure in found}


def test_years_of_annual_reports_come_first_and_stale_concepts_last() -> None:
    assert pick() == {
        "NetIncomeLoss": ("112011", 364, "10-K/A"),
        "Assets": ("359241", None, "10-K"),
        "Revenues": ("265595", 364, "10-K"),
    }
    assert list(pick()) == ["NetIncomeLoss", "Assets", "Revenues"]


def test_a_quarterly_form_gives_the_quarter() -> None:
    assert pick("10-Q") == {"NetIncomeLoss": ("42097.50", 91, "10-Q"), "Assets": ("379297", None, "10-Q")}


def test_a_fiscal_year_is_that_of_the_period_and_not_of_the_filing() -> None:
    rows = [
        {**row("2023-01-01", "2023-12-31", "1", "10-K", "2025-02-01"), "fy": ExactNumber("2024"), "fp": "FY"},
        {**row("2024-01-01", "2024-12-31", "2", "10-K", "2025-02-01"), "fy": ExactNumber("2024"), "fp": "FY"},
    ]
    first = {**row("2023-01-01", "2023-12-31", "1", "10-K", "2024-02-01"), "fy": ExactNumber("2023"), "fp": "FY"}

    def year(*listed: dict[str, Any], until: str) -> tuple[str, str | None]:
        facts = {"us-gaap": {"NetIncomeLoss": concept(*listed)}}
        (figure,) = headline_figures(facts, None, lambda figure: figure.end <= until)
        return figure.filed, figure.fiscal_year

    assert year(*rows, until="2024-12-31") == ("2025-02-01", "2024")
    assert year(*rows, until="2023-12-31") == ("2025-02-01", None)
    assert year(*rows, first, until="2023-12-31") == ("2025-02-01", "2023")


def test_a_long_first_quarter_is_a_quarter() -> None:
    facts = {"us-gaap": {"NetIncomeLoss": concept(row("2026-02-01", "2026-05-23", "7", "10-Q", "2026-06-20"))}}
    assert pick("10-Q", facts) == {"NetIncomeLoss": ("7", 112, "10-Q")}


def test_without_a_year_the_length_is_told() -> None:
    facts = {"us-gaap": {"NetIncomeLoss": concept(row("2025-09-28", "2025-12-27", "5", "10-Q", "2026-01-30"))}}
    assert pick(facts=facts) == {"NetIncomeLoss": ("5", 91, "10-Q")}
    assert pick(facts={}) == {}


def test_what_is_no_number_is_not_a_figure() -> None:
    broken = {"us-gaap": {"Assets": concept({**row(None, "2025-09-27", "1", "10-K", "2025-10-31"), "val": "many"})}}
    damaged: list[Any] = [broken, None, []]
    for facts in damaged:
        with pytest.raises(UpstreamChanged):
            pick(facts=facts)


def test_one_figure_over_the_years() -> None:
    rows = [
        row("2022-01-01", "2022-12-31", "10", "10-K", "2023-02-01"),
        row("2022-01-01", "2022-12-31", "11", "10-K", "2024-02-01"),  # restated
        row("2023-01-01", "2023-12-31", "20", "10-K", "2024-02-01"),
        row("2023-10-01", "2023-12-31", "6", "10-K", "2024-02-01"),  # a quarter in the annual report
        row("2024-01-01", "2024-03-31", "5", "10-Q", "2024-05-01"),
    ]
    facts = {"us-gaap": {"Revenues": {"label": "Revenues", "units": {"USD": rows}}, "Assets": {"units": {}}}}
    for name in ("revenue", "Revenues", "us-gaap:Revenues"):
        found = figures_over_years(facts, name, None, lambda figure: True)
        assert [(each.end, each.value) for each in found] == [("2023-12-31", "20"), ("2022-12-31", "11")]
    quarters = figures_over_years(facts, "revenue", "10-Q", lambda figure: True)
    assert [each.value for each in quarters] == ["5"]
    assert figures_over_years(facts, "ships", None, lambda figure: True) == []
