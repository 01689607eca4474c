"""Eurostat: recorded datasets with flags, the table of contents, warnings in place of data."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import BadInput, NotFound, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import eurostat
from wellsourced.upstreams.types.records import SeriesQuery

ACCESS = Access({}, datetime(2026, 11, 15, tzinfo=UTC))
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error-404.documented.json": (404, NotFound),
    "warning-200-async.documented.json": (200, BadInput),
    "sdmx-footer-async.xml": (200, UpstreamChanged),
}
DATA = {"data-prc_hicp_manr-ea-2026.json", "data-prc_hicp_minr-it-with-status.documented.json"}
READ_BY_THE_DECODER_ALONE = {"jsonstat-oecd-canada-with-status.json", "obsolete-v1.1-nama_gdp_c-it-fr.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "eurostat" / name).read_bytes())


def ask(*replies: Reply, **asked: Any) -> Any:
    return converse(eurostat.series(SeriesQuery(**asked), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "eurostat").iterdir()} - {"PROVENANCE.md"}
    assert files == {*ERRORS, *DATA, *READ_BY_THE_DECODER_ALONE, "catalogue-toc-en-2023.tsv"}


def test_recorded_data(shared: Path) -> None:
    found = ask(recorded(shared, "data-prc_hicp_manr-ea-2026.json"), series_id="prc_hicp_manr", country="EA")[1]
    assert [(item.date, item.value) for item in found.items] == [
        ("2025-12", "2.0"),
        ("2025-11", "2.1"),
        ("2025-10", "2.1"),
    ]
    first = found.items[0]
    assert first.title is not None
    assert first.title.startswith("HICP - monthly data (annual rate of change) — Monthly, Annual rate of change, All-")
    assert (first.units, first.country) == ("Annual rate of change", "EA")
    assert (first.origin.record, first.origin.vintage) == (
        "prc_hicp_manr M.RCH_A.CP00.EA 2025-12",
        "2026-02-06T23:00:00+0100",
    )


def test_recorded_flags(shared: Path) -> None:
    answer = recorded(shared, "data-prc_hicp_minr-it-with-status.documented.json")
    found = ask(answer, series_id="prc_hicp_minr", date_from="2026-07")[1]
    assert [(item.date, item.value, item.notes) for item in found.items] == [
        ("2026-07", "128.1", ()),
        ("2026-08", "128.41", ("p: provisional",)),
    ]


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    with pytest.raises(kind) as raised:
        ask(recorded(shared, name, status), series_id="nope")
    assert type(raised.value) is kind


def test_recorded_contents(shared: Path) -> None:
    (request,), found = ask(recorded(shared, "catalogue-toc-en-2023.tsv"), text="consumers MONTHLY data", count=50)
    assert (request.path, dict(request.params), request.keep) == ("/catalogue/toc/txt", {"lang": "en"}, 86400.0)
    assert (found.items[0].series_id, found.items[0].title) == ("ei_bsco_m", "Consumers - monthly data")
    assert (found.items[0].last_updated, found.items[0].notes) == ("2023-07-28", "Data from 1980M01 to 2023M07.")
    everything = ask(recorded(shared, "catalogue-toc-en-2023.tsv"), text="a", count=1000)[1].items
    assert len({hit.series_id for hit in everything}) == len(everything) > 250
    assert not any(hit.title.startswith(" ") or '"' in hit.title for hit in everything)


COLUMNS = ("title", "code", "type", "last update of data", "last table structure change", "data start", "data end")
TOC = "\t".join(f'"{name}"' for name in COLUMNS) + "\n"


def test_folders_and_repeated_codes_are_left_out() -> None:
    rows = (
        '"Jobs"\t"jobs"\t"folder"\t" "\t" "\t" "\t" "\n'
        '"    Jobs by ""sex"""\t"j_1"\t"dataset"\t"01.02.2026"\t""\t"2000"\t"2025"\t12\r\n'
        '"    Jobs by ""sex"""\t"j_1"\t"dataset"\t"01.02.2026"\t""\t"2000"\t"2025"\t12\n'
    )
    found = ask(reply(TOC + rows), text="jobs")[1]
    assert [(hit.series_id, hit.title, hit.last_updated) for hit in found.items] == [
        ("j_1", 'Jobs by "sex"', "2026-02-01")
    ]
    for broken in ("", "<html>", "code\ttitle\n"):
        with pytest.raises(UpstreamChanged):
            ask(reply(broken), text="jobs")


EMPTY: dict[str, Any] = {
    "class": "dataset",
    "label": "L",
    "value": {},
    "id": ["geo", "time"],
    "size": [0, 0],
    "dimension": {
        "geo": {"category": {"index": {}, "label": {}}},
        "time": {"category": {"index": {}, "label": {}}},
    },
}


@pytest.mark.parametrize(
    ("asked", "sent", "missing"),
    [
        ({}, [("lastTimePeriod", "5")], set()),
        ({"country": "gr"}, [("geo", "EL"), ("lastTimePeriod", "5")], set()),
        ({"country": "GBR; DEU EA20"}, [("geo", "UK"), ("geo", "DE"), ("geo", "EA20"), ("lastTimePeriod", "5")], set()),
        ({"date_from": "2020", "frequency": "m"}, [("freq", "M"), ("sinceTimePeriod", "2020-01")], set()),
        ({"date_to": "2020-03-31"}, [("untilTimePeriod", "2020-03")], set()),
    ],
)
def test_requests(asked: dict[str, Any], sent: list[tuple[str, str]], missing: set[str]) -> None:
    (request,), found = ask(reply(EMPTY), series_id="une_rt_m", **asked)
    assert (request.path, list(request.params)) == (
        "/statistics/1.0/data/une_rt_m",
        [("format", "JSON"), ("lang", "EN"), *sent],
    )
    assert (found.items, found.not_applied) == ((), missing)
    assert "no values" in found.notes[0]


@pytest.mark.parametrize("asked", [{}, {"series_id": "a/b"}, {"series_id": "ab", "country": "D!"}])
def test_bad_input(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(eurostat.series(SeriesQuery(**asked), ACCESS))


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (413, {"error": [{"status": 413, "label": "EXTRACTION_TOO_BIG"}]}, BadInput),
        (400, {"error": [{"status": 400, "label": "ERR_WRONG"}]}, BadInput),
        (200, {"error": {"status": 404, "label": "gone"}}, NotFound),
        (404, "<html>", NotFound),
        (503, "<html>", UpstreamUnavailable),
        (200, {"class": "dataset"}, UpstreamChanged),
        (200, {**EMPTY, "value": {"0": 1}}, UpstreamChanged),
        (200, {**EMPTY, "value": None}, UpstreamChanged),
        (200, {**EMPTY, "size": [0]}, UpstreamChanged),
        (200, {**EMPTY, "size": [1, 0]}, UpstreamChanged),
    ],
)
def test_errors(status: int, body: object, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status), series_id="une_rt_m")
    assert type(raised.value) is kind
