"""How sites are treated that pages are read from: a pace for each host, and what their robots.txt asks for.

A page that a person asks for is read as that person's browser would read it, so `ROBOTS_TXT` is `ignore` unless the
operator chooses otherwise: RFC 9309 is made for crawlers, which choose their addresses themselves. `tell` reads the
file and says in the answer what it asks for, `obey` keeps to it. Private hosts are the operator's own and have no pace.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from urllib.parse import urlsplit

from wellsourced.errors import Refused, WellsourcedError
from wellsourced.late_dataclass import dataclass
from wellsourced.net.address_ranges import blocked_reason
from wellsourced.net.client import HttpClient, OutgoingRequest
from wellsourced.net.guard import CheckedTarget
from wellsourced.net.pace import Pacer
from wellsourced.text.robots import MOST_CHARACTERS, RobotsRules, parse_robots
from wellsourced.upstream import Pace

AGENT = "wellsourced"
HOSTS_KEPT = 500
DAY = 86400.0
ROBOTS_SECONDS = 5.0
LONGEST_DELAY = 10.0  # seconds between two pages; longer is reported, not waited for
DISALLOWED = "The site's robots.txt asks programs not to fetch this address"


@dataclass(slots=True)
class KnownHost:
    pacer: Pacer
    rules: RobotsRules | None = None
    read_at: float = 0.0


class Politeness:
    """`pages_a_second` to one host, 0 for no limit."""

    def __init__(self, client: HttpClient, *, robots: str = "ignore", pages_a_second: int = 0) -> None:
        self._client = client
        self._robots = robots
        self._pace = Pace(pages_a_second) if pages_a_second else None
        self._hosts: OrderedDict[str, KnownHost] = OrderedDict()

    async def before_reading(self, target: CheckedTarget, deadline: float) -> tuple[str, ...]:
        """Wait for the host's turn; Refused where its wish is kept to, and a note where it is only reported."""
        host = self._host(target.host)
        notes = await self._consult(host, target, deadline) if self._robots != "ignore" else ()
        if not any(blocked_reason(address) for address in target.addresses):
            await host.pacer.wait_for_turn(deadline)
        return notes

    async def _consult(self, host: KnownHost, target: CheckedTarget, deadline: float) -> tuple[str, ...]:
        if host.rules is None or time.monotonic() - host.read_at > DAY:
            host.rules, host.read_at = await self._read_rules(target, deadline), time.monotonic()
            if host.rules.delay:
                host.pacer = Pacer(Pace(1, min(host.rules.delay, LONGEST_DELAY)))
        if host.rules.allows(target.url):
            return ()
        if self._robots == "obey":
            raise Refused(f"{DISALLOWED}, and ROBOTS_TXT=obey keeps to that.")
        return (f"{DISALLOWED}; it was read because a person asked for it (ROBOTS_TXT).",)

    async def _read_rules(self, target: CheckedTarget, deadline: float) -> RobotsRules:
        """What cannot be had forbids nothing: the page itself will show whether the site answers."""
        parts = urlsplit(target.url)
        request = OutgoingRequest(
            method="GET",
            url=f"{parts.scheme}://{parts.netloc}/robots.txt",
            headers={"accept": "text/plain,*/*;q=0.5"},
            timeout=max(0.5, min(ROBOTS_SECONDS, deadline - time.monotonic())),
            max_bytes=MOST_CHARACTERS,
            redirects=5,
            keep_partial=True,
        )
        try:
            reply = await self._client.send(request)
        except WellsourcedError:
            return RobotsRules()
        return parse_robots(reply.text, AGENT) if reply.status < 300 else RobotsRules()

    def _host(self, name: str) -> KnownHost:
        known = self._hosts.setdefault(name, KnownHost(Pacer(self._pace)))
        self._hosts.move_to_end(name)
        if len(self._hosts) > HOSTS_KEPT:
            self._hosts.popitem(last=False)
        return known
