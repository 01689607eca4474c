"""Links over real HTTP on the loopback: alive, dead, and unknown."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping, Sequence

import pytest

from tests.app import with_app
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.citations.link_checker import AT_ONCE, CheckedLink, is_moved


@pytest.fixture
def reading(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}


def look(reading: Mapping[str, str], urls: Sequence[str], seconds: float = 30.0) -> Mapping[str, CheckedLink]:
    return with_app(reading, lambda app: app.services.link_checker.check_links(urls, time.monotonic() + seconds))


def closed_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        port: int = opened.getsockname()[1]
    return port


STATUSES = {
    **dict.fromkeys((200, 204, 401, 403, 429, 451, 503), True),
    **dict.fromkeys((404, 410), False),
    **dict.fromkeys((400, 500, 502), None),
}


def test_what_each_status_says(reading: dict[str, str], internet: Internet) -> None:
    for status in STATUSES:
        internet.control(f"/site/alpha/status{status}", status=status, body="said")
    urls = {status: f"{internet.base}/site/alpha/status{status}" for status in STATUSES}
    links = look(reading, list(urls.values()))
    assert {status: links[url].live for status, url in urls.items()} == STATUSES
    assert all(links[url].http_status == status for status, url in urls.items())
    assert all((links[url].reason is None) == (status < 400) for status, url in urls.items())


def test_what_head_says_against_a_page_is_confirmed(reading: dict[str, str], internet: Internet) -> None:
    """The first answer is to HEAD: not allowed, or plainly wrong; GET finds the page."""
    for status in (404, 405, 403, 501):
        internet.control(f"/site/bravo/head{status}", status=status, body="", times=1)
    urls = [f"{internet.base}/site/bravo/head{status}" for status in (404, 405, 403, 501)]
    assert [link.http_status for link in look(reading, urls).values()] == [200] * 4
    methods = [seen["method"] for seen in internet.stats()["seen"] if "/head404" in seen["path"]]
    assert methods == ["HEAD", "GET"]


def test_a_living_page_is_asked_for_once_and_not_downloaded(reading: dict[str, str], internet: Internet) -> None:
    link = look(reading, [f"{internet.base}/site/alpha/tides"])[f"{internet.base}/site/alpha/tides"]
    assert (link.live, link.http_status) == (True, 200)
    assert [seen["method"] for seen in internet.stats()["seen"]] == ["HEAD"]


@pytest.mark.usefixtures("public_loopback")
def test_dead_links_get_their_newest_copy(reading: dict[str, str], internet: Internet) -> None:
    gone, missing = f"{internet.base}/site/alpha/gone", f"{internet.base}/site/alpha/missing"
    links = look(reading, [gone, missing])
    assert links[gone].archived_url == f"https://web.archive.org/web/20240203040506/{gone}"
    assert links[missing].archived_url is None and links[missing].is_dead


def test_nobody_there_is_dead_and_silence_is_not(reading: dict[str, str], internet: Internet) -> None:
    internet.control("/site/alpha/slow", latency_ms=20_000)
    internet.control("/site/alpha/cut", fault="reset")
    refused = f"http://127.0.0.1:{closed_port()}/"
    slow, cut = f"{internet.base}/site/alpha/slow", f"{internet.base}/site/alpha/cut"
    links = look(reading, [refused, cut])
    assert (links[refused].live, links[refused].http_status) == (False, 0)
    assert (links[cut].live, links[cut].http_status) == (None, 0)
    assert all(link.live is None for link in look(reading, [slow], seconds=1.0).values())


def test_redirects_are_followed_and_circles_are_no_death(reading: dict[str, str], internet: Internet) -> None:
    internet.control("/site/alpha/moved", redirect="/site/alpha/tides")
    internet.control("/site/alpha/lost", redirect="/site/alpha/missing")
    internet.control("/site/alpha/round", redirect="loop")
    urls = [f"{internet.base}/site/alpha/{name}" for name in ("moved", "lost", "round")]
    links = list(look(reading, urls).values())
    assert [link.live for link in links] == [True, False, None]
    assert links[0].moved_to == f"{internet.base}/site/alpha/tides" and links[2].moved_to is None


@pytest.mark.parametrize(
    ("asked", "reached", "moved"),
    [
        ("http://a.example/x", "https://www.a.example/x/", False),
        ("https://a.example/x?y=1", "https://a.example/x", False),
        ("https://a.example/x", "https://a.example/", True),
        ("https://a.example/x", "https://b.example/x", True),
        ("https://doi.org/10.1000/1", "https://b.example/x", False),
    ],
)
def test_what_counts_as_moved(asked: str, reached: str, moved: bool) -> None:
    assert is_moved(asked, reached) is moved


def test_a_private_address_is_neither_asked_nor_told(environment: dict[str, str], internet: Internet) -> None:
    url = f"{internet.base}/site/alpha/gone"
    link = look(environment, [url])[url]
    assert link.live is None and link.http_status is None and link.reason
    assert internet.requests() == 0


def test_eight_at_once_and_each_address_once(reading: dict[str, str], internet: Internet) -> None:
    internet.control("/site/charlie", latency_ms=50)
    urls = [f"{internet.base}/site/charlie/page-{number % 20}" for number in range(40)]
    assert len(look(reading, urls)) == 20
    stats = internet.stats()
    assert stats["requests"]["/site/charlie"] == 20
    assert 1 < stats["most_in_flight"]["/site/charlie"] <= AT_ONCE


def test_a_link_is_looked_at_whenever_it_is_asked_for(reading: dict[str, str], internet: Internet) -> None:
    url = f"{internet.base}/site/alpha/tides"

    async def twice(app: Application) -> None:
        for _ in range(2):
            assert (await app.services.link_checker.check_link(url, time.monotonic() + 10)).live

    with_app(reading, twice)
    assert internet.requests("/site/alpha") == 2


@pytest.mark.usefixtures("public_loopback")
def test_an_export_is_told_what_it_wants_to_know(reading: dict[str, str], internet: Internet) -> None:
    urls = [f"{internet.base}/site/alpha/tides", f"{internet.base}/site/alpha/gone"]
    states = with_app(reading, lambda app: app.services.link_checker.check_for_export(urls))
    assert [states[url].alive for url in urls] == [True, False]
    assert states[urls[1]].archived_url and states[urls[0]].checked_at
