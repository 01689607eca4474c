"""robots.txt by RFC 9309 on recorded files, the choice the operator has, and the pace of a host."""

from __future__ import annotations

import asyncio
import ipaddress
from pathlib import Path
from typing import Any, cast

import pytest

from wellsourced.errors import RateLimited, Refused
from wellsourced.http_exchange import Reply
from wellsourced.net.client import HttpClient
from wellsourced.net.guard import CheckedTarget
from wellsourced.pages.politeness import Politeness
from wellsourced.text.robots import RobotsRules, parse_robots

RULES = """\ufeffUser-agent: *\r\nDisallow: /private/\r\nAllow: /private/open$\r\nDisallow: /*.pdf$\r\nDisallow:\r
Crawl-delay: 2.5\r\nSitemap: https://a.example/map.xml\r\nUser-agent: other\r
User-agent: wellsource\r\nDisallow: /only-us"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True), ("/private/x", False), ("/private/open", True), ("/private/open/x", False), ("/a/b.pdf", False),
        ("/a/b.pdf?x=1", True), ("/robots.txt", True), ("/privat%65/x", False),
    ],
)  # fmt: skip
def test_the_longest_rule_decides(path: str, allowed: bool) -> None:
    rules = parse_robots(RULES, "somebody")
    assert rules.allows(f"https://a.example{path}") is allowed
    assert (rules.delay, rules.sitemaps) == (2.5, ("https://a.example/map.xml",))


def test_a_group_of_our_own_takes_the_place_of_the_general_one() -> None:
    rules = parse_robots(RULES, "wellsourced")
    assert rules.allows("https://a.example/private/x") and not rules.allows("https://a.example/only-us/x")
    assert parse_robots("<html>Disallow: /</html>", "x") == RobotsRules()
    assert parse_robots("User-agent: *\nDisallow: /" + "*a" * 3000 + "\n", "x").allows(
        "https://a.example/" + "a" * 9999
    )


# File, a forbidden and an allowed path, the delay.
RECORDED = [
    ("arxiv.org", "/e-print/1", "/abs/1706.03762", 15.0),
    ("clinicaltrials.gov", "/cs/x", "/study/NCT1", 1.0),
    ("en.wikipedia.org", "/wiki/Special:Search", "/wiki/Owl", None),
    ("eur-lex.europa.eu", "/autocomplete", "/eli/reg/2016/679/oj", 10.0),
    ("github.com", "/owner/repository", "/humans.txt", None),
    ("www.sec.gov", "/cgi-bin/x", "/Archives/edgar/data/1/", None),
    ("www.who.int", None, "/news", None),
    ("www.wsj.com", "/user/x", "/articles/x", None),
    ("www.youtube.com", "/comment", "/watch?v=x", None),
]


@pytest.mark.parametrize(("host", "forbidden", "allowed", "delay"), RECORDED)
def test_recorded_files(shared: Path, host: str, forbidden: str | None, allowed: str, delay: float | None) -> None:
    text = (shared / "wire/more/robots" / f"{host}.robots.txt").read_text("utf-8", "replace")
    rules = parse_robots(text, "wellsourced")
    assert rules.allows(f"https://{host}{allowed}")
    assert forbidden is None or not rules.allows(f"https://{host}{forbidden}")
    assert rules.delay == delay


class Robots:
    def __init__(self, status: int = 200) -> None:
        self.status, self.asked = status, 0

    async def send(self, request: Any) -> Reply:
        self.asked += 1
        return Reply(self.status, {}, b"User-agent: *\nDisallow: /private/\n")


def target(path: str, address: str = "127.0.0.1") -> CheckedTarget:
    return CheckedTarget(f"https://a.example{path}", "https", "a.example", 443, (ipaddress.ip_address(address),))


def test_the_operators_choice() -> None:
    async def consult(mode: str, path: str, status: int = 200) -> tuple[tuple[str, ...], int]:
        client = Robots(status)
        polite = Politeness(cast("HttpClient", client), robots=mode)
        await polite.before_reading(target("/"), float("inf"))
        return await polite.before_reading(target(path), float("inf")), client.asked

    assert asyncio.run(consult("ignore", "/private/x")) == ((), 0)
    (note,), asked = asyncio.run(consult("tell", "/private/x"))
    assert "robots.txt asks programs not to" in note and asked == 1
    assert asyncio.run(consult("obey", "/open")) == ((), 1)
    assert asyncio.run(consult("obey", "/private/x", status=404)) == ((), 1)
    with pytest.raises(Refused, match="ROBOTS_TXT=obey"):
        asyncio.run(consult("obey", "/private/x"))


def test_a_public_host_has_a_pace_and_a_private_one_has_none() -> None:
    async def read(address: str) -> None:
        polite = Politeness(cast("HttpClient", Robots()), pages_a_second=2)
        for _ in range(3):  # a deadline that has passed cannot be waited for
            await polite.before_reading(target("/", address), 0.0)

    asyncio.run(read("127.0.0.1"))
    with pytest.raises(RateLimited):
        asyncio.run(read("93.184.215.14"))
