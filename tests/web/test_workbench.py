"""The workbench as people use it: a real Chromium before the real server, and a small internet behind it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.http.http_server import http_server
from tests.loopback.run import Internet
from tests.web.driver import Person, at_work
from tests.web.requests import post

BIBTEX = r"""
@article{one, title={A study of solar panels, part 3}, year={2018}, doi={10.1000/solar-panels.3}}
@article{two, title={Something else altogether}, year={1979}, doi={10.1000/solar-panels.4}}
@article{three, title={Solar panels, retracted}, doi={10.1000/retracted-panels.1}}
@book{four, title={Chronik der Gemeinde Oberwiesen}, author={Huber, Josef}, year={1952}}
@article{five, title={unclosed
"""
HTML = {"Content-Type": "text/html"}
DRAWN = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
CLOSELY = """<html><body><main><article><h1>Tides</h1>
<p>The tide in the northern harbours rose after the storm, as the board reported.<sup><a href="#n1" id="r1">1</a></sup>
Nobody in the harbour towns had expected it, and nobody had counted the boats before.</p>
<h2>Measures</h2><p>The energy is <math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math> as ever,
and nothing else was measured by the board in that year or in the next one.</p>
<figure><img src="BASE/site/bravo/low-tide.svg" alt="The harbour at low tide" width=600 height=400></figure>
<table><thead><tr><th>Harbour</th><th>Rise</th></tr></thead><tr><td>North</td><td>4</td></tr><tr><td>East</td><td>5</td>
</tr></table><h4>Code</h4><pre><code>tide * 2</code></pre><h2>What was said</h2>
<p>The board said that it would build a wall before the winter, and that the towns along the coast would pay for it.</p>
<ol><li id="n1"><a href="#r1">^</a> Yearly report of the harbour board, page 12.</li></ol></article></main></body>
</html>"""
VIEWS = ("", "search", "graph", "read", "verify", "audit", "projects", "sessions", "library", "health", "connect")


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
        has_demo = await page.run("fetch('/api/about').then((reply) => reply.json()).then((about) => about.demo)")
        await page.until("document.querySelector('.ask-box')")
        assert ("Run the demo" in await page.text()) == has_demo
        await page.open("connect")
        await page.says("claude mcp add --transport http wellsourced " + workbench)
        await page.says("verify_citation")
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
    await page.until("document.activeElement.innerText === 'Part 4' && /^H[34]$/.test(document.activeElement.tagName)")
    await page.says("BibTeX")
    await page.fill("query", "part 3")
    await page.click("main form button")
    await page.until("document.querySelector('.passages')?.innerText.includes('Words of part 3')")
    await page.open(f"read?url={internet.base}/site/alpha/login")
    await page.until("document.querySelector('[data-outcome=auth_required], [data-outcome=blocked]')")
    await read_closely(page, internet)


async def read_closely(page: Person, internet: Internet) -> None:
    """A table is a table, a formula a formula, an image fetched only when asked for; words are found and quoted."""
    internet.control("/site/bravo/closely", status=200, body=CLOSELY.replace("BASE", internet.base), headers=HTML)
    internet.control("/site/bravo/low-tide.svg", status=200, body=DRAWN, headers={"Content-Type": "image/svg+xml"})
    await page.open(f"read?url={internet.base}/site/bravo/closely&quote=it+would+build+a+wall")
    await page.until("document.querySelector('.quoted-block')?.innerText.startsWith('The board said')")
    assert await page.run("document.activeElement.className") == "quoted-block"
    assert await page.run("document.querySelector('.text th[scope=col]').innerText") == "Harbour"
    assert await page.run("document.querySelector('.text math msup') !== null")
    assert await page.run("document.querySelector('.text pre').innerText.includes('tide * 2')")
    assert internet.requests("/site/bravo/low-tide.svg") == 0
    await page.click(".text .image button")
    await page.until("document.querySelector('.text .image img')?.naturalWidth > 0")
    await page.run("document.querySelector('.note-mark').click()")
    await page.until("document.activeElement.matches('[data-note]')")
    await page.run(
        "((i) => { i.value = 'HARBOUR'; i.dispatchEvent(new Event('input')); })(document.querySelector('.find input'))"
    )
    await page.until("/^1 of \\d+$/.test(document.querySelector('.find [role=status]').innerText)")
    await page.run("getSelection().selectAllChildren(document.querySelector('.quoted-block'))")
    await page.press("q")
    await page.until("document.querySelector('.quoting blockquote')?.innerText.startsWith('The board said')")


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


def test_a_locked_workbench_asks_for_the_key(chromium: str, quiet_environment: dict[str, str]) -> None:
    with http_server({**quiet_environment, "ADMIN_API_KEY": "open sesame"}) as address:

        async def script(page: Person) -> None:
            await page.says("This workbench is locked")
            for key, answer in (("wrong", "That was not accepted"), ("open sesame", "What do you want to know?")):
                await page.fill("admin", key)
                await page.click("main form button")
                await page.says(answer)
            assert await page.run("Object.keys(localStorage).join()") == "wellsourced.client-key"
            await page.load()
            await page.says("What do you want to know?")

        at_work(chromium, address, script)
