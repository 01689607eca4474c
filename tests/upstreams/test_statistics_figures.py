"""Figures of each statistical office as its recordings have them: digit for digit, with unit, multiplier and period.

The figures are in `statistics_figures.txt`, twenty of each office or as many as its recordings hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.upstreams.conversation import converse
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import dbnomics, ecb, eurostat, fred, imf, oecd, worldbank
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


def test_every_office_has_its_figures(shared: Path) -> None:
    names = [name.partition("-")[0] for name, _ in figures()]
    held = {"imf": 1, "dbnomics": 5}
    assert {name: names.count(name) >= held.get(name, 20) for name in names} == dict.fromkeys(names, True)
    assert len(set(names)) == 7
