"""What holds for every site: discovery, which addresses are theirs, and nonsense answered in their name."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from tests.pages.sites.conversation import hold
from wellsourced.errors import WellsourcedError
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.site_page import SitePage
from wellsourced.pages.sites import catalogue, settings, site_for
from wellsourced.text.urls import parse_web_url

OWNED = {
    "https://www.youtube.com/watch?v=GJLlxj_dtq8&t=10": "youtube",
    "https://m.youtube.com/watch?app=desktop&v=GJLlxj_dtq8": "youtube",
    "https://youtu.be/GJLlxj_dtq8?si=x": "youtube",
    "https://www.youtube.com/shorts/GJLlxj_dtq8": "youtube",
    "https://www.youtube-nocookie.com/embed/GJLlxj_dtq8": "youtube",
    "https://www.youtube.com/live/GJLlxj_dtq8": "youtube",
    "https://news.ycombinator.com/": "hackernews-firebase",
    "https://news.ycombinator.com/item?id=21500569": "hackernews-firebase",
    "https://news.ycombinator.com/user?id=tomek": "hackernews-firebase",
    "https://news.ycombinator.com/jobs": "hackernews-firebase",
    "https://x.com/jack/status/20": "fxtwitter",
    "https://mobile.twitter.com/jack/status/20/photo/1": "fxtwitter",
    "https://twitter.com/i/status/20": "fxtwitter",
    "https://x.com/jack": "fxtwitter",
    "https://www.reddit.com/r/lotus/comments/1pzbv0z/my_lotus/": "reddit",
    "https://old.reddit.com/r/lotus/comments/1pzbv0z": "reddit",
    "https://github.com/kepano/defuddle": "github",
    "https://github.com/kepano/defuddle/blob/main/README.md": "github",
    "https://github.com/kepano/defuddle/issues/56": "github",
    "https://github.com/kepano/defuddle/pull/57": "github",
    "https://github.com/kepano/defuddle/releases/tag/v1.0": "github",
    "https://gist.github.com/someone/0123456789abcdef0123": "github",
    "https://arxiv.org/abs/1706.03762v7": "arxiv-pages",
    "https://arxiv.org/abs/math.GT/0309136": "arxiv-pages",
    "https://de.m.wikipedia.org/wiki/Caf%C3%A9": "wikipedia",
    "https://zh.wikipedia.org/zh-tw/%E6%B8%AF": "wikipedia",
}
FOREIGN = [
    "https://www.youtube.com/@channel",
    "https://www.youtube.com/watch?v=short",
    "https://notyoutube.com/watch?v=GJLlxj_dtq8",
    "https://news.ycombinator.com/item?id=abc",
    "https://news.ycombinator.com/threads?id=pg",
    "https://news.ycombinator.com/news?p=2",
    "https://news.ycombinator.com/newest?next=45000000&n=31",
    "https://x.com/search?q=a",
    "https://x.com/home",
    "https://x.com.evil.example/jack/status/20",
    "https://www.reddit.com/r/lotus/",
    "https://github.com/features/actions",
    "https://github.com/kepano/defuddle/wiki",
    "https://github.com/kepano",
    "https://arxiv.org/pdf/1706.03762",
    "https://arxiv.org/abs/nonsense",
    "https://en.wikipedia.org/wiki/Special:Random",
    "https://en.wikipedia.org/w/index.php?title=X&oldid=5",
    "https://www.wikipedia.org/",
    "ftp://x.com/jack",
    "not an address",
    "https://[",
    "\ud800",
]
NONSENSE = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"5",
    b'"x"',
    b"<html></html>",
    b"\xff\xfe\x00",
    b"[" * 5000,
    b'{"a":' * 3000,
    b'{"code":200,"tweet":{"text":5}}',
    b'{"code":"x","message":[],"tweet":[]}',
    b'{"id":"x","kids":"y","text":7,"time":"z"}',
    b'{"playabilityStatus":[],"videoDetails":7}',
    b'{"parse":{"title":5,"text":7}}',
    b'{"error":{"code":[]}}',
    b'{"id":1,"title":{"a":1},"kids":[null,"x",-1],"time":1e99,"score":"5","by":[]}',
    b'{"title":null,"body":[],"user":"x","labels":[1,null],"comments":"many","files":{"a":1},"license":"MIT"}',
    b'var ytInitialPlayerResponse = {"playabilityStatus":{"status":"OK"}',
    b'<meta name="citation_title" content="">',
]


def test_every_address_finds_its_site_and_no_other() -> None:
    for url, name in OWNED.items():
        site = site_for(url)
        assert site is not None, url
        assert site.provider.name == name, url
        address = parse_web_url(url)
        assert address is not None
        assert [found.provider.name for found in catalogue().values() if found.matches(address)] == [name]
    assert [url for url in FOREIGN if site_for(url)] == []


def test_every_base_address_can_be_set() -> None:
    names = {setting.name for setting in settings()}
    assert {"YOUTUBE_BASE_URL", "HACKERNEWS_FIREBASE_BASE_URL", "FXTWITTER_BASE_URL", "GITHUB_RAW_BASE_URL"} <= names
    assert "GITHUB_TOKEN" in names


@pytest.mark.parametrize("url", sorted(OWNED))
@pytest.mark.parametrize("status", [200, 403, 404, 429, 500])
def test_nonsense_is_never_taken_for_content_and_never_crashes(url: str, status: int) -> None:
    for body in NONSENSE:
        try:
            _, found = hold(url, lambda _, body=body: Reply(status, {}, body))  # type: ignore[misc]
        except WellsourcedError:
            continue
        assert found is None or isinstance(found, SitePage)
        assert found is None or status == 200 or found.continue_at


def test_requests_stay_on_the_sites_own_bases() -> None:
    """Except Wikipedia, whose every language is a host; a set address is then asked instead."""
    for url in OWNED:
        site = site_for(url)
        assert site is not None
        values = {site.provider.base_variable(): "http://127.0.0.1:9"}
        asked: list[Request] = []

        def note(request: Request, asked: list[Request] = asked) -> Reply:
            asked.append(request)
            return Reply(200, {}, json.dumps({"id": 1, "kids": [2], "parts": [3]}).encode())

        with suppress(WellsourcedError):
            hold(url, note, values)
        assert all(request.path.startswith("/") and request.host in site.provider.bases for request in asked), url
