"""web_search through all layers, against the loopback internet."""

from __future__ import annotations

import json
import time
from email.utils import formatdate
from typing import Any

import pytest

from tests.app import call, content, error, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.search.lenses import Lenses


def test_results_are_complete_and_come_from_the_engine_that_is_configured(environment: dict[str, str]) -> None:
    answer = call(environment, "web_search", query="solar panels", num_results=4)
    found = content(answer)
    assert found["resultCount"] == 4 == len(found["results"]) == len(found["urls"])
    first = found["results"][0]
    assert first["title"] and first["snippet"] and first["displayLink"] == "127.0.0.1"
    assert first["publishedAt"].endswith("Z")
    assert "hints" not in found and "filtersNotApplied" not in found
    assert answer.meta["cached"] is False
    assert answer.meta["routing"]["provider_used"] == "searxng"
    assert b"provider_used" not in answer.body
    alone = call({**environment, "SEARCH_PROVIDER": "searxng"}, "web_search", query="solar panels")
    assert content(alone)["resultCount"] == 5 and "routing" not in alone.meta


def test_without_any_key_or_address_it_works_on_duckduckgo(environment: dict[str, str]) -> None:
    del environment["SEARXNG_URL"]
    answer = call(environment, "web_search", query="solar panels")
    assert content(answer)["resultCount"] == 5
    assert answer.meta["routing"]["provider_used"] == "duckduckgo"


def test_the_same_question_again_is_answered_from_the_cache(environment: dict[str, str], internet: Internet) -> None:
    async def ask_twice(app: Application) -> Any:
        first = await app.call("web_search", {"query": "tides", "sessionId": "a"})
        before = internet.requests()
        return first, await app.call("web_search", {"query": "tides", "sessionId": "b"}), before

    first, second, before = with_app(environment, ask_twice)
    assert second.body == first.body
    assert internet.requests() == before
    assert second.meta["cached"] is True
    assert second.meta["freshness"] == "fresh"
    assert second.meta["maxAgeSeconds"] == 1800
    assert second.meta["routing"]["cache_hit"] is True
    assert "provider_used" not in second.meta["routing"]


def test_the_cache_survives_the_process(environment: dict[str, str], internet: Internet) -> None:
    first = call(environment, "web_search", query="tides")
    before = internet.requests()
    second = call(environment, "web_search", query="tides")
    assert second.body == first.body
    assert internet.requests() == before


@pytest.mark.parametrize(
    "change",
    [
        {"num_results": 4},
        {"safe": "off"},
        {"language": "de"},
        {"country": "CH"},
        {"time_range": "year"},
        {"claim": "x"},
    ],
)
def test_every_argument_is_part_of_the_key(
    environment: dict[str, str], internet: Internet, change: dict[str, Any]
) -> None:
    async def ask(app: Application) -> int:
        await app.call("web_search", {"query": "tides"})
        before = internet.requests()
        await app.call("web_search", {"query": "tides", **change})
        return internet.requests() - before

    assert with_app(environment, ask) > 0


def test_a_claim_adds_its_nearest_sentence_to_every_result(environment: dict[str, str]) -> None:
    found = content(call(environment, "web_search", query="solar panels", claim="There were findings on solar panels"))
    assert all("claimSignal" in result for result in found["results"])
    assert any("findings" in result["claimSignal"] for result in found["results"])


def test_finding_nothing_is_an_answer_with_hints_in_a_fixed_order(environment: dict[str, str]) -> None:
    answer = call(
        environment, "web_search", query="nothing", site="example.org", country="CH", language="de", exact_terms="x"
    )
    found = content(answer)
    assert found["results"] == [] and found["resultCount"] == 0
    hints = found["hints"]
    assert hints["reason"] == "filters_too_restrictive"
    assert [action["parameter"] for action in hints["suggestedActions"]] == ["site", "country", "language"]
    assert hints["filtersApplied"] == {"site": "example.org", "country": "CH", "language": "de", "exact_terms": "x"}
    assert hints["providersAttempted"] == ["searxng", "duckduckgo"]


def test_nothing_found_without_filters_suggests_another_engine(environment: dict[str, str]) -> None:
    hints = content(call(environment, "web_search", query="nothing", provider="searxng"))["hints"]
    assert hints["reason"] == "no_match"
    assert hints["suggestedActions"][0]["action"] == "try_different_provider"
    assert hints["suggestedActions"][0]["value"] == "duckduckgo"


BAD_ARGUMENTS: list[tuple[dict[str, Any], str]] = [
    ({}, "query is required."),
    ({"query": ""}, "query is required"),
    ({"query": " \n"}, "query is required and must not be empty."),
    ({"query": None, "num_results": [3]}, "query must be text; got null. num_results must be a whole number; got [3]."),
    ({"query": "ß" * 501}, "query must be 500 characters or less."),
    ({"query": "x", "country": "Germany"}, "country: it must be a country's two letters, such as CH; got 'Germany'."),
    ({"query": "x", "language": "klingon"}, "language: it must be a language's code, such as de or pt-BR"),
    ({"query": "x", "sites": ["a.org", "two words"]}, "sites.1: it must be one domain, such as example.org"),
    ({"query": "x", "time_range": "decade"}, "time_range must be 'day', 'week', 'month' or 'year'; got 'decade'."),
    ({"query": "x", "num_result": 3}, "Did you mean num_results?"),
    ({"query": "x", "session_ID": "a"}, "Did you mean sessionId?"),
    ({"query": "x", "lens": "acadmic"}, "academic"),
    ({"query": "x", "lens": "nonsense"}, "journalism"),
]


@pytest.mark.parametrize(("arguments", "says"), BAD_ARGUMENTS)
def test_bad_arguments_get_a_sentence_and_no_json_tail(
    environment: dict[str, str], arguments: dict[str, Any], says: str
) -> None:
    answer = with_app(environment, lambda app: app.call("web_search", arguments))
    assert answer.is_error
    assert says in answer.text
    assert error(answer)["kind"] == "validation"
    assert "pydantic" not in answer.text


def test_what_is_left_blank_is_as_if_it_were_left_out(environment: dict[str, str], internet: Internet) -> None:
    blank = {"num_results": None, "time_range": "", "safe": " ", "sites": None, "provider": " ", "lens": ""}
    plain = call(environment, "web_search", query="tides")
    before = internet.requests()
    assert call(environment, "web_search", query=" tides ", **blank).body == plain.body
    assert internet.requests() == before


@pytest.mark.parametrize(
    ("arguments", "lost"),
    [
        ({"lens": "academic", "site": "example.org"}, ["site"]),
        ({"lens": "programming-goggle", "provider": "searxng"}, ["lens"]),
        ({"lens": "academic", "provider": "library"}, ["lens"]),
    ],
)
def test_a_scope_that_was_not_kept_to_is_told(
    environment: dict[str, str], arguments: dict[str, Any], lost: list[str]
) -> None:
    found = content(call(environment, "web_search", query="tides", **arguments))
    assert found["filtersNotApplied"] == lost
    assert "site" not in found.get("hints", {}).get("filtersApplied", {})


def test_a_rate_limit_stays_one_while_the_engine_is_left_alone(environment: dict[str, str], internet: Internet) -> None:
    in_an_hour = formatdate(time.time() + 3600, usegmt=True)
    internet.control("/searxng", status=429, headers={"Retry-After": in_an_hour})

    async def script(app: Application) -> Any:
        nothing = await app.call("web_search", {"query": "nothing"})
        return nothing, await app.call("web_search", {"query": "tides", "provider": "searxng"})

    nothing, named = with_app(environment, script)
    told = content(nothing)
    assert told["results"] == [] and any("Rate limited (searxng)" in note for note in told["notes"])
    fields = error(named)
    assert (fields["kind"], fields["provider"], fields["suggestedAction"]) == (
        *("rate_limited", "searxng"),
        "retry_after_delay",
    )
    assert 3500 <= fields["retryAfterSeconds"] <= 3600 * 1.2 + 1
    assert f"Wait {fields['retryAfterSeconds']} seconds" in named.text
    assert internet.requests("/searxng") == 1


def test_a_query_of_500_characters_in_any_script_is_accepted(environment: dict[str, str]) -> None:
    assert not call(environment, "web_search", query="太" * 500).is_error


def test_an_unknown_provider_lists_the_choices_and_an_unconfigured_one_names_its_variable(
    environment: dict[str, str],
) -> None:
    unknown = error(call(environment, "web_search", query="x", provider="altavista"))
    assert (unknown["kind"], unknown["suggestedAction"]) == ("config", "try_different_provider")
    assert {"duckduckgo", "searxng", "hackernews", "wikipedia", "stackexchange"} < set(unknown["alternatives"])
    assert "brave" not in unknown["alternatives"]
    missing = call(environment, "web_search", query="x", provider="brave")
    assert error(missing)["suggestedAction"] == "check_api_key"
    assert "BRAVE_API_KEY" in missing.text


FAILURES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {"status": 429, "body": "slow down", "headers": {"retry-after": "7"}},
        {"kind": "rate_limited", "retryable": True, "retryAfterSeconds": 7, "suggestedAction": "retry_after_delay"},
    ),
    ({"status": 403, "body": "Forbidden"}, {"kind": "blocked", "suggestedAction": "try_different_provider"}),
    ({"status": 200, "body": "<html>hello</html>"}, {"suggestedAction": "try_different_provider", "kind": "blocked"}),
    (
        {"status": 200, "headers": {"content-type": "application/json"}, "body": '{"unexpected": true}'},
        {"kind": "upstream_unavailable", "retryable": True},
    ),
    ({"fault": "reset"}, {"kind": "network", "retryable": True, "suggestedAction": "retry_after_delay"}),
]


@pytest.mark.parametrize(("behaviour", "told"), FAILURES)
def test_an_explicit_provider_never_falls_back_and_its_failure_is_told_apart(
    environment: dict[str, str], internet: Internet, behaviour: dict[str, Any], told: dict[str, Any]
) -> None:
    internet.control("/searxng", **behaviour)
    fields = error(call(environment, "web_search", query="solar panels", provider="searxng"))
    assert fields["provider"] == "searxng"
    assert told.items() <= fields.items(), fields
    assert internet.requests("/duckduckgo") == 0


def test_a_blocked_engine_a_slow_one_and_a_good_one(environment: dict[str, str], internet: Internet) -> None:
    internet.control("/duckduckgo", block="duckduckgo")
    internet.control("/hackernews", latency_ms=60_000)
    routed = {"SEARCH_ROUTING": "duckduckgo,hackernews,searxng", "CIRCUIT_FAILURE_THRESHOLD": "1"}

    async def ask(app: Application) -> Any:
        return await app.call("web_search", {"query": "solar panels"}), app.services.upstreams.connection(
            "duckduckgo"
        ).breaker.state

    answer, breaker = with_app({**environment, **routed}, ask)
    found = content(answer)
    assert found["resultCount"] == 5
    assert any("DuckDuckGo" in note for note in found["notes"])
    routing = answer.meta["routing"]
    assert routing["provider_used"] == "searxng"
    assert routing["providers_attempted"] == ["duckduckgo", "hackernews", "searxng"]
    assert (routing["fallback"], routing["fallback_reason"]) == (True, "primary_unavailable")
    assert routing["latency_ms"] < 50_000
    assert breaker == "open"


def test_all_engines_merges_by_rank_and_says_who_found_what(environment: dict[str, str]) -> None:
    answer = call(environment, "web_search", query="solar panels", provider="all", num_results=6)
    found = content(answer)
    assert len(set(found["urls"])) == 6
    assert found["results"][0]["engines"] == ["searxng", "duckduckgo"]
    assert {engine for result in found["results"] for engine in result["engines"]} == {"searxng", "duckduckgo"}


JSON = {"content-type": "application/json"}


def searxng_answer(urls: list[str]) -> str:
    results = [{"url": url, "title": f"t{n}", "content": "c", "engine": "e"} for n, url in enumerate(urls)]
    empty: dict[str, Any] = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": []}
    return json.dumps({"query": "q", "results": results, "unresponsive_engines": [], **empty})


@pytest.mark.parametrize("name", Lenses.load(None, None).names())
def test_every_result_lies_inside_the_lens_even_when_the_engine_ignores_site(
    environment: dict[str, str], internet: Internet, name: str
) -> None:
    lens = Lenses.load(None, None).get(name)
    inside = [f"https://www.{domain}/page" for domain in lens.domains[:4]]
    outside = ["https://evil.example/", *(f"https://{domain}.evil.example/" for domain in lens.domains[:3])]
    outside += [f"https://not{domain}/x" for domain in lens.domains if domain.count(".") == 1][:2]
    internet.control("/searxng", status=200, headers=JSON, body=searxng_answer([*outside, *inside]))
    found = content(call(environment, "web_search", query="q", lens=name, provider="searxng", site="evil.example"))
    wanted = inside if lens.domains else [*outside, *inside][:5]
    assert sorted(found["urls"]) == sorted(wanted)


def test_a_lens_of_more_than_ten_domains_is_asked_in_parts(environment: dict[str, str], internet: Internet) -> None:
    lens = Lenses.load(None, None).get("docs")
    content(call(environment, "web_search", query="q", lens="docs", provider="searxng"))
    asked = " ".join(seen["query"] for seen in internet.stats()["seen"])
    assert all(domain in asked for domain in lens.domains)
    assert internet.requests("/searxng") == -(-len(lens.domains) // 10)


def test_excluded_words_and_sites_hold_whatever_the_engine_does(
    environment: dict[str, str], internet: Internet
) -> None:
    urls = ["https://a.example/1", "https://b.example/2"]
    internet.control(
        "/searxng", status=200, headers=JSON, body=searxng_answer(urls).replace('"t0"', '"about Penguins"')
    )
    found = content(call(environment, "web_search", query="q", exclude_terms="penguins", provider="searxng"))
    assert found["urls"] == ["https://b.example/2"]


def test_tracking_and_repeated_addresses_are_removed(environment: dict[str, str], internet: Internet) -> None:
    urls = ["https://a.example/p?utm_source=x&id=1", "http://www.a.example/p?id=1", "https://a.example/q#frag"]
    internet.control("/searxng", status=200, headers=JSON, body=searxng_answer(urls))
    found = content(call(environment, "web_search", query="q", provider="searxng"))
    assert found["urls"] == ["https://a.example/p?id=1", "https://a.example/q"]


def test_secrets_never_leave_with_an_error(environment: dict[str, str], internet: Internet) -> None:
    secret = "hunter2hunter2"
    internet.control("/searxng", status=500, body=f"stack trace with {secret} and BSAabcdefghijklmnopqrstuvwxyz")
    answer = call({**environment, "SEARXNG_BASIC_AUTH": f"me:{secret}"}, "web_search", query="x", provider="searxng")
    assert answer.is_error
    assert secret not in answer.text
    assert "BSAabc" not in answer.text
