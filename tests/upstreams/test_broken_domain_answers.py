"""Answers of the domain providers, damaged one member at a time: an error or what is left, never a silent nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.upstreams.conversation import converse, reply
from wellsourced.errors import WellsourcedError
from wellsourced.http_exchange import Reply, Steps
from wellsourced.upstream import Access
from wellsourced.upstream_client.client import MISREADINGS
from wellsourced.upstreams import (
    bls,
    brave_local,
    clinicaltrials,
    congress,
    courtlistener,
    ecfr,
    edgar,
    eurlex,
    eurostat,
    exa,
    federal_register,
    fred,
    oecd,
    openfda,
    regulations,
    worldbank,
)
from wellsourced.upstreams.types.answers import AnswerQuery, StructuredQuery
from wellsourced.upstreams.types.records import CaseQuery, FilingQuery, PlaceQuery, SeriesQuery, TrialQuery

ACCESS = Access({"EDGAR_CONTACT_EMAIL": "app@example.org"}, datetime(2026, 11, 15, tzinfo=UTC))
EXPECTED = (WellsourcedError, *MISREADINGS)
FLOW = SeriesQuery(series_id="A.B,C_D@E_F,1.0")
ONE_FILING = {
    "name": "X",
    "filings": {
        "recent": {
            "accessionNumber": ["0000000001-26-000001"],
            "form": ["10-K"],
            "filingDate": ["2026-01-01"],
            "reportDate": ["2025-12-31"],
            "primaryDocument": ["k.htm"],
            "primaryDocDescription": ["10-K"],
        }
    },
}
ONE_PLACE = {"type": "search", "locations": {"results": [{"id": "one", "title": "One"}]}}

ONE_RATE = {
    "status": "REQUEST_SUCCEEDED",
    "message": [],
    "Results": {"series": [{"seriesID": "LNS14000000", "data": [
        {"year": "2026", "period": "M09", "value": "4.1", "footnotes": [{}]},
        {"year": "2026", "period": "M08", "value": "4.2", "footnotes": [{"text": "Preliminary"}]},
    ]}]},
}  # fmt: skip
ONE_SECTION = {
    "hierarchy": {"title": "15", "part": "744", "section": "744.3"},
    "headings": {"section": "Restrictions"},
    "ends_on": None,
}
INTRUDERS: list[Any] = [None, 7, "x", True, [], {}, [None], -1.5]

Conversation = tuple[Callable[[], Steps[Any]], str | dict[str, Any], tuple[str, ...], list[Any]]
CONVERSATIONS: dict[str, Conversation] = {
    "edgar list": (lambda: edgar.filings(FilingQuery(text="7"), ACCESS), ONE_FILING, ("filings",), []),
    "edgar facts": (
        *(lambda: edgar.filings(FilingQuery(text="7", facts=True), ACCESS), "sec/companyfacts-lpa.json"),
        *(("facts",), []),
    ),
    "courtlistener": (
        *(lambda: courtlistener.cases(CaseQuery(text="x"), ACCESS), "courtlistener/search-o-miranda-cal.json"),
        *(("results",), []),
    ),
    "fred": (lambda: fred.series(SeriesQuery(text="x"), ACCESS), "fred/series-gdp.json", ("seriess",), []),
    "eurostat": (
        *(lambda: eurostat.series(SeriesQuery(series_id="ab"), ACCESS), "eurostat/data-prc_hicp_manr-ea-2026.json"),
        *(("value",), []),
    ),
    "oecd": (lambda: oecd.series(FLOW, ACCESS), "oecd/sdmx-json-2.0-exr-time-series.json", ("data", "dataSets"), []),
    "clinicaltrials": (
        *(
            lambda: clinicaltrials.trials(TrialQuery(text="x", count=1), ACCESS),
            "clinicaltrials/search_age_count_20260811.json",
        ),
        *(("studies",), []),
    ),
    "brave_local": (
        *(lambda: brave_local.places(PlaceQuery(text="x"), ACCESS), ONE_PLACE, ("locations", "results")),
        [{"type": "local_pois", "results": [None]}, {"results": []}],
    ),
    "exa structured": (
        *(lambda: exa.structured(StructuredQuery(text="x"), ACCESS), "exa/search_summary.json"),
        *(("results",), []),
    ),
    "worldbank": (
        *(lambda: worldbank.series(SeriesQuery(series_id="A.B"), ACCESS), "worldbank/observations-jp-cpi-2026.json"),
        *((), []),
    ),
    "federal_register": (
        *(
            lambda: federal_register.cases(CaseQuery(text="x"), ACCESS),
            "more/federalregister/documents-bears-ears.json",
        ),
        *(("results",), []),
    ),
    "ecfr": (
        *(lambda: ecfr.cases(CaseQuery(text="x"), ACCESS), {"results": [ONE_SECTION], "meta": {"total_count": 1}}),
        *(("results",), []),
    ),
    "eurlex": (
        *(lambda: eurlex.cases(CaseQuery(text="data"), ACCESS), "more/eurlex/sparql-cellar-ecli-schrems2.json"),
        *(("results", "bindings"), []),
    ),
    "openfda": (
        *(lambda: openfda.trials(TrialQuery(text="x"), ACCESS), "more/openfda/drug-label-keytruda.json"),
        *(("results",), [{"results": [{"term": "A", "count": 1}]}, {"results": [{"application_number": "NDA1"}]}]),
    ),
    "congress": (
        *(lambda: congress.cases(CaseQuery(text="119th Congress"), ACCESS), "more/congressgov/v3-bills-119.json"),
        *(("bills",), []),
    ),
    "regulations": (
        *(lambda: regulations.cases(CaseQuery(text="x"), ACCESS), "more/regulationsgov/v4-documents.json"),
        *(("data",), []),
    ),
    "bls": (
        *(lambda: bls.series(SeriesQuery(series_id="LNS14000000"), ACCESS), ONE_RATE),
        *(("Results", "series"), []),
    ),
    "exa answer": (lambda: exa.answers(AnswerQuery(text="x"), ACCESS), "exa/answer_spacex.json", ("answer",), []),
}


def body_of(shared: Path, name: str) -> Any:
    source = CONVERSATIONS[name][1]
    body = json.loads((shared / "wire" / source).read_bytes()) if isinstance(source, str) else copy.deepcopy(source)
    if name == "edgar facts":
        body["facts"] = {"ifrs-full": {"Revenue": body["facts"]["ifrs-full"]["Revenue"]}}
    return body


def hold(name: str, first: Reply) -> Any:
    begin, _, _, further = CONVERSATIONS[name]
    found = converse(begin(), first, *(reply(body) for body in further))[1]
    return [found.text] if name == "exa answer" else found.items


def paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in members:
        yield (*path, key)
        yield from paths(value, (*path, key))


def replaced(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    damaged = copy.deepcopy(body)
    *way, last = path
    holder = damaged
    for key in way:
        holder = holder[key]
    if type(holder[last]) is not type(value):
        holder[last] = value
    return damaged


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_sound_answers_hold_something(shared: Path, name: str) -> None:
    assert hold(name, reply(body_of(shared, name)))


@pytest.mark.parametrize("name", CONVERSATIONS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_one_damaged_member(shared: Path, name: str, data: st.DataObject) -> None:
    body = body_of(shared, name)
    path = data.draw(st.sampled_from(list(paths(body))))
    value = data.draw(st.sampled_from(INTRUDERS))
    try:
        found = hold(name, reply(replaced(body, path, value)))
    except EXPECTED:
        return
    assert found, f"{path} as {value!r} became nothing"


@pytest.mark.parametrize("name", CONVERSATIONS)
@pytest.mark.parametrize("value", [None, 7, "x", True])
def test_a_list_that_is_none(shared: Path, name: str, value: Any) -> None:
    body, path = body_of(shared, name), CONVERSATIONS[name][2]
    if name == "exa answer" and value == "x":
        return
    with pytest.raises(EXPECTED):
        hold(name, reply(replaced(body, path, value) if path else value))


@pytest.mark.parametrize("name", CONVERSATIONS)
@pytest.mark.parametrize("text", ["", "null", "[]", "7", "{}", "<html></html>", "[" * 5000, '{"a":' * 5000])
def test_other_bodies(name: str, text: str) -> None:
    with pytest.raises(EXPECTED):
        hold(name, reply(text))


REFUSALS = list(
    product(
        (301, 400, 401, 403, 404, 410, 413, 418, 422, 429, 500, 503),
        ("", "no", '{"error": 7}', '{"error": {"code": 1}}', '{"detail": []}', "[1]"),
    )
)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_refusals_are_never_results(name: str) -> None:
    """One test for all of a provider: a test each would take ten times what it tests."""
    assert [refusal for refusal in REFUSALS if not is_refused(name, *refusal)] == []


def is_refused(name: str, status: int, text: str) -> bool:
    try:
        hold(name, reply(text, status))
    except WellsourcedError:
        return True
    return False
