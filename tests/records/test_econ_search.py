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


# What holds for all values of a series, the newest value, and all of them in order.
OBSERVED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str | None]]] = {
    "fred": (
        {"series_id": "KITES"},
        {
            "seriesId": "KITES",
            "title": "Kites Sold in Harbor Towns",
            "units": "Thousands of Kites",
            "frequency": "Quarterly",
            "seasonalAdjustment": "Not Seasonally Adjusted",
            "source": "FRED, Federal Reserve Bank of St. Louis",
            "lastUpdated": "2025-04-30 07:54:01-05",
            "notes": "Counted at the quay.",
            "first": "2024-01-01",
            "last": "2024-10-01",
            "values": 3,
            "record": "KITES",
            "url": "https://fred.stlouisfed.org/series/KITES",
        },
        {"seriesId": "KITES", "date": "2024-10-01", "value": "20.05"},
        ["20.05", "19.100", None, "17.250"],
    ),
    "worldbank": (
        {"series_id": "AG.FSH.BOAT", "country": "ISL", "date_to": "2023"},
        {
            "seriesId": "AG.FSH.BOAT",
            "title": "Fish landed (tonnes per boat) — Iceland",
            "units": "Fish landed (tonnes per boat)",
            "frequency": "Annual",
            "country": "ISL",
            "source": "World Bank",
            "lastUpdated": "2026-07-13",
            "first": "2022",
            "last": "2023",
            "values": 2,
            "record": "AG.FSH.BOAT ISL",
            "url": "https://data.worldbank.org/indicator/AG.FSH.BOAT?locations=IS",
        },
        {"seriesId": "AG.FSH.BOAT", "date": "2023", "value": "7.90"},
        ["7.90", "7.123456789012345678"],
    ),
    "oecd": (
        {"series_id": FLOW, "country": "DE"},
        {
            "seriesId": FLOW,
            "title": "Harbour boats, monthly — Monthly, Germany, Index",
            "units": "Index",
            "frequency": "Monthly",
            "country": "DEU",
            "source": "OECD",
            "lastUpdated": "2026-02-01T10:00:00",
            "first": "2025-01",
            "last": "2025-02",
            "values": 2,
            "record": f"{FLOW} M.DEU.IX",
            "url": f"https://sdmx.oecd.org/public/rest/data/{FLOW}/.DEU.",
        },
        {"seriesId": FLOW, "date": "2025-02", "value": "103.00"},
        ["103.00", "102.50"],
    ),
    "eurostat": (
        {"series_id": "agr_sheep_m", "country": "AUT"},
        {
            "seriesId": "agr_sheep_m",
            "title": "Sheep by month — Monthly, Thousand heads, Austria",
            "units": "Thousand heads",
            "frequency": "Monthly",
            "country": "AT",
            "source": "Eurostat",
            "lastUpdated": "2026-07-14T11:00:00+0200",
            "first": "2026-03",
            "last": "2026-05",
            "values": 2,
            "record": "agr_sheep_m M.THS_HD.AT",
            "url": "https://ec.europa.eu/eurostat/databrowser/view/agr_sheep_m/default/table",
        },
        {"seriesId": "agr_sheep_m", "notes": "p: provisional", "date": "2026-05", "value": "12.0"},
        ["12.0", None, "12.30"],
    ),
    "ecb": (
        {"series_id": "EXR/M.USD.EUR"},
        {
            "seriesId": "EXR/M.USD.EUR",
            "title": "US dollar/Euro",
            "units": "US dollar",
            "frequency": "Monthly",
            "source": "The ECB",
            "lastUpdated": "2026-11-02T16:00:00Z",
            "first": "2026-08",
            "last": "2026-10",
            "values": 3,
            "record": "EXR M.USD.EUR",
            "url": "https://data-api.ecb.europa.eu/service/data/EXR/M.USD.EUR",
        },
        {"seriesId": "EXR/M.USD.EUR", "date": "2026-10", "value": "1.17"},
        ["1.17", "1.1630", "1.1500"],
    ),
    "imf": (
        {"series_id": "IMF.RES,WEO,9.0.0/NOR.NGDP_RPCH.A"},
        {
            "seriesId": "IMF.RES,WEO,9.0.0/NOR.NGDP_RPCH.A",
            "title": "World Economic Outlook (WEO) — Norway, Gross domestic product (GDP), constant prices, percent "
            "change, Annual",
            "frequency": "Annual",
            "country": "NOR",
            "source": "The IMF",
            "lastUpdated": "2026-10-14",
            "first": "2024",
            "last": "2099",
            "values": 2,
            "record": "IMF.RES,WEO,9.0.0 NOR.NGDP_RPCH.A",
            "url": "https://api.imf.org/external/sdmx/3.0/data/dataflow/IMF.RES/WEO/9.0.0/NOR.NGDP_RPCH.A",
        },
        {"seriesId": "IMF.RES,WEO,9.0.0/NOR.NGDP_RPCH.A", "notes": "projection", "date": "2099", "value": "1.70"},
        ["1.70", "2.1"],
    ),
    "dbnomics": (
        {"series_id": "BLS/cu/CUSR0000SA0", "date_to": "2014-03"},
        {
            "seriesId": "BLS/cu/CUSR0000SA0",
            "title": "Consumer Price Index - All Urban Consumers — All items in U.S. city average, seasonally adjusted",
            "units": "index",
            "frequency": "Monthly",
            "source": "BLS",
            "lastUpdated": "2026-11-01T03:00:00Z",
            "first": "2014-01",
            "last": "2014-03",
            "values": 2,
            "record": "BLS/cu/CUSR0000SA0",
            "url": "https://db.nomics.world/BLS/cu/CUSR0000SA0",
        },
        {"seriesId": "BLS/cu/CUSR0000SA0", "date": "2014-03", "value": "236.454"},
        ["236.454", "235.871", None],
    ),
}


@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.parametrize("provider", OBSERVED)
def test_a_series_is_described_once_and_its_values_are_verbatim(
    keyed_environment: dict[str, str], provider: str, is_named: bool
) -> None:
    asked, about, newest, values = OBSERVED[provider]
    found = search(keyed_environment, **({"provider": provider} if is_named else {}), **asked)
    assert (found["mode"], found["provider"], found["seriesId"]) == ("observations", provider, asked["series_id"])
    assert (found["series"], found["results"][0]) == ([about], newest)
    assert [result.get("value") for result in found["results"]] == values
    assert found["resultCount"] == len(values) and "table" not in found


def test_countries_stand_side_by_side(environment: dict[str, str]) -> None:
    found = search(environment, series_id="AG.FSH.BOAT", country="ISL, NOR", date_from="2022")
    assert found["table"].splitlines() == [
        "date,ISL,NOR",
        "2022,7.123456789012345678,7.123456789012345678",
        "2023,7.90,7.90",
        "2024,,",
    ]
    assert [(row["date"], row["country"]) for row in found["results"][:2]] == [("2022", "ISL"), ("2022", "NOR")]
    assert [each["column"] for each in found["series"]] == ["ISL", "NOR"] and found["total"] == 6


@pytest.mark.parametrize(
    ("asked", "words", "values"),
    [
        (
            {"series_id": "AG.FSH.BOAT", "units": "pch"},
            "percent change from the period before",
            [None, "10.9012", None],
        ),
        (
            {"series_id": "AG.FSH.BOAT", "units": "ch1", "date_from": "2023"},
            "change from the same period a year before",
            ["0.776543210987654322", None],
        ),
        (
            {"series_id": "AG.FSH.BOAT", "units": "index", "date_from": "2022"},
            "2022 = 100",
            ["100.0000", "110.9012", None],
        ),
        ({"series_id": "AG.FSH.BOAT", "units": "per_capita"}, "SP.POP.TOTL", [None, "0.00002", "0.0000182653"]),
        (
            {"series_id": "BLS/cu/CUSR0000SA0", "units": "pc1", "date_from": "2015-02", "date_to": "2015-03"},
            "percent change from the same period a year before",
            ["2.9660", "2.9587"],
        ),
    ],
)
def test_transformations_are_computed_and_named(
    environment: dict[str, str], asked: dict[str, Any], words: str, values: list[str | None]
) -> None:
    found = search(environment, country="ISL", **asked)
    assert words in found["series"][0]["transformation"] and "computed here" in found["series"][0]["transformation"]
    shown = [row.get("value") for row in found["results"]]
    assert shown == values
    assert "units" not in found.get("filtersNotApplied", [])


def test_an_unknown_transformation_is_told(environment: dict[str, str]) -> None:
    found = search(environment, series_id="AG.FSH.BOAT", country="ISL", units="percent")
    assert found["filtersNotApplied"] == ["units"] and found["results"][1]["value"] == "7.90"
    assert "there are chg, ch1, pch, pc1, index, per_capita." in found["notes"][0]


def test_ten_years_of_prices_fit_and_say_what_is_left(
    keyed_environment: dict[str, str], environment: dict[str, str]
) -> None:
    """With FRED's key and without any: 111 months to the end of the series, in less than 4,000 tokens."""
    for world, asked in (
        (keyed_environment, {"series_id": "CPIAUCSL"}),
        (environment, {"series_id": "BLS/cu", "query": "all items seasonally adjusted"}),
    ):
        answer = call(world, "econ_search", date_from="2016-10", **asked)
        found = content(answer)
        assert (found["resultCount"], found["results"][0]["value"]) == (111, "254.527")
        assert len(answer.text.encode()) / 4 <= 4000 and "more" not in found
    part = search(keyed_environment, series_id="CPIAUCSL", date_from="2016-10", num_results=5)
    assert part["total"] == 111 and "date_from=2017-02-02" in part["more"]
    rest = search(keyed_environment, series_id="CPIAUCSL", date_from="2017-02-02", num_results=1)
    assert rest["results"][0]["date"] == "2017-03-01"


def test_a_key_that_is_missing_is_described(environment: dict[str, str]) -> None:
    answer = call(environment, "econ_search", series_id="EXR", provider="ecb")
    assert "one slot for each of FREQ.CURRENCY.CURRENCY_DENOM.EXR_TYPE.EXR_SUFFIX" in answer.text
    assert "needs FRED_API_KEY" in call(environment, "econ_search", series_id="CPIAUCSL").text


SERIES = {
    "fred": ("kites", "KITES"),
    "worldbank": ("fish total", "AG.FSH.TOTL"),
    "oecd": ("boats", FLOW),
    "eurostat": ("sheep month", "agr_sheep_m"),
    "ecb": ("rates of exchange", "EXR"),
    "imf": ("world outlook", "IMF.RES,WEO,9.0.0"),
    "dbnomics": ("consumer prices", "BLS/cu"),
}


@pytest.mark.parametrize("provider", SERIES)
def test_series_are_found_by_words(keyed_environment: dict[str, str], provider: str) -> None:
    words, id = SERIES[provider]
    found = search(keyed_environment, query=words, provider=provider, country="DE")
    assert (found["mode"], [hit["seriesId"] for hit in found["results"]]) == ("series", [id])
    assert found["results"][0]["title"] and found["results"][0]["url"].startswith("https://")
    assert found["filtersNotApplied"] == ["country"] and found["total"] == 1
    nothing = search(keyed_environment, query="nothing whatsoever", provider=provider, frequency="m")
    assert nothing["hints"]["filtersApplied"] == {"frequency": "m"}


def test_with_a_start_the_oldest_come_first(keyed_environment: dict[str, str]) -> None:
    found = search(keyed_environment, series_id="KITES", date_from="2024-04-01", num_results=2)
    assert [result["date"] for result in found["results"]] == ["2024-04-01", "2024-07-01"]
    assert "value" not in found["results"][0]


def test_without_a_key_the_world_bank_is_first(environment: dict[str, str]) -> None:
    assert search(environment, query="fish")["provider"] == "worldbank"
    assert search(environment, series_id="AG.FSH.BOAT")["series"][0]["country"] == "WLD"


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


def test_an_id_of_another_source_says_who_was_asked(environment: dict[str, str]) -> None:
    answer = call(environment, "econ_search", series_id="KITES")
    assert "Only worldbank was asked: an id of another source needs its name in provider." in answer.text


def test_the_key_of_fred_never_leaves_with_an_error(environment: dict[str, str]) -> None:
    answer = call({**environment, "FRED_API_KEY": "0" * 31 + "a"}, "econ_search", series_id="KITES")
    assert error(answer)["kind"] == "auth_required" and "FRED_API_KEY" in answer.text
    assert "0" * 31 not in answer.text
