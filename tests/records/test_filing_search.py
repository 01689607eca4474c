"""filing_search through all layers: figures digit for digit, whose they are, and of how long a period."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app import call, content, error, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application

ARCHIVES = "https://www.sec.gov/Archives/edgar/data/1900001"
ANNUAL_INDEX = f"{ARCHIVES}/000190000125000011/0001900001-25-000011-index.htm"


def search(environment: dict[str, str], **asked: Any) -> dict[str, Any]:
    return content(call(environment, "filing_search", **asked))


def test_figures_are_as_filed_with_their_birth_certificate(keyed_environment: dict[str, str]) -> None:
    revenue, assets, earnings, _ = search(keyed_environment, ticker="qrry", facts=True)["filings"]
    assert revenue == {
        "company": "Quarry Pumps Inc.",
        "cik": "0001900001",
        "formType": "10-K",
        "filingDate": "2025-02-14",
        "periodOfReport": "2024-12-31",
        "accession": "0001900001-25-000011",
        "url": ANNUAL_INDEX,
        "description": "Revenues",
        "source": "edgar",
        "concept": "Revenues",
        "unit": "USD",
        "value": "4812345678",
        "periodStart": "2024-01-01",
        "periodDays": 366,
        "fiscalYear": "2024",
        "fiscalPeriod": "FY",
        "record": "0001900001-25-000011 us-gaap:Revenues 2024-01-01/2024-12-31",
    }
    assert (earnings["value"], earnings["unit"]) == ("3.10", "USD/shares")
    assert assets["value"] == "9000000001" and not {"periodStart", "periodDays"} & set(assets)


OF_YEARS = {
    "Revenues": ("4812345678", 366),
    "EarningsPerShareBasic": ("3.10", 366),
    "OperatingIncomeLoss": ("700000000", 365),
}
OF_QUARTERS = {"Revenues": ("1150000000", 90), "EarningsPerShareBasic": ("0.70", 90)}


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        ({}, OF_YEARS),
        ({"form_type": "10-K"}, OF_YEARS),
        ({"form_type": "10q"}, OF_QUARTERS),
        ({"date_from": "2025-01-01"}, OF_QUARTERS),
    ],
)
def test_a_quarter_is_never_taken_for_a_year(
    keyed_environment: dict[str, str], asked: dict[str, Any], values: dict[str, Any]
) -> None:
    found = search(keyed_environment, ticker="QRRY", facts=True, **asked)["filings"]
    assert {f["concept"]: (f["value"], f["periodDays"]) for f in found if "periodDays" in f} == values


def test_filings_are_listed_filtered_and_addressed(keyed_environment: dict[str, str]) -> None:
    found = search(keyed_environment, query="quarry pumps", form_type="10-k", date_from="2025-01-01")
    (filing,) = found["filings"]
    assert filing["url"] == f"{ARCHIVES}/000190000125000011/qrry-20241231.htm"
    assert (filing["record"], filing["formType"], filing["filingDate"]) == (
        "0001900001-25-000011",
        "10-K",
        "2025-02-14",
    )
    assert found["notes"] == ['Read "quarry pumps" as the company Quarry Pumps Inc. (CIK 0001900001).']
    bare = search(keyed_environment, query="1900001", form_type="8-K")["filings"][0]
    assert bare["url"].endswith("/0001900001-24-000077-index.htm") and "description" not in bare


def test_words_that_name_nobody_are_looked_for_in_all_filings(keyed_environment: dict[str, str]) -> None:
    found = search(keyed_environment, query="kite festivals", num_results=4)
    assert found["resultCount"] == 4 == len(found["filings"])
    assert found["filings"][0]["url"].endswith("/1900002/000190000224000001/letter1.htm")
    assert found["filings"][0]["company"] == "HARBOR KITES CORP /DE/"


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ({"ticker": "ZZZZ"}, "SEC lists no company with ticker ZZZZ."),
        ({"query": "CIK 77"}, "SEC has no filer with the CIK 0000000077."),
        ({"ticker": "HKT.B", "facts": True}, "SEC has no figures in XBRL of the filer with the CIK 0001900002."),
    ],
)
def test_nobody_found_says_who_was_looked_for(
    keyed_environment: dict[str, str], asked: dict[str, Any], note: str
) -> None:
    found = search(keyed_environment, **asked)
    assert (found["filings"], found["notes"], found["hints"]["reason"]) == ([], [note], "no_match")


def test_filters_are_suggested_for_removal_in_a_fixed_order(keyed_environment: dict[str, str]) -> None:
    asked = {"ticker": "HKT-B", "date_to": "2020-01-01", "form_type": "10-K", "date_from": "2019-01-01"}
    hints = search(keyed_environment, **asked)["hints"]
    assert hints["reason"] == "filters_too_restrictive"
    assert [action["parameter"] for action in hints["suggestedActions"]] == ["form_type", "date_from", "date_to"]


DAY = "must be a day as YYYY-MM-DD, e.g. 2024-07-31; got"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "query or ticker is required."),
        ({"query": " ", "ticker": ""}, "query or ticker is required."),
        ({"query": "x", "date_from": "2024"}, f"date_from {DAY} '2024'."),
        ({"query": "x", "date_to": "2024-02-30"}, f"date_to {DAY} '2024-02-30'."),
        ({"query": "x", "date_to": "٢٠٢٤-٠١-٠١"}, f"date_to {DAY} '٢٠٢٤-٠١-٠١'."),
        (
            {"query": "x", "date_from": "2024-02-01", "date_to": "2024-01-31"},
            "date_from (2024-02-01) is after date_to (2024-01-31); swap them or leave one out.",
        ),
        ({"query": "10-K"}, "Give a company (name, ticker or CIK)"),
        ({"query": "old kites", "date_to": "1999-12-31"}, "SEC's full-text search begins in 2001"),
        ({"query": "x", "form": "10-K"}, "Did you mean form_type?"),
    ],
)
def test_bad_input_gets_a_sentence_before_anything_is_asked(
    keyed_environment: dict[str, str], internet: Internet, asked: dict[str, Any], says: str
) -> None:
    answer = call(keyed_environment, "filing_search", **asked)
    assert answer.is_error and says in answer.text and error(answer)["kind"] == "validation"
    assert internet.requests("/edgar") in {0, 1}
    assert not [seen for seen in internet.stats()["seen"] if not seen["path"].endswith("company_tickers.json")]


def test_figures_need_a_company(keyed_environment: dict[str, str]) -> None:
    answer = call(keyed_environment, "filing_search", query="kite festivals", facts=True)
    assert answer.text.startswith("Facts are of one company") and "ticker" in answer.text


def test_the_contact_travels_and_another_address_will_do(environment: dict[str, str], internet: Internet) -> None:
    search({**environment, "OPENALEX_EMAIL": "me@library.example"}, ticker="QRRY")
    assert {seen["headers"]["user-agent"] for seen in internet.stats()["seen"]} == {"Wellsourced me@library.example"}
    answer = call({**environment, "EDGAR_CONTACT_EMAIL": "nobody"}, "filing_search", ticker="QRRY", num_results=3)
    assert "EDGAR_CONTACT_EMAIL" in answer.text and error(answer)["kind"] == "config"


@pytest.mark.parametrize("trouble", [(403, "Forbidden"), (200, "<html>Down for maintenance</html>"), (200, "{}")])
def test_the_list_of_tickers_is_fetched_once_and_a_failure_of_it_passes(
    keyed_environment: dict[str, str], internet: Internet, trouble: tuple[int, str]
) -> None:
    path = "/edgar/www/files/company_tickers.json"

    async def ask(app: Application) -> Any:
        internet.control(path, status=trouble[0], body=trouble[1], times=1)
        failed = await app.call("filing_search", {"ticker": "QRRY"})
        answers = [await app.call("filing_search", {"ticker": "QRRY", "num_results": n}) for n in (1, 2, 3)]
        return failed, answers

    failed, answers = with_app(keyed_environment, ask)
    assert failed.is_error and [content(answer)["resultCount"] for answer in answers] == [1, 2, 3]
    search(keyed_environment, ticker="QRRY", num_results=4)
    assert [seen["path"] for seen in internet.stats()["seen"]].count(path) == 2
