"""Any address to a page: the well-known site's own interface, then the page itself by ever dearer means.

guard → site → browser-like request (which a server may answer in markdown, as a document or in HTML) → plain
request → the page's own version without scripts → headless browser → Exa. A body that arrived is never fetched again
for the next parser. A refused address goes no further and to no third party.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from wellsourced.documents.document import Unreadable
from wellsourced.errors import (
    Blocked,
    BrowserUnavailable,
    NetworkFailed,
    RateLimited,
    Refused,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.late_dataclass import dataclass
from wellsourced.net.client import HttpClient, OutgoingRequest
from wellsourced.net.guard import AddressGuard, CheckedTarget
from wellsourced.net.rate_limit_headers import with_retry_seconds
from wellsourced.pages.attempts import DEFINITIVE, Attempts, FetchedReading, NotModified, Reading, is_thin
from wellsourced.pages.fair_slots import FairSlots
from wellsourced.pages.page import Page
from wellsourced.pages.page_cache import PageCache
from wellsourced.pages.politeness import Politeness
from wellsourced.pages.read_reply import read_html, read_reply
from wellsourced.pages.site_page import SitePage
from wellsourced.pages.sites import site_for
from wellsourced.sandbox.pool import WorkerPool
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.single_flight import SingleFlight
from wellsourced.text.markdown_images import leave_alt_texts
from wellsourced.text.urls import host_of, is_within_site, registrable_domain
from wellsourced.tool.activity import asking
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient

if TYPE_CHECKING:
    from wellsourced.net.browser.browser import Browser
    from wellsourced.net.browser.render import RenderedPage
    from wellsourced.upstreams.types.answers import PageContents

Way: TypeAlias = Callable[[], Awaitable[Reading | None]]

EXA = "exa"
# Browsers follow 20; chains beyond 10 are loops in practice.
REDIRECTS = 10
FAST_SECONDS = 20.0
PLAIN_SECONDS = 15.0
BROWSER_SECONDS = 30.0
EXA_SECONDS = 30.0
# Some sites serve markdown to whoever asks for it.
NEGOTIATED = {
    "accept": "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7",
    "accept-language": "en-US,en;q=0.9",
}
NO_VALIDATORS: Mapping[str, str] = {}
PLAIN = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
TRY_ANYWAY = (RateLimited, UpstreamUnavailable, UpstreamChanged, NetworkFailed)
"""Failures of a site's own interface after which its page may still be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderLimits:
    html_bytes: int
    document_bytes: int


class Reader:
    """`make_browser` is None where the browser is turned off. Pages are kept for an hour, failures for minutes."""

    def __init__(
        self,
        *,
        guard: AddressGuard,
        client: HttpClient,
        upstreams: UpstreamClient,
        workers: WorkerPool,
        make_browser: Callable[[], Browser] | None,
        cache: Cache,
        limits: ReaderLimits,
        fast: FairSlots,
        slow: FairSlots,
        politeness: Politeness | None = None,
    ) -> None:
        self._guard = guard
        self._client = client
        self._upstreams = upstreams
        self.workers = workers
        self._make_browser = make_browser
        self._browser: Browser | None = None
        self._limits = limits
        self._fast = fast
        self._slow = slow
        self._politeness = politeness or Politeness(client)
        self._cached_pages = PageCache(cache, keep_images=workers.keep_images)
        self._flights = SingleFlight()

    async def read(self, url: str, *, tenant: str, deadline: float) -> Reading:
        """The page, from what was kept or afresh; identical readings in flight are one."""
        target = await self._guard.check(url)
        if kept := await self._cached_pages.find_reading(target.url):
            return kept
        flight = self._cached_pages.key(target.url)
        with asking(target.host):
            return await self._flights.run(flight, lambda: self._read_and_store(target, tenant, deadline))

    async def fetch(
        self, url: str, *, tenant: str, deadline: float, validators: Mapping[str, str] | None = None
    ) -> FetchedReading:
        """The page as it is now, with the answers it was read from; whoever asks keeps it, so it is not cached. With
        `validators` (If-None-Match and the like) NotModified is raised where the site says so."""
        target = await self._guard.check(url)
        with asking(target.host):
            return await self._read_now(target, tenant, deadline, validators or {})

    async def read_body(self, reply: Reply) -> Reading:
        """What an answer that is at hand holds."""
        return await read_reply(reply, reply.url, "stealth", self.workers, self._limits.html_bytes)

    async def raw(self, url: str, *, max_bytes: int, tenant: str, deadline: float) -> Reply:
        """The bytes as they come, cut at a limit; only a status that means failure is an error."""
        await self._guard.check(url)
        async with self._fast.slot(tenant):
            reply = await self._send(
                OutgoingRequest(
                    method="GET",
                    url=url,
                    headers=PLAIN,
                    timeout=seconds_left(deadline, FAST_SECONDS),
                    max_bytes=max_bytes,
                    redirects=REDIRECTS,
                    as_chrome=True,
                    keep_partial=True,
                )
            )
        if reply.status >= 400:
            attempts = Attempts(url)
            try:
                await read_html(reply, url, "raw", self.workers)
                attempts.failed("raw", NetworkFailed(f"The site answered with HTTP {reply.status}."))
            except WellsourcedError as error:
                attempts.failed("raw", error)
            raise attempts.error()
        return reply

    async def render(self, url: str, tenant: str, deadline: float) -> Reply:
        """A page as it stands once its scripts have run."""
        await self._guard.check(url)
        return as_reply(await self._render(url, tenant, deadline))

    async def extract(self, reply: Reply) -> Page:
        """What a web page that was fetched holds."""
        return await self.workers.extract_page(reply.body, reply.url, reply.headers.get("content-type", ""))

    @staticmethod
    async def decoded(reply: Reply) -> str:
        """The text of raw bytes, by the rules browsers use; a character that the limit cut in two is left out."""
        from wellsourced.pages.html import encoding

        body = encoding.without_torn_end(reply.body) if "x-truncated" in reply.headers else reply.body
        return (await asyncio.to_thread(encoding.decode, body, reply.headers.get("content-type", ""))).text

    async def close(self) -> None:
        if self._browser:
            await self._browser.close()

    async def _read_and_store(self, target: CheckedTarget, tenant: str, deadline: float) -> Reading:
        reading = (await self._read_now(target, tenant, deadline, NO_VALIDATORS)).reading
        return replace(reading, is_kept=await self._cached_pages.store_reading(target.url, reading))

    async def _read_now(
        self, target: CheckedTarget, tenant: str, deadline: float, validators: Mapping[str, str]
    ) -> FetchedReading:
        url = target.url
        wishes = await self._politeness.before_reading(target, deadline)
        try:
            fetched = await self._try_ways(Attempts(url, validators), tenant, deadline)
        except WellsourcedError as error:
            await self._cached_pages.store_error(url, error)
            raise
        reading = replace(fetched.reading, notes=fetched.reading.notes + wishes) if wishes else fetched.reading
        return replace(fetched, reading=reading)

    async def _try_ways(self, attempts: Attempts, tenant: str, deadline: float) -> FetchedReading:
        """Try way after way, from cheap to dear, until one gives the page or an error that settles it."""
        for tier, way in self._ways(attempts.url, tenant, deadline, attempts):
            try:
                reading = await way()
            except WellsourcedError as error:
                attempts.failed(tier, error)
                if isinstance(error, DEFINITIVE):
                    break
                continue
            if reading is None:
                continue
            if attempts.is_enough(reading) or not (
                is_thin(reading) or attempts.candidates or own_plain_version(reading, attempts.url)
            ):
                return attempts.read_by(tier, reading)
            attempts.fell_short(tier, reading)
        best = attempts.best()
        if best is None:
            raise attempts.error()
        tier, reading = best
        return attempts.read_by(tier, replace(reading, quality="partial"))

    def _ways(self, url: str, tenant: str, deadline: float, attempts: Attempts) -> Sequence[tuple[str, Way]]:
        return (
            ("site", lambda: self._read_site(url, deadline, attempts)),
            ("stealth", lambda: self._fetch_like_browser(url, tenant, deadline, attempts)),
            ("html", lambda: self._fetch_plainly(url, tenant, deadline, attempts)),
            ("plain version", lambda: self._read_plain_version(url, tenant, deadline, attempts)),
            ("browser", lambda: self._read_in_browser(url, tenant, deadline, attempts)),
            ("exa", lambda: self._read_through_exa(url, deadline, attempts)),
        )

    async def _read_site(self, url: str, deadline: float, attempts: Attempts) -> Reading | None:
        """A well-known site's own interface; where that fails, the page itself is still worth a try."""
        site = site_for(url)
        if site is None:
            return None
        try:
            site_page: SitePage | None = await self._upstreams.read_site(site, url, deadline=deadline)
        except TRY_ANYWAY as error:
            attempts.failed(site.provider.name, error)
            return None
        if site_page is None:
            return None
        return await self._finish_site_page(site_page, url, deadline, attempts)

    async def _finish_site_page(self, site_page: SitePage, url: str, deadline: float, attempts: Attempts) -> Reading:
        """A site's answer may be markup that is still to be written out, or point at the place to read."""
        page = site_page.page
        if site_page.continue_at:
            try:
                there = await self._fetch_like_browser(site_page.continue_at, "", deadline, attempts)
            except WellsourcedError as error:
                return Reading(
                    page=page, extracted_by=site_page.extracted_by, quality="partial", notes=(error.sentence,)
                )
            page = with_site_metadata(page, there.page)
        elif site_page.reply:
            there = await read_reply(
                site_page.reply, url, "site", self.workers, self._limits.html_bytes, kind=site_page.kind
            )
            # What the site's interface says of a text stands before it.
            whole = "\n\n".join(filter(None, (page.markdown, there.page.markdown)))
            page = replace(with_site_metadata(page, there.page), markdown=whole)
        elif site_page.html:
            page = with_site_metadata(
                page, await self.workers.extract_page(site_page.html.encode("utf-8", "replace"), url)
            )
        notes = ("There is more on the site than was read here.",) if site_page.truncated else ()
        return Reading(page=page, extracted_by=site_page.extracted_by, notes=notes)

    async def _fetch_like_browser(
        self, url: str, tenant: str, deadline: float, attempts: Attempts, tier: str = "stealth"
    ) -> Reading:
        validators = attempts.validators if url == attempts.url else {}
        headers = {**NEGOTIATED, **validators}
        async with self._fast.slot(tenant):
            reply = await self._fetch(url, headers, seconds_left(deadline, FAST_SECONDS), as_chrome=True)
        if reply.status == 304 and validators:
            raise NotModified("The site says that nothing has changed.")
        attempts.keep(tier, headers, reply)
        return await read_reply(reply, url, "stealth", self.workers, self._limits.html_bytes)

    async def _fetch_plainly(self, url: str, tenant: str, deadline: float, attempts: Attempts) -> Reading | None:
        """Under our own name; of use only where passing for a browser was the trouble."""
        if not attempts.failures or not isinstance(attempts.failures[-1], (Blocked, NetworkFailed)):
            return None
        async with self._fast.slot(tenant):
            reply = await self._fetch(url, PLAIN, seconds_left(deadline, PLAIN_SECONDS), as_chrome=False)
        attempts.keep("html", PLAIN, reply)
        return await read_reply(reply, url, "html", self.workers, self._limits.html_bytes)

    async def _read_plain_version(self, url: str, tenant: str, deadline: float, attempts: Attempts) -> Reading | None:
        """Where a page was read poorly and offers another version on its own site: AMP, or one for print. It is cited
        as the page that it is a version of."""
        shown = next((each for _, each in attempts.candidates if own_plain_version(each, url)), None)
        if shown is None:
            return None
        offered = own_plain_version(shown, url)
        reading = await self._fetch_like_browser(offered, tenant, deadline, attempts, "plain version")
        page = replace(with_site_metadata(shown.page, reading.page), notes=reading.page.notes, plain_version="")
        note = f"Read from the page's own plain version, {offered}."
        return replace(reading, page=page, notes=(*reading.notes, note))

    async def _fetch(self, url: str, headers: Mapping[str, str], seconds: float, *, as_chrome: bool) -> Reply:
        return await self._send(
            OutgoingRequest(
                method="GET",
                url=url,
                headers=headers,
                timeout=seconds,
                max_bytes=self._limits.document_bytes,
                redirects=REDIRECTS,
                as_chrome=as_chrome,
            )
        )

    async def _send(self, request: OutgoingRequest) -> Reply:
        return with_retry_seconds(await self._client.send(request))

    async def _read_in_browser(self, url: str, tenant: str, deadline: float, attempts: Attempts) -> Reading | None:
        """For what scripts must fill and what turns other clients away.

        No cure for a site that does not answer, nor for a document that its own reader could not read.
        """
        failures = attempts.failures
        if attempts.has_much():
            return None
        if failures and (isinstance(failures[-1], Unreadable) or all(isinstance(f, NetworkFailed) for f in failures)):
            return None
        rendered = await self._render(url, tenant, deadline)
        reply = attempts.keep("browser", {}, as_reply(rendered))
        reading = await read_html(reply, url, "browser", self.workers)
        return replace(reading, refused=tuple(f"{attempt.host}: {attempt.reason}" for attempt in rendered.refused))

    async def _render(self, url: str, tenant: str, deadline: float) -> RenderedPage:
        if self._make_browser is None:
            raise BrowserUnavailable("The page needs a browser, and CHROME_PATH=disabled turns it off.")
        self._browser = self._browser or self._make_browser()
        async with self._slow.slot(tenant):
            return await self._browser.render(url, timeout=seconds_left(deadline, BROWSER_SECONDS))

    async def _read_through_exa(self, url: str, deadline: float, attempts: Attempts) -> Reading | None:
        """The paid last resort; only with a key, and never for a private address."""
        if attempts.has_much() or EXA not in self._upstreams.configured(Kind.CONTENTS):
            return None
        try:
            await self._guard.check_shareable(url)
        except Refused:
            return None
        limit = min(deadline, time.monotonic() + EXA_SECONDS)
        contents: PageContents = await self._upstreams.ask(EXA, Kind.CONTENTS, url, deadline=limit)
        markdown = contents.markdown
        if not self.workers.keep_images:
            markdown = await asyncio.to_thread(leave_alt_texts, markdown)
        page = Page(
            url=contents.url,
            markdown=markdown,
            title=contents.title,
            author=contents.author,
            date=contents.date,
        )
        return Reading(page=page, extracted_by=f"exa:{contents.source}")


def as_reply(rendered: RenderedPage) -> Reply:
    markup = rendered.html.encode("utf-8", "replace")
    return Reply(rendered.status, {"content-type": "text/html; charset=utf-8"}, markup, rendered.url)


def own_plain_version(reading: Reading, url: str) -> str:
    """The version without scripts that the page offers on its own site, if it is another address."""
    offered = reading.page.plain_version
    is_own = offered not in {"", url} and is_within_site(offered, registrable_domain(host_of(url)))
    return offered if is_own else ""


def with_site_metadata(about: Page, body: Page) -> Page:
    """The body's content with the title, author, date, site and language that the site's own interface gave."""
    names = ("title", "author", "date", "site", "language")
    kept = {name: value for name in names if (value := getattr(about, name))}
    return replace(body, url=about.url, forum=about.forum or body.forum, notes=about.notes + body.notes, **kept)


def seconds_left(deadline: float, most: float) -> float:
    return max(0.5, min(most, deadline - time.monotonic()))
