"""A browser in a pool elsewhere, played by a second Chromium on loopback."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.net.browser.browsing import Web, assert_all_gone, attack
from tests.net.loopback import serving
from tests.net.loopback_guard import LoopbackGuard
from wellsourced.errors import BrowserUnavailable
from wellsourced.net.browser.browser import Browser


def test_a_browser_elsewhere_is_used_and_left_running(chromium: str, folder: Path) -> None:
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    options = [*sandbox, "--headless", "--disable-gpu", "--remote-debugging-port=0", "--disable-dev-shm-usage"]
    names = "--host-resolver-rules=MAP site.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    profile = folder / "pool"
    pool = subprocess.Popen(
        [chromium, *options, names, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    sockets: list[Path] = []

    async def run() -> None:
        port = await _debugging_port(profile)
        sockets.append((profile / "SingletonSocket").readlink().parent)
        async with serving() as site, serving() as forbidden:
            web = Web(site, forbidden)
            browser = Browser(
                LoopbackGuard(site.port), chrome_path="disabled", idle_seconds=60, cdp_url=f"http://127.0.0.1:{port}"
            )
            tries = attack(web)
            kept = {place: html for place, html in tries.items() if "Socket" not in html}
            rendered = await browser.render(web.page("/attack", "".join(tries.values()) + "<p>end"), settle=3)
            assert "<p>end" in rendered.html
            assert {attempt.host for attempt in rendered.refused} == set(kept)
            assert forbidden.connections == 0
            await browser.close()
            assert pool.poll() is None
            gone = Browser(
                LoopbackGuard(1), chrome_path="", idle_seconds=1, cdp_url=f"http://127.0.0.1:{forbidden.port}"
            )
            with pytest.raises(BrowserUnavailable, match="BROWSER_CDP_URL"):
                await gone.render(web.url("/").replace(str(site.port), "1"))

    try:
        asyncio.run(run())
    finally:
        pool.terminate()
        pool.wait()
        for left in sockets:
            shutil.rmtree(left, ignore_errors=True)
    assert_all_gone(folder)


async def _debugging_port(profile: Path) -> int:
    port_file = profile / "DevToolsActivePort"
    async with asyncio.timeout(60):
        while not (port_file.exists() and port_file.read_text().count("\n")):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return int(port_file.read_text().splitlines()[0])
