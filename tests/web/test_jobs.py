"""A whole research job, from the question to a kept quotation: once with the keys alone, once with the mouse."""

from __future__ import annotations

import json

from tests.loopback.run import Internet
from tests.web.driver import Person, at_work
from tests.web.test_workbench import VIEWS

FOCUSED = "document.activeElement"
CHOOSE_NEW = "(select) => { select.value = 'new'; select.dispatchEvent(new Event('change')); }"


async def tab_to(page: Person, selector: str, most: int = 60) -> None:
    """Press Tab until the focus is there, and can be seen there."""
    for _ in range(most):
        await page.press("Tab")
        if await page.run(f"{FOCUSED}.matches({json.dumps(selector)})"):
            assert await page.run(f"getComputedStyle({FOCUSED}).outlineStyle !== 'none'"), selector
            return
    raise AssertionError(
        f"{selector} cannot be reached with Tab; the focus is at {await page.run(FOCUSED + '.outerHTML')}"
    )


def test_by_keyboard_alone(chromium: str, workbench: str, running_internet: Internet) -> None:
    running_internet.reset()

    async def script(page: Person) -> None:
        await page.until(f"{FOCUSED}.matches('[data-box]')")
        await page.type("quiet rivers")
        await page.press("Enter")
        await page.until(
            "document.querySelectorAll('.evidence-rows tr.read').length > 5 && document.querySelector('.keep')"
        )
        assert "source" in await page.run("document.getElementById('status').innerText")
        await tab_to(page, ".evidence-rows tbody tr:nth-child(2) .says")
        sentence = await page.run(f"{FOCUSED}.innerText")
        scrolled = await page.run("scrollTo(0, 300), scrollY")
        await page.press("Enter")
        await page.until(f"{FOCUSED}.classList.contains('quoted-block')")
        assert sentence in await page.run(f"{FOCUSED}.innerText")
        rows = "document.querySelectorAll('.evidence-rows tr.read').length"
        asked = running_internet.requests()
        await page.run("history.back()")
        await page.until(f"{rows} > 5")
        assert (await page.run("scrollY"), running_internet.requests()) == (scrolled, asked)
        await tab_to(page, ".keep > button")
        await page.press("Enter")
        await page.until(f"{FOCUSED}.matches('.keep-panel select')")
        await choose_new(page)
        await page.press("Tab")
        await page.press("Tab")
        await page.press("Enter")
        await page.until("document.querySelector('.keep-panel a')?.innerText === 'Open the project'")
        await tab_to(page, ".keep-panel a")
        await page.press("Enter")
        await page.until("document.querySelector('.project-items .card')")
        await page.says("quiet rivers")
        await page.press("/")
        await page.until(f"{FOCUSED}.matches('[data-box]')")
        await walk_through_the_views(page)

    at_work(chromium, workbench, script)


async def choose_new(page: Person) -> None:
    """In the list of projects, whose last entry is a new one."""
    while not await page.run(f"{FOCUSED}.value === 'new'"):
        await page.press("ArrowDown")


async def walk_through_the_views(page: Person) -> None:
    """The skip link leads to the content, and every view is reached from the brand by Tab and Enter."""
    await page.run("document.getElementById('skip').focus()")
    await page.press("Enter")
    assert await page.run(f"{FOCUSED}.id") == "main"
    for number, view in enumerate(VIEWS[1:], start=1):
        await page.run("document.querySelector('.brand').focus()")
        for _ in range(number + 1):
            await page.press("Tab")
        await page.press("Enter")
        await page.until(f"location.hash === '#/{view}' && {FOCUSED}.id === 'heading'")


def test_with_the_mouse(chromium: str, workbench: str, running_internet: Internet) -> None:
    running_internet.reset()

    async def script(page: Person) -> None:
        await page.click_at("[data-box]")
        await page.type("deep lakes")
        await page.click_at(".ask-box .primary")
        await page.until("document.querySelector('.keep')")
        await page.click_at(".evidence-rows tr.read .says")
        await page.until("document.querySelector('.quoted-block')")
        await page.click_at(".quoted-block", times=3)
        await page.until("!document.querySelector('.quoting > button').disabled")
        await page.click_at(".quoting > button")
        await page.until("document.querySelector('.quoting blockquote')")
        quoted = await page.run("document.querySelector('.quoting blockquote').innerText")
        await page.click_at(".quoting .keep > button")
        await page.until("document.querySelector('.quoting .keep-panel select')")
        await page.run(f"(({CHOOSE_NEW})(document.querySelector('.keep-panel select')))")
        await page.click_at(".quoting .keep-panel [name=name]", times=3)
        await page.type("Lakes")
        await page.click_at(".quoting .keep-panel .primary")
        await page.until("document.querySelector('.quoting .keep-panel a')")
        await page.click_at(".quoting .keep-panel a")
        await page.until("document.querySelector('.project-items blockquote')")
        assert await page.run("document.querySelector('.project-items blockquote').innerText") in quoted
        await page.click_at(".fold:last-of-type summary")
        await page.says("The chain of receipts is whole")
        await page.click_at(".page-head + .actions button")
        await page.says("Nothing has changed")
        await page.click_at("nav a[href='#/search']")
        await page.click_at(".pills input[value=papers]")
        await page.click_at(".panel input[name=query]")
        await page.type("deep lakes")
        await page.click_at(".panel .primary")
        await page.until("document.querySelectorAll('.card').length > 3")

    at_work(chromium, workbench, script)
