"""Tavily: recorded answers and both shapes of its errors."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, reply
from wellsourced.errors import Blocked, KeyRejected, OutOfCredit, RateLimited, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import tavily
from wellsourced.upstreams.types.search import Article, Hit, NewsQuery, ResultSet, WebQuery

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
PAGES = {
    "search_answer_images_raw_content.json": (
        4,
        "https://learn.microsoft.com/en-us/dotnet/ai/semantic-kernel-dotnet-overview",
    ),
    "search_basic_pydantic_ai.json": (
        5,
        "https://medium.com/ai-agent-insider/pydantic-ai-agent-framework-02b138e8db71",
    ),
    "search_include_domains.json": (5, "https://arxiv.org/abs/2507.13043"),
    "search_site_filter.json": (4, "https://devblogs.microsoft.com/semantic-kernel/hello-world/"),
}
ERRORS: dict[str, tuple[int, type[WellsourcedError], float | None]] = {
    "error_401.documented.json": (401, KeyRejected, None),
    "error_432_plan_limit.documented.json": (432, OutOfCredit, None),
    "error_keyless_limit.documented.json": (429, RateLimited, 3600),
}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "tavily" / name).read_bytes())


def search(answer: Reply) -> ResultSet[Hit]:
    return converse(tavily.web(WebQuery(text="x"), ACCESS), answer)[1]


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    assert {file.name for file in (shared / "wire" / "tavily").glob("*.json")} == set(PAGES) | set(ERRORS)


@pytest.mark.parametrize("name", PAGES)
def test_recorded_pages(shared: Path, name: str) -> None:
    found = search(recorded(shared, name))
    assert (len(found.items), found.items[0].url) == PAGES[name]
    assert all(hit.title and hit.snippet for hit in found.items)


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind, wait = ERRORS[name]
    with pytest.raises(kind) as raised:
        search(recorded(shared, name, status))
    assert raised.value.retry_after == wait


def test_news_are_dated() -> None:
    row = {"title": "T", "url": "https://www.a.example/", "published_date": "Sun, 15 Nov 2026 11:30:00 GMT"}
    found = converse(tavily.news(NewsQuery(text="x"), ACCESS), reply({"results": [row]}))[1]
    moment = datetime(2026, 11, 15, 11, 30, tzinfo=UTC)
    assert found.items == (Article(title="T", url="https://www.a.example/", source="a.example", published_at=moment),)


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (429, {"detail": {"error": "Too many requests"}}, {"retry_after": "4"}, RateLimited, 4),
        (433, {"detail": {"error": "Limit"}}, {}, OutOfCredit, None),
        (403, {"detail": "Forbidden for this key"}, {}, KeyRejected, None),
        (403, "<html>challenge</html>", {}, Blocked, None),
        (400, {"detail": {"error": "Query is too long."}}, {}, UpstreamUnavailable, None),
        (422, {"detail": [{"loc": ["body"], "msg": "bad"}]}, {}, UpstreamUnavailable, None),
        (200, {"error": {"code": "limit", "retry_after_seconds": 30}}, {}, RateLimited, 30),
        (200, {"error": {"code": 429, "message": "Rate limit exceeded"}}, {}, RateLimited, None),
        (500, {"detail": {"error": "Internal"}}, {}, UpstreamUnavailable, None),
    ],
)
def test_errors(
    status: int, body: object, headers: dict[str, str], kind: type[WellsourcedError], wait: float | None
) -> None:
    with pytest.raises(kind) as raised:
        search(reply(body, status, **headers))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)
