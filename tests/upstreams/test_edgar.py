"""SEC EDGAR: recorded tables, filings, searches and figures; which company is meant; pages of refusal."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import (
    BadInput,
    Blocked,
    Misconfigured,
    RateLimited,
    UpstreamChanged,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import edgar
from wellsourced.upstreams.types.records import Fact, Filing, FilingQuery

NOW = datetime(2026, 11, 15, tzinfo=UTC)
ACCESS = Access({"EDGAR_CONTACT_EMAIL": "app@example.org"}, NOW)
TICKERS = {
    "0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."},
    "1": {"cik_str": 1418121, "ticker": "APLE", "title": "Apple Hospitality REIT, Inc."},
    "2": {"cik_str": 1067983, "ticker": "BRK-B", "title": "BERKSHIRE HATHAWAY INC"},
}
NOT_ASKED_FOR = {
    "companyconcept-lpa-assembled.documented.json": "one request brings all concepts, ten would be needed of these",
    "filing-index.json": "addresses of documents come with the search",
}
FILINGS = {
    "submissions-apple.json": (1005, "Apple Inc.", "0001059235-26-000004"),
    "submissions-no-filings-test-company.json": (0, "", ""),
    "submissions-person.json": (6, "Siemens Energy AG/ADR", "9999999995-26-000414"),
    "submissions-shell-entity.json": (11, "Sievert Stephanie A", "0001225208-25-001759"),
}
SEARCHES = {
    "efts-search-2021-6-hits.json": (5, False, "INTEL CORP", "10-K", "a12282019q4-10kdocument.htm"),
    "efts-search-2021-10000-gte.json": (88, True, "INTEL CORP", "10-Q", "f32127exv10w3.htm"),
    "efts-search-2026-climate-change-8K.json": (
        *(99, True, "CANADIAN PACIFIC RAILWAY LTD/CN", "8-K"),
        "eh200118123_ex9901.htm",
    ),
}
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "archives-403-accessdenied.xml": (403, UpstreamChanged),
    "blocked-403-undeclared-tool.excerpt.html": (403, Blocked),
    "submissions-404-nosuchkey.xml": (404, UpstreamChanged),
}
OTHERS = {"company_tickers.json", "companyfacts-lpa.json", "submissions-older-page-001.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "sec" / name).read_bytes())


def ask(*replies: Reply, **asked: Any) -> Any:
    return converse(edgar.filings(FilingQuery(**asked), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "sec").iterdir()} - {"PROVENANCE.md"}
    assert files == set(NOT_ASKED_FOR) | set(FILINGS) | set(SEARCHES) | set(ERRORS) | OTHERS


@pytest.mark.parametrize("name", FILINGS)
def test_recorded_filers(shared: Path, name: str) -> None:
    count, company, first = FILINGS[name]
    found = ask(recorded(shared, name), text="320193", count=2000, date_from="2015-03-12")[1]
    everything = [filing for filing in found.items if isinstance(filing, Filing)]
    assert len(everything) <= count
    assert (everything[0].company, everything[0].accession) == (company, first) if count else not everything
    assert all(filing.origin.record == filing.accession for filing in everything)


def test_recorded_filing_in_full(shared: Path) -> None:
    replies = recorded(shared, "company_tickers.json"), recorded(shared, "submissions-apple.json")
    requests, found = ask(*replies, text="apple 10k", count=2)
    assert [(request.host, request.path, request.keep) for request in requests] == [
        ("", "/files/company_tickers.json", 86400.0),
        ("data", "/submissions/CIK0000320193.json", None),
    ]
    assert {request.headers["User-Agent"] for request in requests} == {"Wellsourced app@example.org"}
    first = found.items[0]
    assert (first.company, first.cik, first.form_type, first.filing_date, first.period_of_report) == (
        *("Apple Inc.", "0000320193", "10-K"),
        *("2025-10-31", "2025-09-27"),
    )
    folder = "https://www.sec.gov/Archives/edgar/data/320193/000032019325000079"
    assert first.url == f"{folder}/aapl-20250927.htm"
    assert first.origin.url == f"{folder}/0000320193-25-000079-index.htm"
    assert found.more_available
    assert found.notes == ('Read "apple" as the company Apple Inc. (CIK 0000320193).',)


def test_older_filings_are_on_a_further_page(shared: Path) -> None:
    replies = recorded(shared, "submissions-apple.json"), recorded(shared, "submissions-older-page-001.json")
    requests, found = ask(*replies, text="CIK 320193", date_to="2003-12-31", count=3)
    assert requests[1].path == "/submissions/CIK0000320193-submissions-001.json"
    assert [filing.filing_date for filing in found.items] == ["2003-12-08", "2003-12-05", "2003-12-04"]
    assert found.items[0].url.endswith("/xslF345X02/primary_doc.xml")


def test_both_spellings_of_a_schedule_are_found(shared: Path) -> None:
    found = ask(recorded(shared, "submissions-apple.json"), text="320193", form_type="SC 13G", count=2)[1]
    assert [(filing.form_type, filing.filing_date) for filing in found.items] == [
        *(("SCHEDULE 13G/A", "2025-07-29"), ("SC 13G/A", "2024-02-14")),
    ]
    searched = edgar.filings(FilingQuery(text="icahn", form_type="schedule 13d"), ACCESS)
    next(searched)
    request = searched.send(reply({"0": {"cik_str": 1, "ticker": "X", "title": "X"}, "1": None}))
    assert dict(request.params)["forms"] == "SC 13D,SCHEDULE 13D"


def test_older_pages_that_were_not_read_are_told() -> None:
    rows = {name: ["2026-01-01"] for name in ("accessionNumber", "form", "filingDate", "reportDate")}
    recent = {**rows, "form": ["10-K"], "primaryDocument": ["k.htm"], "primaryDocDescription": [""]}
    files = [{"name": f"{year}.json", "filingFrom": f"{year}-01-01", "filingTo": f"{year}-12-31"} for year in (1, 3, 2)]
    body = reply({"name": "X", "filings": {"recent": recent, "files": files}})
    requests, found = ask(body, reply("gone", 503), text="7", form_type="10-K", count=2)
    assert requests[1].path == "/submissions/3.json"
    assert (len(found.items), found.more_available, found.notes) == (1, True, (edgar.UNREAD,))
    with pytest.raises(WellsourcedError):
        ask(body, reply("gone", 503), text="7", form_type="10-Q")


@pytest.mark.parametrize("name", SEARCHES)
def test_recorded_searches(shared: Path, name: str) -> None:
    count, more, company, form, file = SEARCHES[name]
    found = ask(recorded(shared, "company_tickers.json"), recorded(shared, name), text="climate change", count=500)[1]
    first = found.items[0]
    assert (len(found.items), found.more_available) == (count, more)
    assert (first.company, first.form_type, first.url.rpartition("/")[2]) == (company, form, file)
    assert len({filing.accession for filing in found.items}) == len(found.items)
    assert all(filing.company and "CIK" not in filing.company for filing in found.items)


def test_recorded_figures_say_which_period(shared: Path) -> None:
    (request,), found = ask(recorded(shared, "companyfacts-lpa.json"), text="0001997711", facts=True, count=10)
    assert (request.host, request.path) == ("data", "/api/xbrl/companyfacts/CIK0001997711.json")
    by_concept = {fact.concept: fact for fact in found.items if isinstance(fact, Fact)}
    assert {name: (fact.value, fact.unit, fact.days, fact.form_type) for name, fact in by_concept.items()} == {
        "Revenue": ("43862372", "USD", 366, "20-F"),
        "ProfitLoss": ("-19426051", "USD", 366, "20-F"),
        "Assets": ("607019578", "USD", None, "20-F"),
        "Liabilities": ("336218160", "USD", None, "20-F"),
        "Equity": ("270801418", "USD", None, "20-F"),
        "BasicEarningsLossPerShare": ("-0.94", "USD/shares", 366, "20-F"),
        "DilutedEarningsLossPerShare": ("-0.94", "USD/shares", 366, "20-F"),
        "ProfitLossFromOperatingActivities": ("36606814", "USD", 366, "20-F"),
        "CashAndCashEquivalents": ("28827347", "USD", None, "20-F"),
    }
    revenue = by_concept["Revenue"]
    assert revenue.origin.record == "0001997711-25-000030 ifrs-full:Revenue 2024-01-01/2024-12-31"
    assert (revenue.origin.unit, revenue.origin.vintage) == ("USD", "2025-04-02")
    assert revenue.url.endswith("/data/1997711/000199771125000030/0001997711-25-000030-index.htm")


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    with pytest.raises(kind) as raised:
        ask(recorded(shared, name, status), text="apple")
    assert type(raised.value) is kind


def test_an_absent_filer_is_nothing_found(shared: Path) -> None:
    for facts in (False, True):
        found = ask(recorded(shared, "submissions-404-nosuchkey.xml", 404), text="999", facts=facts)[1]
        assert found.items == ()
        assert "0000000999" in found.notes[0]


COLUMNS = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument", "primaryDocDescription")
NONE_FILED = {"name": "X", "filings": {"recent": {name: [] for name in COLUMNS}, "files": []}}
NO_HITS = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}


@pytest.mark.parametrize(
    ("asked", "second"),
    [
        ({"text": "apple"}, ("data", "/submissions/CIK0000320193.json", {})),
        ({"text": "APLE"}, ("data", "/submissions/CIK0001418121.json", {})),
        ({"text": "Apple Hospitality"}, ("data", "/submissions/CIK0001418121.json", {})),
        ({"text": "Äpple Inc"}, ("data", "/submissions/CIK0000320193.json", {})),
        ({"text": "something", "ticker": "brk.b"}, ("data", "/submissions/CIK0001067983.json", {})),
        ({"text": "apple pie"}, ("efts", "/LATEST/search-index", {"q": "apple pie"})),
        ({"text": "def14a 会社"}, ("efts", "/LATEST/search-index", {"q": "会社", "forms": "DEF 14A"})),
        (
            {"text": "tax", "form_type": "8k", "date_from": "2024-02-01"},
            (
                *("efts", "/LATEST/search-index"),
                {"q": "tax", "forms": "8-K", "dateRange": "custom", "startdt": "2024-02-01", "enddt": "2026-11-15"},
            ),
        ),
        (
            {"text": "tax", "date_to": "2010"},
            (
                *("efts", "/LATEST/search-index"),
                {"q": "tax", "dateRange": "custom", "startdt": "2001-01-01", "enddt": "2010-12-31"},
            ),
        ),
    ],
)
def test_requests(asked: dict[str, Any], second: tuple[str, str, dict[str, str]]) -> None:
    answer = NO_HITS if second[0] == "efts" else NONE_FILED
    requests, found = ask(reply(TICKERS), reply(answer), **asked)
    assert (requests[1].host, requests[1].path, dict(requests[1].params)) == second
    assert found.items == ()


def test_what_was_not_asked_for_is_told() -> None:
    (note,) = ask(reply(TICKERS), reply(NO_HITS), text="tax", date_from="1999-01-01")[1].notes
    assert "begins in 2001" in note
    assert ask(reply(TICKERS), reply(NO_HITS), text="tax", date_from="2001-01-01")[1].notes == ()
    (note,) = ask(reply(NONE_FILED), text="supply risk", ticker="0000320193")[1].notes
    assert "were not searched for" in note
    assert ask(reply(NONE_FILED), ticker="0000320193")[1].notes == ()


def test_forms_include_their_amendments() -> None:
    rows = {
        "accessionNumber": ["0000000001-26-000001", "0000000001-26-000002", "0000000001-26-000003"],
        "form": ["10-K/A", "10-Q", "10-K"],
        "filingDate": ["2026-03-03", "2026-02-02", "2026-01-01"],
        "reportDate": ["", "", "2025-12-31"],
        "primaryDocument": ["", "q.htm", "k.htm"],
        "primaryDocDescription": ["", "", ""],
    }
    found = ask(reply({"name": "X", "filings": {"recent": rows}}), text="7", form_type="10-K")[1]
    assert [filing.form_type for filing in found.items] == ["10-K/A", "10-K"]
    assert found.items[0].url.endswith("/data/7/000000000126000001/0000000001-26-000001-index.htm")
    rows["form"] = ["10-K"]
    with pytest.raises(ValueError, match="argument"):
        ask(reply({"name": "X", "filings": {"recent": rows}}), text="7")


@pytest.mark.parametrize("values", [{}, {"EDGAR_CONTACT_EMAIL": "https://example.org"}, {"OPENALEX_EMAIL": "a b@c.de"}])
def test_nothing_is_sent_without_a_contact(values: dict[str, str]) -> None:
    with pytest.raises(Misconfigured, match="EDGAR_CONTACT_EMAIL"):
        first_request(edgar.filings(FilingQuery(text="apple"), Access(values, NOW)))


def test_the_contact_of_openalex_will_do() -> None:
    request = first_request(edgar.filings(FilingQuery(text="apple"), Access({"OPENALEX_EMAIL": "a@example.org"}, NOW)))
    assert request.headers["User-Agent"] == "Wellsourced a@example.org"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"text": "10-K"},
        {"text": "apple", "date_from": "yesterday"},
        {"text": "apple", "date_from": "2024-02-30"},
        {"text": "apple", "date_from": "2024", "date_to": "2023"},
    ],
)
def test_bad_input_is_told_before_anything_is_sent(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(edgar.filings(FilingQuery(**asked), ACCESS))


def test_facts_of_nobody_and_unknown_tickers() -> None:
    with pytest.raises(BadInput, match="ticker or its CIK"):
        ask(reply(TICKERS), text="no such company", facts=True)
    found = ask(reply(TICKERS), ticker="ZZZZ")[1]
    assert (found.items, found.notes) == ((), ("SEC lists no company with ticker ZZZZ.",))


@pytest.mark.parametrize(
    ("status", "body", "kind", "wait"),
    [
        (403, "<title>SEC.gov | Request Rate Threshold Exceeded</title>", RateLimited, 600),
        (429, "<title>SEC.gov | Request Rate Threshold Exceeded</title>", RateLimited, 600),
        (403, "<html>no</html>", Blocked, None),
        (200, "<html>maintenance</html>", UpstreamChanged, None),
        (200, "[]", UpstreamChanged, None),
    ],
)
def test_errors(status: int, body: str, kind: type[WellsourcedError], wait: float | None) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status), text="apple")
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)
