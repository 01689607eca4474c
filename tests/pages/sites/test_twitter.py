"""X through FxTwitter: the recorded post, the newer form, quotes and media, and the codes that mean no."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.sites.conversation import hold, page_of
from tests.upstreams.conversation import reply
from wellsourced.errors import AuthRequired, NotFound, UpstreamChanged, UpstreamUnavailable, WellsourcedError

POST = "https://x.com/TheEllenShow/status/440322224407314432?s=20"


def test_the_recorded_post(shared: Path) -> None:
    asked, found = hold(POST, lambda _: reply((shared / "wire/fxtwitter/status_photo.json").read_bytes()))
    assert found is not None
    page = found.page
    assert [request.path for request in asked] == ["/TheEllenShow/status/440322224407314432"]
    assert page.author == "The Ellen Show (@TheEllenShow)"
    assert (page.date, page.content_type, page.language) == ("2014-03-03", "twitter", "en")
    assert "If only Bradley's arm was longer. Best photo ever. #oscars" in page.markdown
    assert "![photo](https://pbs.twimg.com/media/BhxWutnCEAAtEQ6.jpg?name=orig)" in page.markdown
    assert "159,371 replies · 2,532,422 reposts · 15,164 quotes · 1,874,563 likes · 6,213 bookmarks" in page.markdown


def test_the_newer_form(shared: Path) -> None:
    body = (shared / "wire/fxtwitter/v2_status.documented.json").read_bytes()
    page = page_of("https://twitter.com/i/status/20", lambda _: reply(body)).page
    assert (page.title, page.date) == ("jack (@jack): just setting up my twttr", "2006-03-21")
    assert "0 reposts · 2,886 quotes" in page.markdown


def test_quotes_alt_texts_and_profiles() -> None:
    quoted = {"text": "港は静か", "author": {"name": "港", "screen_name": "minato"}, "created_timestamp": 1700000000}
    media = {
        "all": [{"type": "photo", "url": "https://p.example/1.jpg", "altText": "a [grey] quay"}, {"type": "video"}, 7]
    }
    post = {
        "text": "Look\nthere",
        "author": {"name": "A", "screen_name": "a"},
        "quote": quoted,
        "media": media,
        "replying_to": "b",
    }
    markdown = page_of(POST, lambda _: reply({"code": 200, "tweet": post})).page.markdown
    assert "In reply to @b\n\nLook\nthere\n\n![photo: a [grey] quay](https://p.example/1.jpg)" in markdown
    assert "> **港 (@minato)** · 2023-11-14\n>\n> 港は静か" in markdown
    post["replying_to"] = {"screen_name": "c", "post": "19"}
    assert "In reply to @c\n" in page_of(POST, lambda _: reply({"code": 200, "status": post})).page.markdown
    post["article"] = {"title": "C#", "content": {"blocks": [{"text": "One."}, 5, {"text": ""}, {"text": "二。"}]}}
    assert "## C#\n\nOne.\n\n二。\n\n![photo" in page_of(POST, lambda _: reply({"tweet": post})).page.markdown
    user = {
        "name": "A",
        "screen_name": "a",
        "description": "Sails.",
        "followers": 1200,
        "joined": "Thu Aug 14 03:50:42 +0000 2008",
    }
    profile = page_of("https://x.com/a", lambda _: reply({"code": 200, "user": user})).page
    assert profile.markdown == "# A (@a)\n\nSails.\n\njoined 2008 · 1,200 followers"


@pytest.mark.parametrize(
    ("code", "message", "expected"),
    [
        (404, "NOT_FOUND", NotFound),
        (401, "PRIVATE_TWEET", AuthRequired),
        (500, "API_FAIL", UpstreamUnavailable),
        (200, "OK", UpstreamChanged),
    ],
)
@pytest.mark.parametrize("repeats_status", [True, False])
def test_codes(code: int, message: str, expected: type[WellsourcedError], repeats_status: bool) -> None:
    answer = reply({"code": code, "message": message}, code if repeats_status else 200)
    with pytest.raises(expected):
        hold(POST, lambda _: answer)


def test_the_documented_error(shared: Path) -> None:
    body = (shared / "wire/fxtwitter/error_404.documented.json").read_bytes()
    with pytest.raises(NotFound):
        hold(POST, lambda _: reply(body, 404))
