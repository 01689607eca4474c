"""econ_search through all layers: values digit for digit from four sources, and catalogues that are kept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app import call, content, error, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application

FLOW = "OECD.TST,DSD_BOATS@DF_BOATS,1.0"


def search(environment: dict[str, str], **asked: Any) -> dict[str, Any]:
    return content(call(environment, "econ_search", **asked))


# One observation of each source in full, and the values of all of them in order.
OBSERVED: dict[str, tuple[dict[str, Any], dict[str, Any], list[str | None]]] = {
    "fred": (
        {"series_id": "KITES"},
        {
            "seriesId": "KITES",
            "title": "Kites Sold in Harbor Towns",
            "units": "Thousands of Kites",
            "date": "2024-10-01",
            "value": "20.05",
            "record": "KITES 2024-10-01",
            "url": "https://fred.stlouisfed.org/series/KITES",
            "vintage": "2025-05-01",
        },
        ["20.05", "19.100", None, "17.250"],
    ),
    "worldbank": (
        {"series_id": "AG.FSH.BOAT", "country": "ISL", "date_to": "2023"},
        {
            "seriesId": "AG.FSH.BOAT",
            "title": "Fish landed (tonnes per boat) — Iceland",
            "units": "Fish landed (tonnes per boat)",
            "date": "2023",
            "value": "7.90",
            "country": "ISL",
            "record": "AG.FSH.BOAT ISL 2023",
            "url": "https://data.worldbank.org/indicator/AG.FSH.BOAT?locations=IS",
            "vintage": "2026-07-13",
        },
        ["7.90", "7.123456789012345678"],
    ),
    "oecd": (
        {"series_id": FLOW, "country": "DE"},
        {
            "seriesId": FLOW,
            "title": "Harbour boats, monthly — Monthly, Germany, Index",
            "units": "Index",
            "date": "2025-02",
            "value": "103.00",
            "country": "DEU",
            "record": f"{FLOW} M.DEU.IX 2025-02",
            "url": f"https://sdmx.oecd.org/public/rest/data/{FLOW}/.DEU.",
            "vintage": "2026-02-01T10:00:00",
        },
        ["103.00", "102.50"],
    ),
    "eurostat": (
        {"series_id": "agr_sheep_m", "country": "AUT"},
        {
            "seriesId": "agr_sheep_m",
            "title": "Sheep by month — Monthly, Thousand heads, Austria",
            "units": "Thousand heads",
            "notes": "p: provisional",
            "date": "2026-05",
            "value": "12.0",
            "country": "AT",
            "record": "agr_sheep_m M.THS_HD.AT 2026-05",
            "url": "https://ec.europa.eu/eurostat/databrowser/view/agr_sheep_m/default/table",
            "vintage": "2026-07-14T11:00:00+0200",
        },
        ["12.0", None, "12.30"],
    ),
}


@pytest.mark.parametrize("provider", OBSERVED)
def test_values_are_verbatim_with_their_birth_certificate(keyed_environment: dict[str, str], provider: str) -> None:
    asked, newest, values = OBSERVED[provider]
    found = search(keyed_environment, provider=provider, **asked)
    assert (found["mode"], found["provider"], found["seriesId"]) == ("observations", provider, asked["series_id"])
    assert found["results"][0] == newest
    assert [result.get("value") for result in found["results"]] == values
    assert found["resultCount"] == len(values)


SERIES = {
    "fred": ("kites", "KITES"),
    "worldbank": ("fish total", "AG.FSH.TOTL"),
    "oecd": ("boats", FLOW),
    "eurostat": ("sheep month", "agr_sheep_m"),
}


@pytest.mark.parametrize("provider", SERIES)
def test_series_are_found_by_words(keyed_environment: dict[str, str], provider: str) -> None:
    words, id = SERIES[provider]
    found = search(keyed_environment, query=words, provider=provider, country="DE")
    assert (found["mode"], [hit["seriesId"] for hit in found["results"]]) == ("series", [id])
    assert found["results"][0]["title"] and found["results"][0]["url"].startswith("https://")
    assert found["filtersNotApplied"] == ["country"]
    nothing = search(keyed_environment, query="nothing whatsoever", provider=provider, frequency="m")
    assert nothing["hints"]["filtersApplied"] == {"frequency": "m"}


def test_with_a_start_the_oldest_come_first(keyed_environment: dict[str, str]) -> None:
    found = search(keyed_environment, series_id="KITES", date_from="2024-04-01", num_results=2)
    assert [result["date"] for result in found["results"]] == ["2024-04-01", "2024-07-01"]
    assert "value" not in found["results"][0]


def test_without_a_key_the_world_bank_is_first(environment: dict[str, str]) -> None:
    assert search(environment, query="fish")["provider"] == "worldbank"
    assert search(environment, series_id="AG.FSH.BOAT")["results"][1]["country"] == "WLD"


CATALOGUES = {
    "worldbank": ("/worldbank/v2/indicator", ("fish", "population")),
    "oecd": ("/oecd/dataflow/all", ("boats", "nets")),
    "eurostat": ("/eurostat/catalogue", ("sheep", "goats")),
}


@pytest.mark.parametrize("provider", CATALOGUES)
def test_a_catalogue_is_fetched_once_and_a_failure_of_it_passes(
    environment: dict[str, str], internet: Internet, provider: str
) -> None:
    path, words = CATALOGUES[provider]

    async def ask(app: Application) -> Any:
        internet.control(path, status=403, body="Forbidden", times=1)
        answers = []
        for word in (words[0], *words):
            answers.append(await app.call("econ_search", {"query": word, "provider": provider}))
        return answers

    failed, *worked = with_app(environment, ask)
    assert error(failed)["kind"] == "blocked"
    assert all(content(answer)["results"] for answer in worked)
    assert search(environment, query=f"{words[0]}", provider=provider, num_results=1)["resultCount"] == 1
    assert internet.requests(f"/{provider}") == 2


@pytest.mark.parametrize("provider", ["worldbank", "eurostat"])
def test_an_empty_catalogue_is_not_a_crash(environment: dict[str, str], internet: Internet, provider: str) -> None:
    empty = {
        "worldbank": '[{"page":1,"pages":1,"per_page":"20000","total":0},[]]',
        "eurostat": '"title"\t"code"\t"type"\t"last update of data"\t"x"\t"data start"\t"data end"\t"values"\n',
    }
    internet.control(f"/{provider}", status=200, body=empty[provider])
    found = search(environment, query="fish", provider=provider)
    assert (found["results"], found["hints"]["reason"]) == ([], "no_match")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "query or series_id is required."),
        (
            {"query": "x", "date_from": "2024-7"},
            "date_from is '2024-7'; it must be a date such as 2024-07-31, or a year.",
        ),
        ({"query": "x", "date_to": "soon"}, "date_to is 'soon'; it must be a date such as 2024-07-31, or a year."),
        ({"query": "x", "date_from": "2024", "date_to": "2023"}, "date_from (2024) is after date_to (2023)"),
        ({"query": "x", "frequency": "monthly"}, "frequency must be 'd', 'w', 'm', 'q' or 'a'; got 'monthly'."),
        ({"series_id": "KITES", "units": "percent"}, "units is 'percent'; FRED knows lin, chg,"),
        ({"series_id": "A B", "provider": "worldbank"}, "a World Bank indicator looks like NY.GDP.MKTP.CD."),
        ({"series_id": "KITES", "provider": "oecd"}, "an OECD dataflow is agency,dataflow,version"),
        ({"series_id": "9", "provider": "eurostat"}, "a Eurostat dataset has a code such as une_rt_m."),
        ({"series_id": "AB.C", "provider": "worldbank", "country": "Iceland"}, "give an ISO code such as DE or DEU"),
    ],
)
def test_bad_input_gets_a_sentence_and_asks_nobody(
    keyed_environment: dict[str, str], internet: Internet, asked: dict[str, Any], says: str
) -> None:
    answer = call(keyed_environment, "econ_search", **asked)
    assert answer.is_error and says in answer.text and error(answer)["kind"] == "validation"
    assert internet.requests() == 0


UNKNOWN = {"fred": "NOPE", "worldbank": "NO.PE", "oecd": "OECD.X,DSD_NO@DF_PE,1.0", "eurostat": "nope"}


@pytest.mark.parametrize("provider", UNKNOWN)
def test_an_unknown_series_is_not_found_and_not_a_failure(keyed_environment: dict[str, str], provider: str) -> None:
    answer = call(keyed_environment, "econ_search", series_id=UNKNOWN[provider], provider=provider)
    assert (error(answer)["kind"], error(answer)["provider"]) == ("not_found", provider)
    assert "failed" not in answer.text and "different provider" not in answer.text


@pytest.mark.parametrize(("with_key", "id"), [(True, FLOW), (False, FLOW), (False, "agr_sheep_m")])
def test_an_id_of_another_source_says_who_was_asked(
    keyed_environment: dict[str, str], environment: dict[str, str], with_key: bool, id: str
) -> None:
    answer = call(keyed_environment if with_key else environment, "econ_search", series_id=id)
    asked = "fred" if with_key else "worldbank"
    assert f"Only {asked} was asked: an id of another source needs its name in provider." in answer.text


def test_the_key_of_fred_never_leaves_with_an_error(environment: dict[str, str]) -> None:
    answer = call({**environment, "FRED_API_KEY": "0" * 31 + "a"}, "econ_search", series_id="KITES")
    assert error(answer)["kind"] == "auth_required" and "FRED_API_KEY" in answer.text
    assert "0" * 31 not in answer.text
