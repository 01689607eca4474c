"""The headless browser: started when first needed, closed when nobody needs it, started anew after a crash.

A browser of our own goes out only through the egress proxy. With `cdp_url` a pool elsewhere is used instead; then
every request is still checked before it is made and pages go without WebSockets and WebRTC, but which address a name
leads to at the moment of connecting is the pool's own affair: give it a network from which nothing private can be
reached.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from wellsourced.errors import NetworkFailed, TimeLimit
from wellsourced.net.browser.devtools import CommandError, ConnectionLostError
from wellsourced.net.browser.launch import BrowserConnection, connect_browser, launch_browser
from wellsourced.net.browser.navigation_errors import PageCrashed
from wellsourced.net.browser.page_allowance import PageAllowance
from wellsourced.net.browser.render import PageRenderer, RenderedPage
from wellsourced.net.browser.tab import Tab
from wellsourced.net.guard import AddressGuard
from wellsourced.text.amounts import format_seconds
from wellsourced.text.urls import display_url

OPEN_SECONDS = 20.0
CLOSE_SECONDS = 5.0


class Browser:
    def __init__(
        self,
        guard: AddressGuard,
        *,
        chrome_path: str,
        idle_seconds: float,
        cdp_url: str = "",
        max_pages: int = 2,
        no_sandbox: bool = False,
    ) -> None:
        self._guard = guard
        self._chrome_path = chrome_path
        self._cdp_url = cdp_url
        self._idle_seconds = idle_seconds
        self._no_sandbox = no_sandbox
        self._slots = asyncio.Semaphore(max(1, max_pages))
        self._starting = asyncio.Lock()
        self._connection: BrowserConnection | None = None
        self._pages = 0
        self._idle: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._connection is not None

    async def render(self, url: str, *, timeout: float = 30.0, settle: float = 1.5) -> RenderedPage:  # noqa: ASYNC109
        """The page at a URL once its scripts have run. Its status may be an error's; that is for the caller to judge.

        `timeout` is for the page alone: waiting for a free place may take as long again, and so may a first start."""
        url = (await self._guard.check(url)).url
        async with self._slot(url, timeout):
            connection = await self._ready_connection()
            try:
                return await self._render_page(connection, url, timeout, settle)
            except ConnectionLostError:
                await self._discard(connection)
                raise PageCrashed(
                    f"The browser ended while it was reading {display_url(url)}. The next call starts it anew."
                ) from None

    async def close(self) -> None:
        """End the browser; a later call would start it again."""
        self._cancel_idle_close()
        async with self._starting:
            connection, self._connection = self._connection, None
            if connection is not None:
                await connection.close()

    @asynccontextmanager
    async def _slot(self, url: str, seconds: float) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(seconds):
                await self._slots.acquire()
        except TimeoutError:
            raise TimeLimit(
                f"The browser was busy with other pages for {format_seconds(seconds)}; {display_url(url)} waited."
            ) from None
        self._pages += 1
        self._cancel_idle_close()
        try:
            yield
        finally:
            self._pages -= 1
            self._slots.release()
            if not self._pages and self._connection is not None:
                self._idle = asyncio.create_task(self._close_when_idle())

    async def _ready_connection(self) -> BrowserConnection:
        async with self._starting:
            if self._connection is not None and self._connection.devtools.lost.is_set():
                crashed, self._connection = self._connection, None
                await crashed.close()
            if self._connection is None:
                self._connection = await self._start()
            return self._connection

    async def _start(self) -> BrowserConnection:
        if self._cdp_url:
            return await connect_browser(self._guard, self._cdp_url)
        return await launch_browser(self._guard, self._chrome_path, no_sandbox=self._no_sandbox)

    async def _render_page(
        self, connection: BrowserConnection, url: str, seconds: float, settle: float
    ) -> RenderedPage:
        allowance = PageAllowance()
        connection.add_page(allowance)
        has_own_proxy = connection.egress is not None
        tab = Tab(connection.devtools, self._guard, allowance, connection.user_agent, has_own_proxy=has_own_proxy)
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await tab.open()
            async with asyncio.timeout(seconds):
                return await PageRenderer(tab).run(url, settle)
        except TimeoutError:
            raise NetworkFailed(
                f"{display_url(url)} was not finished in the browser within {format_seconds(seconds)}."
            ) from None
        except CommandError as problem:
            raise NetworkFailed(
                f"{display_url(url)} could not be read in the browser.", detail=str(problem)[:400]
            ) from None
        finally:
            await self._close_tab(connection, tab, allowance)

    async def _close_tab(self, connection: BrowserConnection, tab: Tab, allowance: PageAllowance) -> None:
        """A page that cannot be closed in time takes its browser with it."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await tab.close()
        except ConnectionLostError:
            pass
        except TimeoutError:
            await self._discard(connection)
        finally:
            await connection.remove_page(allowance)

    async def _discard(self, connection: BrowserConnection) -> None:
        async with self._starting:
            if self._connection is connection:
                self._connection = None
                await connection.close()

    def _cancel_idle_close(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    async def _close_when_idle(self) -> None:
        await asyncio.sleep(self._idle_seconds)
        # From here on it is closing, which a new page must not break off half-way.
        self._closing, self._idle = self._idle, None
        await self.close()
