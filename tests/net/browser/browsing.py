"""A real Chromium in tests: found or loudly missed, watched for what it leaves behind, and a small web to visit."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import wellsourced
from tests.net.loopback import Server, say, serving
from tests.net.loopback_guard import SITE, LoopbackGuard
from wellsourced.errors import BrowserUnavailable
from wellsourced.net.browser.browser import Browser
from wellsourced.net.browser.chromium import find_chromium

PACKAGE = Path(wellsourced.__file__).parent


@pytest.fixture(scope="module")
def chromium() -> str:
    try:
        return find_chromium(os.environ.get("CHROME_PATH", ""))
    except BrowserUnavailable as problem:
        if os.environ.get("CI") == "true":
            pytest.fail(f"These tests need a browser. {problem.sentence}")
        pytest.skip(f"THE BROWSER IS NOT TESTED: {problem.sentence}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the browsers of one test keep their profiles; by it their processes are known."""
    folder = tmp_path / "profiles"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def processes(folder: Path, kind: bytes = b"") -> list[int]:
    """Live processes that have to do with a folder: Chromium and all its children name it in their arguments."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes()
                if str(folder).encode() in arguments and kind in arguments:
                    found.append(int(entry.name))
            except OSError:
                continue
    return sorted(found)


def assert_all_gone(folder: Path, within: float = 60.0) -> None:
    deadline = time.monotonic() + within
    while processes(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes(folder) == []


class Web:
    """The one site that may be visited, and a server beside it that must not be reached."""

    def __init__(self, site: Server, forbidden: Server) -> None:
        self.site, self.forbidden = site, forbidden

    def url(self, path: str) -> str:
        return f"http://{SITE}:{self.site.port}{path}"

    def page(self, path: str, html: str, *headers: str, status: int = 200) -> str:
        kind = "Content-Type: text/html; charset=utf-8"
        self.site.routes[path] = lambda writer: say(writer, html.encode(), kind, *headers, status=status)
        return self.url(path)


def is_ours(task: asyncio.Task[object]) -> bool:
    """Whether the package's code is running in it. The names of folders say nothing: a checkout is called so, too."""
    code = getattr(task.get_coro(), "cr_code", None)
    return code is not None and Path(code.co_filename).is_relative_to(PACKAGE)


def browse(
    chromium: str,
    folder: Path,
    scenario: Callable[[Browser, Web], Awaitable[None]],
    *,
    idle_seconds: float = 60.0,
    max_pages: int = 2,
) -> None:
    """Run a scenario; whatever happened in it, nothing may be left of the browser afterwards."""

    async def run() -> None:
        async with serving() as site, serving() as forbidden:
            before = asyncio.all_tasks()
            guard = LoopbackGuard(site.port)
            browser = Browser(guard, chrome_path=chromium, idle_seconds=idle_seconds, max_pages=max_pages)
            try:
                await scenario(browser, Web(site, forbidden))
            finally:
                await browser.close()
            await asyncio.sleep(0)
            assert not [task for task in asyncio.all_tasks() - before if is_ours(task)]
            assert forbidden.connections == 0

    asyncio.run(run())
    assert_all_gone(folder)
    assert list(folder.iterdir()) == []


def attack(web: Web) -> dict[str, str]:
    """Scripts and markup that try to get to places nobody may go, by the place they try."""
    beside = web.forbidden.port
    web.site.redirect("/to-loopback", f"http://127.0.0.1:{beside}/redirected")
    web.site.redirect("/to-metadata", "http://169.254.169.254/latest/meta-data/")
    return {
        f"127.0.0.1:{beside}": "<script>fetch('/to-loopback').catch(() => 0)</script>",
        "169.254.169.254": "<script>fetch('http://169.254.169.254/').catch(() => 0)</script>",
        f"localhost:{beside}": f"<iframe src='http://localhost:{beside}/'></iframe>",
        f"[::1]:{beside}": f"<img src='http://[::1]:{beside}/a.png'>",
        "10.1.1.1": "<script src='http://0x0a010101/a.js'></script>",
        "inner.test": "<link rel=stylesheet href='http://inner.test/a.css'>",
        f"inner.test:{beside}": f"<script>new WebSocket('ws://inner.test:{beside}/')</script>",
        f"127.0.0.2:{beside}": f"<script>new WebSocket('ws://127.0.0.2:{beside}/')</script>",
        f"127.0.0.3:{beside}": "<script>new Worker(URL.createObjectURL(new Blob(["
        f"`fetch('http://127.0.0.3:{beside}/').catch(() => 0)`])))</script>",
        "192.168.7.7": "<script>navigator.sendBeacon('http://192.168.7.7/', 'x')</script>",
        "172.16.0.9": "<script>new EventSource('http://172.16.0.9/')</script>",
        "100.64.0.1": "<form action='http://100.64.0.1/' method=post target=f id=g></form><iframe name=f></iframe>"
        "<script>document.getElementById('g').submit()</script>",
    }
