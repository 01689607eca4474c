"""Every view, empty and filled: wide and narrow, light and dark, enlarged, from right to left; and how much is sent."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from tests.loopback.run import Internet
from tests.web.driver import Person, at_work
from tests.web.fake_answers import BRAND, IMAGES, PATENTS, answering, citation_graph, series
from tests.web.requests import post
from tests.web.test_workbench import begin_session
from wellsourced.web.page_files import FOLDER

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MOST_BYTES = 250_000
MOST_LINES = 250
BIBLIOGRAPHY = "@article{two, title={Something else altogether}, year={1979}, doi={10.1000/solar-panels.4}}"


def begin_project(address: str, page: str) -> str:
    """A project with a page, a quotation, a citation and a file in it."""
    headers = {"Content-Type": "application/json", "Origin": address}
    status, made = post(f"{address}/api/projects", {"name": f"Panels at {page[-40:]}", "tags": ["roofs"]}, headers)
    assert status == 200, made
    name: str = made["projectId"]
    added: list[dict[str, Any]] = [
        {"kind": "quote", "url": page, "quote": "This is part 5 of the report", "claim": "It has five parts"},
        {"kind": "citation", "text": "Lovelace A (2018). A study of solar panels, part 3. doi:10.1000/solar-panels.3"},
        {"kind": "file", "name": "minutes.txt", "content": "VGhlIHdhbGwgd2FzIGFncmVlZCB1cG9uLg=="},
    ]
    for body in added:
        status, answer = post(f"{address}/api/projects/{name}/add", body, headers)
        assert status == 200, answer
    return name


def test_every_view_at_every_width_in_every_light(
    chromium: str, workbench: str, running_internet: Internet, axe: str
) -> None:
    """All rules of axe, none broken, in the light; the contrasts in the dark too; nothing is wider than the screen."""
    running_internet.reset()
    url = f"{running_internet.base}/site/alpha/panels-on-roofs"
    session = begin_session(workbench, "How many panels?", "panels", url)
    project = begin_project(workbench, url)
    audited = f"document.querySelector('[name=bibliography]').value = {json.dumps(BIBLIOGRAPHY)}; "
    audited += "document.querySelector('main form').requestSubmit()"
    opened = "document.querySelectorAll('.fold').forEach((each) => { each.open = true; })"
    looked_up = {
        **dict.fromkeys(("web", "news", "papers", "images", "patents", "places"), ".card"),
        **dict.fromkeys(("filings", "courts", "trials"), ".card, [data-outcome=nothing]"),
        **{"statistics": ".line-chart", "brands": ".palette"},
    }
    # What is awaited; where something is done then, what that is and what is awaited of it.
    states: dict[str, tuple[str, ...]] = {
        "": (".ask-box",),
        "?question=solar+panels&claim=Panels+cool+roofs": (".keep",),
        **{f"search?kind={kind}&query=mills&url=mills.example": (ready,) for kind, ready in looked_up.items()},
        "search?query=nothing&provider=brave": ("[data-outcome]",),
        "graph?paper=10.1000/tides": ("svg.graph",),
        f"read?url={url}": (".text p",),
        "verify?citation=10.1000/retracted-panels.1": (".evidence-table",),
        "audit": (".drop", audited, ".audit-list .compared"),
        "projects": (".card",),
        f"projects?id={project}": (".fold", opened, ".receipt-list"),
        f"projects?id={project}&capture=1": (".text p",),
        "sessions": (".card",),
        f"sessions?id={session}": (".tree",),
        "library": (".card",),
        "health": (".chart",),
        "connect": (".tools dt",),
    }
    fakes = {"image_search": IMAGES, "brand_research": BRAND, "patent_search": PATENTS}

    async def script(page: Person) -> None:
        await page.run(axe + ";0")
        await page.run(answering({**fakes, "citation_graph": citation_graph(40), "econ_search": series(60)}))
        for view, (ready, *more) in states.items():
            await page.look(1440, 900)
            await page.open(view)
            await page.until(f"document.querySelector({json.dumps(ready)})")
            if more:
                await page.run(f"{more[0]};0")
                await page.until(f"document.querySelector({json.dumps(more[1])})")
            await assert_accessible(page, view, {"type": "tag", "values": RULES})
            await assert_fits(page, view, 1440, dark=True)
            await assert_fits(page, view, 390, dark=False)
            await assert_fits(page, view, 390, dark=True)
            if "EVERY_RULE" in os.environ:
                await assert_accessible_everywhere(page, view)
            elif not view.startswith("search?kind") or "kind=web" in view or "kind=brands" in view:
                await assert_accessible(page, view, {"type": "rule", "values": ["color-contrast"]})
            await page.run("document.documentElement.dir = 'rtl'")
            await assert_fits(page, view, 720, dark=False)  # as wide as 1440 enlarged twice
            await page.run("document.documentElement.dir = ''")

    at_work(chromium, workbench, script)


async def assert_fits(page: Person, view: str, width: int, *, dark: bool) -> None:
    await page.look(width, 844, dark=dark)
    assert await page.run("document.documentElement.scrollWidth <= innerWidth"), (view, width)


async def assert_accessible_everywhere(page: Person, view: str) -> None:
    """All rules at both widths in both lights, which takes minutes: `EVERY_RULE=1 pytest tests/web/test_views.py`."""
    for width in (1440, 390):
        for dark in (False, True):
            await page.look(width, 844, dark=dark)
            await assert_accessible(page, view, {"type": "tag", "values": RULES})


async def assert_accessible(page: Person, view: str, rules: dict[str, Any]) -> None:
    options = {"resultTypes": ["violations"], "runOnly": rules}
    found = await page.run(
        f"axe.run(document, {json.dumps(options)}).then((found) => found.violations.map((each) => "
        "[each.impact, each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + node.failureSummary)]))"
    )
    assert found == [], view


def test_many_rows_and_many_works_stay_usable(chromium: str, workbench: str) -> None:
    """Ten thousand rows and five hundred works: drawn in part, sorted, narrowed and stepped through."""

    async def script(page: Person) -> None:
        await page.run(answering({"citation_graph": citation_graph(500), "econ_search": series(10_000)}))
        await page.open("search?kind=statistics&series_id=TIDE")
        await page.until("document.querySelector('.long tbody tr')")
        assert await page.run("document.querySelectorAll('.long tbody tr').length") <= 400
        assert await page.run("document.querySelector('.long').getAttribute('aria-rowcount')") == "10001"
        await page.run("document.querySelectorAll('.sort')[0].click(); document.querySelectorAll('.sort')[0].click()")
        assert await page.run("document.querySelector('.long tbody th').innerText") == "2033-04"
        await page.run("document.querySelector('.table-filter input').focus()")
        await page.type("1999-12")
        await page.until("document.querySelectorAll('.long tbody tr').length === 1")
        await page.open("graph?paper=10.1000/tides")
        await page.until("document.querySelectorAll('svg.graph .work').length === 500")
        assert await page.run("document.querySelectorAll('svg.graph .work.bad').length") == 13
        assert await page.run("document.querySelectorAll('svg.graph .label').length") > 10
        await page.run("document.querySelector('svg.graph').focus()")
        before = await page.run("document.querySelector('.work-detail h2').innerText")
        for key in ("ArrowRight", "ArrowDown", "Enter"):
            await page.press(key)
        await page.until(f"document.querySelector('.work-detail h2').innerText !== {json.dumps(before)}")
        saved = "const saved = []; URL.createObjectURL = (blob) => { saved.push(blob); return '#saved'; };"
        press = (
            "[...document.querySelectorAll('.picture .actions button')].slice(-2).forEach((button) => button.click());"
        )
        texts = await page.run(f"(async () => {{ {saved} {press} return Promise.all(saved.map((b) => b.text())); }})()")
        assert texts[0].startswith("<svg") and texts[0].count("<circle") == 500 and "class=" not in texts[0]
        assert texts[1].count("\r\n") == 501

    at_work(chromium, workbench, script)


def test_the_page_is_small_and_its_own() -> None:
    """Scripts and style together, before compression; no module is long, and none asks for anything from elsewhere."""
    files = [path for path in FOLDER.iterdir() if path.suffix in {".js", ".css"}]
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES
    assert [path.name for path in files if path.suffix == ".js" and lines_of(path) > MOST_LINES] == []
    for path in (*files, FOLDER / "index.html"):
        addresses = set(re.findall(r"https?://[\w./-]+", path.read_text("utf-8")))
        assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}, path.name
    text = "".join(path.read_text("utf-8") for path in files)
    assert not re.search(r"\binnerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


def lines_of(path: Path) -> int:
    return path.read_text("utf-8").count("\n")
