"""What a watch says of pages that change on purpose, and that it says nothing of what changes every day."""

from __future__ import annotations

import gzip
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.app import with_app
from tests.loopback.run import Internet, keys
from tests.projects.changing_pages import CHANGES, is_quotable, next_day
from tests.projects.test_projects import ANNA, reading, serve
from wellsourced.app import Application
from wellsourced.pages.html.extract import extract
from wellsourced.projects.project import DriftReport, Project
from wellsourced.projects.quotation_drift import compare_quotation
from wellsourced.projects.report import drift_atom, drift_html, drift_markdown
from wellsourced.projects.schedule import WatchSchedule
from wellsourced.text.sentences import split_sentences

__all__ = ["reading"]

QUOTE = "The harbour of Alpha handled 45 percent of the grain that crossed the strait in 1912."
PARTS = [
    "Grain came down the river on barges that were broken up at the quay for their timber.",
    "The strait was narrow there, and pilots were paid by the foot of draught of each ship.",
    QUOTE + " It kept the books of that trade in a room above the customs house.",
    "After the war the barges did not come back, and the quay was given over to fishing boats.",
    "The books themselves were sold at an auction, and most of them are now in the city archive.",
]


def article(parts: list[str], day: int = 0) -> str:
    """The article with what a site puts around it: other menus, dates and advertisements every day."""
    menu = "".join(f"<li><a href=/topic/{day}-{n}>Topic {day * 7 + n}</a></li>" for n in range(8))
    advert = f"<aside class=ad>Save {day + 5} % on shoes until {day + 1} May. Not a day longer!</aside>"
    text = advert.join(f"<p>{part}</p>" for part in parts)
    return (
        f"<nav><ul>{menu}</ul></nav><p class=updated>Updated {day + 1} May 2026, {day * 31} comments</p>"
        f"{text}<footer><p>Read also: story {day} of {day + 3}</p><p>© {2020 + day}</p></footer>"
    )


async def begin(app: Application, internet: Internet, path: str) -> Project:
    projects = app.services.projects
    project, _ = await projects.find_or_start(ANNA, "Grain")
    url = serve(internet, path, body=article(PARTS))
    return (await projects.collector.add_quote(project, QUOTE, time.monotonic() + 60, url=url)).project


async def watch(app: Application) -> dict[tuple[str, str], Any]:
    """What was found, by kind and the end of the address."""
    project = await app.services.projects.find(ANNA, "Grain")
    report = await app.services.projects.watch(project, time.monotonic() + 120)
    return {(each.kind, (each.url or "").rpartition("/")[2]): each for each in report.findings}


CASES: dict[str, list[str]] = {
    "unchanged": PARTS,
    "moved": [
        *PARTS[:2],
        *PARTS[3:],
        "Much later an appendix was added to the text, which repeats a figure.",
        PARTS[2],
    ],
    "figure": [part.replace("45 percent", "54 percent") for part in PARTS],
    "negation": [part.replace("handled 45", "never handled 45") for part in PARTS],
    "denied": [part.replace(QUOTE, "It is not true that t" + QUOTE[1:]) for part in PARTS],
    "removed": [*PARTS[:2], *PARTS[3:]],
}
STATES = {"figure": "changed", "negation": "changed", "denied": "changed", "removed": "gone"}


def test_each_change_is_named_rightly(reading: Mapping[str, str], internet: Internet) -> None:
    async def script(app: Application) -> None:
        for name in (*CASES, "wall", "missing", "elsewhere", "closed"):
            await begin(app, internet, f"/site/alpha/{name}")
        for name, parts in CASES.items():
            serve(internet, f"/site/alpha/{name}", body=article(parts, day=3))
        challenge = {"server": "cloudflare", "cf-mitigated": "challenge"}
        internet.control("/site/alpha/wall", status=403, body="<title>Just a moment...</title>", headers=challenge)
        internet.control("/site/alpha/missing", status=404, body="<h1>Not found</h1>")
        internet.control("/site/alpha/closed", status=503, body="")
        moved = serve(internet, "/site/alpha/new/address", body=article(PARTS))
        internet.control("/site/alpha/elsewhere", status=301, headers={"location": moved})
        found = await watch(app)
        for name in CASES:
            assert found["quote", name].state == STATES.get(name, name), found["quote", name]
        (changed,) = found["quote", "figure"].differences
        assert (changed.claim, changed.source) == ("45", "54")
        assert found["quote", "negation"].differences[0].source == "never"
        assert found["quote", "denied"].differences[0].kind in {"negation", "quotation"}
        assert (found["quote", "wall"].state, found["source", "wall"].state) == ("wall", "wall")
        assert (found["quote", "missing"].state, found["source", "missing"].state) == ("gone", "dead")
        assert found["quote", "closed"].state == "unknown"
        assert (found["quote", "elsewhere"].state, found["source", "elsewhere"].state) == ("unchanged", "moved")
        assert found["source", "elsewhere"].moved_to == moved
        project = await app.services.projects.find(ANNA, "Grain")
        marks = {item.url: [mark.mark for mark in item.marks] for item in project.listed("quote")}
        assert marks[internet.base + "/site/alpha/figure"] == ["changed"]
        assert len(project.captures) == 10 + 5  # what changed was captured as it is now
        assert project.drift and "“45” is now “54”" in drift_markdown(project.drift)
        told_everywhere(project.drift)

    with_app(reading, script)


def told_everywhere(report: DriftReport) -> None:
    feed = ElementTree.fromstring(drift_atom(report))
    name = "{http://www.w3.org/2005/Atom}"
    assert len(feed.findall(f"{name}entry")) == 10 and feed.find(f"{name}updated") is not None
    assert "<script" not in drift_html(report) and "54" in drift_html(report)


def test_ten_days_of_menus_dates_and_advertisements_alarm_nobody(
    reading: Mapping[str, str], internet: Internet
) -> None:
    async def script(app: Application) -> None:
        await begin(app, internet, "/site/alpha/daily")
        for day in range(1, 11):
            serve(internet, "/site/alpha/daily", body=article(PARTS, day))
            found = await watch(app)
            assert (found["quote", "daily"].state, found["source", "daily"].state) == ("unchanged", "alive"), day
        assert len((await app.services.projects.find(ANNA, "Grain")).captures) == 1

    with_app(reading, script)


REAL_PAGES, DAYS = 3, 10
WALL = {"status": 403, "body": "<title>Just a moment...</title>", "headers": {"server": "cloudflare"}}


@pytest.fixture(scope="module")
def real_pages(shared: Path) -> list[tuple[str, str]]:
    """Recorded articles of the web, each with a sentence of it that can be changed in every way."""
    found: list[tuple[str, str]] = []
    for source in sorted((shared / "extraction").rglob("*.html.gz")):
        markup = gzip.decompress(source.read_bytes()).decode("utf-8", "replace")
        page = extract(markup, "https://real.example/")
        sentences = [each.text for each in split_sentences(page.plain)]
        quote = next((each for each in sentences if is_quotable(markup, each)), "")
        found += [(markup, quote)] if quote else []
        if len(found) == REAL_PAGES:
            break
    return found


def test_each_change_of_real_pages_is_named_rightly(
    reading: Mapping[str, str], internet: Internet, real_pages: list[tuple[str, str]]
) -> None:
    """On each of them all that can happen; a retraction is that of the work which the page says it is."""
    retracted = "<head><meta name=citation_doi content=10.1000/retracted-panels.1>"

    def put(name: str, markup: str) -> str:
        path = f"/site/alpha/{name}"
        internet.control(path, status=200, body=markup, headers={"content-type": "text/html; charset=utf-8"})
        return internet.base + path

    async def script(app: Application) -> None:
        projects = app.services.projects
        project = await projects.start(ANNA, "Grain")
        for number, (markup, quote) in enumerate(real_pages):
            for name in (*CHANGES, "wall", "missing", "elsewhere", "retracted"):
                served = markup.replace("<head>", retracted, 1) if name == "retracted" else markup
                url = put(f"{number}-{name}", served)
                project = (await projects.collector.add_quote(project, quote, time.monotonic() + 60, url=url)).project
            for name, (_, change) in CHANGES.items():
                put(f"{number}-{name}", change(markup, quote))
            internet.control(f"/site/alpha/{number}-wall", **WALL)
            internet.control(f"/site/alpha/{number}-missing", status=404, body="<h1>Not found</h1>")
            moved = put(f"{number}-new", markup)
            internet.control(f"/site/alpha/{number}-elsewhere", status=301, headers={"location": moved})
        found = await watch(app)
        for number in range(len(real_pages)):
            states = {name: (found["quote", f"{number}-{name}"].state) for name in (*CHANGES, "wall", "missing")}
            assert states == {name: state for name, (state, _) in CHANGES.items()} | {"wall": "wall", "missing": "gone"}
            elsewhere = found["quote", f"{number}-elsewhere"], found["source", f"{number}-elsewhere"]
            assert [each.state for each in elsewhere] == ["unchanged", "moved"]
            assert found["source", f"{number}-retracted"].state == "retracted"

    with_app({**reading, **keys()}, script)


def test_ten_days_around_real_pages_alarm_nobody(real_pages: list[tuple[str, str]]) -> None:
    for markup, quote in real_pages:
        before = extract(markup, "https://real.example/")
        for day in range(1, DAYS + 1):
            after = extract(next_day(markup, quote, day), "https://real.example/")
            assert compare_quotation(quote, before, after).state == "unchanged", (quote, day)


def test_a_site_that_can_tell_is_only_asked_whether(reading: Mapping[str, str], internet: Internet) -> None:
    async def script(app: Application) -> None:
        url = serve(internet, "/site/alpha/tagged", body=article(PARTS), headers={"etag": '"one"'})
        projects = app.services.projects
        project = await projects.start(ANNA, "Grain")
        await projects.collector.add_quote(project, QUOTE, time.monotonic() + 60, url=url)
        internet.control("/site/alpha/tagged", status=304, body="")
        found = await watch(app)
        assert found["quote", "tagged"].state == "unchanged" and "says" in found["quote", "tagged"].detail

    with_app(reading, script)


def test_a_retraction_since_is_marked(reading: Mapping[str, str], internet: Internet) -> None:
    async def script(app: Application) -> None:
        projects = app.services.projects
        project = await projects.start(ANNA, "Grain")
        for doi in ("10.1000/solar-panels.3", "10.1000/retracted-panels.1"):
            project = (await projects.collector.add_citation(project, f"doi:{doi}")).project
        report = await projects.watch(project, time.monotonic() + 60)
        assert [each.state for each in report.findings] == ["unchanged", "retracted"]
        marked = (await projects.find(ANNA, "Grain")).items[2].marks[0]
        assert marked.mark == "retracted" and "20" in marked.detail

    with_app({**reading, **keys()}, script)


def test_the_schedule_watches_again_and_tells_the_webhook(reading: Mapping[str, str], internet: Internet) -> None:
    """Only what was watched once, only when it is due, and the webhook only where something changed."""
    hook = {"WATCH_EVERY": "1h", "WATCH_WEBHOOK_URL": internet.base + "/site/hook"}
    internet.control("/site/hook", status=200, body="taken")

    async def script(app: Application) -> None:
        await begin(app, internet, "/site/alpha/daily")
        schedule = app.services.watch_schedule()
        assert schedule is not None and await schedule.run_once() == 0
        await watch(app)
        assert internet.requests("/site/hook") == 0
        later = WatchSchedule(
            app.services.projects.watched, app.services.projects.watch_due, 3600.0, lambda: time.time() + 7200
        )
        serve(internet, "/site/alpha/daily", body=article(CASES["figure"]))
        assert await later.run_once() == 1 and internet.requests("/site/hook") == 1
        await app.services.projects.archive(await app.services.projects.find(ANNA, "Grain"))
        assert (await later.run_once(), await later.run_once()) == (1, 0)

    with_app({**reading, **hook}, script)
