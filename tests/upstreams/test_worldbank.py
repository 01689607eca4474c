"""World Bank: recorded lists of two, errors with HTTP 200, values digit for digit, a catalogue searched by words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import BadInput, NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import worldbank
from wellsourced.upstreams.types.records import SeriesQuery

ACCESS = Access({}, datetime(2026, 11, 15, tzinfo=UTC))
CATALOGUES = {
    "indicator-get.json": ("poverty headcount", ["1.0.HCount.1.90usd"]),
    "indicators-by-topic.json": ("fertilizer production", ["AG.CON.FERT.PT.ZS"]),
    "indicators-list-page1.json": ("headcount $2.50", ["1.0.HCount.2.5usd"]),
}
OBSERVATIONS = {
    "observations-all-gdp-page1-with-nulls.json": (50, "2020", None, "ARB", "2021-05-25"),
    "observations-jp-cpi-2026.json": (3, "2025", "3.17253034260248", "JPN", "2026-07-13"),
    "observations-jpn-usa-gdp.json": (50, "2020", None, "JPN", "2021-05-25"),
    "observations-two-indicators-source2.json": (50, "2020", None, "JPN", "2021-05-25"),
}
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error-200-invalid-indicator-with-source.json": (200, NotFound),
    "error-200-invalid-value.json": (200, NotFound),
    "error-400-invalid-source.html": (400, BadInput),
}
NOT_ASKED_FOR = {"countries-list.json", "sources-list.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "worldbank" / name).read_bytes())


def ask(*replies: Reply, **asked: Any) -> Any:
    return converse(worldbank.series(SeriesQuery(**asked), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "worldbank").iterdir()} - {"PROVENANCE.md"}
    assert files == {*CATALOGUES, *OBSERVATIONS, *ERRORS, *NOT_ASKED_FOR}


@pytest.mark.parametrize("name", CATALOGUES)
def test_recorded_catalogues(shared: Path, name: str) -> None:
    text, expected = CATALOGUES[name]
    (request,), found = ask(recorded(shared, name), text=text)
    assert [hit.series_id for hit in found.items] == expected
    assert (request.path, dict(request.params), request.keep) == (
        "/v2/indicator",
        {"source": "2", "format": "json", "per_page": "20000"},
        86400.0,
    )
    assert found.items[0].notes
    assert ask(recorded(shared, name), text="poverty zebra")[1].items == ()


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_recorded_observations(shared: Path, name: str) -> None:
    count, date, value, country, vintage = OBSERVATIONS[name]
    found = ask(recorded(shared, name), series_id="X.Y", count=100)[1]
    first = found.items[0]
    assert (len(found.items), first.date, first.value, first.country) == (count, date, value, country)
    assert first.origin.record == f"{first.series_id} {country} {date}"
    assert first.origin.vintage == vintage
    assert [item.date for item in found.items] == sorted((item.date for item in found.items), reverse=True)
    assert bool(found.notes) is (name != "observations-jp-cpi-2026.json")


def test_recorded_values_keep_their_digits(shared: Path) -> None:
    found = ask(recorded(shared, "observations-jpn-usa-gdp.json"), series_id="X.Y", date_from="2018", count=4)[1]
    assert [(item.date, item.value) for item in found.items] == [
        ("2018", "4954806619995.19"),
        ("2019", "5081769542379.77"),
        ("2020", None),
    ]
    assert found.items[0].title == "GDP (current US$) — Japan"
    assert found.items[0].origin.unit == "GDP (current US$)"


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    unasked = UpstreamUnavailable if kind is BadInput else kind
    for asked, expected in (({"series_id": "X.Y"}, kind), ({"text": "gdp"}, unasked)):
        with pytest.raises(expected) as raised:
            ask(recorded(shared, name, status), **asked)
        assert type(raised.value) is expected


EMPTY = [{"page": 1, "pages": 1, "per_page": 5000, "total": 0}, None]


@pytest.mark.parametrize(
    ("asked", "path", "sent", "missing"),
    [
        ({}, "WLD/indicator/A.B", {}, set()),
        (
            {"country": "de, FR", "units": "pch", "frequency": "a"},
            "de;FR/indicator/A.B",
            {},
            {"units", "frequency"},
        ),
        ({"date_from": "2018-06-01"}, "WLD/indicator/A.B", {"date": "2018:2026"}, set()),
        ({"date_to": "2018"}, "WLD/indicator/A.B", {"date": "1900:2018"}, set()),
        ({"date_from": "2030"}, "WLD/indicator/A.B", {"date": "2030:2030"}, set()),
    ],
)
def test_requests(asked: dict[str, Any], path: str, sent: dict[str, str], missing: set[str]) -> None:
    (request,), found = ask(reply(EMPTY), series_id="A.B", **asked)
    assert (request.path, dict(request.params)) == (
        f"/v2/country/{path}",
        {"format": "json", "per_page": "5000", **sent},
    )
    assert (found.items, found.not_applied, request.keep) == ((), missing, None)


@pytest.mark.parametrize("asked", [{}, {"series_id": "../x"}, {"series_id": "A.B", "country": "Deutschland/x"}])
def test_bad_input(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(worldbank.series(SeriesQuery(**asked), ACCESS))


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, [{"message": [{"id": "175", "key": "Invalid format", "value": "It may have been archived."}]}], NotFound),
        (200, [{"message": [{"id": "105", "key": "Service unavailable", "value": "busy"}]}], UpstreamUnavailable),
        (200, [{"page": 1, "pages": 1, "total": 5}, None], UpstreamChanged),
        (200, [{"page": 1, "pages": 1, "total": 5}], UpstreamChanged),
        (200, {}, UpstreamChanged),
        (200, "\ufeff<html>", UpstreamChanged),
        (429, "slow", RateLimited),
    ],
)
def test_errors(status: int, body: object, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status), series_id="A.B")
    assert type(raised.value) is kind
