"""Serper: recorded answers and error bodies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, reply
from wellsourced.errors import Blocked, KeyRejected, OutOfCredit, RateLimited, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import serper
from wellsourced.upstreams.types.search import Hit, ImageQuery, NewsQuery, ResultSet, WebQuery

NOW = datetime(2025, 4, 27, 12, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error_400_not_enough_credits.documented.json": (400, OutOfCredit),
    "error_403_unauthorized.json": (403, KeyRejected),
}
OTHERS = {"images_lion_2025.json", "news_tesla_2025.json", "news_tesla_last_hour_2025.json", "search_apple_2025.json"}
PLACES_ARE_LATER_WORK = {"places_italian_2025.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "serper" / name).read_bytes())


def search(answer: Reply) -> ResultSet[Hit]:
    return converse(serper.web(WebQuery(text="x"), ACCESS), answer)[1]


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "serper").glob("*.json")}
    assert files == set(ERRORS) | OTHERS | PLACES_ARE_LATER_WORK


def test_recorded_pages(shared: Path) -> None:
    answer = recorded(shared, "search_apple_2025.json")
    found = converse(serper.web(WebQuery(text="x", count=10), ACCESS), answer)[1]
    assert len(found.items) == 6
    assert (found.items[0].title, found.items[0].url) == ("Apple", "https://www.apple.com/")
    assert [hit.published_at for hit in found.items if hit.published_at] == [NOW - timedelta(days=5)]


def test_recorded_pictures(shared: Path) -> None:
    answer = recorded(shared, "images_lion_2025.json")
    found = converse(serper.images(ImageQuery(text="x", count=10), ACCESS), answer)[1]
    first = found.items[0]
    assert len(found.items) == 10
    assert first.link.startswith("https://upload.wikimedia.org/wikipedia/commons/")
    assert (first.context_link, first.width, first.height) == ("https://en.wikipedia.org/wiki/Lion", 5168, 3448)


def test_recorded_news(shared: Path) -> None:
    query = NewsQuery(text="x", count=10)
    found = converse(serper.news(query, ACCESS), recorded(shared, "news_tesla_2025.json"))[1]
    assert len(found.items) == 10
    assert (found.items[0].source, found.items[0].published_at) == ("Yahoo Finance", NOW - timedelta(days=2))
    found = converse(serper.news(query, ACCESS), recorded(shared, "news_tesla_last_hour_2025.json"))[1]
    assert [article.published_at for article in found.items] == [NOW - timedelta(minutes=3)]


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    with pytest.raises(kind):
        search(recorded(shared, name, status))


def test_redirects_are_undone_and_rows_without_address_left_out() -> None:
    wrapped = {"title": "A &amp; B", "link": "https://www.google.com/url?q=https%3A%2F%2Fa.example%2F"}
    found = search(reply({"organic": [wrapped, {"title": "Widget", "link": "/search?q=x"}]}))
    assert found.items == (Hit(title="A & B", url="https://a.example/"),)


def test_an_article_without_outlet_is_named_by_its_host() -> None:
    row = {"title": "T", "link": "https://www.news.example/a"}
    found = converse(serper.news(NewsQuery(text="x"), ACCESS), reply({"news": [row]}))[1]
    assert found.items[0].source == "news.example"


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (429, {"message": "Too many requests"}, {"retry_after": "3"}, RateLimited, 3),
        (400, {"message": "Missing query parameter", "statusCode": 400}, {}, UpstreamUnavailable, None),
        (403, "<html>challenge</html>", {}, Blocked, None),
        (500, {"message": "Internal"}, {}, UpstreamUnavailable, None),
    ],
)
def test_errors(
    status: int, body: object, headers: dict[str, str], kind: type[WellsourcedError], wait: float | None
) -> None:
    with pytest.raises(kind) as raised:
        search(reply(body, status, **headers))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)
