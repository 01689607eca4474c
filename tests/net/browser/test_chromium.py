"""How a Chromium of ours comes and goes: found, started, idle, crashed, orphaned."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.net.browser.browsing import Web, assert_all_gone, browse, processes
from wellsourced.app.network import browser_maker, make_guard
from wellsourced.errors import BrowserUnavailable
from wellsourced.net.browser.browser import Browser
from wellsourced.settings import Settings

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("path", "words"),
    [("disabled", "switched off"), ("/nowhere/chrome", "/nowhere/chrome"), ("/bin/false", "did not start")],
)
def test_no_browser_is_told_with_what_would_help(folder: Path, path: str, words: str) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        with pytest.raises(BrowserUnavailable, match=words) as caught:
            await browser.render(web.url("/"))
        assert "CHROME_PATH" in caught.value.sentence

    browse(path, folder, scenario)


def test_the_sandbox_is_left_out_where_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, given = tmp_path / "chromium", tmp_path / "arguments"
    program.write_text(f'#!/bin/sh\necho "$@" > {given}\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    async def start(environment: dict[str, str]) -> str:
        settings = Settings({"CHROME_PATH": str(program), "ALLOW_PRIVATE_IPS": "true", **environment})
        make = browser_maker(settings, make_guard(settings))
        assert make
        with pytest.raises(BrowserUnavailable):
            await make().render("http://127.0.0.1:8081/")
        return given.read_text()

    assert "--no-sandbox" not in asyncio.run(start({}))
    assert "--no-sandbox" in asyncio.run(start({"CHROME_NO_SANDBOX": "true"}))


def test_it_closes_when_idle_and_comes_back(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        url = web.page("/", "<p>again")
        for _ in range(2):
            assert "again" in (await browser.render(url)).html
            assert processes(folder)
            async with asyncio.timeout(60):
                while browser.is_running or processes(folder):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)

    browse(chromium, folder, scenario, idle_seconds=0.3)


def test_after_a_crash_the_next_call_works(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        web.site.routes["/hang"] = lambda writer: asyncio.sleep(60)
        reading = asyncio.create_task(browser.render(web.url("/hang")))
        while not any("/hang" in entry.line for entry in web.site.heard):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        os.kill(processes(folder)[0], signal.SIGKILL)
        with pytest.raises(BrowserUnavailable, match="ended while it was reading") as caught:
            await reading
        assert caught.value.retryable
        assert "well" in (await browser.render(web.page("/well", "<p>well"))).html
        web.page("/crash", "<p>x<script>fetch('/hang')</script>")
        reading = asyncio.create_task(browser.render(web.url("/crash"), settle=20))
        while sum("/hang" in entry.line for entry in web.site.heard) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        for renderer in processes(folder, b"--type=renderer"):
            os.kill(renderer, signal.SIGKILL)
        with pytest.raises(BrowserUnavailable, match="crash"):
            await reading
        assert "well" in (await browser.render(web.url("/well"))).html

    browse(chromium, folder, scenario)


OWNER = """
import asyncio, sys, tempfile
sys.path.insert(0, {root!r})
tempfile.tempdir = {folder!r}
from tests.net.loopback import serving
from tests.net.loopback_guard import SITE, LoopbackGuard
from wellsourced.net.browser.browser import Browser

async def main():
    async with serving() as site:
        browser = Browser(LoopbackGuard(site.port), chrome_path={chromium!r}, idle_seconds=60)
        await browser.render(f"http://{{SITE}}:{{site.port}}/")
        print("rendered", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def test_no_browser_outlives_an_owner_that_is_killed(chromium: str, folder: Path) -> None:
    script = textwrap.dedent(OWNER).format(root=str(ROOT), folder=str(folder), chromium=chromium)
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT)
    assert owner.stdout is not None
    with owner, owner.stdout:
        assert owner.stdout.readline() == b"rendered\n"
        assert len(processes(folder)) > 2
        owner.kill()
    assert_all_gone(folder)
    left = list(folder.iterdir())
    assert len(left) == 1

    async def scenario(browser: Browser, web: Web) -> None:
        await browser.render(web.url("/"))
        assert not left[0].exists()  # what the dead owner could not clear away, the next one does

    browse(chromium, folder, scenario)
