"""search_and_scrape through all layers, against the loopback internet."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app import call, content, error, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.identity import Identity
from wellsourced.pages.page import Page
from wellsourced.search.source_excerpt import LEAST_BYTES, Allowance, PassageRanking, share_out
from wellsourced.tool.answer import ToolAnswer

STRANGER = Identity("another tenant")


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
    assert all(source["content"] for source in found["sources"])
    assert found["combinedContent"] == "", "the text stands once, with its source"
    assert all(source["author"] == "Ada Example" for source in found["sources"])
    assert not any("All loops reserved" in source["content"] for source in found["sources"])


LONG = (
    "".join(
        f"<h2>Part {n}</h2><p>Station {n} stands in a valley of its own, and its keeper is called Keeper {n}. "
        f"{'Nothing else is known of the weather there. ' * 6}</p>"
        for n in range(90)
    )
    + "<p>The solar panels of station 90 gave 4711 kilowatt hours in June.</p>"
)


def long_page(internet: Internet, *sites: str) -> None:
    for site in sites:
        body = f"<!doctype html><title>{site}</title><article><h1>{site}</h1>{LONG.replace('Keeper', site)}</article>"
        internet.control(f"/site/{site}", status=200, body=body, headers={"content-type": "text/html"})


def test_by_default_the_passages_on_the_query_are_there_and_the_way_to_the_rest(
    reading: dict[str, str], internet: Internet
) -> None:
    long_page(internet, "alpha", "bravo", "charlie")

    async def script(app: Application) -> None:
        answer = await app.call("search_and_scrape", {"query": "solar panels"})
        found = content(answer)
        assert len(answer.body) <= 6_400 * 4 and found["combinedContent"] == ""
        assert "scrape_page" in found["more"] and "max_tokens" in found["more"]
        for source in found["sources"]:
            assert "4711 kilowatt hours" in source["content"] or source.get("sameTextAs")
            assert source["truncated"] and source["charactersLeft"] > 5_000
            starts = [passage["start"] for passage in source["passages"]]
            assert starts == sorted(starts)
            last = source["passages"][-1]
            rest = content(await app.call("scrape_page", {"url": source["url"], "offset": last["start"]}))
            passage = rest["content"][: last["end"] - last["start"]]
            assert passage in source["content"] and passage.endswith(".")
            assert "#:~:text=" in last["link"]
        read_on = {"url": found["sources"][0]["url"], "offset": found["sources"][0]["nextOffset"]}
        assert content(await app.call("scrape_page", read_on))["content"][:40] not in found["sources"][0]["content"]

    with_app(reading, script)


@pytest.mark.parametrize("tokens", [1500, 3000, 6400])
def test_long_links_do_not_crowd_out_the_texts(reading: dict[str, str], internet: Internet, tokens: int) -> None:
    """A letter of these takes nine characters in a link."""
    for site in ("alpha", "bravo", "charlie", "delta", "echo"):
        told = "".join(f"<p>{site} 第{n}号の測候所では太陽電池が六月に{n}時間も働いた。</p>" for n in range(300))
        body = f"<!doctype html><title>測候所</title><article><h1>測候所</h1>{told}</article>"
        internet.control(f"/site/{site}", status=200, body=body, headers={"content-type": "text/html; charset=utf-8"})
    answer = call(reading, "search_and_scrape", query="太陽電池 solar panels", num_results=5, max_tokens=tokens)
    texts = [source["content"] for source in content(answer)["sources"]]
    assert len(answer.body) <= tokens * 4
    assert sum("太陽電池" in text for text in texts) >= 4
    assert sum(len(text.encode()) for text in texts) > tokens * 4 / 8


def test_the_lengths_do_what_their_names_say(reading: dict[str, str], internet: Internet) -> None:
    long_page(internet, "alpha", "bravo", "charlie")

    async def script(app: Application) -> None:
        async def ask(**more: Any) -> tuple[dict[str, Any], int]:
            answer = await app.call("search_and_scrape", {"query": "solar panels", "deduplicate": False, **more})
            return content(answer), len(answer.body)

        def sizes(found: dict[str, Any]) -> list[int]:
            return [len(source["content"].encode()) for source in found["sources"]]

        usual, _ = await ask()
        larger, size = await ask(max_tokens=12_000)
        assert size <= 48_000 and sum(sizes(larger)) > 1.5 * sum(sizes(usual))
        short, _ = await ask(max_length_per_source=900)
        assert all(300 < size <= 900 for size in sizes(short))
        assert all("4711" in source["content"] for source in short["sources"])
        whole, _ = await ask(max_length_per_source=60_000)
        assert all("Station 0 " in source["content"] and "4711" in source["content"] for source in whole["sources"])
        assert not any(source.get("truncated") for source in whole["sources"])
        combined, _ = await ask(total_max_length=5_000)
        assert 2_000 < len(combined["combinedContent"].encode()) <= 5_000
        alone, size = await ask(include_sources=False)
        assert not any(sizes(alone)) and alone["combinedContent"] and size <= 6_400 * 4

    with_app(reading, script)


def test_the_link_is_an_extra_and_our_own_readers_open_it(reading: dict[str, str], internet: Internet) -> None:
    long_page(internet, "alpha", "bravo", "charlie")

    async def script(app: Application) -> None:
        found = content(await app.call("search_and_scrape", {"query": "solar panels"}))
        assert all(source["content"] for source in found["sources"]) and found["resource"]
        page = content(await app.call("scrape_page", {"url": found["resource"], "max_length": 500_000}))
        assert "Station 0 " in page["content"] and "Station 44 " in page["content"]
        part = content(await app.call("fetch", {"id": found["resource"]}))
        rest = content(await app.call("fetch", {"id": part["metadata"]["nextId"]}))
        assert page["content"].startswith(part["text"]) and page["content"][len(part["text"]) :].startswith(
            rest["text"]
        )
        stranger = await app.call("scrape_page", {"url": found["resource"], "max_length": 500_000}, identity=STRANGER)
        assert error(stranger)["kind"] == "not_found"
        linked = content(await app.call("search_and_scrape", {"query": "solar panels", "links_only": True}))
        assert linked["resource"] and not any(source["content"] for source in linked["sources"])
        inline = await app.call("search_and_scrape", {"query": "solar panels", "inline": True})
        assert inline.link is None and "resource" not in content(inline)
        assert all(source["content"] for source in content(inline)["sources"])

    with_app(reading, script)


def test_the_same_again_is_kept_for_its_asker_alone(reading: dict[str, str], internet: Internet) -> None:
    long_page(internet, "alpha")
    ask = {"query": "solar panels", "num_results": 1}

    async def script(app: Application) -> tuple[ToolAnswer, ToolAnswer, ToolAnswer]:
        ana, ben = Identity("acme", "ana"), Identity("acme", "ben")
        asked = [await app.call("search_and_scrape", ask, identity=each) for each in (ana, ana, ben)]
        return asked[0], asked[1], asked[2]

    first, again, others = with_app(reading, script)
    assert [each.meta.get("cached", False) for each in (first, again, others)] == [False, True, False]
    told, repeated = json.loads(first.body), json.loads(again.body)
    assert repeated["sources"] == told["sources"]
    assert (told["linked"], repeated["linked"]) == (True, True), "the way to the whole is there both times"
    assert repeated["bytes"] == told["bytes"]


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
    body = f"<!doctype html><title>Storms</title><article><h1>Storms</h1><p>For immediate release: {text}</article>"
    for site in ("alpha", "bravo"):
        internet.control(f"/site/{site}", status=200, body=body, headers={"content-type": "text/html"})
    asked = {"query": "storms", "num_results": 3, "claim": "The agency counted 70 storms in the year 1909"}
    found = content(call(reading, "search_and_scrape", **asked, total_max_length=100_000))
    marked = [source.get("sameTextAs") for source in found["sources"]]
    assert len([mark for mark in marked if mark]) == 1
    assert found["combinedContent"].count("1907") == 1
    told = [source for source in found["sources"] if source.get("standing")]
    assert {source["standing"][0]["kind"] for source in told} == {"press_release"}
    assert [part["kind"] for part in told[0]["differences"]] == ["figure"]
    said = told[0]["keySentences"]
    assert any(near["stance"] == "differs" and "1909" in said[near["keySentence"]] for near in told[0]["evidence"])


def test_a_claim_brings_sentences_with_their_place_and_no_verdict(reading: dict[str, str]) -> None:
    found = content(
        call(reading, "search_and_scrape", query="solar panels", claim="The figure for solar panels was checked")
    )
    source = found["sources"][0]
    assert source["keySentences"]
    assert all("#:~:text=" in piece["link"] and "text" not in piece for piece in source["evidence"])
    assert [piece["keySentence"] for piece in source["evidence"]] == list(range(len(source["keySentences"])))
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
    assert [step for step in told if step[0] == int(step[0])] == [(1, 4), (2, 4), (3, 4), (4, 4)]


TEXTS = st.lists(st.text(max_size=3000), min_size=1, max_size=40).map("\n\n".join)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.text(max_size=40), st.integers(200, 20_000), st.integers(100, 20_000))
def test_an_excerpt_is_made_of_the_page_in_order_and_keeps_to_its_room(
    text: str, question: str, in_answer: int, of_text: int
) -> None:
    page = Page(url="https://a.example/", markdown=text, plain=text)
    ranking = PassageRanking(page, text, ((0, len(text)),), question, 20_000)
    excerpt = ranking.excerpt(Allowance(in_answer, of_text))
    assert len(excerpt.text.encode("utf-8", "replace")) <= of_text
    assert all(end <= start for (_, end), (start, _) in pairwise(excerpt.places))
    assert all(text[start:end] in excerpt.text for start, end in excerpt.places)
    assert bool(excerpt.left) == (excerpt.next_offset is not None)
    if not excerpt.left:
        assert [*"".join(excerpt.text.split())] == [*"".join(text.split())]


def test_a_passage_in_a_numbered_list_has_a_link_though_a_page_does_not_show_its_numbers_as_text() -> None:
    items = [f"The {place} gauge stood at {metres} metres." for metres, place in enumerate(("old", "new", "third"), 3)]
    markdown = "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    page = Page(url="https://a.example/", markdown=markdown, plain="\n".join(items))
    whole = (0, len(markdown))
    (link,) = PassageRanking(page, markdown, (whole,), "gauge", 20_000).links([whole])
    assert link.startswith("https://a.example/#:~:text=The%20old%20gauge")


@given(st.integers(0, 100_000), st.lists(st.tuples(st.integers(0, 50_000), st.floats(0, 1)), max_size=10))
def test_a_budget_is_shared_out_without_going_over_and_nobody_is_left_with_nothing(
    total: int, asked: list[tuple[int, float]]
) -> None:
    needs, weights = [need for need, _ in asked], [weight for _, weight in asked]
    shares = share_out(total, needs, weights)
    assert sum(shares) <= total
    least = min(LEAST_BYTES, total // max(1, len(needs)))
    assert all(min(need, least) <= share <= need for need, share in zip(needs, shares, strict=True))
    assert sum(shares) >= min(total, sum(needs)) - len(needs)


def test_a_session_keeps_what_a_citation_needs(reading: dict[str, str], internet: Internet) -> None:
    """Journal, volume, issue, pages and DOI of an article that was read end up in the export."""
    tags = {"journal_title": "Journal of Tides", "volume": "12", "issue": "3", "firstpage": "45", "lastpage": "67"}
    tags |= {"doi": "10.5555/tides.12", "title": "How tides turn", "author": "Ada Example", "date": "2021/05/04"}
    head = "".join(f'<meta name="citation_{name}" content="{value}">' for name, value in tags.items())
    text = "<p>The tides turn twice a day, as the harbour master has written down for years.</p>" * 9
    body = f"<!doctype html><title>How tides turn</title>{head}<article><h1>How tides turn</h1>{text}</article>"
    internet.control("/site", status=200, body=body, headers={"content-type": "text/html"})

    async def script(app: Application) -> str:
        step = {"searchStep": "Read", "stepNumber": 1, "nextStepNeeded": True}
        session = content(await app.call("sequential_search", step))["sessionId"]
        await app.call("search_and_scrape", {"query": "tides", "num_results": 1, "sessionId": session})
        exported = await app.call("format_bibliography", {"sessionId": session, "style": "bibtex"})
        return exported.text

    exported = with_app(reading, script)
    for part in ("@article", "Journal of Tides", "10.5555/tides.12", "45", "67", "volume"):
        assert part in exported
