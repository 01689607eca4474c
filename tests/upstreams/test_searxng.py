"""SearXNG: what is asked, what is read, and what each kind of failure is called."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import searxng
from wellsourced.upstreams.types.search import ImageQuery, LateItems, NewsQuery, WebQuery, has_more_than

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
CATS = WebQuery(text="cats")


def answer(*results: dict[str, Any], failed: list[list[str]] | None = None, **more: Any) -> Reply:
    return reply({"query": "q", "results": list(results), "unresponsive_engines": failed or [], **more})


def result(**members: Any) -> dict[str, Any]:
    return {
        "title": "A <b>title</b>",
        "url": "https://www.example.com/a",
        "content": "words",
        "engines": ["x"],
    } | members


def test_every_recorded_answer(shared: Path) -> None:
    bodies = {path.name: path.read_bytes() for path in (shared / "wire/searxng").glob("*.json")}
    assert set(bodies) == {"search_severance_partial_outage.json"}
    _, found = converse(searxng.web(WebQuery(text="x", count=4), ACCESS), reply(bodies.popitem()[1]))
    assert found.more_available is True
    assert found.items[0].title == "What other shows do you rate as highly as (or close to) Severance?"
    assert found.items[0].url.startswith("https://www.reddit.com/r/SeveranceAppleTVPlus/comments/1idlrtq/")
    assert found.items[0].snippet.startswith("30 Jan 2025 ... Succession, best acting")
    assert found.items[0].engines == ("google cse",)
    assert found.items[0].published_at == datetime(2025, 1, 30, tzinfo=UTC)  # before the snippet
    assert found.notes == (
        "SearXNG engines that did not answer: brave (Suspended: too many requests), duckduckgo (CAPTCHA), "
        "startpage (Suspended: CAPTCHA).",
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (CATS, {}),
        (WebQuery(text="cats", time_range="hour"), {"time_range": "day"}),
        (WebQuery(text="cats", time_range="week"), {"time_range": "week"}),
        (WebQuery(text="cats", safe="off"), {"safesearch": "0"}),
        (WebQuery(text="cats", safe="high"), {"safesearch": "2"}),
        (WebQuery(text="cats", language="de"), {"language": "de"}),
        (WebQuery(text="cats", language="EN", country="us"), {"language": "en-US"}),
        (WebQuery(text="cats", language="zh-TW", country="tw"), {"language": "zh-TW"}),
        (WebQuery(text="cats", country="us"), {}),
        (WebQuery(text="cats", exact_terms="a b", exclude_terms="x"), {"q": 'cats "a b" -x'}),
        (WebQuery(text="cats", sites=("a.test", "b.test")), {"q": "cats (site:a.test OR site:b.test)"}),
    ],
)
def test_each_filter_in_the_request(query: WebQuery, expected: dict[str, str]) -> None:
    request = first_request(searxng.web(query, ACCESS))
    usual = {"q": "cats", "format": "json", "categories": "general", "safesearch": "1"}
    assert (request.method, request.path, request.body) == ("GET", "/search", None)
    assert dict(request.params) == usual | expected
    assert request.headers == {"Accept": "application/json"}


def test_categories() -> None:
    asked = (searxng.images(ImageQuery(text="x"), ACCESS), searxng.news(NewsQuery(text="x"), ACCESS))
    assert [dict(first_request(steps).params)["categories"] for steps in asked] == ["images", "news"]


@pytest.mark.parametrize(
    ("basic", "headers", "expected"),
    [
        ("jané:p:w", "", {"Authorization": "Basic " + base64.b64encode("jané:p:w".encode()).decode()}),
        ("", "X-Key: a, b, X-Url: https://x.test:1/,  Y: c", {"X-Key": "a, b", "X-Url": "https://x.test:1/", "Y": "c"}),
        ("u:p", "authorization: Bearer t", {"authorization": "Bearer t"}),
    ],
)
def test_credentials(basic: str, headers: str, expected: dict[str, str]) -> None:
    access = Access({"SEARXNG_BASIC_AUTH": basic, "SEARXNG_HEADERS": headers}, NOW)
    assert first_request(searxng.web(CATS, access)).headers == {"Accept": "application/json"} | expected


@pytest.mark.parametrize(("name", "value"), [("SEARXNG_BASIC_AUTH", "secret"), ("SEARXNG_HEADERS", "secret stuff")])
def test_unreadable_credentials_are_named_but_not_shown(name: str, value: str) -> None:
    with pytest.raises(errors.Misconfigured, match=name) as caught:
        first_request(searxng.web(CATS, Access({name: value}, NOW)))
    assert "secret" not in caught.value.sentence


def test_both_shapes_of_a_result_are_read_and_useless_ones_left_out() -> None:
    typed = result(publishedDate="2026-03-01T10:00:00", pubdate="", engine="x")
    legacy = {"title": "T", "url": "https://b.test/", "pubdate": "2026-03-02 10:00:00", "engine": "old"}
    _, found = converse(
        searxng.web(CATS, ACCESS), answer(typed, legacy, {"title": "no address"}, result(url="magnet:x"))
    )
    assert [(hit.title, hit.engines) for hit in found.items] == [("A title", ("x",)), ("T", ("old",))]
    assert [hit.published_at for hit in found.items] == [
        datetime(2026, 3, 1, 10, tzinfo=UTC),
        datetime(2026, 3, 2, 10, tzinfo=UTC),
    ]
    assert found.not_applied == frozenset()


def test_an_hour_is_asked_for_as_a_day_and_reported() -> None:
    _, found = converse(searxng.web(WebQuery(text="x", time_range="hour"), ACCESS), answer(result()))
    assert found.not_applied == {"time_range"}


def test_a_country_without_a_language_is_reported() -> None:
    _, found = converse(searxng.web(WebQuery(text="x", country="US"), ACCESS), answer(result()))
    assert found.not_applied == {"country"}


def test_the_order_of_news_is_left_to_whoever_knows_all_dates() -> None:
    _, found = converse(searxng.news(NewsQuery(text="x", sort_by="date"), ACCESS), answer(result(title="none")))
    assert [(article.title, article.source) for article in found.items] == [("none", "example.com")]
    assert found.not_applied == {"sort_by"}


def test_images() -> None:
    full = result(
        img_src="//img.test/a.png", thumbnail_src="data:image/png;base64,x", thumbnail="https://img.test/t.png",
        resolution="1920 × 1080", filesize="1.5 MB",
    )  # fmt: skip
    bare = result(img_src="https://img.test/b.png")
    query = ImageQuery(text="x", size="large", color_type="gray", time_range="hour")
    _, found = converse(searxng.images(query, ACCESS), answer(full, bare, result()))
    first, second = found.items
    assert (first.link, first.thumbnail_link) == ("https://img.test/a.png", "https://img.test/t.png")
    assert (first.context_link, first.title) == ("https://www.example.com/a", "A title")
    assert (first.width, first.height, first.file_size) == (1920, 1080, 1572864)
    assert (second.width, second.file_size, second.thumbnail_link) == (None, None, None)
    assert found.not_applied == {"size", "color_type", "time_range"}


def test_nothing_found_is_an_empty_answer() -> None:
    _, found = converse(searxng.web(CATS, ACCESS), answer())
    assert not found.items
    _, found = converse(searxng.web(CATS, ACCESS), answer(failed=[["a", "timeout"]], answers=[{"answer": "42"}]))
    assert not found.items


def test_results_are_read_as_far_as_they_are_looked_at() -> None:
    taken: list[int] = []
    items = LateItems(taken.append(number) or number for number in range(9))  # type: ignore[func-returns-value]
    assert items
    assert taken == [0]
    assert has_more_than(2, items)
    assert taken == [0, 1, 2]
    first, second = iter(items), iter(items)
    assert [next(first) for _ in range(5)] == [next(second) for _ in range(5)]
    assert len(taken) == 5
    assert (len(items), items[-1], list(items), [*first]) == (9, 8, list(range(9)), [5, 6, 7, 8])
    assert not has_more_than(9, items)
    assert taken == list(range(9))


@pytest.mark.parametrize(
    ("failure", "kind", "words"),
    [
        (reply("<h1>Forbidden</h1>", 403), errors.Blocked, r"formats: \[html, json\]"),
        (reply("<html>checking your browser</html>", content_type="text/html; charset=utf-8"), errors.Blocked, "check"),
        (reply("\n <!doctype html>"), errors.Blocked, "browser"),
        (reply("", 401), errors.KeyRejected, "SEARXNG_BASIC_AUTH"),
        (reply("", 404), errors.Misconfigured, "SEARXNG_URL"),
        (reply("", 429, retry_after="7"), errors.RateLimited, "limiter"),
        (reply({"error": "No query"}, 400), errors.UpstreamUnavailable, "No query"),
        (reply("oops", 502), errors.UpstreamUnavailable, "502"),
        (reply("not json"), errors.UpstreamChanged, "not JSON"),
        (reply([]), errors.UpstreamChanged, "no list of results"),
        (reply({"results": None}), errors.UpstreamChanged, "no list of results"),
        (answer({"name": "other shape"}), errors.UpstreamChanged, "None of"),
        (answer(failed=[["a", "CAPTCHA"], ["b", "access denied"]]), errors.Blocked, r"a \(CAPTCHA\), b"),
        (answer(failed=[["a", "CAPTCHA"], ["b", "Suspended: too many requests"]]), errors.RateLimited, "too many"),
        (answer(failed=[["a", "CAPTCHA"], ["b", "timeout"]]), errors.UpstreamUnavailable, r"b \(timeout\)"),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        converse(searxng.web(CATS, ACCESS), failure)
    assert type(caught.value) is kind
    if failure.status == 429:
        assert caught.value.retry_after == 7


@pytest.mark.parametrize(
    ("content", "day"),
    [
        ("Mar 3, 2024 — The tide is rising.", (2024, 3, 3)),
        ("2024-03-03 · The tide", (2024, 3, 3)),
        ("The tide of 2024 — rising", None),
        ("A note: the tide", None),
    ],
)
def test_a_date_before_the_snippet_is_read(content: str, day: tuple[int, int, int] | None) -> None:
    row = result(content=content)
    row.pop("publishedDate", None)
    _, found = converse(searxng.web(WebQuery(text="x"), ACCESS), answer(row))
    moment = found.items[0].published_at
    assert (moment and (moment.year, moment.month, moment.day)) == day
