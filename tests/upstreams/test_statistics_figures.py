"""Figures of each statistical office as its recordings have them: digit for digit, with unit, multiplier and period.

The figures are in `statistics_figures.txt`, twenty of each office or as many as its recordings hold: the IMF's hold
one, DBnomics' five, and of the BLS there is none. Answers in the same shape stand in for the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.upstreams.conversation import converse, first_request
from wellsourced.errors import BadInput, KeyRejected, NotFound, RateLimited, UpstreamChanged
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import bls, dbnomics, ecb, eurostat, fred, imf, oecd, worldbank
from wellsourced.upstreams.helpers.data_cube import observation
from wellsourced.upstreams.helpers.eurostat_jsonstat import cells_of
from wellsourced.upstreams.helpers.exact_json import parse_exact_json
from wellsourced.upstreams.types.records import Observation, SeriesQuery

FLOW = "OECD.SDD.STES,DSD_KEI@DF_KEI,4.0"
RECORDED: dict[str, tuple[ModuleType, str, tuple[str, ...]]] = {
    "fred": (fred, "GDP", ("fred/observations-gdp-with-missing.json", "fred/series-gdp.json")),
    "worldbank": (worldbank, "NY.GDP.MKTP.CD", ("worldbank/observations-jpn-usa-gdp.json",)),
    "oecd": (oecd, FLOW, ("oecd/legacy-sdmx-json-qna-2019.json",)),
    "oecd-xml": (oecd, FLOW, ("oecd/new-api-genericdata-cli-2025.xml",)),
    "oecd-csv": (oecd, FLOW, ("oecd/new-api-kei-gbr-2024.csv",)),
    "eurostat": (eurostat, "prc_hicp_manr", ("eurostat/data-prc_hicp_manr-ea-2026.json",)),
    "eurostat-older": (eurostat, "nama_gdp_c", ("eurostat/obsolete-v1.1-nama_gdp_c-it-fr.json",)),
    "ecb": (ecb, "EXR/M.USD.EUR.SP00.A", ("more/ecb/generic-M.USD.EUR.SP00.A.xml",)),
    "ecb-rates": (ecb, "FM/D.U2.EUR.4F.KR", ("more/ecb/generic-data-FM.xml",)),
    "ecb-json": (ecb, "EXR/D.NZD+RUB.EUR.SP00.A", ("more/ecb/sdmx-json-exr-timeseries.json",)),
    "imf": (imf, "IMF,PCPS/M.W00.PZINC.USD", ("more/imf/sdmx-structure-PCPS.xml",)),
    "dbnomics": (dbnomics, "IMF/WEO:latest", ("more/dbnomics/v22-series-imf-weo.json",)),
}
FIGURES = Path(__file__).with_name("statistics_figures.txt")


def reply(shared: Path, file: str) -> Reply:
    body = (shared / "wire" / file).read_bytes()
    if "dbnomics" in file:  # its author wrapped the answer
        text = body.decode()
        body = text[text.index('"ok":') + 5 : text.index('"overflow"')].rstrip().rstrip(",").encode()
    return Reply(200, {}, body)


def observations(shared: Path, name: str) -> tuple[Observation, ...]:
    module, series_id, files = RECORDED[name]
    if name == "eurostat-older":  # a format that is no longer sent
        cells = cells_of(parse_exact_json(reply(shared, files[0]))["nama_gdp_c"], {})
        return tuple(
            observation(cell, dataset=series_id, title="", url="", vintage=None, source="Eurostat") for cell in cells
        )
    query = SeriesQuery(series_id=series_id, count=10_000)
    replies = [reply(shared, file) for file in files]
    found = converse(module.series(query, Access({"FRED_API_KEY": "k"})), *replies)[1]
    return tuple(found.items)


def as_line(name: str, item: Observation) -> str:
    return " | ".join((name, item.origin.record, item.value or "", item.units or item.origin.unit or ""))


def figures() -> Iterator[tuple[str, str]]:
    lines = FIGURES.read_text("utf-8").splitlines()
    return ((line.split(" | ")[0], line) for line in lines if line)


@pytest.mark.parametrize("name", RECORDED)
def test_figures_are_exact(shared: Path, name: str) -> None:
    expected = [line for owner, line in figures() if owner == name]
    found = {as_line(name, item) for item in observations(shared, name)}
    assert expected and not [line for line in expected if line not in found]
    raw = b"".join(reply(shared, file).body for file in RECORDED[name][2]).decode()
    assert all(line.split(" | ")[2] in raw for line in expected)


# Twenty figures of many kinds as JSON has them: whole, with zeros at the end, negative, tiny, long.
DIGITS = ["0", "-0.5", "1.10", "2705.345", "100.000", "0.0004", "-12", "98765432109876.54", "3.14159265358979", "7e-05"]
DIGITS += [f"{n * 7919 % 100003}.{n * 37 % 1000:03}" for n in range(1, 11)]
QUARTERS = [f"{2020 + n // 4}-Q{n % 4 + 1}" for n in range(20)]
MONTHS = [f"{2024 + n // 12}-{n % 12 + 1:02}" for n in range(20)]
LISTED = ", ".join


def with_figures(answer: str, periods: list[str], rows: Iterator[str]) -> str:
    named = LISTED(f'"{period}"' for period in periods)
    return answer.replace("PERIODS", named).replace("ROWS", LISTED(rows))


IMF_ANSWER = """{"meta": {"prepared": "2026-10-14"}, "data": {"dataSets": [{"structure": 0, "series": {"0:0:0":
 {"attributes": [0, 0], "observations": {ROWS}}}}], "structures": [{"name": "Balance of payments", "dimensions":
 {"series": [{"id": "COUNTRY", "keyPosition": 0, "values": [{"id": "NOR", "name": "Norway"}]},
  {"id": "INDICATOR", "keyPosition": 1, "values": [{"id": "CAB", "name": "Current account"}]},
  {"id": "FREQUENCY", "keyPosition": 2, "values": [{"id": "Q", "name": "Quarterly"}]}],
 "observation": [{"id": "TIME_PERIOD", "keyPosition": 3, "role": "TIME_PERIOD", "values": TIMES}]}, "attributes":
 {"series": [{"id": "UNIT", "values": [{"id": "USD", "name": "US dollars"}]},
  {"id": "SCALE", "values": [{"id": "9", "name": "Billions"}]}]}}]}}"""
DBNOMICS_ANSWER = """{"dataset": {"dimensions_values_labels": {"unit": {"mn": "Millions of euro"}}}, "series":
 {"num_found": 1, "docs": [{"provider_code": "INSEE", "dataset_code": "CNT", "series_code": "Q.PIB", "series_name":
 "Output", "indexed_at": "2026-10-01", "dimensions": {"unit": "mn"}, "period": [PERIODS], "value": [ROWS]}]}}"""
BLS_ANSWER = """{"status": "REQUEST_SUCCEEDED", "message": [], "Results": {"series": [{"seriesID": "CUSR0000SA0",
 "catalog": {"series_title": "All items", "measure_data_type": "Index 1982-84=100"}, "data": [{"year": "2024",
 "period": "M13", "value": "1"}, {"year": "2023", "period": "M12", "value": "-"}, ROWS]}]}}"""
TIMES = json.dumps([{"id": period} for period in QUARTERS])
IMF_ROWS = (f'"{place}": ["{digits}"]' for place, digits in enumerate(DIGITS))
BLS_ROWS = (
    f'{{"year": "{month[:4]}", "period": "M{month[5:]}", "value": "{digits}"}}'
    for month, digits in zip(MONTHS, DIGITS, strict=True)
)
OWN: dict[str, tuple[ModuleType, str, str, list[str], str]] = {
    "imf": (
        imf,
        "IMF.STA,BOP,9.0.0/NOR.CAB.Q",
        with_figures(IMF_ANSWER.replace("TIMES", TIMES), QUARTERS, IMF_ROWS),
        QUARTERS,
        "US dollars, Billions",
    ),
    "dbnomics": (
        dbnomics,
        "INSEE/CNT/Q.PIB",
        with_figures(DBNOMICS_ANSWER, QUARTERS, iter(DIGITS)),
        QUARTERS,
        "Millions of euro",
    ),
    "bls": (bls, "CUSR0000SA0", with_figures(BLS_ANSWER, MONTHS, BLS_ROWS), MONTHS, "Index 1982-84=100"),
}


@pytest.mark.parametrize("name", OWN)
def test_twenty_figures_in_the_shape_of_those_recorded(name: str) -> None:
    module, series_id, body, periods, unit = OWN[name]
    query = SeriesQuery(series_id=series_id, date_from="2017", date_to="2026", count=100)
    found = converse(module.series(query, Access({"BLS_API_KEY": "k"})), Reply(200, {}, body.encode()))[1]
    known = [(item.date, item.value, item.units) for item in found.items if item.value is not None]
    assert known == [(period, digits, unit) for period, digits in zip(periods, DIGITS, strict=True)]


def test_the_bls_says_what_is_wrong() -> None:
    def ask(status: str, *said: str, **more: object) -> object:
        body = json.dumps(
            {"status": status, "message": said, "Results": {"series": [{"seriesID": "LNS14000000", **more}]}}
        )
        query = SeriesQuery(series_id="LNS14000000")
        return converse(bls.series(query, Access()), Reply(200, {}, body.encode()))[1]

    with pytest.raises(RateLimited):
        ask("REQUEST_NOT_PROCESSED", "Request could not be serviced: the daily threshold for total number of requests")
    with pytest.raises(KeyRejected):
        ask("REQUEST_NOT_PROCESSED", "The key provided by the User is invalid.")
    with pytest.raises(NotFound):
        ask("REQUEST_SUCCEEDED", "Series does not exist for Series LNS14000000", data=[])
    with pytest.raises(UpstreamChanged):
        ask("REQUEST_SUCCEEDED")
    with pytest.raises(BadInput, match="dbnomics"):
        next(bls.series(SeriesQuery(text="unemployment"), Access()))
    window = SeriesQuery(series_id="LNS14000000", date_from="1990", date_to="2026")
    asked = json.loads(first_request(bls.series(window, Access())).body or b"")
    assert (asked["startyear"], asked["endyear"]) == ("1990", "1999")


# Of each office: figures above that stand in its recordings, and how many there are with a value in them.
HELD = {
    "fred": (20, 311), "worldbank": (20, 49), "oecd": (35, 75), "eurostat": (23, 67), "ecb": (34, 831), "imf": (1, 1),
    "dbnomics": (5, 5),
}  # fmt: skip


def test_every_office_has_its_figures(shared: Path) -> None:
    """Twenty of each office whose recordings hold so many; of the others all there are."""
    names = [name.partition("-")[0] for name, _ in figures()]
    recorded = dict.fromkeys(names, 0)
    for name in RECORDED:
        recorded[name.partition("-")[0]] += sum(item.value is not None for item in observations(shared, name))
    assert {name: (names.count(name), recorded[name]) for name in recorded} == HELD
    assert all(listed >= min(20, there) for listed, there in HELD.values())
