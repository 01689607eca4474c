"""What comes late, or not at all: an older answer, a server that dies under an audit, a view that does not exist."""

from __future__ import annotations

import json
import subprocess

from tests.http.http_server import http_process
from tests.loopback.run import Internet
from tests.web.driver import Person, at_work

BIBTEX = "".join(f"@article{{a{n}, title={{Tides {n}}}, doi={{10.1000/tides.{n}}}}}\n" for n in range(1, 4))
LATE_FIRST = """
  const fetched = window.fetch; let first = true;
  window.fetch = async (path, options) => {
    const isLate = first && path === '/api/stream'; if (isLate) first = false;
    const reply = await fetched(path, { ...options, signal: undefined });
    if (isLate) { await new Promise((done) => setTimeout(done, 700)); window.late = true; }
    options.signal?.throwIfAborted();
    return reply;
  };
"""
MARKED = "1. one **[bold](https://a.example/)**\n7. *soft* and \\*\n- dot ~~gone~~"


def test_the_page_keeps_its_head(chromium: str, environment: dict[str, str], internet: Internet) -> None:
    environment |= {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    with http_process(environment) as (address, process):

        async def script(page: Person) -> None:
            await show_marks(page)
            await ask_twice(page, f"{internet.base}/site/alpha")
            await page.run("location.hash = '#/constructor'")
            await page.says("What do you want to know?")
            await die_under_an_audit(page, internet, process)

        at_work(chromium, address, script)


async def show_marks(page: Person) -> None:
    made = await page.run(
        f"import('/static/markdown.js').then((made) => made.rendered({json.dumps(MARKED)})[0].outerHTML)"
    )
    assert made.startswith('<ol dir="auto"') and 'value="7"' in made and "<em>soft</em> and *" in made
    assert "<strong><a href" in made and "<del>gone</del>" in made


async def ask_twice(page: Person, site: str) -> None:
    """The first answer comes after the second and must not take its place."""
    await page.run(LATE_FIRST)
    await page.open("read")
    for slug in ("earlier", "later"):
        await page.fill("url", f"{site}/{slug}")
        await page.click("main form button")
    await page.says("the report on later")
    await page.until("window.late")
    assert "the report on earlier" not in await page.text()


async def die_under_an_audit(page: Person, internet: Internet, process: subprocess.Popen[bytes]) -> None:
    for upstream in ("/crossref", "/openalex", "/doi-org"):
        internet.control(upstream, latency_ms=20_000)
    await page.open("audit")
    await page.fill("bibliography", BIBTEX)
    await page.click("main form button")
    await page.until("document.querySelectorAll('.audit-list > .waiting').length === 3")
    await page.run("document.querySelector('[data-flag=all]').focus()")
    process.kill()
    await page.says("The connection to the server was lost")
    assert await page.run("document.querySelectorAll('.waiting, .spinner').length") == 0
    assert await page.run("document.querySelector('[data-flag=unchecked]').innerText") == "Could not be checked 3"
    assert await page.run("document.activeElement.dataset.flag") == "all"
    await page.says("0 of 3 checked")
    await page.click("main form button")
    await assert_out_of_reach(page)
    await page.open("sessions")
    await assert_out_of_reach(page)


async def assert_out_of_reach(page: Person) -> None:
    await page.until("document.querySelector('[data-outcome=network]')")
    await page.says("The server could not be reached")
    assert await page.run("document.querySelectorAll('.spinner').length") == 0
