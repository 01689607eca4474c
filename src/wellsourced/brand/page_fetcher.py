"""Fetches pages for brand research: rendered where one is an empty frame, with the small files that belong to it."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit

from wellsourced.brand.page_readers.css import LARGEST, Sheet, parse
from wellsourced.brand.page_readers.fonts import ADOBE
from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.errors import Blocked, BrowserUnavailable, ContentEmpty, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.pages.attempts import Attempts
from wellsourced.pages.page import Page
from wellsourced.pages.read_reply import raise_for_wall
from wellsourced.pages.reader import Reader
from wellsourced.text.urls import display_host, host_of, registrable_domain
from wellsourced.tool.activity import asking

Render: TypeAlias = Callable[[str, str, float], Awaitable[Reply]]
"""A page after its scripts have run: address, tenant, deadline."""

PAGE_BYTES = 4_000_000
PAGE_SECONDS = 12.0
RENDER_SECONDS = 25.0
FILE_SECONDS = 6.0
MOST_SHEETS = 6
AT_ONCE = 6
HTML_TYPES = ("text/html", "application/xhtml")


@dataclass(slots=True)
class BrandPage:
    """`is_frame` marks markup that a browser would have to fill; `fingerprint` tells pages with the same text apart."""

    url: str
    markup: BrandMarkup
    page: Page
    is_frame: bool
    fingerprint: str


class BrandPageFetcher:
    """One call's way to pages and files; `render` is None where there is no browser."""

    def __init__(self, reader: Reader, render: Render | None, tenant: str, deadline: float) -> None:
        self._reader = reader
        self._render = render
        self._tenant = tenant
        self.deadline = deadline

    async def page(self, url: str) -> BrandPage:
        """The page as it is served; raises what stands in its place."""
        return await self._understood(await self._fetch(url, PAGE_BYTES, PAGE_SECONDS), url)

    async def _fetch(self, url: str, max_bytes: int, seconds: float) -> Reply:
        with asking(display_host(url)):
            limit = self._until(seconds)
            return await self._reader.raw(url, max_bytes=max_bytes, tenant=self._tenant, deadline=limit)

    async def finished_page(self, url: str) -> BrandPage:
        """The page with its text: rendered where it is served as an empty frame or only to browsers."""
        try:
            found = await self.page(url)
        except Blocked as blocked:
            return await self.rendered(url, blocked)
        return await self.rendered(url) if found.is_frame else found

    async def text(self, url: str, max_bytes: int = LARGEST) -> str:
        """A small file; "" when it cannot be had, for nothing hangs on it."""
        try:
            reply = await self._fetch(url, max_bytes, FILE_SECONDS)
        except WellsourcedError:
            return ""
        is_page = reply.headers.get("content-type", "").lower().startswith(HTML_TYPES)
        return "" if is_page else await self._reader.decoded(reply)

    async def sheets(self, markup: BrandMarkup) -> list[Sheet]:
        """The page's own styles, then the linked ones of its site and its Adobe kit that can be had."""
        site = registrable_domain(host_of(markup.url))
        own = {site, ADOBE}
        linked = [url for url, _ in markup.linked("stylesheet") if registrable_domain(host_of(url)) in own]
        wanted = list(dict.fromkeys(linked))[:MOST_SHEETS]
        texts = await gather_with_limit(wanted, self.text, at_once=AT_ONCE, deadline=self._until(2 * FILE_SECONDS))
        served = [(text, url) for url, text in zip(wanted, texts, strict=True) if text]
        return markup.sheets + [await asyncio.to_thread(parse, text, url) for text, url in served][::-1]

    async def rendered(self, url: str, blocked: WellsourcedError | None = None) -> BrandPage:
        """The page after its scripts have run; `blocked` is what it said to other clients, and stands if this fails."""
        if self._render is None:
            raise blocked or ContentEmpty(f"{url} is an empty frame that only a browser can fill.")
        try:
            with asking(display_host(url)):
                reply = await self._render(url, self._tenant, self._until(RENDER_SECONDS))
        except BrowserUnavailable as missing:
            raise blocked or missing from None
        found = await self._understood(reply, url, is_rendered=True)
        if found.is_frame:
            raise ContentEmpty(f"{url} stays empty even in a browser.")
        return found

    async def _understood(self, reply: Reply, requested: str, *, is_rendered: bool = False) -> BrandPage:
        content_type = reply.headers.get("content-type", "")
        if content_type and not content_type.lower().startswith((*HTML_TYPES, "text/plain")):
            raise ContentEmpty(f"{reply.url} is {content_type.split(';')[0]}, not a page.")
        page = await self._reader.extract(reply)
        is_frame = False
        try:
            await raise_for_wall(reply, requested, page, content_type, is_rendered=is_rendered)
        except ContentEmpty:
            is_frame = True
        except WellsourcedError as wall:
            attempts = Attempts(requested)
            attempts.failed("browser" if is_rendered else "raw", wall)
            raise attempts.error() from None
        html = await self._reader.decoded(reply)
        markup = await asyncio.to_thread(BrandMarkup, html, reply.url)
        shown = markup.text or html
        return BrandPage(
            reply.url, markup, page, is_frame, hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()
        )

    def _until(self, seconds: float) -> float:
        return min(self.deadline, time.monotonic() + seconds)


def path_of(url: str) -> str:
    try:
        return urlsplit(url).path.rstrip("/") or "/"
    except ValueError:
        return "/"
