"""Google: recorded answers, paging and error bodies."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, reply
from wellsourced.errors import Blocked, KeyRejected, RateLimited, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import google
from wellsourced.upstreams.types.search import Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
TWENTY_HOURS = 72000.0

PAGES = {
    "web_poker_page1.json": (10, True, "https://en.wikipedia.org/wiki/Poker"),
    "web_semantic_kernel.json": (4, True, "https://learn.microsoft.com/en-us/semantic-kernel/overview/"),
    "web_wine_quoted_three_results.json": (3, False, "https://en.wikipedia.org/wiki/Sine_Qua_Non_(wine)"),
}
ERRORS: dict[str, tuple[int, type[WellsourcedError], float | None]] = {
    "error_400_key_invalid.documented.json": (400, KeyRejected, None),
    "error_400_start_101.json": (400, UpstreamUnavailable, None),
    "error_403_daily_limit.documented.json": (403, RateLimited, TWENTY_HOURS),
    "error_429_quota.documented.json": (429, RateLimited, TWENTY_HOURS),
}
OTHERS = {"image_cats_one_item.json", "web_no_results.json"}


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return Reply(status, {}, (shared / "wire" / "google-cse" / name).read_bytes())


def search(answer: Reply, **asked: Any) -> ResultSet[Hit]:
    return converse(google.web(WebQuery(text="x", **{"count": 10, **asked}), ACCESS), answer)[1]


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "google-cse").glob("*.json")}
    assert files == set(PAGES) | set(ERRORS) | OTHERS


@pytest.mark.parametrize("name", PAGES)
def test_recorded_pages(shared: Path, name: str) -> None:
    found = search(recorded(shared, name))
    count, more, first = PAGES[name]
    assert (len(found.items), found.more_available, found.items[0].url) == (count, more, first)
    assert all(hit.title and hit.snippet and "\n" not in hit.snippet for hit in found.items)


def test_recorded_dates(shared: Path) -> None:
    """From the page's own metadata, and from the date Google writes before the snippet."""
    dates = [hit.published_at for hit in search(recorded(shared, "web_semantic_kernel.json")).items]
    assert dates == [
        datetime(2024, 6, 24, tzinfo=UTC),
        None,
        None,
        datetime(2023, 12, 19, 13, 45, 33, 495000, tzinfo=UTC),
    ]


def test_recorded_news_name_the_outlet(shared: Path) -> None:
    query = NewsQuery(text="x", count=4)
    found = converse(google.news(query, ACCESS), recorded(shared, "web_semantic_kernel.json"))[1]
    assert [article.source for article in found.items][1:4:2] == ["GitHub", "Medium"]


def test_recorded_picture(shared: Path) -> None:
    found = converse(google.images(ImageQuery(text="x"), ACCESS), recorded(shared, "image_cats_one_item.json"))[1]
    (image,) = found.items
    assert image.link.startswith("https://media.wired.com/photos/")
    assert image.context_link == "https://www.wired.com/story/cats-australia-bushfires/"
    assert (image.width, image.height, image.file_size) == (2043, 1532, 1063166)


def test_no_items_means_nothing_found(shared: Path) -> None:
    assert search(recorded(shared, "web_no_results.json")) == ResultSet((), more_available=False)


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(shared: Path, name: str) -> None:
    status, kind, wait = ERRORS[name]
    with pytest.raises(kind) as raised:
        search(recorded(shared, name, status))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)


def picture(number: int) -> dict[str, Any]:
    image = {"contextLink": f"https://a.example/{number}", "width": 3, "height": 2}
    return {"title": f"P{number}", "link": f"https://a.example/{number}.png", "image": image}


def sheet(start: int, count: int, total: int = 1000) -> dict[str, Any]:
    following = {"nextPage": [{"startIndex": start + count}]} if start + count <= total else {}
    return {"queries": following, "items": [picture(number) for number in range(start, start + count)]}


def test_further_pages_are_fetched_for_larger_counts() -> None:
    query = ImageQuery(text="x", count=25)
    requests, found = converse(
        google.images(query, ACCESS), reply(sheet(1, 10)), reply(sheet(11, 10)), reply(sheet(21, 5))
    )
    asked = [dict(request.params) for request in requests]
    assert [(params.get("start"), params["num"]) for params in asked] == [(None, "10"), ("11", "10"), ("21", "5")]
    assert [image.title for image in found.items] == [f"P{number}" for number in range(1, 26)]
    assert found.items[0] == Image(
        title="P1", link="https://a.example/1.png", context_link="https://a.example/1", width=3, height=2
    )
    assert found.more_available is True


def test_paging_ends_with_the_results_and_at_a_hundred() -> None:
    answers = [reply(sheet(start, 10)) for start in range(1, 101, 10)]
    requests, found = converse(google.images(ImageQuery(text="x", count=200), ACCESS), *answers)
    assert dict(requests[-1].params)["start"] == "91"
    assert (len(found.items), found.more_available) == (100, False)
    requests, found = converse(google.images(ImageQuery(text="x", count=50), ACCESS), reply(sheet(1, 10, total=10)))
    assert (len(requests), len(found.items)) == (1, 10)


def test_what_the_first_page_brought_survives_a_failing_second() -> None:
    spent = reply({"error": {"code": 429, "message": "Slow", "status": "RESOURCE_EXHAUSTED"}}, 429)
    _, found = converse(google.images(ImageQuery(text="x", count=20), ACCESS), reply(sheet(1, 10)), spent)
    assert (len(found.items), found.more_available) == (10, True)
    assert found.notes == ("Google gave the first 10 results only: Google: Slow",)


def test_pictures_only_google_holds_are_left_out() -> None:
    raw = {**picture(1), "link": "x-raw-image:///0af1"}
    found = converse(google.images(ImageQuery(text="x"), ACCESS), reply({"queries": {}, "items": [raw, picture(2)]}))[1]
    assert [image.title for image in found.items] == ["P2"]


def test_redirects_are_undone() -> None:
    fresh = {
        "title": "A",
        "link": "https://www.google.com/url?q=https%3A%2F%2Fa.example%2F",
        "snippet": "20 minutes ago ... x",
    }
    found = search(reply({"queries": {}, "items": [fresh]}))
    assert [hit.url for hit in found.items] == ["https://a.example/"]


def test_results_that_are_announced_and_not_listed_are_not_nothing() -> None:
    with pytest.raises(UpstreamChanged):
        search(reply({"queries": {}, "searchInformation": {"totalResults": "12"}}))


def problem(message: str, reason: str, status: str = "", **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "errors": [{"reason": reason}], "status": status, **more}}


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (403, problem("Used up", "quotaExceeded"), {}, RateLimited, TWENTY_HOURS),
        (403, problem("Too fast", "userRateLimitExceeded"), {"retry_after": "5"}, RateLimited, 5),
        (429, problem("Queries per minute", "rateLimitExceeded", "RESOURCE_EXHAUSTED"), {}, RateLimited, None),
        (403, problem("Not enabled", "accessNotConfigured"), {}, KeyRejected, None),
        (403, problem("No access", "forbidden", "PERMISSION_DENIED"), {}, KeyRejected, None),
        (400, problem("Bad Request", "keyInvalid"), {}, KeyRejected, None),
        (400, problem("Expired", "badRequest", details=[{"reason": "API_KEY_EXPIRED"}]), {}, KeyRejected, None),
        (400, problem("Invalid Value", "invalid"), {}, UpstreamUnavailable, None),
        (503, problem("Later", "backendError"), {}, UpstreamUnavailable, None),
        (403, "<html>sorry</html>", {}, Blocked, None),
        (429, "<html>sorry</html>", {}, RateLimited, None),
        (200, "<html>captive portal</html>", {}, UpstreamChanged, None),
        (200, {"kind": "other"}, {}, UpstreamChanged, None),
    ],
)
def test_errors(
    status: int, body: object, headers: dict[str, str], kind: type[WellsourcedError], wait: float | None
) -> None:
    with pytest.raises(kind) as raised:
        search(reply(body, status, **headers))
    assert (type(raised.value), raised.value.retry_after) == (kind, wait)
