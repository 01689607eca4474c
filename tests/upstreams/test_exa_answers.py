"""Exa's answers and fields: recorded answers, costs, schemas refused before anything is paid for."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import BadInput, ContentEmpty, KeyRejected, NotFound, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import exa
from wellsourced.upstreams.types.answers import AnswerQuery, StructuredQuery

ACCESS = Access({"EXA_API_KEY": "k3y"}, datetime(2026, 11, 15, tzinfo=UTC))
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error_400_invalid_key.json": (400, KeyRejected),
    "error_401.documented.json": (401, KeyRejected),
    "error_404_not_found.json": (404, NotFound),
    "answer_stream_structured.sse": (200, UpstreamChanged),
}
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "sizes": {"type": "array", "items": {"type": ["number", "null"]}}},
}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "exa" / name).read_bytes())


def answer(answered: Reply) -> Any:
    return converse(exa.answers(AnswerQuery(text="who?"), ACCESS), answered)


def extract(answered: Reply, **asked: Any) -> Any:
    return converse(exa.structured(StructuredQuery(**{"text": "climate", **asked}), ACCESS), answered)


def test_recorded_answer(shared: Path) -> None:
    (request,), found = answer(recorded(shared, "answer_spacex.json"))
    assert (request.path, json.loads(request.body), request.timeout) == ("/answer", {"query": "who?"}, 30.0)
    assert request.headers["x-api-key"] == "k3y"
    assert found.text.startswith("SpaceX's valuation is approximately $350 billion. ([CNBC](https://www.cnbc.com/")
    assert (len(found.citations), found.cost) == (8, 0.005)
    assert found.citations[0].url.startswith("https://www.cnbc.com/2024/12/11/")
    assert found.citations[0].title == "SpaceX valuation surges to $350 billion as company buys back stock"


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    for asking in (answer, extract):
        with pytest.raises(kind) as raised:
            asking(recorded(shared, name, status))
        assert type(raised.value) is kind


def test_recorded_summaries(shared: Path) -> None:
    found = extract(recorded(shared, "search_summary.json"))[1]
    assert len(found.items) == 10
    assert found.cost == 0.015
    first = found.items[0]
    assert (first.url, first.title, first.author) == (
        "https://www.epa.gov/climate-change",
        "Climate Change | US EPA",
        None,
    )
    assert first.published_date == "2026-01-13T00:00:00.000Z"
    assert first.summary.startswith("The EPA emphasizes")
    highlights = extract(recorded(shared, "search_highlights.json"))[1].items
    assert all(item.highlights for item in highlights)


PLAIN = {"query": "climate", "type": "auto", "numResults": 5, "contents": {"summary": True, "highlights": True}}


@pytest.mark.parametrize(
    ("asked", "sent", "has_note"),
    [
        ({}, {}, False),
        ({"category": "Research_Paper", "count": 10}, {"category": "research paper", "numResults": 10}, False),
        ({"category": "github"}, {"includeDomains": ["github.com"]}, True),
        ({"schema": SCHEMA}, {"contents": {"summary": {"schema": SCHEMA}, "highlights": True}}, False),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, Any], has_note: bool) -> None:
    (request,), found = extract(reply({"results": []}), **asked)
    assert (request.path, json.loads(request.body)) == ("/search", PLAIN | sent)
    assert (found.items, bool(found.notes)) == ((), has_note)


@pytest.mark.parametrize(
    ("summary", "read"),
    [
        ("text<!-- obey -->\U000e0041\u202e", "text"),
        ('{"name": "Ann\\udb40\\udc41", "n": ["\u202ex"]}', {"name": "Ann", "n": ["x"]}),
        ('{"name": "A", "n": null}', {"name": "A", "n": None}),
        (" [1, 2]", [1, 2]),
        ("{not json", "{not json"),
        ("plain", "plain"),
        ({"name": "A"}, {"name": "A"}),
        ("", None),
        (None, None),
    ],
)
def test_summaries(summary: Any, read: Any) -> None:
    row = {"url": "https://a.example/", "title": "T", "summary": summary, "entities": [{"id": 1}]}
    item = extract(reply({"results": [row]}))[1].items[0]
    assert (item.summary, item.entities) == (read, [{"id": 1}])


@pytest.mark.parametrize(
    ("stated", "cost"),
    [
        ({"total": 0.01}, 0.01),
        ('{"total": 0.01}', 0.01),
        (0.5, 0.5),
        ("0.5", 0.5),
        ("much", None),
        (None, None),
        (-1, None),
    ],
)
def test_costs(stated: Any, cost: float | None) -> None:
    assert answer(reply({"answer": "A", "citations": [], "costDollars": stated}))[1].cost == cost


@pytest.mark.parametrize(
    "asked",
    [
        {"category": "tweets"},
        {"text": " "},
        {"schema": {}},
        {"schema": {"type": "array", "items": {"type": "string"}}},
        {"schema": {"type": "object", "properties": {}}},
        {"schema": {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(11)}}},
        {"schema": {"type": "object", "properties": {"a": {"type": "object"}}}},
        {"schema": {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}]}}}},
        {"schema": {"type": "object", "properties": {"a": {"type": "array"}}}},
        {"schema": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}}}},
        {"schema": {"type": "object", "properties": {"a": {"type": "text"}}}},
        {"schema": {"type": "object", "properties": {"a": "string"}}},
        {"schema": {"type": "object", "properties": {"a": {}}}},
    ],
)
def test_bad_input_costs_nothing(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(exa.structured(StructuredQuery(**{"text": "x", **asked}), ACCESS))


def test_no_answer_is_not_an_answer() -> None:
    with pytest.raises(BadInput):
        first_request(exa.answers(AnswerQuery(text=" "), ACCESS))
    with pytest.raises(ContentEmpty):
        answer(reply({"answer": " ", "citations": []}))
    damaged: list[dict[str, Any]] = [
        {"answer": None, "citations": []},
        {"answer": "A", "citations": {}},
        {"answer": {"a": 1}, "citations": []},
    ]
    for broken in damaged:
        with pytest.raises(UpstreamChanged):
            answer(reply(broken))
