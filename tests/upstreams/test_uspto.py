"""USPTO Open Data Portal: the question, recorded answers, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import (
    BadInput,
    Blocked,
    KeyRejected,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.uspto import patents

ACCESS = Access({"USPTO_API_KEY": "key"})


def found(answer: Reply, count: int = 10) -> list[Patent]:
    return list(converse(patents(PatentQuery(text="x", count=count), ACCESS), answer)[1].items)


def asked(query: PatentQuery) -> dict[str, Any]:
    request = first_request(patents(query, ACCESS))
    assert request.headers["X-API-KEY"] == "key"
    body: dict[str, Any] = json.loads(request.body or b"")
    return body


def application(**about: Any) -> Reply:
    metadata = {"inventionTitle": "T", "filingDate": "2022-10-10", **about}
    row = {"applicationNumberText": "18045436", "applicationMetaData": metadata}
    return reply({"count": 1, "patentFileWrapperDataBag": [row]})


def test_words_names_and_years_are_asked_for() -> None:
    search_body = asked(
        PatentQuery(text="wind turbine", assignee="Siemens AG", inventor="A Crosby", year_from=2015, count=7)
    )
    assert search_body["q"] == '"wind" AND "turbine" AND "Siemens" AND "A" AND "Crosby"'
    assert asked(PatentQuery(text="laser OR maser -gas"))["q"] == '("laser" OR "maser") AND NOT "gas"'
    assert search_body["pagination"] == {"offset": 0, "limit": 7}
    (years,) = search_body["rangeFilters"]
    assert years["field"] == "applicationMetaData.filingDate" and years["valueFrom"] == "2015-01-01"


def test_numbers_are_asked_for_in_their_own_fields() -> None:
    assert asked(PatentQuery(number="US10165245B2"))["q"] == "applicationMetaData.patentNumber:10165245"
    question = asked(PatentQuery(number="US20230418876A1"))["q"]
    assert question == "applicationMetaData.earliestPublicationNumber:US20230418876A1"
    with pytest.raises(BadInput):
        asked(PatentQuery(number="EP1000000A1"))


def test_recorded_search(shared: Path) -> None:
    (patent,) = found(recorded(shared, "uspto-odp/applications-search.json"))
    assert (patent.number, patent.filed, patent.granted) == ("US20240362478A1", "2024-03-06", None)
    assert patent.published == "2024-10-31" and patent.cpc == ("G06N3/08",)
    assert patent.inventors[:2] == ("Nanyang YE", "Qinying GU")
    assert patent.status == "Docketed New Case - Ready for Examination"


NUMBERS = [
    (
        {"patentNumber": "12000000", "grantDate": "2024-06-04", "earliestPublicationNumber": "US20230366018A1"},
        "US12000000B2",
    ),
    ({"patentNumber": "12000000", "grantDate": "2024-06-04"}, "US12000000B1"),
    ({"patentNumber": "5000000", "grantDate": "1991-03-19"}, "US5000000A"),
    ({"patentNumber": "D987654", "grantDate": "2023-05-30"}, "USD987654S1"),
    ({"earliestPublicationNumber": "US 2019-0095759 A1"}, "US20190095759A1"),
    ({}, "US18045436"),
]


@pytest.mark.parametrize(("about", "number"), NUMBERS)
def test_the_number_has_its_kind_code(about: dict[str, str], number: str) -> None:
    (patent,) = found(application(**about))
    assert patent.number == number
    assert patent.granted == about.get("grantDate")


def test_nothing_found_is_nothing(shared: Path) -> None:
    assert found(recorded(shared, "uspto-odp/error-404-no-records.json", 404)) == []


@pytest.mark.parametrize("file", ["beta-applications-search-raw", "applications-search-download", "status-codes"])
def test_recorded_answers_of_another_shape_are_not_nothing(shared: Path, file: str) -> None:
    with pytest.raises((KeyError, UpstreamChanged)):
        found(recorded(shared, f"uspto-odp/{file}.json"))


REFUSALS: list[tuple[Reply, type[WellsourcedError]]] = [
    (reply({"message": "Unauthorized"}, 401), KeyRejected),
    (reply({"message": "Forbidden"}, 403), KeyRejected),
    (reply("<html>Just a moment...</html>", 403), Blocked),
    (reply("<html>gone</html>", 404), UpstreamChanged),
    (reply({"message": "Too Many Requests"}, 429, retry_after="5"), RateLimited),
    (reply({"detailedMessage": "Payload too large"}, 413), UpstreamUnavailable),
    (reply({"count": 3, "patentFileWrapperDataBag": []}), UpstreamChanged),
]


@pytest.mark.parametrize(("answer", "error"), REFUSALS)
def test_refusals_are_told_apart(answer: Reply, error: type[WellsourcedError]) -> None:
    with pytest.raises(error):
        found(answer)


def test_a_patent_by_number_comes_with_what_it_continues(shared: Path) -> None:
    about = {"inventionTitle": "Cells", "patentNumber": "11646472"}
    row = {"applicationNumberText": "17248024", "applicationMetaData": about}
    one = reply({"count": 1, "patentFileWrapperDataBag": [row]})
    continuity = recorded(shared, "uspto-odp/application-17248024-continuity.json")
    steps = patents(PatentQuery(number="US11646472B1"), ACCESS)
    requests, answer = converse(steps, one, continuity)
    assert requests[1].path == "/api/v1/patent/applications/17248024/continuity"
    status = "Patent Expired Due to NonPayment of Maintenance Fees Under 37 CFR 1.362"
    assert answer.items[0].family[0] == f"US10916753 2019-11-25 17248024 is a Continuation of 16695054 ({status})"
    _, answer = converse(patents(PatentQuery(number="US11646472B1"), ACCESS), one, reply("busy", 429))
    assert answer.items[0].family == () and "could not be read" in answer.notes[0]
