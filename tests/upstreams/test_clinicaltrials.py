"""ClinicalTrials.gov: recorded studies, paging by token, plain-text errors, spellings of status and phase."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import (
    BadInput,
    Blocked,
    NotFound,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import clinicaltrials
from wellsourced.upstreams.types.records import Origin, Trial, TrialQuery

ACCESS = Access({}, datetime(2026, 11, 15, tzinfo=UTC))
SEARCHES = {
    "search-empty.documented.json": (0, "", False),
    "search_age_count_20260811.json": (1, "NCT01595035", True),
    "search_melanoma_recruiting_limit3_20260811.json": (3, "NCT06970236", True),
    "search_phelan_limit50_20260811.json": (3, "NCT02710084", False),
    "search_phelan_limit5_20260811.json": (5, "NCT02710084", True),
    "search_phelan_next_20260811.json": (5, "NCT05187377", True),
}
SINGLE = {"get_nct02576665_20260811.json": "NCT02576665", "get_nct06604689_20260811.json": "NCT06604689"}
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error-400-invalid-field-name.txt": (400, BadInput),
    "error-400-unknown-parameter.txt": (400, BadInput),
}
ABSENT = "error-404-study.documented.txt"


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "clinicaltrials" / name).read_bytes())


def ask(*replies: Reply, **asked: Any) -> Any:
    return converse(clinicaltrials.trials(TrialQuery(**{"text": "x", **asked}), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "clinicaltrials").iterdir()} - {"PROVENANCE.md"}
    assert files == {*SEARCHES, *SINGLE, *ERRORS, ABSENT}


def test_a_study_that_does_not_exist_is_nothing_found(shared: Path) -> None:
    found = ask(recorded(shared, ABSENT, 404), text="NCT99999999")[1]
    assert (found.items, found.notes) == ((), ("ClinicalTrials.gov: NCT number NCT99999999 not found.",))
    with pytest.raises(NotFound):
        ask(reply("<html>Not found</html>", 404))


@pytest.mark.parametrize("name", SEARCHES)
def test_recorded_searches(shared: Path, name: str) -> None:
    count, first, more = SEARCHES[name]
    _, found = ask(recorded(shared, name), count=max(1, count))
    assert (len(found.items), found.more_available) == (count, more)
    assert [trial.nct_id for trial in found.items[:1]] == ([first] if first else [])
    assert all(trial.title and trial.status and trial.sponsor and trial.conditions for trial in found.items)


@pytest.mark.parametrize("name", SINGLE)
def test_recorded_single_studies_read_the_same(shared: Path, name: str) -> None:
    study = json.loads(recorded(shared, name).body)
    found = ask(reply({"studies": [study]}))[1]
    assert [trial.nct_id for trial in found.items] == [SINGLE[name]]


def test_recorded_trial_in_full(shared: Path) -> None:
    found = ask(recorded(shared, "search_phelan_limit5_20260811.json"), count=1)[1]
    assert found.items[0] == Trial(
        nct_id="NCT02710084",
        title="Piloting Treatment With Intranasal Oxytocin in Phelan-McDermid Syndrome",
        ages="5 Years to 17 Years",
        url="https://clinicaltrials.gov/study/NCT02710084",
        origin=Origin(url="https://clinicaltrials.gov/study/NCT02710084", record="NCT02710084"),
        status="COMPLETED",
        phases=("PHASE2",),
        conditions=("Phelan-McDermid Syndrome",),
        interventions=("Oxytocin", "Saline"),
        sponsor="Alexander Kolevzon",
        start_date="2016-04-29",
        completion_date="2020-07-29",
        enrollment=18,
    )


def test_pages_are_followed_by_token(shared: Path) -> None:
    pages = recorded(shared, "search_phelan_limit5_20260811.json"), recorded(shared, "search_phelan_next_20260811.json")
    requests, found = ask(*pages, count=8)
    assert [dict(request.params).get("pageToken") for request in requests] == [
        None,
        "ZVt07cGHkvI2wRk2CJf6_LLq14bEL8swd7KrgP4dnDeTsPkw",
    ]
    assert [dict(request.params)["pageSize"] for request in requests] == ["8", "3"]
    assert len({trial.nct_id for trial in found.items}) == 8


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    with pytest.raises(kind) as raised:
        ask(recorded(shared, name, status))
    assert type(raised.value) is kind


FIXED = {"format": "json", "fields": clinicaltrials.FIELDS, "countTotal": "true", "pageSize": "10"}


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({"text": "糖尿病"}, {"query.term": "糖尿病"}),
        (
            {"text": "", "condition": "covid-19", "intervention": "remdesivir", "sponsor": "NIH"},
            {"query.cond": "covid-19", "query.intr": "remdesivir", "query.spons": "NIH"},
        ),
        ({"text": "nct02710084"}, {"filter.ids": "NCT02710084"}),
        ({"status": "recruiting"}, {"query.term": "x", "filter.overallStatus": "RECRUITING"}),
        ({"status": "Active, not recruiting"}, {"query.term": "x", "filter.overallStatus": "ACTIVE_NOT_RECRUITING"}),
        ({"status": "COMPLETED|unknown status"}, {"query.term": "x", "filter.overallStatus": "COMPLETED|UNKNOWN"}),
        ({"phase": "Phase III"}, {"query.term": "x", "aggFilters": "phase:3"}),
        ({"phase": "2"}, {"query.term": "x", "aggFilters": "phase:2"}),
        ({"phase": "early phase 1"}, {"query.term": "x", "aggFilters": "phase:0"}),
        ({"phase": "Phase 2/Phase 3"}, {"query.term": "x", "aggFilters": "phase:2 3"}),
        ({"phase": "n/a"}, {"query.term": "x", "aggFilters": "phase:na"}),
        ({"count": 250}, {"query.term": "x", "pageSize": "100"}),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, str]) -> None:
    (request,), found = ask(reply({"studies": [], "totalCount": 0}), **asked)
    assert (request.path, dict(request.params)) == ("/api/v2/studies", FIXED | sent)
    assert found.items == ()


def test_bad_input_lists_what_is_right() -> None:
    with pytest.raises(BadInput, match="at least one"):
        first_request(clinicaltrials.trials(TrialQuery(status="RECRUITING"), ACCESS))
    with pytest.raises(BadInput, match="RECRUITING, SUSPENDED"):
        first_request(clinicaltrials.trials(TrialQuery(text="x", status="ongoing"), ACCESS))
    with pytest.raises(BadInput, match="PHASE1, PHASE2"):
        first_request(clinicaltrials.trials(TrialQuery(text="x", phase="5"), ACCESS))


def test_missing_modules_and_results() -> None:
    section = {"identificationModule": {"nctId": "NCT00000001"}, "statusModule": {}, "designModule": {}}
    trial = ask(reply({"studies": [{"protocolSection": section, "hasResults": True}]}))[1].items[0]
    assert (trial.title, trial.has_results, trial.phases, trial.start_date) == ("NCT00000001", True, (), None)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (403, "<html>filter</html>", Blocked),
        (400, "<html>proxy</html>", UpstreamUnavailable),
        (429, "Too many requests", RateLimited),
        (200, {"studies": None}, UpstreamChanged),
        (200, {}, UpstreamChanged),
        (200, {"studies": [{"protocolSection": {"identificationModule": {"nctId": 7}}}]}, UpstreamChanged),
    ],
)
def test_errors(status: int, body: object, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status))
    assert type(raised.value) is kind
