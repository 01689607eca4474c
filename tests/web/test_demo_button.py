"""The first page's button, pressed: the whole demo runs, its evidence fills a table, and its result can be opened."""

from __future__ import annotations

from tests.web.driver import Person, at_work

LINK = "[...document.querySelectorAll('main .panel a')].map((link) => link.href).find((href) => /:\\d+/.test(href))"


def test_the_demo_is_run_from_the_page_and_its_result_opened(chromium: str, workbench: str) -> None:
    async def script(page: Person) -> None:
        await page.click("section[aria-labelledby=demo] button")
        await page.until("document.querySelectorAll('.demo-steps .evidence-rows tbody tr').length > 2")
        await page.until(LINK)
        text = await page.text()
        assert "retracted" in text and "not registered" in text and "Says so" in text
        address = await page.run(LINK)
        assert not address.startswith(workbench)
        await page.send("Page.navigate", url=address)
        await page.until("document.querySelector('.tree')")
        await page.says("moss roofs")

    at_work(chromium, workbench, script)
