"""CourtListener: a recorded search, refusals in prose, and which parameter a query goes into."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import (
    AuthRequired,
    BadInput,
    Blocked,
    KeyRejected,
    RateLimited,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import courtlistener
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin

ACCESS = Access({}, datetime(2026, 11, 15, tzinfo=UTC))
ERRORS: dict[str, tuple[int, type[WellsourcedError], float | None]] = {
    "error-400-unbalanced.documented.json": (400, BadInput, None),
    "error-401-no-token.documented.json": (401, AuthRequired, None),
    "error-429-20-per-min.json": (429, RateLimited, 46),
    "error-429-5-per-min.json": (429, RateLimited, 55),
}
NOTHING: dict[str, Any] = {"count": 0, "next": None, "previous": None, "results": []}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "courtlistener" / name).read_bytes())


def ask(*replies: Reply, text: str = "miranda", **asked: Any) -> Any:
    return converse(courtlistener.cases(CaseQuery(text=text, **asked), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "courtlistener").iterdir()} - {"PROVENANCE.md"}
    assert files == {*ERRORS, "search-o-miranda-cal.json"}


def test_recorded_search(shared: Path) -> None:
    _, found = ask(recorded(shared, "search-o-miranda-cal.json"))
    first, second = found.items
    assert found.more_available
    assert first == Case(
        case_name="People v. Miranda-Guerrero",
        url="https://www.courtlistener.com/opinion/8512159/people-v-miranda-guerrero/",
        origin=Origin(
            url="https://www.courtlistener.com/opinion/8512159/people-v-miranda-guerrero/",
            record="cluster 8512159",
            vintage="2025-11-13T19:49:18.525107Z",
        ),
        citations=("519 P.3d 1004", "301 Cal. Rptr. 3d 15", "14 Cal. 5th 1"),
        court="California Supreme Court",
        court_id="cal",
        court_abbreviation="Cal.",
        docket_url="https://www.courtlistener.com/docket/65762274/",
        opinion_ids=first.opinion_ids,
        date_filed="2022-11-17",
        docket_number="S118147",
        citation_count=35,
        status="Published",
        snippet=first.snippet,
    )
    assert first.snippet
    assert first.citation == "People v. Miranda-Guerrero, 519 P.3d 1004 (Cal. 2022)"
    assert (second.judge, second.docket_number) == ("Werdegar", "S058528, S060781")
    assert len(ask(recorded(shared, "search-o-miranda-cal.json"), count=1)[1].items) == 1


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind, wait = ERRORS[name]
    with pytest.raises(kind) as raised:
        ask(recorded(shared, name, status))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({"text": "qualified immunity"}, {"q": "qualified immunity"}),
        ({"text": "Miranda v. Arizona"}, {"case_name": "Miranda v. Arizona", "order_by": "citeCount desc"}),
        ({"text": "Roe vs. Wade"}, {"case_name": "Roe vs. Wade", "order_by": "citeCount desc"}),
        (
            {"text": "Brown v. Board of Education, 347 U.S. 483 (1954)"},
            {"case_name": "Brown v. Board of Education", "order_by": "citeCount desc"},
        ),
        ({"text": "347 U.S. 483"}, {"citation": "347 U.S. 483"}),
        ({"text": "347 U.S. 483 (1954)"}, {"citation": "347 U.S. 483"}),
        ({"text": "28 U.S.C. 1331"}, {"q": "28 U.S.C. 1331"}),
        ({"text": "17 CFR 240"}, {"q": "17 CFR 240"}),
        (
            {"text": "Obergefell v. Hodges 576 U.S. 644"},
            {"case_name": "Obergefell v. Hodges", "order_by": "citeCount desc"},
        ),
        ({"text": "In re Gault, 387 U.S. 1 (1967)"}, {"case_name": "In re Gault", "order_by": "citeCount desc"}),
        ({"text": "Henry VIII"}, {"q": "Henry VIII"}),
        (
            {"text": "x", "court": "CA9", "date_from": "2020", "date_to": "2021-06-30"},
            {"q": "x", "court": "ca9", "filed_after": "2020-01-01", "filed_before": "2021-06-30"},
        ),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, str]) -> None:
    request = first_request(courtlistener.cases(CaseQuery(**asked), ACCESS))
    assert (request.path, dict(request.params)) == ("/api/rest/v4/search/", {"type": "o", **sent})
    assert dict(request.headers) == {}


def test_a_token_goes_into_a_header() -> None:
    access = Access({"COURTLISTENER_API_TOKEN": "t0ken"})
    request = first_request(courtlistener.cases(CaseQuery(text="x"), access))
    assert dict(request.headers) == {"Authorization": "Token t0ken"}
    assert "t0ken" not in str(request.params)
    with pytest.raises(KeyRejected):
        converse(courtlistener.cases(CaseQuery(text="x"), access), reply({"detail": "Invalid token."}, 401))


def test_an_unknown_case_name_is_looked_for_as_words(shared: Path) -> None:
    requests, found = ask(reply(NOTHING), recorded(shared, "search-o-miranda-cal.json"), text="A v. B on warnings")
    assert dict(requests[1].params) == {"type": "o", "q": "A v. B on warnings"}
    assert len(found.items) == 2
    assert found.notes
    assert ask(reply(NOTHING))[1].items == ()


@pytest.mark.parametrize(
    ("of_the_court", "is_doubted"),
    [
        (reply(NOTHING), True),
        (reply({**NOTHING, "count": 1, "results": [{}]}), False),
        (reply({"detail": "Request was throttled."}, 429), False),
        (reply("<html>"), False),
    ],
)
def test_a_court_without_any_opinion_is_doubted(of_the_court: Reply, is_doubted: bool) -> None:
    requests, found = ask(reply(NOTHING), of_the_court, court="Made Up", date_from="2020-01-01")
    assert dict(requests[-1].params) == {"type": "o", "court": "made up"}
    assert found.items == () and [("'made up'" in note) for note in found.notes] == [True] * is_doubted


def test_missing_fields_and_null_dates() -> None:
    row = {
        "absolute_url": "/opinion/1/a/",
        "caseName": "A v. B",
        "dateFiled": None,
        "citation": None,
        "citeCount": None,
    }
    case = ask(reply({**NOTHING, "results": [row]}))[1].items[0]
    assert (case.citation, case.date_filed, case.citation_count) == (None, None, None)
    supreme = Case(
        case_name="A v. B",
        url="u",
        origin=case.origin,
        citations=("1 L. Ed. 2d 3", "2 U.S. 4"),
        date_filed="1801-02-03",
    )
    assert supreme.citation == "A v. B, 2 U.S. 4 (1801)"
    circuit = replace(
        supreme,
        citations=("2010 U.S. App. LEXIS 9", "187 U.S. App. D.C. 1", "570 F.2d 1"),
        court_abbreviation="D.C. Cir.",
    )
    assert circuit.citation == "A v. B, 570 F.2d 1 (D.C. Cir. 1801)"
    assert [found.case_name for found in ask(reply({**NOTHING, "results": [{}, row]}))[1].items] == ["A v. B"]


@pytest.mark.parametrize("asked", [{"text": " "}, {"court": "the ninth!"}, {"date_from": "1.2.2020"}])
def test_bad_input(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(courtlistener.cases(CaseQuery(**{"text": "x", **asked}), ACCESS))


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (429, {"detail": "Request was throttled. Expected available in 86000 seconds."}, {}, RateLimited, 86000),
        (429, {"detail": "Request was throttled."}, {"retry_after": "7"}, RateLimited, 7),
        (403, "<html>wall</html>", {}, Blocked, None),
        (500, {"detail": "Internal Server Error."}, {}, UpstreamUnavailable, None),
    ],
)
def test_errors(
    status: int, body: object, headers: dict[str, str], kind: type[WellsourcedError], wait: float | None
) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status, **headers))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)


TOKEN = Access({"COURTLISTENER_API_TOKEN": "a-token"}, datetime(2026, 11, 15, tzinfo=UTC))
OBERGEFELL = {
    "id": 2812209,
    "absolute_url": "/opinion/2812209/obergefell-v-hodges/",
    "case_name": "Obergefell v. Hodges",
    "case_name_full": "",
    "date_filed": "2015-06-26",
    "citations": [{"volume": 576, "reporter": "U.S.", "page": "644", "type": 1}],
    "judges": "",
    "citation_count": 1200,
}


def look_up(*rows: dict[str, Any], status: int = 200) -> Any:
    return converse(courtlistener.cases_at("576 US 644", TOKEN), reply(list(rows), status=status))


def test_citation_lookup() -> None:
    requests, found = look_up({"citation": "576 US 644", "status": 200, "clusters": [OBERGEFELL]})
    assert (requests[0].method, requests[0].path) == ("POST", "/api/rest/v4/citation-lookup/")
    assert requests[0].body == b"text=576+US+644"
    assert dict(requests[0].headers)["Authorization"] == "Token a-token"
    assert [(case.case_name, case.citations, case.date_filed) for case in found] == [
        ("Obergefell v. Hodges", ("576 U.S. 644",), "2015-06-26")
    ]
    assert look_up({"status": 404, "clusters": []})[1] == ()
    assert look_up({"status": 400, "clusters": []})[1] is None
    assert look_up()[1] is None
    with pytest.raises(RateLimited):
        look_up({"status": 429, "clusters": []})


def test_citation_lookup_is_left_out_without_a_token() -> None:
    with pytest.raises(StopIteration) as ended:
        next(courtlistener.cases_at("576 U.S. 644", ACCESS))
    assert ended.value.value is None
