"""A brand as it presents itself: its homepage, its guidelines, and portals elsewhere, each value with its page.

Three depths: quick reads the homepage, standard also looks for guidelines, full also searches the web for them. Only
what a page says is reported; a missing field was not found, and where a page could not be read, that is said.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from wellsourced.brand.company_site import BrandSite, site_of, site_of_company
from wellsourced.brand.guideline_probes import GuidelineProbes
from wellsourced.brand.guidelines import Guidelines, find_guidelines
from wellsourced.brand.page_fetcher import BrandPage, BrandPageFetcher, Render
from wellsourced.brand.page_findings import (
    guideline_findings,
    has_fonts,
    has_palette,
    homepage_findings,
    style_findings,
)
from wellsourced.brand.portal_search import search_portals
from wellsourced.brand.profile import merge_findings
from wellsourced.brand.types import BrandQuestion, BrandStudy, Findings
from wellsourced.errors import (
    AuthRequired,
    Blocked,
    BrowserUnavailable,
    ContentEmpty,
    NetworkFailed,
    NotFound,
    RateLimited,
    WellsourcedError,
)
from wellsourced.net.client import HttpClient
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.pages.reader import Reader
from wellsourced.search.searcher import Searcher
from wellsourced.storage.artifacts import Artifacts
from wellsourced.tool.call import Trace

STORED_CHARACTERS = 400_000
SPARE_SECONDS = 2.0
LONGEST_SECONDS = 60.0
UNREADABLE = (Blocked, AuthRequired, ContentEmpty, BrowserUnavailable, RateLimited)
TRY_NEXT = (NotFound, NetworkFailed, ContentEmpty)


@dataclass(slots=True)
class BrandWork:
    """One question under way."""

    site: BrandSite
    fetching: BrandPageFetcher
    trace: Trace
    deadline: float
    findings: list[Findings] = field(default_factory=list)
    home: BrandPage | None = None
    home_url: str = ""
    home_failure: WellsourcedError | None = None
    guidelines: Guidelines = field(default_factory=Guidelines)
    search_failures: tuple[str, ...] = ()


class BrandResearcher:
    """`render` gives a page as a browser shows it; without it, portals that are built by scripts stay unread."""

    def __init__(
        self,
        *,
        reader: Reader,
        client: HttpClient,
        search: Searcher,
        artifacts: Artifacts,
        render: Render | None = None,
    ) -> None:
        self._reader = reader
        self._client = client
        self._search = search
        self._artifacts = artifacts
        self._render = render

    async def study(
        self, question: BrandQuestion, *, tenant: str, owner: str, trace: Trace, deadline: float
    ) -> BrandStudy:
        deadline = min(deadline - SPARE_SECONDS, time.monotonic() + LONGEST_SECONDS)
        site = await self._site(question, trace, deadline)
        render = None if question.depth == "quick" else self._render
        work = BrandWork(site, BrandPageFetcher(self._reader, render, tenant, deadline), trace, deadline)
        await self._read_home(work)
        if question.depth != "quick":
            await self._read_guidelines(work)
        if question.depth == "full":
            await self._read_portals(work, question.company_name)
        await self._read_home_styles(work, linked=question.depth != "quick")
        if work.home is None and not work.guidelines.pages and work.home_failure:
            raise work.home_failure
        return await self._make_study(work, owner)

    async def _site(self, question: BrandQuestion, trace: Trace, deadline: float) -> BrandSite:
        if question.url.strip():
            return site_of(question.url)
        return await site_of_company(question.company_name.strip(), self._search, trace, deadline)

    async def _read_home(self, work: BrandWork) -> None:
        """The homepage, once, from the first address that has it."""
        work.home_url = work.site.homes[0]
        for url in work.site.homes:
            try:
                work.home = await self._open(work.fetching, url)
            except TRY_NEXT as failure:
                work.home_failure = work.home_failure or failure
                continue
            except UNREADABLE as failure:
                work.home_failure = failure
                work.home_url = url
                return
            work.home_url = work.home.url
            work.findings += await homepage_findings(work.home, work.site.domain, work.fetching)
            return
        if isinstance(work.home_failure, NetworkFailed):
            raise work.home_failure

    async def _open(self, fetching: BrandPageFetcher, url: str) -> BrandPage:
        """As served, for the head is complete even in an empty frame; in a browser where other clients are refused."""
        try:
            return await fetching.page(url)
        except Blocked as blocked:
            return await fetching.rendered(url, blocked)

    async def _read_guidelines(self, work: BrandWork) -> None:
        probes = GuidelineProbes(self._client, work.home, work.home_url, work.site.domain, work.deadline)
        work.guidelines = await find_guidelines(work.home, work.home_url, work.site.domain, probes, work.fetching)
        for page in work.guidelines.pages:
            sheets = await work.fetching.sheets(page.markup)
            work.findings += await asyncio.to_thread(guideline_findings, page, sheets, "brand_page")

    async def _read_portals(self, work: BrandWork, company_name: str) -> None:
        named = next((each.values["identity.name"] for each in work.findings if "identity.name" in each.values), "")
        name = str(named) or company_name.strip() or work.site.label
        found = await search_portals(name, work.site, self._search, work.trace, work.deadline)
        work.search_failures = found.failures
        known = {page.url.rstrip("/") for page in work.guidelines.pages}
        wanted = [url for url in found.urls if url.rstrip("/") not in known]

        async def read(url: str) -> BrandPage | None:
            try:
                return await work.fetching.finished_page(url)
            except WellsourcedError:
                work.guidelines.unread.append(url)
                return None

        for page in await gather_with_limit(wanted, read, at_once=2, deadline=work.deadline):
            if page:
                work.guidelines.pages.append(page)
                sheets = page.markup.sheets
                work.findings += await asyncio.to_thread(guideline_findings, page, sheets, "web_search")

    async def _read_home_styles(self, work: BrandWork, *, linked: bool) -> None:
        """The homepage's styles, where guidelines left colours or fonts open; linked ones cost requests."""
        guided = [each for each in work.findings if each.tier != "homepage_meta"]
        if work.home is None or (has_palette(guided) and has_fonts(guided)):
            return
        markup = work.home.markup
        sheets = await work.fetching.sheets(markup) if linked else markup.sheets
        work.findings += await asyncio.to_thread(style_findings, markup, sheets, "homepage_meta")

    async def _make_study(self, work: BrandWork, owner: str) -> BrandStudy:
        guidelines = work.guidelines
        text = portal_text(guidelines)
        was_blocked = isinstance(work.home_failure, UNREADABLE) or bool(guidelines.unread)
        return BrandStudy(
            profile=merge_findings(work.site.domain, work.findings, was_blocked=was_blocked and not guidelines.pages),
            guidelines_url=guidelines.url,
            portal_resource=await self._store_text(text, owner),
            portal_text=text,
            suggestion=suggestion(guidelines, work.home_url, work.search_failures),
        )

    async def _store_text(self, text: str, owner: str) -> str:
        """Where the text of the brand pages can be read in full."""
        identifier = await self._artifacts.keep(text.encode("utf-8", "replace"), owner) if text else None
        return f"research://artifact/{identifier}" if identifier else ""


def portal_text(guidelines: Guidelines) -> str:
    """The text of the brand pages, one after the other."""
    parts = [f"# {page.markup.title or page.url}\n{page.url}\n\n{page.markup.text}" for page in guidelines.pages]
    return "\n\n---\n\n".join(parts)[:STORED_CHARACTERS]


def suggestion(guidelines: Guidelines, home_url: str, search_failures: tuple[str, ...]) -> str:
    sentences = []
    if not guidelines.pages and guidelines.unread:
        sentences.append(
            f"A brand portal is at {guidelines.unread[0]}, but its content could not be read. "
            f"Try scrape_page with url={guidelines.unread[0]}."
        )
    elif not guidelines.pages:
        sentences.append(
            f"No brand portal was found. Use scrape_page with url={home_url} to look at the homepage itself."
        )
    if search_failures:
        sentences.append(f"The web was not searched in full: {search_failures[0]}")
    return " ".join(sentences)
