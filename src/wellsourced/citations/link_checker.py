"""Whether links still lead somewhere: looked at side by side, politely, and never called dead for want of an answer.

A site that refuses us (401, 403, 429, 503) is there. Dead is what says so itself: 404, 410, a name nobody has, a host
on which nobody listens. A site that is slow, broken or badly secured is neither; its state is unknown. What HEAD says
against a page is confirmed with GET, because many servers answer HEAD wrongly. Dead links get their newest copy in the
Wayback Machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from wellsourced.citations.web_archive import WebArchive
from wellsourced.errors import BadInput, NetworkFailed, Refused, WellsourcedError
from wellsourced.net.client import HttpClient, OutgoingRequest
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.sessions.export import LinkState
from wellsourced.text.urls import display_host
from wellsourced.tool.activity import asking

# For each of the at most two requests to a link.
SECONDS = 8.0
EXPORT_SECONDS = 45.0
AT_ONCE = 8
REDIRECTS = 10
# Only the status counts, so the body is cut.
ENOUGH_BYTES = 64 * 1024
# Some servers answer 406 or 403 to a client that does not say what it accepts.
ACCEPT = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": "en-US,en;q=0.9"}
# Answers of a server that refuses this client; 999 is LinkedIn's.
THERE_BUT_CLOSED = frozenset({401, 402, 403, 407, 418, 423, 429, 451, 503, 999})
# The only answers by which a server says that the page does not exist.
GONE = frozenset({404, 410})
NOBODY_THERE = ("No server is known by the name", "refused the connection")
RESOLVERS = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net", "purl.org", "w3id.org", "t.co", "bit.ly"})
# How a resolver says that it could not ask, which is no answer.
PASSING = ("temporary failure", "try again")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedLink:
    """`live` is None when nobody could tell; `http_status` is 0 when no server answered."""

    url: str
    live: bool | None
    http_status: int | None = None
    reason: str | None = None
    archived_url: str | None = None
    moved_to: str | None = None
    checked_at: datetime | None = None

    @property
    def is_dead(self) -> bool:
        return self.live is False


class LinkChecker:
    def __init__(self, client: HttpClient, archive: WebArchive) -> None:
        self._client = client
        self._archive = archive
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def check_link(self, url: str, deadline: float) -> CheckedLink:
        """The state of one link now: a link that was alive an hour ago may be dead."""
        async with self._turns:
            with asking(display_host(url)):
                link = await self._check(url, deadline)
        if link.is_dead:
            copy = await self._archive.find_newest(url, deadline)
            link = replace(link, archived_url=copy.value.url if copy.value else None)
        return link

    async def check_links(self, urls: Sequence[str], deadline: float) -> Mapping[str, CheckedLink]:
        """Every link once; one that was not reached in time is missing."""
        different = list(dict.fromkeys(urls))
        found = await gather_with_limit(
            different, lambda url: self.check_link(url, deadline), at_once=AT_ONCE, deadline=deadline
        )
        return {link.url: link for link in found if link}

    async def check_for_export(self, urls: Sequence[str]) -> Mapping[str, LinkState]:
        """The check that an export of a session wants."""
        links = await self.check_links(urls, time.monotonic() + EXPORT_SECONDS)
        return {
            url: LinkState(
                alive=link.live,
                http_status=link.http_status,
                archived_url=link.archived_url,
                checked_at=link.checked_at,
            )
            for url, link in links.items()
        }

    async def _check(self, url: str, deadline: float) -> CheckedLink:
        link = await self._request("HEAD", url, deadline)
        is_settled = link.live is True and link.http_status not in THERE_BUT_CLOSED
        if is_settled or link.http_status is None or time.monotonic() >= deadline:
            return link
        if link.http_status == 0 and link.is_dead:
            return link
        again = await self._request("GET", url, deadline)
        # A GET that did not get through says less than the HEAD that did.
        return link if again.http_status == 0 and link.http_status != 0 else again

    async def _request(self, method: str, url: str, deadline: float) -> CheckedLink:
        seconds = max(0.5, min(SECONDS, deadline - time.monotonic()))
        request = OutgoingRequest(
            method=method,
            url=url,
            headers=ACCEPT,
            timeout=seconds,
            max_bytes=ENOUGH_BYTES,
            redirects=REDIRECTS,
            as_chrome=True,
            keep_partial=True,
        )
        now = datetime.now(UTC).replace(microsecond=0)
        try:
            reply = await self._client.send(request)
        except (Refused, BadInput) as error:
            return CheckedLink(url=url, live=None, reason=error.sentence, checked_at=now)
        except NetworkFailed as error:
            return CheckedLink(url=url, live=is_live_after(error), http_status=0, reason=error.sentence, checked_at=now)
        except WellsourcedError as error:
            return CheckedLink(url=url, live=None, http_status=0, reason=error.sentence, checked_at=now)
        return CheckedLink(
            url=url,
            live=is_live_status(reply.status),
            http_status=reply.status,
            reason=status_reason(reply.status),
            moved_to=reply.url if is_moved(url, reply.url) else None,
            checked_at=now,
        )


def link_fields(link: CheckedLink | None) -> dict[str, Any]:
    """The fields by which every tool reports the state of a link."""
    if link is None:
        return {}
    said = {"link_live": link.live, "http_status": link.http_status, "archived_url": link.archived_url}
    return said | {"moved_to": link.moved_to}


def is_moved(asked: str, reached: str) -> bool:
    """Whether a page has another address now; resolvers lead elsewhere by their nature."""
    old, new = urlsplit(asked), urlsplit(reached)
    hosts = [(part.hostname or "").removeprefix("www.") for part in (old, new)]
    if hosts[0] in RESOLVERS or not new.hostname:
        return False
    return hosts[0] != hosts[1] or old.path.rstrip("/") != new.path.rstrip("/")


def is_live_status(status: int) -> bool | None:
    if status < 400 or status in THERE_BUT_CLOSED:
        return True
    return False if status in GONE else None


def is_live_after(error: NetworkFailed) -> bool | None:
    """Dead when nobody is there; unknown when somebody may be."""
    if any(mark in (error.detail or "").casefold() for mark in PASSING):
        return None
    return False if any(mark in error.sentence for mark in NOBODY_THERE) else None


def status_reason(status: int) -> str | None:
    if status < 400:
        return None
    if status in THERE_BUT_CLOSED:
        return f"The server answered HTTP {status}: it is there and did not let the checker in."
    if status in GONE:
        return f"The server says that there is no such page (HTTP {status})."
    return f"The server answered HTTP {status}, which says nothing about the page."
