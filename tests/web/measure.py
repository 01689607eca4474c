"""Measures the page and takes its pictures: `python -m tests.web.measure` writes docs/workbench-figures.md and
docs/workbench*.png. Not a test: the figures are the machine's, the pictures show the demo's invented web."""

from __future__ import annotations

import asyncio
import json
import os
import platform
from pathlib import Path
from typing import Any

from tests.web.driver import Person, person
from tests.web.fake_answers import answering, citation_graph, series
from tests.web.small_png import shrink
from wellsourced.demo import DemoRun
from wellsourced.demo.steps import QUESTION
from wellsourced.net.browser.chromium import find_chromium
from wellsourced.web.page_files import FOLDER

DOCS = Path(__file__).resolve().parents[2] / "docs"
CLAIM = "A moss roof keeps a beehive six degrees cooler in summer."
QUOTED = "the brood nest under moss peaked 1.9 °C lower than under metal"
CITED = (
    "Ottoline, R. (2014). Winter losses under planted hive roofs on the northern moors. Journal of Hive Climate, "
    "10(1), 33-48. doi:10.5072/jhc.2019.0118"
)
TOPICS = (
    "Moss on hives", "Brood temperature in summer", "Living roofs", "Heat stress of colonies", "Foragers and water",
    "Roof materials compared", "Winter losses", "Urban apiaries", "Bryophytes as insulation", "Hive climate, a review",
)  # fmt: skip
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def sample_graph() -> dict[str, Any]:
    """The drawing of thirty works, with names that look like names."""
    graph = citation_graph(31)
    for number, work in enumerate((*graph["citedBy"], *graph["references"])):
        work |= {"title": f"{TOPICS[number % 10]} {1 + number // 10}", "citationCount": (number * 37) % 260}
        work["year"] = 2003 + (number * 7) % 12 + (9 if number < 15 else 0)
    graph["seedPaper"] |= {"title": "Moss roofs and summer brood temperature in forty hives", "year": 2013}
    return graph


async def task_ms(page: Person) -> float:
    """How long the page's thread was busy since it began, in milliseconds of processor time."""
    metrics = (await page.send("Performance.getMetrics"))["metrics"]
    return 1000 * next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


async def measured(page: Person, doing: str, until: str) -> float:
    before = await task_ms(page)
    await page.run(doing)
    await page.until(until)
    await page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return await task_ms(page) - before


async def measure(page: Person) -> list[tuple[str, float]]:
    await page.send("Performance.enable")
    await page.load()
    await page.until("document.querySelector('.ask-box')")
    await page.until(PAINT)
    rows = [("first page: first paint (waiting included)", float(await page.run(PAINT)))]
    rows.append(("first page: all of its work", await task_ms(page)))
    await page.run(answering({"citation_graph": citation_graph(500), "econ_search": series(10_000)}))

    def sort(column: int) -> str:
        return f"document.querySelectorAll('.sort')[{column}].click()"

    steps = {
        "10,000 rows: chart and table drawn": (
            "location.hash = '#/search?kind=statistics&series_id=TIDE'", "document.querySelector('.long tbody tr')"),
        "10,000 rows: sorted by another column": (sort(1), "document.querySelector('[aria-sort=ascending]')"),
        "10,000 rows: narrowed to one": (
            "((box) => { box.value = '1999-12'; box.dispatchEvent(new Event('input')); })"
            "(document.querySelector('.table-filter input'))",
            "document.querySelectorAll('.long tbody tr').length === 1"),
        "500 works: drawn": (
            "location.hash = '#/graph?paper=10.1000/tides'", "document.querySelector('svg.graph .work')"),
        "500 works: one chosen": (
            "document.querySelector('svg.graph .work:nth-of-type(9)').dispatchEvent(new Event('click'))",
            "document.querySelector('.work-detail h2')"),
        "500 works: enlarged": ("document.querySelector('.picture .actions button').click()", "true"),
        "500 works: a step with an arrow key": (
            "document.querySelector('svg.graph').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))",
            "true"),
    }  # fmt: skip
    for name, (doing, until) in steps.items():
        rows.append((name, await measured(page, doing, until)))
    return rows


def write_figures(rows: list[tuple[str, float]]) -> None:
    sizes = {kind: sum(path.stat().st_size for path in FOLDER.glob(f"*.{kind}")) for kind in ("js", "css")}
    lines = [f"| {name} | {ms:,.0f} |" for name, ms in rows]
    where = f"{os.cpu_count()} cores ({platform.machine()}), Chromium without a graphics card"
    text = f"""# Figures of the workbench

Written by `python -m tests.web.measure`. Milliseconds for which the page's own thread was busy, until the change was
painted; {where}. The machine was busy with other work (load average {os.getloadavg()[0]:.1f}).

| what | ms |
|---|---|
{chr(10).join(lines)}

Of a long table 200 rows are drawn at a time, as they are scrolled to; sorting and narrowing go over all of them.
Scripts are {sizes["js"] / 1000:,.0f} KB and the style {sizes["css"] / 1000:,.0f} KB before compression; together at
most 250 KB (a test holds it). Nothing is vendored: no library and no font comes with the page, and none is fetched.
"""
    (DOCS / "workbench-figures.md").write_text(text)


async def take_pictures(page: Person, state: dict[str, str]) -> None:
    rows = "document.querySelector('.keep') && !document.querySelector('.waiting')"
    graph = {"citation_graph": sample_graph()}
    shots = {
        "-ask": (f"?question={QUESTION}&claim={CLAIM}&in=web", rows, "scrollTo(0, 60)"),
        "-read": (
            f"read?url={state['paper']}&quote={QUOTED}", "document.querySelector('.text p')", ""),
        "-verify": (f"verify?citation={CITED}", "document.querySelector('.compared')", "scrollTo(0, 380)"),
        "-graph": ("graph?paper=10.5072/jhc.2021.0203", "document.querySelector('svg.graph')", "scrollTo(0, 180)"),
        "-project": (f"projects?id={state['project']}", "document.querySelector('.project-items')", "scrollTo(0, 430)"),
        "": (f"sessions?id={state['session']}", "document.querySelector('.tree')", ""),
    }  # fmt: skip
    await page.run(answering(graph))
    for name, (view, ready, doing) in shots.items():
        await page.look(1200, 800)
        await page.open(view)
        await page.until(ready)
        await page.run(f"document.documentElement.style.scrollBehavior = 'auto'; {doing};0")
        (DOCS / f"workbench{name}.png").write_bytes(shrink(await page.screenshot(whole=False)))


async def prepare(page: Person, session: str) -> dict[str, str]:
    """A project with a quotation of the demo's paper in it, made through the page's own interface."""
    paper = await page.run(
        f"fetch('/api/call', {{method: 'POST', headers: {{'Content-Type': 'application/json'}}, body: JSON.stringify({{"
        f"tool: 'web_search', arguments: {{query: {json.dumps(QUESTION)}}}}})}}).then((reply) => reply.json())"
        ".then((answer) => answer.content.results.map(({ url }) => url).find((url) => url.includes('hive-climate')))"
    )
    body = {"kind": "quote", "url": paper, "quote": QUOTED}
    project = await page.run(
        f"""(async () => {{
          const {{ post }} = await import('/static/api.js');
          const about = {json.dumps({"name": "Cooler hives", "question": QUESTION, "tags": ["bees"]})};
          const made = await post('/api/projects', about);
          const path = `/api/projects/${{made.projectId}}/add`;
          await post(path, {json.dumps({**body, "claim": CLAIM})});
          await post(path, {{kind: 'citation', text: {json.dumps(CITED)}}});
          await post(path, {{kind: 'session', sessionId: {json.dumps(session)}}});
          return made.projectId;
        }})()"""
    )
    return {"paper": paper, "project": project, "session": session}


async def main() -> None:
    run = DemoRun()
    try:
        address = [event async for event in run.events()][-1].address or ""
        base, _, place = address.partition("/#/")
        async with person(find_chromium(os.environ.get("CHROME_PATH", "")), base) as page:
            await page.look(1440, 900)
            write_figures(await measure(page))
            await page.load()
            await take_pictures(page, await prepare(page, place.partition("id=")[2]))
    finally:
        await run.close()


if __name__ == "__main__":
    asyncio.run(main())
