"""answer and structured_search through all layers: what was paid for, and what is refused before anything is paid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app import call, content, error
from tests.loopback.run import Internet

SCHEMA = {"type": "object", "properties": {"height": {"type": "number"}}}


def test_an_answer_has_its_pages_and_its_price(keyed_environment: dict[str, str], internet: Internet) -> None:
    found = content(call(keyed_environment, "answer", query="潮汐"))
    assert found["answer"] == "An answer to 潮汐."
    assert [page["url"].startswith(internet.base) for page in found["citations"]] == [True, True]
    assert set(found["citations"][0]) == {"title", "url", "publishedDate"}
    assert (found["costUsd"], found["provider"], internet.requests("/exa")) == (0.005, "exa", 1)


def test_no_answer_is_told_and_not_kept(keyed_environment: dict[str, str]) -> None:
    answer = call(keyed_environment, "answer", query="nothing")
    assert answer.text.startswith("Exa composed no answer to this question; search for it instead.")
    assert (error(answer)["kind"], error(answer)["suggestedAction"]) == ("content_empty", "inform_user")


def test_fields_follow_the_schema_and_highlights_are_verbatim(keyed_environment: dict[str, str]) -> None:
    found = content(call(keyed_environment, "structured_search", query="tides", num_results=2, schema=SCHEMA))
    assert [result["summary"] for result in found["results"]] == [{"height": 0}, {"height": 1}]
    assert found["results"][0]["highlights"][0].startswith("Page 1 on tides:")
    assert (found["resultCount"], found["category"], found["costUsd"]) == (2, "", 0.015)


def test_a_category_that_is_gone_is_replaced_and_said(keyed_environment: dict[str, str]) -> None:
    found = content(call(keyed_environment, "structured_search", query="tides", category="github"))
    assert found["category"] == "github" and "github.com" in found["notes"][0]
    assert isinstance(found["results"][0]["summary"], str)


def of_property(**schema: Any) -> dict[str, Any]:
    return {"query": "x", "schema": {"type": "object", "properties": {"a": schema}}}


@pytest.mark.parametrize(
    ("tool", "asked", "says"),
    [
        ("answer", {}, "query is required."),
        ("answer", {"query": "\t"}, "Give the question to be answered in query."),
        ("answer", {"query": "ß" * 2001}, "query must be 2000 characters or less."),
        ("structured_search", {"query": " "}, "Give what to search for in query."),
        ("structured_search", {"query": "x", "category": "tweets"}, "category is 'tweets'; Exa knows company, people,"),
        ("structured_search", {"query": "x", "schema": "name"}, "schema: it must be a JSON object,"),
        ("structured_search", {"query": "x", "schema": []}, "schema: it must be a JSON object,"),
        ("structured_search", {"query": "x", "schema": {}}, "The schema must be an object:"),
        ("structured_search", {"query": "x", "schema": {"type": "object"}}, "The schema must have 1 to 10 properties."),
        ("structured_search", of_property(type="object"), "The property 'a' of the schema is nested;"),
        ("structured_search", of_property(type="text"), "has the unknown type 'text'."),
        ("structured_search", of_property(type="array"), "The list 'a' of the schema must hold plain values:"),
    ],
)
def test_bad_input_costs_nothing(
    keyed_environment: dict[str, str], internet: Internet, tool: str, asked: dict[str, Any], says: str
) -> None:
    answer = call(keyed_environment, tool, **asked)
    assert answer.is_error and says in answer.text and error(answer)["kind"] == "validation"
    assert internet.requests() == 0


@pytest.mark.parametrize("tool", ["answer", "structured_search"])
def test_a_refused_key_and_an_empty_account_are_told_apart(
    environment: dict[str, str], internet: Internet, tool: str
) -> None:
    refused = call({**environment, "EXA_API_KEY": "sk-wrong-wrong"}, tool, query="tides")
    assert error(refused)["kind"] == "auth_required" and "EXA_API_KEY" in refused.text
    assert "sk-wrong" not in refused.text
    internet.control("/exa", status=402, body='{"error": "Out of credits", "tag": "NO_MORE_CREDITS"}')
    spent = error(call({**environment, "EXA_API_KEY": "k"}, tool, query="tides"))
    assert (spent["kind"], spent["retryable"], spent["provider"]) == ("upstream_unavailable", False, "exa")
    assert internet.requests("/exa") == 2, "a paid request was sent twice"
