"""search_and_scrape through all layers, against the loopback internet."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app import call, content, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.search.search_and_scrape import (
    ScrapeSummary,
    SearchAndScrapeOutput,
    SizeMetadata,
    SourceResult,
    fit_to_size,
)
from wellsourced.tool.base import UNTRUSTED


@pytest.fixture
def reading(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}


def test_sources_are_read_ranked_and_combined(reading: dict[str, str]) -> None:
    answer = call(reading, "search_and_scrape", query="solar panels", num_results=5)
    found = content(answer)
    assert found["status"] == "complete"
    assert (found["summary"]["urlsSearched"], found["summary"]["urlsScraped"]) == (5, 5)
    overall = [source["scores"]["overall"] for source in found["sources"]]
    assert overall == sorted(overall, reverse=True)
    assert all(source["content"] in found["combinedContent"] for source in found["sources"])
    assert all(source["author"] == "Ada Example" for source in found["sources"])
    assert "All loops reserved" not in found["combinedContent"]


def test_five_slow_pages_are_read_side_by_side_and_nothing_is_asked_again(
    reading: dict[str, str], internet: Internet
) -> None:
    async def ask(app: Application) -> tuple[float, int]:
        await app.call("search_and_scrape", {"query": "warm up"})
        for prefix in ("/searxng", "/site"):
            internet.control(prefix, latency_ms=200)
        started = time.monotonic()
        content(await app.call("search_and_scrape", {"query": "solar panels", "num_results": 5}))
        took, before = time.monotonic() - started, internet.requests()
        content(await app.call("search_and_scrape", {"query": "solar panels", "num_results": 5}))
        return took, internet.requests() - before

    took, asked_again = with_app(reading, ask)
    print(f"five pages in {took:.2f} s, {took / 0.4:.2f} times the ideal of 0.4 s")
    assert internet.stats()["most_in_flight"]["*"] == 5
    assert asked_again == 0


def test_a_failing_source_is_named_with_its_kind_and_the_rest_is_there(
    reading: dict[str, str], internet: Internet
) -> None:
    internet.control("/site/alpha", status=403, body="Forbidden")
    found = content(call(reading, "search_and_scrape", query="solar panels", num_results=5))
    assert found["status"] == "partial"
    (failure,) = found["scrapeFailures"]
    assert (failure["kind"], failure["retryable"]) == ("blocked", False)
    assert found["summary"]["urlsScraped"] == 4


def test_nothing_readable_is_a_failure_and_nothing_found_is_not(reading: dict[str, str], internet: Internet) -> None:
    internet.control("/site", status=403, body="Forbidden")
    failed = content(call(reading, "search_and_scrape", query="solar panels"))
    assert (failed["status"], failed["sources"]) == ("failed", [])
    assert "none could be read" in failed["note"]
    empty = content(call(reading, "search_and_scrape", query="nothing", provider="searxng"))
    assert (empty["status"], empty["summary"]["urlsSearched"]) == ("complete", 0)
    assert empty["hints"]["reason"] == "no_match"


def test_what_is_finished_is_returned_when_the_time_is_up(reading: dict[str, str], internet: Internet) -> None:
    internet.control("/site/charlie", latency_ms=60_000)
    found = content(call({**reading, "TOOL_TIMEOUT": "8s"}, "search_and_scrape", query="solar panels", num_results=5))
    assert found["status"] == "partial"
    assert found["summary"]["urlsScraped"] == 4
    assert "time was up" in found["note"]


def test_copies_of_one_report_are_not_independent(reading: dict[str, str], internet: Internet) -> None:
    text = "".join(
        f"<p>The agency counted {n} storms in the year {1900 + n}, more than ever before seen.</p>" for n in range(30)
    )
    body = f"<!doctype html><title>Storms</title><article><h1>Storms</h1>{text}</article>"
    for site in ("alpha", "bravo"):
        internet.control(f"/site/{site}", status=200, body=body, headers={"content-type": "text/html"})
    found = content(call(reading, "search_and_scrape", query="storms", num_results=3))
    marked = [source.get("sameTextAs") for source in found["sources"]]
    assert len([mark for mark in marked if mark]) == 1
    assert found["combinedContent"].count("1907") == 1


def test_a_claim_brings_sentences_with_their_place_and_no_verdict(reading: dict[str, str]) -> None:
    found = content(
        call(reading, "search_and_scrape", query="solar panels", claim="The figure for solar panels was checked")
    )
    source = found["sources"][0]
    assert source["keySentences"]
    assert all("#:~:text=" in piece["link"] for piece in source["evidence"])
    assert source["claimCoverage"] in {"addressed", "partially_addressed"}
    assert not any(word in json.dumps(found).lower() for word in ("supports the claim", "refute", '"verdict"'))


def test_a_token_budget_holds_for_the_whole_answer_and_no_text_appears_twice(reading: dict[str, str]) -> None:
    for tokens in (300, 1000, 4000):
        for include in (True, False):
            answer = call(
                reading,
                "search_and_scrape",
                query="solar panels",
                num_results=5,
                max_tokens=tokens,
                include_sources=include,
            )
            found = content(answer)
            assert len(answer.body) <= tokens * 4
            texts = [source["content"] for source in found["sources"] if source["content"]]
            assert not (found["combinedContent"] and texts)
            handed_over = len((found["combinedContent"] or "".join(texts)).encode())
            assert found["sizeMetadata"]["totalLength"] == handed_over


def test_progress_is_told_as_sources_come_in(reading: dict[str, str]) -> None:
    told: list[tuple[float, float | None]] = []

    async def note(done: float, total: float | None, message: str) -> None:
        told.append((done, total))

    with_app(reading, lambda app: app.call("search_and_scrape", {"query": "solar panels"}, progress=note))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def made(contents: list[str], combined: str) -> SearchAndScrapeOutput:
    sources = [
        SourceResult(url=f"https://{number}.example/", content=text, content_type="html", trust=UNTRUSTED)
        for number, text in enumerate(contents)
    ]
    counts: dict[str, Any] = dict.fromkeys(ScrapeSummary.model_fields, 0)
    return SearchAndScrapeOutput(
        query="q",
        status="complete",
        sources=sources,
        combined_content=combined,
        trust=UNTRUSTED,
        summary=ScrapeSummary(**counts),
        size_metadata=SizeMetadata(total_length=0, estimated_tokens=0, size_category="small"),
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=3000), max_size=10), st.text(max_size=5000), st.integers(800, 20_000))
def test_no_answer_exceeds_its_limit_and_no_character_is_cut(contents: list[str], combined: str, limit: int) -> None:
    fit = fit_to_size(made(contents, combined), limit)
    body = fit.to_json()
    assert len(body) <= limit
    json.loads(body)
