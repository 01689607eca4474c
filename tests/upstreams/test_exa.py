"""Exa: recorded answers, passages and error bodies."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, reply
from wellsourced.errors import (
    Blocked,
    KeyRejected,
    NotFound,
    OutOfCredit,
    RateLimited,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import exa
from wellsourced.upstreams.types.search import Article, Hit, NewsQuery, ResultSet, WebQuery

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
PAGES = {
    "search_additional_queries.json": (3, "https://ironcoders.com/learn/ruby/", ""),
    "search_auto.json": (10, "https://www.geeksforgeeks.org/ruby/ruby-programming-language/", ""),
    "search_deep_reasoning.json": (10, "https://nature.com/articles/s41567-025-03157-4", ""),
    "search_highlights.json": (3, "https://www.ruby-lang.org/en/", "Ruby Programming Language 0% A Programmer"),
    "search_include_domains.json": (
        5,
        "https://www.ruby-lang.org/en/news/2025/12/25/ruby-4-0-0-released/",
        "",
    ),
    "search_summary.json": (10, "https://www.epa.gov/climate-change", "The EPA emphasizes that climate change"),
    "search_text_html_tags.json": (
        10,
        "https://ironcoders.com/learn/ruby/",
        "Introduction to Programming in Ruby Ruby is a dynamic",
    ),
}
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error_400_invalid_key.json": (400, KeyRejected),
    "error_401.documented.json": (401, KeyRejected),
    "error_404_not_found.json": (404, NotFound),
}
READ_IN_OTHER_TESTS = {
    "answer_spacex.json",
    "answer_stream_structured.sse",
    "contents_arxiv.json",
    "contents_max_characters.json",
}
NOT_ASKED_FOR = {"context_pandas.json", "find_similar_arxiv.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "exa" / name).read_bytes())


def search(answer: Reply) -> ResultSet[Hit]:
    return converse(exa.web(WebQuery(text="x", count=10), ACCESS), answer)[1]


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "exa").iterdir()} - {"PROVENANCE.md"}
    assert files == set(PAGES) | set(ERRORS) | READ_IN_OTHER_TESTS | NOT_ASKED_FOR


@pytest.mark.parametrize("name", PAGES)
def test_recorded_pages(shared: Path, name: str) -> None:
    found = search(recorded(shared, name))
    count, first, snippet = PAGES[name]
    assert (len(found.items), found.items[0].url) == (count, first)
    assert found.items[0].snippet.startswith(snippet)
    assert bool(found.items[0].snippet) is bool(snippet)
    assert all(hit.title and len(hit.snippet) < 5000 and "<h1>" not in hit.snippet for hit in found.items)


def test_recorded_dates(shared: Path) -> None:
    first = search(recorded(shared, "search_summary.json")).items[0]
    assert first.published_at == datetime(2026, 1, 13, tzinfo=UTC)
    assert search(recorded(shared, "search_auto.json")).items[0].published_at is None


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    with pytest.raises(kind):
        search(recorded(shared, name, status))


def test_an_article_in_full() -> None:
    row = {
        "title": None,
        "url": "https://www.a.example/story",
        "publishedDate": "2026-11-14T08:00:00.000Z",
        "highlights": ["First <b>passage</b>", "", "Second"],
    }
    query = NewsQuery(text="x", time_range="week")
    found = converse(exa.news(query, ACCESS), reply({"results": [row]}))[1]
    assert found.items == (
        Article(
            title="https://www.a.example/story",
            url="https://www.a.example/story",
            source="a.example",
            snippet="First passage",
            published_at=datetime(2026, 11, 14, 8, 0, tzinfo=UTC),
            extra_snippets=("Second",),
        ),
    )
    assert found.notes == ("With a time range, Exa leaves out pages whose date it does not know.",)


def test_a_long_text_is_cut_between_words() -> None:
    row = {"title": "T", "url": "https://a.example/", "text": "слово " * 1000}
    (hit,) = search(reply({"results": [row]})).items
    assert len(hit.snippet) <= 500
    assert set(hit.snippet.split()) == {"слово"}


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (402, {"error": "Out of credits", "tag": "NO_MORE_CREDITS"}, {}, OutOfCredit, None),
        (429, {"error": "Rate limit"}, {"x_ratelimit_reset": str(int(NOW.timestamp()) + 12)}, RateLimited, 12),
        (429, {"error": "Rate limit"}, {"x_ratelimit_reset": "5", "retry_after": "2"}, RateLimited, 2),
        (429, {"error": "Rate limit"}, {"x_ratelimit_reset": "1"}, RateLimited, 1),
        (429, "slow down", {"x_ratelimit_reset": "9" * 5000}, RateLimited, None),
        (400, {"error": "numResults must be positive"}, {}, UpstreamUnavailable, None),
        (403, "<html>challenge</html>", {}, Blocked, None),
        (500, {"error": "Internal"}, {}, UpstreamUnavailable, None),
    ],
)
def test_errors(
    status: int, body: object, headers: dict[str, str], kind: type[WellsourcedError], wait: float | None
) -> None:
    with pytest.raises(kind) as raised:
        search(reply(body, status, **headers))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)


def test_operators_become_parameters() -> None:
    query = WebQuery(text="tides after:2019-01-01 before:2022-01-01 filetype:pdf note:this")
    request = next(exa.web(query, ACCESS))
    body = json.loads(request.body or b"")
    assert body["query"].split() == ["tides", "note:this"]
    assert (body["startPublishedDate"], body["endPublishedDate"]) == ("2019-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
