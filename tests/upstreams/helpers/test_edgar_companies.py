"""Queries about filings: forms, numbers, tickers and names."""

from __future__ import annotations

import pytest

from wellsourced.upstreams.helpers.edgar_companies import (
    Company,
    cik_in,
    find_by_name,
    find_by_ticker,
    form_in,
    form_name,
)

COMPANIES = [
    Company("1", "Apple Hospitality REIT, Inc.", "APLE"),
    Company("2", "Apple Inc.", "AAPL"),
    Company("3", "BANK OF AMERICA CORP /DE/", "BAC"),
    Company("4", "McDonald's Corp", "MCD"),
    Company("5", "Nestlé SA", "NSRGY"),
    Company("6", "BERKSHIRE HATHAWAY INC", "BRK-B"),
]


@pytest.mark.parametrize(
    ("text", "form", "rest"),
    [
        ("Apple 10-K", "10-K", "Apple"),
        ("10q of tesla", "10-Q", "of tesla"),
        ("apple 10-K/A 2023", "10-K/A", "apple 2023"),
        ("DEF 14A proxy", "DEF 14A", "proxy"),
        ("schedule 13d icahn", "SC 13D", "icahn"),
        ("s-1 filings", "S-1", "filings"),
        ("13F berkshire", "13F-HR", "berkshire"),
        ("8-Kids", None, "8-Kids"),
        ("call 10-4 over", None, "call 10-4 over"),
        ("会社 20F", "20-F", "会社"),
    ],
)
def test_forms(text: str, form: str | None, rest: str) -> None:
    assert form_in(text) == (form, rest)


def test_form_names() -> None:
    assert [form_name(text) for text in ("10k", "form 8-k", "def14a", "DEFA14A", "sc13g", "4", " S-1 ")] == [
        *("10-K", "8-K", "DEF 14A", "DEFA14A", "SC 13G", "4", "S-1")
    ]


@pytest.mark.parametrize(
    ("text", "cik"),
    [
        ("apple", "2"),
        ("Apple, Inc.", "2"),
        ("The Apple Corporation", "2"),
        ("Apple Company Pie", None),
        ("apple hospitality", "1"),
        ("bank of america", "3"),
        ("mcdonalds", "4"),
        ("NESTLE", "5"),
        ("app", None),
        ("apple pie", None),
        ("", None),
    ],
)
def test_names(text: str, cik: str | None) -> None:
    found = find_by_name(text, COMPANIES)
    assert (found.cik if found else None) == cik


def test_tickers_and_numbers() -> None:
    assert [find_by_ticker(text, COMPANIES) is not None for text in ("brk.b", "$AAPL", "aapl", "apple", "")] == [
        *(True, True, True, False, False)
    ]
    assert [cik_in(text) for text in ("320193", "CIK0000320193", "cik: 320193", "12345678901", "3M")] == [
        *("0000320193",) * 3,
        *(None, None),
    ]
