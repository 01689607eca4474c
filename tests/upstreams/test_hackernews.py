"""Hacker News: requests, recorded answers of 2021 and 2026, and failures."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import hackernews
from wellsourced.upstreams.types.search import NewsQuery, WebQuery

NOW = datetime(2026, 11, 10, 12, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
CATS = WebQuery(text="cats")
OF_THE_SITE_READER = {
    "firebase_item_comment.json",
    "firebase_item_deleted.json",
    "firebase_item_missing.json",
    "firebase_item_story.json",
    "firebase_maxitem.json",
    "firebase_topstories.json",
    "firebase_updates.json",
    "firebase_user.json",
}


def test_every_recorded_answer_is_read_here_or_belongs_to_the_site_reader(shared: Path) -> None:
    bodies = {path.name: path.read_bytes() for path in (shared / "wire/hackernews").glob("*.json")}
    searched = {"algolia_search_javascript.json", "algolia_hit_2026.documented.json"}
    assert set(bodies) == searched | {"algolia_item.documented.json"} | OF_THE_SITE_READER
    _, found = converse(hackernews.web(CATS, ACCESS), reply(bodies["algolia_search_javascript.json"]))
    first = found.items[0]
    assert len(found.items) == 5
    assert (first.title, first.url) == (
        "Yarn – A new package manager for JavaScript",
        "https://code.facebook.com/posts/1840075619545360",
    )
    assert first.snippet == "1714 points · 469 comments · by cpojer"
    assert first.engagement == {"points": 1714, "commentCount": 469}
    assert first.published_at == datetime(2016, 10, 11, 15, 0, 38, tzinfo=UTC)
    _, found = converse(hackernews.web(CATS, ACCESS), reply(bodies["algolia_hit_2026.documented.json"]))
    assert found.items[0].snippet == "1 point · 0 comments · by zinas"
    assert found.items[0].extra_snippets == ("metrIQ started as a spreadsheet for my own training. …",)
    assert found.more_available is False
    with pytest.raises(errors.UpstreamChanged):
        converse(hackernews.web(CATS, ACCESS), reply(bodies["algolia_item.documented.json"]))
    for name in OF_THE_SITE_READER:
        with pytest.raises(errors.UpstreamChanged):
            converse(hackernews.web(CATS, ACCESS), reply(bodies[name]))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (CATS, {}),
        (WebQuery(text="cats", count=500), {"hitsPerPage": "100"}),
        (WebQuery(text="cats", count=0), {"hitsPerPage": "1"}),
        (WebQuery(text="cats", time_range="hour"), {"numericFilters": "created_at_i>1794308400"}),
        (WebQuery(text="cats", time_range="week"), {"numericFilters": "created_at_i>1793707200"}),
        (WebQuery(text="cats", sites=("a.test",)), {"hitsPerPage": "100"}),
        (WebQuery(text="cats", exclude_terms="x"), {"hitsPerPage": "100"}),
        (WebQuery(text="cats", exact_terms="a b"), {"hitsPerPage": "100", "query": "cats a b"}),
        (WebQuery(text="cats", safe="off", language="de", country="DE"), {}),
    ],
)
def test_each_filter_in_the_request(query: WebQuery, expected: dict[str, str]) -> None:
    request = first_request(hackernews.web(query, ACCESS))
    usual = {"query": "cats", "tags": "story", "hitsPerPage": "5", "page": "0"}
    assert (request.method, request.path, request.headers) == ("GET", "/search", {})
    assert dict(request.params) == usual | expected


def test_news_by_date_asks_the_other_index() -> None:
    by_date = hackernews.news(NewsQuery(text="x", sort_by="date"), ACCESS)
    assert first_request(by_date).path == "/search_by_date"
    assert first_request(hackernews.news(NewsQuery(text="x"), ACCESS)).path == "/search"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (CATS, set()),
        (WebQuery(text="x", time_range="day", sites=("a.test",), exclude_terms="b"), set()),
        (WebQuery(text="x", safe="high", language="de", country="DE"), {"safe", "language", "country"}),
        (WebQuery(text="x", exact_terms="a b"), {"exact_terms"}),
    ],
)
def test_not_applied(query: WebQuery, expected: set[str]) -> None:
    _, found = converse(hackernews.web(query, ACCESS), reply({"hits": []}))
    assert (found.items, found.not_applied) == ((), frozenset(expected))


def hit(**members: Any) -> dict[str, Any]:
    return {"objectID": "7", "title": "The <script> tag", "author": "x", "points": 2, "num_comments": 1} | members


def test_sparse_hits() -> None:
    text_post = hit(url=None, story_text="<p>Hello &amp; bye</p>", created_at_i=1700000000)
    odd = hit(url="javascript:x", points=True, num_comments=None, author=None)
    nameless, lost = hit(title=None), hit(objectID="../x", url="")
    _, found = converse(hackernews.web(CATS, ACCESS), reply({"hits": [text_post, odd, nameless, lost], "nbHits": 9}))
    first, second = found.items
    assert (first.title, first.url) == ("The <script> tag", "https://news.ycombinator.com/item?id=7")
    assert first.extra_snippets == ("Hello & bye",)
    assert first.published_at == datetime.fromtimestamp(1700000000, UTC)
    assert (second.snippet, second.engagement, second.published_at) == ("", None, None)
    assert found.more_available is True


def test_articles() -> None:
    _, found = converse(hackernews.news(NewsQuery(text="x"), ACCESS), reply({"hits": [hit(url="https://www.a.test/")]}))
    assert (found.items[0].source, found.items[0].snippet) == ("a.test", "2 points · 1 comment · by x")


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply({"message": "invalid numericFilters"}, 400), errors.UpstreamUnavailable),
        (reply("", 404), errors.UpstreamChanged),
        (reply("", 429, retry_after="3"), errors.RateLimited),
        (reply("<html>", 200), errors.UpstreamChanged),
        (reply({"hits": {}}), errors.UpstreamChanged),
        (reply({"hits": [{"something": "else"}]}), errors.UpstreamChanged),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(hackernews.web(CATS, ACCESS), failure)
    assert type(caught.value) is kind
