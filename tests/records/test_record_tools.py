"""What holds for all seven tools over primary sources: who is asked, what is kept, how failures are told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from tests.app import call, content, error, with_app
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer
from wellsourced.app import Application
from wellsourced.identity import Identity


class Case(NamedTuple):
    """A tool with arguments that find something, and whom it asks."""

    good: dict[str, Any]
    upstream: str
    provider: str
    items: str


CASES = {
    "filing_search": Case({"ticker": "QRRY"}, "/edgar", "edgar", "filings"),
    "legal_search": Case({"query": "tides"}, "/courtlistener", "courtlistener", "cases"),
    "econ_search": Case({"query": "kites"}, "/fred", "fred", "results"),
    "clinical_search": Case({"condition": "seasickness"}, "/clinicaltrials", "clinicaltrials", "trials"),
    "local_search": Case({"query": "mill"}, "/brave", "brave", "places"),
    "answer": Case({"query": "tides"}, "/exa", "exa", "citations"),
    "structured_search": Case({"query": "tides"}, "/exa", "exa", "results"),
}
NOTHING = {name: {"query": "nothing"} for name in CASES if name != "answer"}
ALTERNATIVES = {
    "econ_search": ["dbnomics", "ecb", "eurostat", "imf", "oecd", "worldbank"],
}
NEEDS = {
    "filing_search": ("EDGAR_CONTACT_EMAIL", "OPENALEX_EMAIL"),
    "local_search": ("BRAVE_API_KEY", "OPENSTREETMAP_CONTACT_EMAIL", "OPENALEX_EMAIL"),
    "answer": ("EXA_API_KEY",),
    "structured_search": ("EXA_API_KEY",),
}
every_tool = pytest.mark.parametrize("tool", CASES)


@every_tool
def test_a_second_call_is_answered_from_the_cache(
    keyed_environment: dict[str, str], internet: Internet, tool: str
) -> None:
    async def ask_twice(app: Application) -> Any:
        first = await app.call(tool, CASES[tool].good)
        asked = internet.requests()
        return first, await app.call(tool, CASES[tool].good), internet.requests() - asked

    first, second, further = with_app(keyed_environment, ask_twice)
    found = content(first)
    assert found[CASES[tool].items] and found["trust"] == "untrusted-external-content"
    assert found["provider"] == CASES[tool].provider
    assert "hints" not in found and "routing" not in first.meta
    assert (second.body, further, second.meta["cached"]) == (first.body, 0, True)


@pytest.mark.parametrize("tool", NOTHING)
def test_an_empty_answer_says_so_and_is_asked_again(
    keyed_environment: dict[str, str], internet: Internet, tool: str
) -> None:
    async def ask_twice(app: Application) -> Any:
        first = await app.call(tool, NOTHING[tool])
        asked = internet.requests(CASES[tool].upstream)
        await app.call(tool, NOTHING[tool])
        return first, asked, internet.requests(CASES[tool].upstream)

    first, before, after = with_app(keyed_environment, ask_twice)
    found = content(first)
    assert (found[CASES[tool].items], found["resultCount"]) == ([], 0)
    assert after > before
    if tool != "structured_search":
        assert found["hints"]["providersAttempted"] == [CASES[tool].provider]
        assert "not evidence" in found["hints"]["epistemicWarning"]


GARBAGE = {"status": 200, "headers": {"content-type": "application/json"}, "body": '{"unexpected": true}'}
FAILURES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "429": (
        {"status": 429, "body": "slow down", "headers": {"retry-after": "7"}},
        {"kind": "rate_limited", "retryable": True, "retryAfterSeconds": 7, "suggestedAction": "retry_after_delay"},
    ),
    "403": ({"status": 403, "body": "Forbidden"}, {"kind": "blocked", "retryable": False}),
    "challenge": ({"block": "cloudflare"}, {"kind": "blocked", "retryable": False}),
    "404": ({"status": 404, "body": "<html>gone</html>"}, {"kind": "upstream_unavailable"}),
    "500": ({"status": 500, "body": "oops"}, {"kind": "upstream_unavailable", "detail": "HTTP 500: oops"}),
    "page": ({"status": 200, "body": "<html>hello</html>"}, {"kind": "upstream_unavailable"}),
    "garbage": (GARBAGE, {"kind": "upstream_unavailable", "retryable": True}),
    "reset": ({"fault": "reset"}, {"kind": "network", "retryable": True}),
}


@pytest.mark.parametrize("failure", FAILURES)
@every_tool
def test_failures_are_told_apart_and_name_the_provider(
    keyed_environment: dict[str, str], internet: Internet, tool: str, failure: str
) -> None:
    behaviour, told = FAILURES[failure]
    internet.control(CASES[tool].upstream, **behaviour)
    answer = call(keyed_environment, tool, **CASES[tool].good)
    fields = error(answer)
    assert told.items() <= fields.items(), fields
    assert fields["provider"] == CASES[tool].provider
    assert f"({CASES[tool].provider})" in answer.text
    assert fields.get("alternatives", []) == ALTERNATIVES.get(tool, [])
    assert internet.requests() == internet.requests(CASES[tool].upstream), "somebody stood in for the source"
    if failure in {"404", "page", "garbage"}:
        assert "not understood" in answer.text
        others = f"Try a different provider: {', '.join(ALTERNATIVES.get(tool, []))}."
        assert (others if tool in ALTERNATIVES else "about its results.\n\n") in answer.text, "who there is, or nobody"


@every_tool
def test_a_failure_is_not_kept(keyed_environment: dict[str, str], internet: Internet, tool: str) -> None:
    async def fail_and_ask(app: Application) -> Any:
        internet.control(CASES[tool].upstream, status=403, body="Forbidden", times=1)
        failed = await app.call(tool, CASES[tool].good)
        return failed, await app.call(tool, CASES[tool].good)

    failed, worked = with_app(keyed_environment, fail_and_ask)
    assert failed.is_error
    assert content(worked)[CASES[tool].items]


@every_tool
def test_an_unknown_provider_lists_the_choices(
    keyed_environment: dict[str, str], internet: Internet, tool: str
) -> None:
    answer = call(keyed_environment, tool, **CASES[tool].good, provider="altavista")
    fields = error(answer)
    assert (fields["kind"], fields["suggestedAction"]) == ("config", "try_different_provider")
    assert CASES[tool].provider in fields["alternatives"]
    assert f"Choose from: {CASES[tool].provider}" in answer.text
    misspelt = CASES[tool].provider[:-1]
    assert (
        f"Did you mean {CASES[tool].provider}?"
        in call(keyed_environment, tool, **CASES[tool].good, provider=misspelt).text
    )
    assert internet.requests() == 0


@every_tool
def test_the_provider_may_be_named(keyed_environment: dict[str, str], tool: str) -> None:
    name = CASES[tool].provider.title()
    assert content(call(keyed_environment, tool, **CASES[tool].good, provider=name))["provider"] == CASES[tool].provider


UNCONFIGURED = {**{tool: NEEDS[tool][0] for tool in NEEDS}, "econ_search": "FRED_API_KEY"}


@pytest.mark.parametrize("tool", UNCONFIGURED)
def test_an_unconfigured_provider_names_its_variable(
    environment: dict[str, str], internet: Internet, tool: str
) -> None:
    named = call(environment, tool, **CASES[tool].good, provider=CASES[tool].provider)
    assert UNCONFIGURED[tool] in named.text and "different provider" not in named.text
    fields = error(named)
    assert (fields["kind"], fields["suggestedAction"]) == ("config", "check_api_key")
    assert fields["provider"] == CASES[tool].provider
    if tool not in ALTERNATIVES:
        assert UNCONFIGURED[tool] in call(environment, tool, **CASES[tool].good).text
    assert internet.requests() == 0


def listed(environment: Mapping[str, str]) -> set[str]:
    with StdioServer(environment) as server:
        server.initialize()
        return {tool["name"] for tool in server.request("tools/list")["result"]["tools"]}


def test_a_tool_is_offered_when_one_of_its_variables_is_set(quiet_environment: Mapping[str, str]) -> None:
    always = {"legal_search", "econ_search", "clinical_search"}
    assert listed(quiet_environment) & set(CASES) == always
    for tool, names in NEEDS.items():
        for name in names:
            others = {other for other in NEEDS if name in NEEDS[other]}
            assert listed({**quiet_environment, name: "set@example.org"}) & set(CASES) == always | others, tool


RECORDED = {
    "filing_search": ("filing", "Quarry Pumps Inc. 10-Q", "2025-05-02"),
    "legal_search": ("case", "Ferry v. Harbor Board", "1971-03-08"),
    "clinical_search": ("trial", "Ginger against seasickness 1", "2024-03"),
    "local_search": ("local place", "Far Mill", None),
}


@pytest.mark.parametrize("tool", RECORDED)
def test_what_was_found_is_recorded_in_the_session(keyed_environment: dict[str, str], tool: str) -> None:
    kind, title, date = RECORDED[tool]

    async def search(app: Application) -> Any:
        step = {"searchStep": "x", "stepNumber": 1, "nextStepNeeded": True}
        id = content(await app.call("sequential_search", step))["sessionId"]
        found = content(await app.call(tool, {**CASES[tool].good, "sessionId": id}))
        told = content(await app.call("get_research_session", {"sessionId": id}))
        return found, told, (await app.services.sessions.fetch(Identity(), id)).outcomes

    found, session, outcomes = with_app(keyed_environment, search)
    first = session["sources"][0]
    assert (first["title"], first["relevance"], first.get("date")) == (title, kind, date)
    wanted = [item.get("website") if tool == "local_search" else item["url"] for item in found[CASES[tool].items]]
    assert [source["url"] for source in session["sources"]] == [url for url in wanted if url]
    assert [(outcome.provider, outcome.success) for outcome in outcomes] == [(CASES[tool].provider, True)]
