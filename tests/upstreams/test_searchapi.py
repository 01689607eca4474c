"""SearchAPI.io: recorded and documented answers, and error bodies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, reply
from wellsourced.errors import Blocked, KeyRejected, OutOfCredit, RateLimited, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import searchapi
from wellsourced.upstreams.types.search import Article, Hit, ImageQuery, NewsQuery, ResultSet, WebQuery

NOW = datetime(2026, 3, 28, 21, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
COVERED = {
    "error_401.documented.json",
    "google_ceo_microsoft_2023.json",
    "google_images.documented.json",
    "google_news.documented.json",
}
PATENTS_AND_PAPERS_ARE_LATER_WORK = {"google_patents.documented.json", "google_scholar_llm_2025.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "searchapi" / name).read_bytes())


def search(answer: Reply) -> ResultSet[Hit]:
    return converse(searchapi.web(WebQuery(text="x"), ACCESS), answer)[1]


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "searchapi").glob("*.json")}
    assert files == COVERED | PATENTS_AND_PAPERS_ARE_LATER_WORK


def test_recorded_pages(shared: Path) -> None:
    answer = recorded(shared, "google_ceo_microsoft_2023.json")
    found = converse(searchapi.web(WebQuery(text="x", count=10), ACCESS), answer)[1]
    assert len(found.items) == 9
    assert found.items[1].url == "https://en.wikipedia.org/wiki/Satya_Nadella"
    assert [hit.published_at for hit in found.items if hit.published_at] == [NOW - timedelta(hours=8)]


def test_recorded_pictures(shared: Path) -> None:
    answer = recorded(shared, "google_images.documented.json")
    found = converse(searchapi.images(ImageQuery(text="x"), ACCESS), answer)[1]
    panda = found.items[1]
    assert len(found.items) == 2
    assert panda.link.endswith("/640px-Grosser_Panda.JPG")
    assert (panda.context_link, panda.width, panda.height) == ("https://en.wikipedia.org/wiki/Giant_panda", 640, 427)


def test_recorded_news(shared: Path) -> None:
    answer = recorded(shared, "google_news.documented.json")
    assert converse(searchapi.news(NewsQuery(text="x"), ACCESS), answer)[1].items == (
        Article(
            title="Headline text",
            url="https://news.example.com/story",
            source="Example News",
            snippet="First sentence of the story.",
            published_at=NOW - timedelta(hours=3),
        ),
    )


def test_recorded_error(shared: Path) -> None:
    with pytest.raises(KeyRejected):
        search(recorded(shared, "error_401.documented.json", 401))


def test_the_older_list_of_news_is_read_too() -> None:
    row = {"title": "T", "link": "https://a.example/", "source": {"name": "Outlet"}}
    found = converse(searchapi.news(NewsQuery(text="x"), ACCESS), reply({"news_results": [row]}))[1]
    assert found.items == (Article(title="T", url="https://a.example/", source="Outlet"),)


@pytest.mark.parametrize(
    "body",
    [
        {"search_metadata": {}, "error": "Google didn't return any results."},
        {"search_metadata": {}, "search_information": {"total_results": 0}},
        {"organic_results": []},
    ],
)
def test_nothing_found(body: dict[str, object]) -> None:
    assert search(reply(body)) == ResultSet(())


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (422, {"error": "Parameter q is required."}, {}, UpstreamUnavailable, None),
        (429, {"error": "Too many requests."}, {"retry_after": "9"}, RateLimited, 9),
        (429, {"error": "You have used all of the searches of this month."}, {}, OutOfCredit, None),
        (200, {"error": "The engine failed."}, {}, UpstreamUnavailable, None),
        (200, {"error": {"code": 429, "message": "Rate limit exceeded"}}, {}, RateLimited, None),
        (403, "<html>challenge</html>", {}, Blocked, None),
        (503, {"error": "Later"}, {}, UpstreamUnavailable, None),
    ],
)
def test_errors(
    status: int, body: object, headers: dict[str, str], kind: type[WellsourcedError], wait: float | None
) -> None:
    with pytest.raises(kind) as raised:
        search(reply(body, status, **headers))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)
