"""clinical_search through all layers: registrations as they are registered, page by page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app import call, content, error
from tests.loopback.run import Internet


def search(environment: dict[str, str], **asked: Any) -> dict[str, Any]:
    return content(call(environment, "clinical_search", **asked))


def test_a_registration_in_full_and_one_that_is_hardly_more_than_a_number(environment: dict[str, str]) -> None:
    full, bare = search(environment, condition="seasickness", num_results=2)["trials"]
    assert full == {
        "nctId": "NCT00000001",
        "title": "Ginger against seasickness 1",
        "url": "https://clinicaltrials.gov/study/NCT00000001",
        "source": "clinicaltrials",
        "status": "RECRUITING",
        "phases": ["PHASE2", "PHASE3"],
        "conditions": ["Seasickness"],
        "interventions": ["Ginger", "Placebo"],
        "sponsor": "Harbor Hospital",
        "startDate": "2024-03",
        "completionDate": "2027-01-31",
        "enrollment": 40,
        "hasResults": False,
    }
    assert set(bare) == {"nctId", "title", "url", "source", "hasResults"}


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({"query": "nct00000007"}, {"filter.ids": "NCT00000007"}),
        ({"intervention": "ginger", "phase": "Phase III"}, {"query.intr": "ginger", "aggFilters": "phase:3"}),
        ({"sponsor": "Harbor", "status": "active, not recruiting"}, {"filter.overallStatus": "ACTIVE_NOT_RECRUITING"}),
    ],
)
def test_filters_reach_the_registry(
    environment: dict[str, str], internet: Internet, asked: dict[str, Any], sent: dict[str, str]
) -> None:
    from urllib.parse import parse_qsl

    search(environment, **asked)
    (seen,) = internet.stats()["seen"]
    assert sent.items() <= dict(parse_qsl(seen["query"])).items()


def test_a_number_finds_one_trial_and_echoes_what_was_asked(environment: dict[str, str]) -> None:
    found = search(environment, query="NCT00000007")
    assert [trial["nctId"] for trial in found["trials"]] == ["NCT00000007"]
    assert (found["query"], found["resultCount"]) == ("NCT00000007", 1)
    assert search(environment, sponsor="Harbor Hospital", status="completed")["query"] == "Harbor Hospital"


def test_nothing_found_names_the_filters(environment: dict[str, str]) -> None:
    hints = search(environment, condition="seasickness", phase="4", status="RECRUITING")["hints"]
    assert hints["filtersApplied"] == {"condition": "seasickness", "status": "RECRUITING", "phase": "4"}
    assert [action["parameter"] for action in hints["suggestedActions"]] == ["status", "phase"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "query, condition, intervention or sponsor is required."),
        ({"query": " ", "status": "RECRUITING"}, "query, condition, intervention or sponsor is required."),
        ({"query": "x", "status": "open"}, "status is 'open'; it must be one of ACTIVE_NOT_RECRUITING,"),
        ({"query": "x", "phase": "9"}, "phase is '9'; it must be one of EARLY_PHASE1, PHASE1,"),
        ({"query": "x", "drug": "ginger"}, "It takes: query, condition, intervention,"),
    ],
)
def test_bad_input_gets_a_sentence_and_asks_nobody(
    environment: dict[str, str], internet: Internet, asked: dict[str, Any], says: str
) -> None:
    answer = call(environment, "clinical_search", **asked)
    assert answer.is_error and says in answer.text and error(answer)["kind"] == "validation"
    assert internet.requests() == 0


def test_what_the_registry_does_not_understand_is_told_in_its_words(environment: dict[str, str]) -> None:
    answer = call(environment, "clinical_search", query="(ginger")
    assert answer.text.startswith("ClinicalTrials.gov does not understand the request:")
    assert "unbalanced parenthesis" in answer.text
