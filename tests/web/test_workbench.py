"""The workbench as people use it: a real Chromium before the real server, and a small internet behind it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from tests.http.http_server import http_server
from tests.loopback.run import Internet
from tests.web.driver import Person, person
from tests.web.requests import post

BIBTEX = r"""
@article{one, title={A study of solar panels, part 3}, year={2018}, doi={10.1000/solar-panels.3}}
@article{two, title={Something else altogether}, year={1979}, doi={10.1000/solar-panels.4}}
@article{three, title={Solar panels, retracted}, doi={10.1000/retracted-panels.1}}
@book{four, title={Chronik der Gemeinde Oberwiesen}, author={Huber, Josef}, year={1952}}
@article{five, title={unclosed
"""
VIEWS = ("", "search", "read", "verify", "audit", "sessions", "library", "health")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def at_work(program: str, address: str, script: Callable[[Person], Awaitable[None]]) -> None:
    async def run() -> None:
        async with person(program, address) as client:
            await script(client)
            await client.assert_unharmed()

    asyncio.run(run())


def call(address: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A tool through the page's own interface."""
    headers = {"Content-Type": "application/json", "Origin": address}
    status, answer = post(address + "/api/call", {"tool": tool, "arguments": arguments}, headers)
    assert status == 200, answer
    return dict(answer)


def begin_session(address: str, goal: str, words: str, url: str) -> str:
    first = {"searchStep": f"Look for {words}", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": goal}
    first |= {"reasoning": words, "rejectedApproaches": [words], "knowledgeGap": words, "confidence": "low"}
    session: str = call(address, "sequential_search", **first)["content"]["sessionId"]
    more = {"nextStepNeeded": True, "sessionId": session}
    call(address, "sequential_search", searchStep="Main line", stepNumber=2, **more)
    branch = {"branchFromStep": 1, "branchId": "another way"}
    call(address, "sequential_search", searchStep="Side line", stepNumber=2, **branch, **more)
    call(address, "scrape_page", url=url, sessionId=session)
    return session


def test_every_view_is_used(chromium: str, workbench: str, running_internet: Internet) -> None:
    running_internet.reset()
    site = f"{running_internet.base}/site/alpha"
    session = begin_session(workbench, "How many panels?", "panels", f"{site}/panels-on-roofs")

    async def script(page: Person) -> None:
        await page.says("claude mcp add --transport http wellsourced " + workbench)
        await page.says("verify_citation")
        has_demo = await page.run("fetch('/api/about').then((reply) => reply.json()).then((about) => about.demo)")
        assert ("Run the demo" in await page.text()) == has_demo
        await use_search(page, running_internet)
        await use_read(page, running_internet)
        await page.open("verify")
        await page.fill("citation", "10.1000/retracted-panels.1")
        await page.click("main form button")
        await page.says("Retracted")
        assert "verdict" in await page.text()
        await use_audit(page)
        await page.open("sessions")
        await page.says("How many panels?")
        await page.click("main .card a")
        await page.says("Branch another way")
        assert await page.run("document.querySelectorAll('.branch .step').length") == 1
        await page.says("panels on roofs")
        assert session in await page.run("location.hash")
        await page.open("library")
        await page.fill("q", "roofs")
        await page.click("main form button")
        await page.until("document.querySelector('main .card p[dir]')")
        await page.click("main .card a")
        await page.says("This is part 5 of the report")
        await use_health(page, workbench)

    at_work(chromium, workbench, script)


async def use_search(page: Person, internet: Internet) -> None:
    await page.open("search")
    for kind, engine in (("web", "searxng"), ("news", "searxng"), ("papers", "crossref")):
        await page.click(f"input[value={kind}]")
        await page.fill("query", f"{kind} wind mills")
        await page.fill("provider", engine)
        await page.click("main form button")
        await page.until(f"document.querySelector('.card h3')?.innerText.includes('{kind} wind mills')")
    await page.click(".card .actions button")
    await page.until("document.querySelector('.cite pre')?.innerText.includes('wind mills')")
    await page.open("search?query=wind+mills&provider=searxng&country=CH")
    await page.says("Not applied")
    internet.control("/searxng", status=429, headers={"Retry-After": "7"}, times=1)
    internet.control("/duckduckgo", block="duckduckgo")
    outcomes = {
        "query=nothing&provider=brave": "nothing",
        "query=tides&provider=searxng": "rate_limited",
        "query=tides&provider=duckduckgo": "blocked",
        "query=tides&kind=papers&year_from=2020&year_to=2010": "validation",
        "query=tides&provider=unheard-of": "config",
        "query=tides&lens=unheard-of": "validation",
    }
    for asked, outcome in outcomes.items():
        await page.open(f"search?{asked}")
        await page.until(f"document.querySelector('[data-outcome={outcome}]')")
    internet.reset()


async def use_read(page: Person, internet: Internet) -> None:
    words = "".join(
        f"<p>Words of part {{n}} tell of tide {number} in harbour {number * 7}.</p>" for number in range(20)
    )
    sections = "".join(f"<h2>Part {n}</h2>{words.format(n=n)}" for n in range(1, 6))
    body = f"<html><body><main><article><h1>Tides</h1>{sections}</article></main></body></html>"
    internet.control("/site/bravo/tides", status=200, body=body, headers={"Content-Type": "text/html"})
    url = f"{internet.base}/site/bravo/tides"
    await page.open("read")
    await page.fill("url", url)
    await page.click("main form button")
    await page.says("Words of part 5")
    await page.run("[...document.querySelectorAll('.outline button')].find((b) => b.innerText === 'Part 4').click()")
    await page.until("document.activeElement.innerText === 'Part 4' && document.activeElement.tagName === 'H4'")
    await page.says("BibTeX")
    await page.fill("query", "part 3")
    await page.click("main form button")
    await page.until("document.querySelector('.passages')?.innerText.includes('Words of part 3')")
    await page.open(f"read?url={internet.base}/site/alpha/login")
    await page.until("document.querySelector('[data-outcome=auth_required], [data-outcome=blocked]')")


async def use_audit(page: Person) -> None:
    await page.open("audit")
    await page.run(
        f"""(() => {{
          const transfer = new DataTransfer();
          transfer.items.add(new File([{json.dumps(BIBTEX)}], "refs.bib"));
          const zone = document.querySelector(".drop");
          zone.dispatchEvent(new DragEvent("drop", {{ dataTransfer: transfer, cancelable: true }}));
        }})()"""
    )
    await page.says("5 of 5 checked")
    rows = "[...document.querySelectorAll('.audit-list > li:not([hidden])')].map((row) => row.innerText)"
    shown = await page.run(rows)
    assert all(
        word in row for word, row in zip(("against", "Differs", "Retracted", *["be checked"] * 2), shown, strict=True)
    )
    await page.says("Read only in part")
    await page.click("[data-flag=retracted]")
    assert ["Solar panels, retracted" in row for row in await page.run(rows)] == [True]
    saved = "const saved = []; URL.createObjectURL = (blob) => { saved.push(blob); return '#saved'; };"
    press = "document.querySelectorAll('.audit-head .actions button').forEach((button) => button.click());"
    texts = await page.run(f"(async () => {{ {saved} {press} return Promise.all(saved.map((b) => b.text())); }})()")
    assert json.loads(texts[0])["summary"]["retracted"] == 1
    assert texts[1].count("\r\n") == 6


async def use_health(page: Person, address: str) -> None:
    await page.open("health")
    await page.until("document.querySelector('.chart svg rect')")
    count = (
        "Number(document.querySelector('[aria-label^=\"format_bibliography\"]').ariaLabel.match(/answered (\\d+)/)[1])"
    )
    before = await page.run(count)
    await asyncio.to_thread(call, address, "format_bibliography", sources=[{"title": "x"}])
    await page.until(f"{count} > {before}")
    await page.says("Last errors")


def test_the_whole_workbench_by_keyboard_alone(chromium: str, workbench: str, running_internet: Internet) -> None:
    running_internet.reset()

    async def script(page: Person) -> None:
        await page.press("Tab")
        assert await page.run("document.activeElement.id") == "skip"
        await page.press("Enter")
        assert await page.run("document.activeElement.id") == "main"
        for number, view in enumerate(VIEWS[1:], start=1):
            await page.run("document.querySelector('.brand').focus()")
            for _ in range(number + 1):
                await page.press("Tab")
            await page.press("Enter")
            await page.until(f"location.hash === '#/{view}' && document.activeElement.id === 'heading'")
        await page.run("document.querySelector('.brand').focus()")
        for _ in range(2):
            await page.press("Tab")
        await page.press("Enter")
        await page.until("document.activeElement.id === 'heading'")
        await page.press("Tab")
        await page.type("quiet rivers")
        await page.press("Enter")
        await page.until("document.querySelectorAll('.card').length > 3")
        await page.says("quiet rivers")
        assert "result" in await page.run("document.getElementById('status').innerText")
        await tab_to(page, ".actions a")
        await page.press("Enter")
        await page.until("location.hash.startsWith('#/read?') && document.activeElement.id === 'heading'")
        await page.says("This is part 5")

    at_work(chromium, workbench, script)


async def tab_to(page: Person, selector: str) -> None:
    for _ in range(40):
        await page.press("Tab")
        seen = await page.run(
            f"document.activeElement.matches({json.dumps(selector)}) && "
            "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        )
        if seen:
            return
    raise AssertionError(f"{selector} cannot be reached with Tab, or the focus is not to be seen")


def test_nothing_serious_for_those_who_cannot_see_or_point(
    chromium: str, workbench: str, running_internet: Internet, axe: str
) -> None:
    """Every view empty and filled: all rules in the light, the contrasts in the dark too, no sideways scrolling."""
    running_internet.reset()
    url = f"{running_internet.base}/site/alpha/panels-on-roofs"
    session = begin_session(workbench, "How many panels?", "panels", url)
    states = {
        "": ".tools dt",
        "search?query=retracted+panels&kind=papers&provider=crossref": ".card .chip",
        "search?query=nothing&provider=brave": "[data-outcome]",
        f"read?url={url}": ".text p",
        "verify?citation=10.1000/retracted-panels.1": ".evidence-table",
        "audit": ".drop",
        "sessions": ".card",
        f"sessions?id={session}": ".tree",
        "library": ".card",
        "health": ".chart",
    }

    async def script(page: Person) -> None:
        await page.run(axe + ";0")
        for view, ready in states.items():
            await page.open(view)
            await page.until(f"document.querySelector({json.dumps(ready)})")
            await page.look(1280, 900)
            await assert_accessible(page, view, {"type": "tag", "values": RULES})
            for width in (360, 390, 700):
                await page.look(width, 800, dark=True)
                assert await page.run("document.documentElement.scrollWidth <= innerWidth"), (view, width)
            await assert_accessible(page, view, {"type": "rule", "values": ["color-contrast"]})

    at_work(chromium, workbench, script)


async def assert_accessible(page: Person, view: str, rules: dict[str, Any]) -> None:
    options = {"resultTypes": ["violations"], "runOnly": rules}
    found = await page.run(
        f"axe.run(document, {json.dumps(options)}).then((found) => found.violations.map((each) => "
        "[each.impact, each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + node.failureSummary)]))"
    )
    assert [each for each in found if each[0] in ("serious", "critical")] == [], view


def test_a_locked_workbench_asks_for_the_key(chromium: str, quiet_environment: dict[str, str]) -> None:
    with http_server({**quiet_environment, "ADMIN_API_KEY": "open sesame"}) as address:

        async def script(page: Person) -> None:
            await page.says("This workbench is locked")
            for key, answer in (("wrong", "That was not accepted"), ("open sesame", "Connect a client")):
                await page.fill("admin", key)
                await page.click("main form button")
                await page.says(answer)
            assert await page.run("Object.keys(localStorage).join()") == "wellsourced.client-key"
            await page.load()
            await page.says("Connect a client")

        at_work(chromium, address, script)
