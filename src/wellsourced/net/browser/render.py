"""Renders one page: navigates, waits until it is loaded and at rest, and reads its HTML."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from wellsourced.errors import WellsourcedError
from wellsourced.net.browser.devtools import CommandError, Params
from wellsourced.net.browser.interception import host_and_port_of
from wellsourced.net.browser.navigation_errors import navigation_failure
from wellsourced.net.browser.page_allowance import MEBIBYTE, RefusedHost
from wellsourced.net.browser.tab import Tab
from wellsourced.net.failure_messages import ResponseTooLarge
from wellsourced.text.urls import display_url

LONGEST_HTML = 10 * MEBIBYTE
LOAD_SECONDS = 8.0
QUIET_SECONDS = 0.3
POLL_SECONDS = 0.1
MOST_NAVIGATIONS = 5
ISOLATED_WORLD = "reader"

# Runs in a world of its own, where the page cannot have put anything in the place of what is used here.
SILENCE_SCRIPT = """(() => {
  const seen = globalThis.seen ??= (() => {
    const seen = {at: performance.now()};
    new MutationObserver(() => { seen.at = performance.now() })
      .observe(document, {subtree: true, childList: true, characterData: true});
    return seen;
  })();
  return performance.now() - seen.at;
})()"""
READ_SCRIPT = f"""(() => {{
  const html = document.documentElement ? document.documentElement.outerHTML : "";
  return {{html: html.length > {LONGEST_HTML} ? null : html, title: String(document.title).slice(0, 1000)}};
}})()"""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as it stands once its scripts have run. `status` is the main document's, 0 when it had none."""

    url: str
    status: int
    html: str
    title: str
    refused: tuple[RefusedHost, ...] = ()


class PageRenderer:
    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._progress = tab.progress
        self._world: tuple[str, int] = ("", 0)

    async def run(self, url: str, settle: float) -> RenderedPage:
        """The finished page; the first thing that ends it early is what is raised."""
        self._tab.url = url
        work = asyncio.create_task(self._render(url, settle))
        failed = self._tab.failed
        either: set[asyncio.Future[Any]] = {work, failed}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if failed.done():
                failed.result()
            return await work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _render(self, url: str, settle: float) -> RenderedPage:
        answer = await self._tab.command("Page.navigate", {"url": url})
        if answer.get("errorText"):
            raise self._navigation_failure(url, answer)
        for _ in range(MOST_NAVIGATIONS):
            await self._until_loaded()
            if not await self._moves_on(settle):
                break
        return await self._read()

    def _navigation_failure(self, url: str, answer: Params) -> WellsourcedError:
        """The guard's refusal if that ended the navigation, else the proxy's failure, else the browser's error."""
        problem = self._tab.interception.main_problem
        if problem is not None:
            problem.detail = f"redirected there from {display_url(url)}"
            return problem
        known = self._tab.allowance.failures.get(host_and_port_of(url))
        return known or navigation_failure(url, str(answer["errorText"]), is_download=bool(answer.get("isDownload")))

    async def _until_loaded(self) -> None:
        """Until the page is loaded; one that is readable and still waits for some part of it is not waited for long."""
        await self._progress.ready.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOAD_SECONDS):
                await self._progress.loaded.wait()

    async def _moves_on(self, settle: float) -> bool:
        """Wait until the page has come to rest, `settle` seconds at most; whether it has gone elsewhere meanwhile."""
        clock, document = asyncio.get_running_loop().time, self._progress.document
        end, latest = clock() + settle, clock() + settle + LOAD_SECONDS
        while clock() < (latest if self._progress.leaving else end):
            if self._progress.document != document:
                return True
            if not self._progress.leaving and not self._progress.is_fetching and await self._is_quiet():
                return False
            await asyncio.sleep(POLL_SECONDS)
        return self._progress.document != document

    async def _is_quiet(self) -> bool:
        try:
            silence = await self._evaluate(SILENCE_SCRIPT)
        except CommandError:  # the document went away under the question
            return False
        return isinstance(silence, int | float) and silence >= QUIET_SECONDS * 1000

    async def _read(self) -> RenderedPage:
        frame = (await self._tab.command("Page.getFrameTree"))["frameTree"]["frame"]
        content = await self._evaluate(READ_SCRIPT)
        if not isinstance(content, dict) or content.get("html") is None:
            raise ResponseTooLarge(
                f"{display_url(self._tab.url)} grew beyond {LONGEST_HTML:,} characters in the browser."
            )
        return RenderedPage(
            url=frame["url"] + frame.get("urlFragment", ""),
            status=self._progress.statuses.get(frame.get("loaderId", ""), 0),
            html=_whole_characters(str(content["html"])),
            title=_whole_characters(str(content.get("title", ""))),
            refused=self._tab.allowance.refused,
        )

    async def _evaluate(self, expression: str) -> Any:
        document, world = self._world
        if document != self._progress.document or not world:
            made = await self._tab.command(
                "Page.createIsolatedWorld", {"frameId": self._tab.target, "worldName": ISOLATED_WORLD}
            )
            document, world = self._world = self._progress.document, made["executionContextId"]
        command = {"expression": expression, "contextId": world, "returnByValue": True}
        return (await self._tab.command("Runtime.evaluate", command))["result"].get("value")


def _whole_characters(text: str) -> str:
    """The text without lone surrogates, which scripts can put into a page and UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode()
