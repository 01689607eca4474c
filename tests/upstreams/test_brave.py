"""Brave: recorded answers, rate headers and error bodies."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import Blocked, KeyRejected, OutOfCredit, RateLimited, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import brave
from wellsourced.upstreams.types.search import Article, Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

NOW = datetime(2024, 12, 31, 18, 0, tzinfo=UTC)
ACCESS = Access({"BRAVE_API_KEY": "key"}, NOW)

PAGES = {
    "web_hello_world.json": (20, 16, "https://en.wikipedia.org/wiki/%22Hello,_World!%22_program"),
    "web_laravel.json": (17, 13, "https://laravel.com/"),
    "web_semantic_kernel.json": (10, 7, "https://learn.microsoft.com/en-us/semantic-kernel/overview/"),
    "web_blue_tack_minimal.json": (1, 1, "https://en.wikipedia.org/wiki/Blu_Tack"),
}
ERRORS: dict[str, tuple[int, type[WellsourcedError]]] = {
    "error_422_missing_key.documented.json": (422, KeyRejected),
    "error_422_token_invalid.documented.json": (422, KeyRejected),
    "error_429_rate_limited.json": (429, RateLimited),
}
OTHERS = {"images_hello_world.json", "news_hello_world.json", "web_locations.documented.json"}
PLACES = {"local_descriptions.documented.json", "local_pois.documented.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "brave" / name).read_bytes())


def search(answer: Reply, **asked: Any) -> ResultSet[Hit]:
    return converse(brave.web(WebQuery(text="x", count=20, **asked), ACCESS), answer)[1]


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "brave").glob("*.json")}
    assert files == set(PAGES) | set(ERRORS) | OTHERS | PLACES


@pytest.mark.parametrize("name", PAGES)
def test_recorded_pages(shared: Path, name: str) -> None:
    now = datetime(2025, 4, 7, tzinfo=UTC)
    found = converse(brave.web(WebQuery(text="x", count=20), Access({}, now)), recorded(shared, name))[1]
    count, dated, first = PAGES[name]
    assert (len(found.items), sum(hit.published_at is not None for hit in found.items)) == (count, dated)
    assert found.items[0].url == first
    assert found.more_available is True
    assert not any("<strong>" in hit.snippet or "&quot;" in hit.snippet for hit in found.items)
    assert all(hit.title and hit.snippet for hit in found.items)


def test_recorded_hit_in_full(shared: Path) -> None:
    assert search(recorded(shared, "web_blue_tack_minimal.json")).items == (
        Hit(
            title="Blu Tack - Wikipedia",
            url="https://en.wikipedia.org/wiki/Blu_Tack",
            snippet=(
                "Blu Tack is a reusable putty-like pressure-sensitive adhesive produced by Bostik, commonly used to "
                "attach lightweight objects (such as posters or sheets of paper) to walls, doors or other dry surfaces."
                " Traditionally blue, it is also available in other colours."
            ),
            published_at=datetime(2023, 11, 23, 9, 26, 19, tzinfo=UTC),
        ),
    )


def test_recorded_pictures_point_at_the_picture(shared: Path) -> None:
    query = ImageQuery(text="x", count=20)
    found = converse(brave.images(query, ACCESS), recorded(shared, "images_hello_world.json"))[1]
    first = found.items[0]
    assert len(found.items) == 20
    assert first.link.startswith("https://media.istockphoto.com/id/461954481/photo/hello-world.jpg")
    assert first.context_link == "https://www.istockphoto.com/photos/hello-world"
    assert first.thumbnail_link is not None


def test_recorded_news(shared: Path) -> None:
    found = converse(brave.news(NewsQuery(text="x", count=3), ACCESS), recorded(shared, "news_hello_world.json"))[1]
    assert len(found.items) == 20
    assert (found.items[0].source, found.items[0].title) == ("npr.org", "World News and International Headlines : NPR")
    assert found.items[0].published_at == datetime(2024, 12, 31, 17, 9, 3, tzinfo=UTC)


def test_an_answer_with_places_only_holds_no_pages(shared: Path) -> None:
    assert search(recorded(shared, "web_locations.documented.json")) == ResultSet((), more_available=None)


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind = ERRORS[name]
    with pytest.raises(kind):
        search(recorded(shared, name, status))


def page(url: str, **more: Any) -> dict[str, Any]:
    return {"title": "T", "url": url, **more}


def test_extra_snippets_are_asked_for_and_read() -> None:
    access = Access({"BRAVE_EXTRA_SNIPPETS": "true"}, NOW)
    row = page("https://a.example/", extra_snippets=["one <strong>two</strong>", "three"])
    body = {"type": "news", "query": {}, "results": [row]}
    (request,), found = converse(brave.news(NewsQuery(text="x"), access), reply(body))
    assert dict(request.params)["extra_snippets"] == "true"
    assert found.items == (
        Article(title="T", url="https://a.example/", source="a.example", extra_snippets=("one two", "three")),
    )


def test_no_version_is_asked_for() -> None:
    assert "api-version" not in {name.lower() for name in first_request(brave.web(WebQuery(text="x"), ACCESS)).headers}


def test_picture_sizes_of_newer_answers() -> None:
    row = page("https://a.example/", properties={"url": "https://a.example/p.png", "width": 640, "height": 480})
    found = converse(brave.images(ImageQuery(text="x"), ACCESS), reply({"results": [row]}))[1]
    assert found.items == (
        Image(title="T", link="https://a.example/p.png", context_link="https://a.example/", width=640, height=480),
    )


def problem(code: str, detail: str = "why", **meta: Any) -> dict[str, Any]:
    return {"type": "ErrorResponse", "error": {"code": code, "detail": detail, "meta": meta}}


MONTH_SPENT = {
    "x_ratelimit_limit": "1, 2000",
    "x_ratelimit_remaining": "0, 0",
    "x_ratelimit_reset": "1, 1419704",
}
SECOND_SPENT = {"x_ratelimit_limit": "20, 0", "x_ratelimit_remaining": "0, 0", "x_ratelimit_reset": "2, 1419704"}


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (429, problem("RATE_LIMITED"), MONTH_SPENT, OutOfCredit, 1419704),
        (429, problem("RATE_LIMITED"), SECOND_SPENT, RateLimited, 2),
        (429, problem("RATE_LIMITED"), {"retry_after": "7"}, RateLimited, 7),
        (429, problem("RATE_LIMITED", quota_limit=2000, quota_current=2000), {}, OutOfCredit, None),
        (429, problem("RATE_LIMITED", quota_limit=0, quota_current=9), {}, RateLimited, 1),
        (429, "slow down", {}, RateLimited, 1),
        (422, {"errors": [problem("SUBSCRIPTION_TOKEN_INVALID")["error"]]}, {}, KeyRejected, None),
        (422, problem("VALIDATION", errors=[{"loc": ["query", "count"]}]), {}, UpstreamUnavailable, None),
        (402, problem("PAYMENT"), {}, OutOfCredit, None),
        (403, "<html>challenge</html>", {}, Blocked, None),
        (502, "<html>bad gateway</html>", {}, UpstreamUnavailable, None),
        (500, [], {}, UpstreamUnavailable, None),
    ],
)
def test_errors(
    status: int, body: object, headers: dict[str, str], kind: type[WellsourcedError], wait: float | None
) -> None:
    with pytest.raises(kind) as raised:
        search(reply(body, status, **headers))
    assert type(raised.value) is kind
    assert raised.value.retry_after == wait
    assert isinstance(body, dict) is ("why" in raised.value.sentence)
