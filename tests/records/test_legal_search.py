"""legal_search through all layers: cases with their citations, filters that hold, a token that is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app import call, content, error, sentence
from tests.loopback.run import Internet


def search(environment: dict[str, str], **asked: Any) -> dict[str, Any]:
    return content(call(environment, "legal_search", **asked))


def test_a_case_asked_for_by_name_in_full(environment: dict[str, str]) -> None:
    found = search(environment, query="Ferry v. Harbor Board, 401 U.S. 999 (1971)")
    assert found["cases"] == [
        {
            "caseName": "Ferry v. Harbor Board",
            "citation": "Ferry v. Harbor Board, 401 U.S. 999 (1971)",
            "citations": ["91 S. Ct. 777", "401 U.S. 999"],
            "court": "Supreme Court of the United States",
            "courtId": "scotus",
            "dateFiled": "1971-03-08",
            "docketNumber": "No. 501",
            "docketUrl": "https://www.courtlistener.com/docket/508/",
            "citationCount": 812,
            "status": "Published",
            "snippet": "On Ferry v. Harbor Board & the tides.",
            "url": "https://www.courtlistener.com/opinion/501/ferry-v-harbor-board/",
            "source": "courtlistener",
        }
    ]
    assert (found["resultCount"], found["provider"]) == (1, "courtlistener") and "hints" not in found


def test_an_invented_case_is_not_passed_off_as_found(environment: dict[str, str]) -> None:
    found = search(environment, query="Nobody v. Nowhere")
    assert found["notes"] == ["No case goes by this name; these opinions hold the words."]
    assert not any("Nobody" in case["caseName"] for case in found["cases"])


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"jurisdiction": "CA9"}, ["Lighthouse Keepers v. Ferry", "In re Tides"]),
        ({"jurisdiction": "ca9", "date_from": "1999-06-30", "date_to": "1999-06-30"}, ["Lighthouse Keepers v. Ferry"]),
        ({"date_to": "1980-01-01"}, ["Ferry v. Harbor Board"]),
        ({"num_results": 1}, ["Ferry v. Harbor Board"]),
    ],
)
def test_filters_hold(environment: dict[str, str], asked: dict[str, Any], names: list[str]) -> None:
    found = search(environment, query="tides", **asked)
    assert [case["caseName"] for case in found["cases"]] == names
    assert all("citation" in case for case in found["cases"] if case["caseName"] != "In re Tides")


def test_nothing_found_names_the_filters(environment: dict[str, str]) -> None:
    found = search(environment, query="tides", date_from="2030-01-01", jurisdiction="scotus")
    hints = found["hints"]
    assert "notes" not in found
    assert "may know no such court" in search(environment, query="tides", jurisdiction="atlantis")["notes"][0]
    assert hints["reason"] == "filters_too_restrictive"
    assert hints["filtersApplied"] == {"jurisdiction": "scotus", "date_from": "2030-01-01"}
    assert [action["parameter"] for action in hints["suggestedActions"]] == ["jurisdiction", "date_from"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "query is required."),
        ({"query": " \u3000"}, "Give a legal topic, a case name or a citation in query."),
        ({"query": "x", "date_from": "01/02/2020"}, "date_from must be a day as YYYY-MM-DD"),
        ({"query": "x", "date_to": "2020-06"}, "date_to must be a day as YYYY-MM-DD"),
        ({"query": "x", "date_from": "2021-01-01", "date_to": "2020-01-01"}, "is after date_to (2020-01-01)"),
        ({"query": "x", "jurisdiction": "9th Circuit!"}, "the id of a court such as scotus, ca9, nysd or ny."),
        ({"query": "x", "court": "ca9"}, "It takes: query, jurisdiction,"),
    ],
)
def test_bad_input_gets_a_sentence_and_asks_nobody(
    environment: dict[str, str], internet: Internet, asked: dict[str, Any], says: str
) -> None:
    answer = call(environment, "legal_search", **asked)
    assert answer.is_error and says in answer.text and error(answer)["kind"] == "validation"
    assert internet.requests() == 0


def test_what_the_court_listener_does_not_understand_is_told_in_its_words(environment: dict[str, str]) -> None:
    answer = call(environment, "legal_search", query='"half quoted')
    assert sentence(answer) == "CourtListener does not understand the query: The query contains unbalanced quotes."


def test_a_refused_token_is_named_and_never_shown(environment: dict[str, str], internet: Internet) -> None:
    token = "fedcba9876543210"
    answer = call({**environment, "COURTLISTENER_API_TOKEN": token}, "legal_search", query="tides")
    assert (error(answer)["kind"], error(answer)["provider"]) == ("auth_required", "courtlistener")
    assert "COURTLISTENER_API_TOKEN" in answer.text and "leave it unset" in answer.text
    assert token not in answer.text
    assert internet.stats()["seen"][0]["headers"]["authorization"] == f"Token {token}"


def test_the_wait_stands_in_the_prose(environment: dict[str, str], internet: Internet) -> None:
    said = '{"detail": "Request was throttled. Expected available in 41 seconds."}'
    internet.control("/courtlistener", status=429, body=said, headers={"content-type": "application/json"})
    assert error(call(environment, "legal_search", query="tides"))["retryAfterSeconds"] == 41
