"""FRED: recorded searches and observations, values as text, errors that are all HTTP 400."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import (
    BadInput,
    KeyRejected,
    NetworkFailed,
    NotFound,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import fred
from wellsourced.upstreams.types.records import SeriesQuery

ACCESS = Access({"FRED_API_KEY": "k3y"}, datetime(2026, 11, 15, tzinfo=UTC))
SEARCHES = {
    "series-search-monetary.json": (60, "MSIM2", "Monetary Services Index: M2 (preferred)", "Billions of Dollars"),
    "category-series-trade-balance.json": (
        *(47, "AITGCBN", "Advance U.S. International Trade in Goods: Balance"),
        "Millions of Dollars",
    ),
    "series-gdp.json": (1, "GDP", "Gross Domestic Product", "Billions of Dollars"),
}
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error-400-api-key-not-registered.documented.json": (400, KeyRejected),
    "error-400-api-key-not-set.documented.json": (400, KeyRejected),
    "error-400-realtime-end.json": (400, BadInput),
    "error-400-series-does-not-exist.json": (400, NotFound),
    "error-429.documented.json": (429, RateLimited),
}
NOT_ASKED_FOR = {"release-tables-cpi.json", "series-search-related-tags-empty.json", "vintagedates-gdp.json"}
NO_OBSERVATIONS = {"count": 0, "observations": []}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "fred" / name).read_bytes())


def ask(*replies: Reply, **asked: Any) -> Any:
    return converse(fred.series(SeriesQuery(**asked), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "fred").iterdir()} - {"PROVENANCE.md"}
    assert files == {*SEARCHES, *ERRORS, *NOT_ASKED_FOR, "observations-gdp-with-missing.json"}


@pytest.mark.parametrize("name", SEARCHES)
def test_recorded_searches(shared: Path, name: str) -> None:
    count, first, title, units = SEARCHES[name]
    _, found = ask(recorded(shared, name), text="zzz", count=1000)
    hit = found.items[0]
    assert (len(found.items), hit.series_id, hit.title, hit.units) == (count, first, title, units)
    assert hit.origin.url == f"https://fred.stlouisfed.org/series/{first}"
    assert hit.origin.vintage == hit.last_updated
    assert all(item.frequency and "\\/" not in (item.notes or "") for item in found.items)
    assert found.more_available is (name == "series-search-monetary.json")


def test_titles_with_the_words_come_first(shared: Path) -> None:
    _, found = ask(recorded(shared, "series-search-monetary.json"), text="real user cost index of MSI-M1", count=2)
    assert [hit.title for hit in found.items] == [
        "Real User Cost Index of MSI-M1 (preferred)",
        "Real User Cost Index of MSI-M1 (alternative)",
    ]


def test_recorded_observations(shared: Path) -> None:
    replies = recorded(shared, "observations-gdp-with-missing.json"), recorded(shared, "series-gdp.json")
    requests, found = ask(*replies, series_id="GDP", date_from="1946", count=315)
    assert [request.path for request in requests] == ["/fred/series/observations", "/fred/series"]
    assert [request.keep for request in requests] == [None, 86400.0]
    assert [item.value for item in found.items[:5]] == [None, None, None, None, "243.164"]
    assert found.items[0].about.seasonal_adjustment == "Seasonally Adjusted Annual Rate" and not found.notes
    assert ask(*replies, series_id="GDP", frequency="a")[1].items[0].about.frequency == "Annual"
    newest = ask(*replies, series_id="GDP", count=2)[1]
    assert ([item.date for item in newest.items], newest.more_available) == (["2024-07-01", "2024-04-01"], True)
    last = found.items[-1]
    assert (last.date, last.value, last.title, last.units) == (
        *("2024-07-01", "29349.924"),
        *("Gross Domestic Product", "Billions of Dollars"),
    )
    assert (last.origin.record, last.origin.unit, last.origin.vintage) == (
        *("GDP 2024-07-01", "Billions of Dollars"),
        "2024-10-30",
    )


def test_values_outlive_a_failing_description(shared: Path) -> None:
    answers = {"count": 1, "observations": [{"date": "2024-01-01", "value": "1.10"}]}
    steps = fred.series(SeriesQuery(series_id="X"), ACCESS)
    next(steps)
    steps.send(reply(answers))
    with pytest.raises(StopIteration) as done:
        steps.throw(NetworkFailed("gone"))
    assert (done.value.value.items[0].value, done.value.value.items[0].units) == ("1.10", None)
    assert done.value.value.notes
    for bad in (reply("<html>", 502), reply({}), recorded(shared, "error-429.documented.json", 429)):
        assert ask(reply(answers), bad, series_id="X")[1].items[0].value == "1.10"


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    for code in (status, 403 if status == 400 else status):
        with pytest.raises(WellsourcedError) as raised:
            ask(recorded(shared, name, code), series_id="X")
        assert isinstance(raised.value, kind) or (code == 403 and kind is BadInput)
        assert "k3y" not in str(raised.value)


KEY = {"api_key": "k3y", "file_type": "json"}
SEARCH = {"limit": "50", "order_by": "popularity", "sort_order": "desc", **KEY}


@pytest.mark.parametrize(
    ("asked", "path", "sent", "missing"),
    [
        ({"text": "gdp"}, "search", {"search_text": "gdp", **SEARCH}, set()),
        (
            {"text": "失業", "country": "JP", "date_from": "2020"},
            "search",
            {"search_text": "失業", **SEARCH},
            {"country", "date_from"},
        ),
        (
            {"series_id": "GDP", "count": 10, "country": "US"},
            "observations",
            {"series_id": "GDP", "sort_order": "desc", "limit": "10", **KEY},
            {"country"},
        ),
        (
            {"series_id": "GDP", "date_from": "2020", "date_to": "2021-03", "frequency": "a", "units": "PCH"},
            "observations",
            {
                **{"series_id": "GDP", "observation_start": "2020-01-01", "observation_end": "2021-03-31"},
                **{"units": "pch", "frequency": "a", "sort_order": "asc", "limit": "5"},
                **KEY,
            },
            set(),
        ),
    ],
)
def test_requests(asked: dict[str, Any], path: str, sent: dict[str, str], missing: set[str]) -> None:
    (request,), found = ask(reply({"seriess": [], **NO_OBSERVATIONS}), **asked)
    assert (request.path, dict(request.params)) == (f"/fred/series/{path}", sent)
    assert (found.items, found.not_applied) == ((), missing)


def test_transformed_values_say_so(shared: Path) -> None:
    answers = reply({"count": 1, "observations": [{"date": "2024-01-01", "value": "2.5"}]})
    for units, said in {"pc1": "Percent Change from Year Ago", "chg": "Change, Billions of Dollars"}.items():
        assert ask(answers, recorded(shared, "series-gdp.json"), series_id="GDP", units=units)[1].items[0].units == said


@pytest.mark.parametrize("asked", [{}, {"series_id": "GDP", "units": "percent"}, {"series_id": "GDP", "date_to": "x"}])
def test_bad_input(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(fred.series(SeriesQuery(**asked), ACCESS))


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, {"error_code": 400, "error_message": "Bad Request.  The series does not exist."}, NotFound),
        (200, {"seriess": {}}, UpstreamChanged),
        (200, "<?xml version='1.0'?><seriess/>", UpstreamChanged),
        (504, "<html>", UpstreamUnavailable),
    ],
)
def test_errors(status: int, body: object, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status), text="x")
    assert type(raised.value) is kind
