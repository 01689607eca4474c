"""OECD: SDMX messages of three generations, the place of the country in a key, plain-text refusals."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import (
    BadInput,
    Blocked,
    NetworkFailed,
    NotFound,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import oecd
from wellsourced.upstreams.helpers import sdmx_source
from wellsourced.upstreams.types.records import SeriesQuery

ACCESS = Access({}, datetime(2026, 11, 15, tzinfo=UTC))
KEI = "OECD.SDD.STES,DSD_KEI@DF_KEI,4.0"
DATA = {
    "legacy-sdmx-json-part2-flat-2021.json": (7, "", "11.963615756565", "AUS.5CLAT.INI.FOG.MAT.MN", "AUS"),
    "legacy-sdmx-json-qna-2019.json": (60, "2011-Q4", "1425778.503062", "AUS.B1_GE.VOBARSA.Q", "AUS"),
    "sdmx-json-2.0-exr-flat.json": (4, "2013-01-21", "1.5925", "D.NZD.EUR.SP00.A", None),
    "sdmx-json-2.0-exr-time-series.json": (4, "2013-01-21", "1.5925", "D.NZD.EUR.SP00.A", None),
}
IN_FORMATS_NOT_ASKED_FOR = {"new-api-genericdata-cli-2025.xml", "new-api-kei-gbr-2024.csv"}
OTHERS = {"nsi-dataflow-listing-istat-2026.xml", "dataflow-listing-shape.md"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "oecd" / name).read_bytes())


def ask(*replies: Reply, **asked: Any) -> Any:
    return converse(oecd.series(SeriesQuery(**asked), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "oecd").iterdir()} - {"PROVENANCE.md"}
    assert files == {*DATA, *IN_FORMATS_NOT_ASKED_FOR, *OTHERS}


@pytest.mark.parametrize("name", DATA)
def test_recorded_data(shared: Path, name: str) -> None:
    count, date, value, key, country = DATA[name]
    found = ask(recorded(shared, name), series_id=KEI, count=100)[1]
    first = found.items[0]
    assert (len(found.items), first.date, first.value, first.country) == (count, date, value, country)
    assert first.origin.record == f"{KEI} {key} {date}"
    assert first.origin.url == "https://sdmx.oecd.org/public/rest/data/OECD.SDD.STES,DSD_KEI@DF_KEI,4.0/all"
    assert first.origin.vintage
    assert first.title
    assert " — " in first.title


def test_the_newest_are_kept_and_the_oldest_when_a_start_is_given(shared: Path) -> None:
    answer = recorded(shared, "legacy-sdmx-json-qna-2019.json")
    newest = ask(answer, series_id=KEI, count=5)[1]
    assert [(item.date, item.country) for item in newest.items] == [
        ("2011-Q4", country) for country in ("AUS", "AUT", "BEL", "CAN", "CHL")
    ]
    assert newest.more_available
    oldest = ask(answer, series_id=KEI, count=6, date_from="2010-08-15")[1]
    assert [item.date for item in oldest.items] == ["2010-Q3"] * 5 + ["2010-Q4"]
    until = ask(answer, series_id=KEI, count=1, date_to="2009-05")[1]
    assert until.items[0].date == "2009-Q2"


def test_recorded_values_come_with_their_scale(shared: Path) -> None:
    found = ask(recorded(shared, "legacy-sdmx-json-qna-2019.json"), series_id=KEI, count=2)[1]
    assert [item.units for item in found.items] == [
        f"{currency}, Millions, reference period 2010" for currency in ("Australian Dollar", "Euro")
    ]


def test_flags_are_kept(shared: Path) -> None:
    found = ask(recorded(shared, "legacy-sdmx-json-part2-flat-2021.json"), series_id=KEI, count=9)[1]
    assert found.items[1].notes == ("x: Change significant at the 0.05 level",)


def flow(agency: str, name: str, title: str) -> dict[str, Any]:
    return {"agencyID": agency, "id": name, "version": "1.0", "name": "autre", "names": {"en": title, "fr": "autre"}}


LISTING = {
    "data": {
        "dataflows": [
            flow("OECD.A", "DSD_A@DF_A", "Quarterly real GDP growth - OECD countries"),
            flow("OECD.B", "DSD_B@DF_B", "Gross domestic product, annual growth"),
            flow("OECD.C", "DSD_C@DF_C", "Unemployment rates"),
        ]
    }
}


def test_words_are_searched_in_all_names_and_acronyms() -> None:
    (request,), found = ask(reply(LISTING), text="growth gdp", country="DE")
    assert [hit.series_id for hit in found.items] == ["OECD.A,DSD_A@DF_A,1.0", "OECD.B,DSD_B@DF_B,1.0"]
    assert (request.path, dict(request.params), request.keep) == (
        *("/dataflow/all/all/latest", {"detail": "allstubs"}),
        86400.0,
    )
    assert found.not_applied == {"country"}
    assert ask(reply(LISTING), text="inflation")[1].items == ()


def test_recorded_structure_as_xml(shared: Path) -> None:
    structure = recorded(shared, "nsi-dataflow-listing-istat-2026.xml")
    found = ask(structure, text="infancy services")[1]
    assert [(hit.series_id, hit.title) for hit in found.items] == [
        ("IT1,47_850,1.0", "Socio-educational services for infancy day-care")
    ]
    data = recorded(shared, "sdmx-json-2.0-exr-flat.json")
    requests, _ = ask(structure, data, series_id="IT1,47_850,1.0", country="it")
    assert (requests[0].path, dict(requests[0].params), requests[0].keep) == (
        *("/dataflow/IT1/47_850/1.0", {"references": "datastructure"}),
        86400.0,
    )
    assert requests[1].path == "/data/IT1,47_850,1.0/.ITA...."


STRUCTURE = {
    "data": {
        "dataStructures": [
            {
                "dataStructureComponents": {
                    "dimensionList": {
                        "dimensions": [{"id": "FREQ", "position": 1}, {"id": "REF_AREA", "position": 0}],
                        "timeDimensions": [{"id": "TIME_PERIOD", "position": 2}],
                    }
                }
            }
        ]
    }
}


def test_the_country_goes_where_the_structure_says(shared: Path) -> None:
    data = recorded(shared, "legacy-sdmx-json-qna-2019.json")
    requests, found = ask(reply(STRUCTURE), data, series_id=KEI, country="de,USA", date_from="2020-05", count=7)
    assert requests[1].path == f"/data/{KEI}/DEU+USA."
    assert dict(requests[1].params) == {
        "startPeriod": "2020-05",
        "firstNObservations": "7",
        "dimensionAtObservation": "TIME_PERIOD",
    }
    assert requests[1].headers["Accept"] == "application/vnd.sdmx.data+json;version=2.0.0"
    assert (found.items, found.notes) == ((), (oecd.SERVICE.nothing,))


@pytest.mark.parametrize("trouble", [reply("gone", 404), reply("<html>", 500), reply({}), NetworkFailed("no")])
def test_an_unknown_structure_costs_a_note_and_no_data(shared: Path, trouble: Any) -> None:
    steps = oecd.series(SeriesQuery(series_id=KEI, country="AUT", count=2), ACCESS)
    next(steps)
    request = steps.throw(trouble) if isinstance(trouble, NetworkFailed) else steps.send(trouble)
    assert request.path == f"/data/{KEI}/all"
    with pytest.raises(StopIteration) as done:
        steps.send(recorded(shared, "legacy-sdmx-json-qna-2019.json"))
    found = done.value.value
    assert [item.country for item in found.items] == ["AUT", "AUT"]
    assert found.notes == (sdmx_source.UNPLACED,)


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimited), (403, Blocked)])
def test_a_refused_structure_is_a_refusal_and_not_a_request_for_everything(
    status: int, kind: type[WellsourcedError]
) -> None:
    steps = oecd.series(SeriesQuery(series_id=KEI, country="AUT", count=2), ACCESS)
    next(steps)
    with pytest.raises(kind):
        steps.send(reply("no", status))


def test_units_and_multipliers_of_groups_of_dimensions_are_read() -> None:
    area = {"id": "REF_AREA", "keyPosition": 0, "values": [{"id": "AUT", "name": "Austria"}]}
    codes = [{"id": "GDP", "name": "GDP"}, {"id": "CPI", "name": "CPI"}]
    measure = {"id": "MEASURE", "keyPosition": 1, "values": codes}
    unit = {"id": "UNIT_MEASURE", "values": [{"id": "XDC", "name": "National currency"}, {"id": "IX", "name": "Index"}]}
    scale = {"id": "UNIT_MULT", "values": [{"id": "0", "name": "Units"}, {"id": "3", "name": "Thousands"}]}
    structure = {
        "name": "Accounts",
        "dimensions": {"series": [area, measure], "observation": [{"id": "TIME_PERIOD", "values": [{"id": "2024"}]}]},
        "attributes": {"dimensionGroup": [unit, scale]},
    }
    dataset = {
        "structure": 0,
        "dimensionGroupAttributes": {":0": [0, 1], ":1": [1, 0]},
        "series": {f"0:{place}": {"observations": {"0": [5]}} for place in (0, 1)},
    }
    found = ask(reply({"data": {"structures": [structure], "dataSets": [dataset]}}), series_id=KEI, count=2)[1]
    assert [item.units for item in found.items] == ["National currency, Thousands", "Index"]


@pytest.mark.parametrize(
    ("series_id", "path"),
    [
        (KEI, f"/data/{KEI}/all"),
        ("OECD.SDD.STES:DSD_KEI@DF_KEI(4.0)", f"/data/{KEI}/all"),
        (f"{KEI}/GBR.M.IRLT....", f"/data/{KEI}/GBR.M.IRLT...."),
        ("OECD.SDD.STES,DSD_KEI@DF_KEI,", "/data/OECD.SDD.STES,DSD_KEI@DF_KEI,/all"),
    ],
)
def test_references(series_id: str, path: str) -> None:
    request = first_request(oecd.series(SeriesQuery(series_id=series_id), ACCESS))
    assert (request.path, dict(request.params)) == (
        path,
        {"lastNObservations": "5", "dimensionAtObservation": "TIME_PERIOD"},
    )


@pytest.mark.parametrize("asked", [{}, {"series_id": "GDP"}, {"series_id": KEI, "country": "x/../y"}])
def test_bad_input(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(oecd.series(SeriesQuery(**asked), ACCESS))


@pytest.mark.parametrize(
    ("status", "body", "kind", "wait"),
    [
        (404, "Could not find Dataflow", NotFound, None),
        (406, "Not acceptable", UpstreamUnavailable, None),
        (413, "too large", BadInput, None),
        (422, "Not enough key values in query", BadInput, None),
        (429, "limit", RateLimited, 3600),
        (500, "oops", UpstreamUnavailable, None),
        (200, {"data": {"dataSets": {}, "structure": {}}}, UpstreamChanged, None),
    ],
)
def test_errors(status: int, body: object, kind: type[WellsourcedError], wait: float | None) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status), series_id=KEI)
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)


def test_a_key_goes_before_a_country(shared: Path) -> None:
    answer = recorded(shared, "legacy-sdmx-json-qna-2019.json")
    requests, found = ask(answer, series_id=f"{KEI}/AUS..", country="AUT", count=60)
    assert [request.path for request in requests] == [f"/data/{KEI}/AUS.."]
    assert (len(found.items), found.not_applied) == (60, {"country"})


def test_no_records_is_nothing_found() -> None:
    found = ask(reply("NoRecordsFound", 404), series_id=KEI)[1]
    assert found.items == ()
    assert found.notes
