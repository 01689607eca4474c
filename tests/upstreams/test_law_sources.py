"""UK and EU courts, Federal Register, eCFR, Congress.gov, Regulations.gov: recorded answers, and their refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, form, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import BadInput, Blocked, KeyRejected, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Steps
from wellsourced.upstream import Access
from wellsourced.upstreams import congress, courtlistener, ecfr, eurlex, federal_register, find_case_law, regulations
from wellsourced.upstreams.types.records import Case, CaseQuery
from wellsourced.upstreams.types.search import ResultSet

ACCESS = Access()
Ask = Callable[[CaseQuery, Access], Steps[ResultSet[Case]]]
SOURCES: dict[str, Ask] = {
    "find_case_law": find_case_law.cases,
    "eurlex": eurlex.cases,
    "federal_register": federal_register.cases,
    "ecfr": ecfr.cases,
    "congress": congress.cases,
    "regulations": regulations.cases,
}
every_source = pytest.mark.parametrize("ask", SOURCES.values(), ids=list(SOURCES))


def test_uk_judgments(shared: Path) -> None:
    query = CaseQuery(text="Jarndyce", court="uksc", date_from="2024-02-03")
    requests, found = converse(
        find_case_law.cases(query, ACCESS), recorded(shared, "more/uk-caselaw/atom-feed.documented.xml")
    )
    sent = dict(requests[0].params)
    assert (sent["court"], sent["from_date_0"], sent["from_date_2"]) == ("uksc", "3", "2024")
    case = found.items[0]
    assert (case.case_name, case.url) == (
        "Jarndyce v. Jarndyce", "https://caselaw.nationalarchives.gov.uk/uksc/2024/123"
    )  # fmt: skip
    assert (case.court, case.date_filed) == ("Upper Tribunal (Lands Chamber)", "2025-04-30") and found.more_available


def test_eu_judgments(shared: Path) -> None:
    answer = recorded(shared, "more/eurlex/sparql-cellar-ecli-schrems2.json")
    requests, found = converse(eurlex.cases(CaseQuery(text="ECLI:EU:C:2020:559"), ACCESS), answer)
    assert 'FILTER(STR(?asked) = "ECLI:EU:C:2020:559")' in form(requests[0])["query"]
    case = found.items[0]
    assert case.case_name == "Data Protection Commissioner v Facebook Ireland Limited and Maximillian Schrems"
    assert (case.citations, case.date_filed) == (("ECLI:EU:C:2020:559",), "2020-07-16")
    assert case.url.endswith("CELEX:62018CJ0311")


def test_what_is_asked_of_cellar_cannot_leave_its_quotes() -> None:
    asked = form(first_request(eurlex.cases(CaseQuery(text='x" } DELETE WHERE { ?s ?p ?o'), ACCESS)))["query"]
    assert 'CONTAINS(LCASE(STR(?title)), "delete")' in asked and '"x"' not in asked and "} DELETE" not in asked
    number = form(first_request(eurlex.cases(CaseQuery(text="C-311/18"), ACCESS)))["query"]
    assert 'STRSTARTS(STR(?celex), "62018C")' in number and 'STRENDS(STR(?celex), "0311")' in number


def test_federal_register(shared: Path) -> None:
    for file in ("documents-bears-ears", "documents-search"):
        answer = recorded(shared, f"more/federalregister/{file}.json")
        _, found = converse(federal_register.cases(CaseQuery(text="Bears Ears"), ACCESS), answer)
        rows = json.loads(answer.body)["results"]
        assert [case.case_name for case in found.items] == [row["title"] for row in rows][: len(found.items)]
        assert found.items and all(case.url.startswith("https://www.federalregister.gov/") for case in found.items)
    assert converse(federal_register.cases(CaseQuery(text="x"), ACCESS), reply({"count": 0}))[1].items == ()
    with pytest.raises(Blocked):
        converse(federal_register.cases(CaseQuery(text="x"), ACCESS), reply("<html>Request Access: captcha</html>"))
    with pytest.raises(UpstreamChanged):
        converse(federal_register.cases(CaseQuery(text="x"), ACCESS), reply({"count": 3}))


def test_sections_of_the_code(shared: Path) -> None:
    query = CaseQuery(text="drones", date_from="2020-01-01")
    body = json.loads(recorded(shared, "more/ecfr/search-results.json").body)
    body["results"][0]["ends_on"] = None
    _, found = converse(ecfr.cases(query, ACCESS), reply(body))
    case = found.items[0]
    assert case.citations == ("15 CFR 744.3",) and case.case_name.startswith("Restrictions on certain rocket systems")
    assert case.url.endswith("/title-15/subtitle-B/chapter-VII/subchapter-C/part-744/section-744.3")
    assert found.not_applied == {"date_from"} and ecfr.ENDED in found.notes


def test_a_bill_with_its_actions_and_texts(shared: Path) -> None:
    files = ("v3-bill-117-hr-3076", "v3-bill-actions", "v3-bill-text-versions")
    replies = [recorded(shared, f"more/congressgov/{file}.json") for file in files]
    requests, found = converse(congress.cases(CaseQuery(text="H.R. 3076, 117th Congress"), ACCESS), *replies)
    assert [request.path for request in requests] == [
        f"/v3/bill/117/hr/3076{part}" for part in ("", "/actions", "/text")
    ]
    (bill,) = found.items
    assert bill.citations == ("H.R. 3076, 117th Cong.", "Pub. L. 117-108") and bill.date_filed == "2021-05-11"
    assert bill.status == "2022-04-06 Became Public Law No: 117-108." and "Maloney" in (bill.snippet or "")
    assert found.notes[0].endswith("/117/bills/hr3076/BILLS-117hr3076enr.htm")


def test_bills_by_words_of_their_titles_and_reports(shared: Path) -> None:
    newest = recorded(shared, "more/congressgov/v3-bills-119.json")
    requests, found = converse(congress.cases(CaseQuery(text="antiquities reform"), ACCESS), newest)
    assert requests[0].path == "/v3/bill/119" and [case.docket_number for case in found.items] == ["S. 2200"]
    assert "no search by words" in found.notes[0]
    report = recorded(shared, "more/congressgov/v3-crsreport.json")
    (case,) = converse(congress.cases(CaseQuery(text="93-792"), ACCESS), report)[1].items
    assert (case.court, case.date_filed, case.status) == ("Congressional Research Service", "2011-07-05", "Archived")
    none = recorded(shared, "more/congressgov/v3-committee-reports-empty.json")
    assert converse(congress.cases(CaseQuery(text="senate slpo00"), ACCESS), none)[1].total == 0


def test_documents_of_rulemaking(shared: Path) -> None:
    answer = recorded(shared, "more/regulationsgov/v4-documents.json")
    requests, found = converse(regulations.cases(CaseQuery(text="Bears Ears", court="fs", count=2), ACCESS), answer)
    assert dict(requests[0].params)["filter[agencyId]"] == "FS" and (found.total, found.more_available) == (68, True)
    case = found.items[0]
    assert (case.docket_number, case.citations, case.date_filed) == (
        "FS_FRDOC_0001", ("FR Doc. 2025-00863",), "2025-01-16"
    )  # fmt: skip
    assert case.status == "Notice, closed for comment"
    docket = first_request(regulations.cases(CaseQuery(text="EPA-HQ-OAR-2022-0606"), ACCESS))
    assert dict(docket.params)["filter[docketId]"] == "EPA-HQ-OAR-2022-0606"


@pytest.mark.parametrize("ask", [congress.cases, regulations.cases])
def test_keys_of_data_gov(ask: Ask) -> None:
    refused = {"API_KEY_INVALID": KeyRejected, "OVER_RATE_LIMIT": RateLimited}
    for code, expected in refused.items():
        with pytest.raises(expected):
            converse(ask(CaseQuery(text="tides"), ACCESS), reply({"error": {"code": code, "message": "No."}}, 403))


@every_source
def test_refusals(ask: Ask) -> None:
    for status, expected in ((429, RateLimited), (403, Blocked), (503, UpstreamUnavailable)):
        with pytest.raises(expected):
            converse(ask(CaseQuery(text="tides"), ACCESS), reply("no", status))
    for body in ("<html><p>hello</html>", "[]", '{"x": 1}'):
        with pytest.raises((UpstreamChanged, KeyError)):
            converse(ask(CaseQuery(text="tides"), ACCESS), reply(body))


def row(name: str, place: str, day: str, number: int) -> dict[str, Any]:
    return {
        "caseName": name, "absolute_url": f"/opinion/{number}/x/", "citation": [place], "dateFiled": day,
        "opinions": [{"id": number + 1}], "docket_id": number + 2,
    }  # fmt: skip


def test_several_citations_at_once() -> None:
    asked = (
        "Miranda v. Arizona, 384 U.S. 436 (1966)",
        "Doe v. Roe, 1 U.S. 200 (1900)",
        "Smith v. Jones, 2 U.S. 5 (1950)",
    )
    query = CaseQuery(text="; ".join(asked))
    requests, found = converse(
        courtlistener.cases(query, ACCESS),
        reply({"results": [row("Miranda v. Arizona", "384 U.S. 436", "1966-06-13", 10)]}),
        reply({"results": []}),
        reply({"results": [row("Quay v. Harbour Board", "2 U.S. 5", "1951-01-01", 20)]}),
    )
    assert [dict(request.params)["citation"] for request in requests] == ["384 U.S. 436", "1 U.S. 200", "2 U.S. 5"]
    assert [(case.case_name, case.asked) for case in found.items] == [
        ("Miranda v. Arizona", "Miranda v. Arizona, 384 U.S. 436 (1966)"),
        ("Quay v. Harbour Board", "Smith v. Jones, 2 U.S. 5 (1950)"),
    ]
    assert "does not prove" in found.notes[0] and "another name" in found.notes[1] and "not of 1950" in found.notes[2]


DOCKET = {
    "docket_absolute_url": "/docket/77/ferry-v-harbor/", "caseName": "Ferry v. Harbor", "court_id": "nysd", "docket_id":
    77, "dateFiled": None, "docketNumber": "1:24-cv-00007", "party": ["Ada Ferry", "Harbor Board"],
    "attorney": ["B. L."],
    "assignedTo": "J. Reef", "cause": "28:1331 Salvage", "dateTerminated": "2025-02-03", "recap_documents": [
        {"description": "COMPLAINT against Harbor Board", "document_number": 1, "entry_date_filed": "2024-01-02"}],
}  # fmt: skip


def test_dockets_with_parties_and_filings() -> None:
    answer = reply({"count": 3, "document_count": 90, "next": None, "results": [DOCKET]})
    query = CaseQuery(text="dockets: salvage", court="S.D.N.Y.")
    requests, found = converse(courtlistener.cases(query, ACCESS), answer)
    sent = dict(requests[0].params)
    assert (sent["type"], sent["q"], sent["court"]) == ("r", "salvage", "nysd") and found.total == 3
    (docket,) = found.items
    assert (docket.parties, docket.judge, docket.status, docket.date_filed) == (
        ("Ada Ferry", "Harbor Board"), "J. Reef", "terminated 2025-02-03", None,
    )  # fmt: skip
    assert docket.snippet == "#1 COMPLAINT against Harbor Board (2024-01-02)" and docket.url.endswith(
        "/ferry-v-harbor/"
    )
    number = CaseQuery(text="No. 1:24-cv-00007")
    requests, found = converse(courtlistener.cases(number, ACCESS), reply({"results": []}), answer)
    assert dict(requests[1].params)["type"] == "r" and found.items
    with pytest.raises((UpstreamChanged, KeyError)):
        converse(courtlistener.cases(query, ACCESS), reply({"results": [{"caseName": "X"}]}))


@pytest.mark.parametrize(
    ("named", "known"),
    [("Ninth Circuit", "ca9"), ("2d Cir.", "ca2"), ("D.C. Circuit", "cadc"), ("N.D. Cal.", "cand"), ("D. Mass.", "mad"),
     ("Southern District of New York", "nysd"), ("U.S. Supreme Court", "scotus"), ("ca9 ny", "ca9 ny")],
)  # fmt: skip
def test_courts_by_their_names(named: str, known: str) -> None:
    request = first_request(courtlistener.cases(CaseQuery(text="tides", court=named), ACCESS))
    assert dict(request.params)["court"] == known


def test_courts_of_others_by_their_names() -> None:
    uk = first_request(find_case_law.cases(CaseQuery(text="tides", court="The Supreme Court"), ACCESS))
    assert dict(uk.params)["court"] == "uksc"
    eu = form(first_request(eurlex.cases(CaseQuery(text="tides", court="General Court"), ACCESS)))["query"]
    assert 'SUBSTR(STR(?celex), 6, 1) = "T"' in eu


def test_who_cites_a_decision() -> None:
    requests, found = converse(
        courtlistener.cases(CaseQuery(text="citing 384 U.S. 436"), ACCESS),
        reply({"results": [row("Miranda v. Arizona", "384 U.S. 436", "1966-06-13", 10)]}),
        reply({"results": [row("Dickerson v. United States", "530 U.S. 428", "2000-06-26", 30)]}),
    )
    assert dict(requests[1].params)["q"] == "cites:(11)" and found.items[0].case_name.startswith("Dickerson")
    assert found.items[0].docket_url == "https://www.courtlistener.com/docket/32/"
    with pytest.raises(BadInput):
        next(courtlistener.cases(CaseQuery(text=" "), ACCESS))
