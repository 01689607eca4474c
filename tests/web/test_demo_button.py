"""The first page's button, pressed: the whole demo runs and its result can be opened."""

from __future__ import annotations

import asyncio
import urllib.request

from tests.web.driver import Person
from tests.web.test_workbench import at_work

LINK = "[...document.querySelectorAll('main .panel a')].map((link) => link.href).find((href) => /:\\d+/.test(href))"


def test_the_demo_is_run_from_the_page_and_its_result_opened(chromium: str, workbench: str) -> None:
    async def script(page: Person) -> None:
        await page.click("section[aria-labelledby=demo] button")
        await page.until(LINK)
        text = await page.text()
        assert "retracted" in text and "not registered" in text
        address = await page.run(LINK)
        assert not address.startswith(workbench)
        assert b"moss roofs" in await asyncio.to_thread(sessions_at, address)

    at_work(chromium, workbench, script)


def sessions_at(address: str) -> bytes:
    with urllib.request.urlopen(f"{address.rstrip('/')}/api/sessions", timeout=60) as answer:
        found: bytes = answer.read()
    return found
