"""Where captures come from and go to: one write each, a shared store, a page that only a browser can show."""

from __future__ import annotations

import gzip
import io
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.app import content, with_app
from tests.loopback.run import Internet
from tests.net.browser.browsing import chromium
from tests.projects.test_projects import ANNA, TIDES, YEARS, reading, serve
from tests.projects.test_wacz import problems
from tests.storage.redis_server import RedisServer
from wellsourced.app import Application
from wellsourced.errors import NotFound
from wellsourced.identity import Identity
from wellsourced.projects.export import write_wacz
from wellsourced.projects.wacz_read import WaczFile
from wellsourced.storage.records.sqlite import SqliteRecordStore

__all__ = ["chromium", "reading"]


def test_a_capture_is_one_write_and_no_read(
    reading: Mapping[str, str], internet: Internet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it costs beside reading the page: `python -m bench.capture_cost`."""
    asked: list[tuple[str, str]] = []
    for name in ("put", "update", "read", "list_ids", "read_many"):
        monkeypatch.setattr(SqliteRecordStore, name, counted(asked, name))
    pages = [serve(internet, f"/site/alpha/{n}", title=f"On tides {n}") for n in range(2)]

    async def script(app: Application) -> None:
        content(await app.call("scrape_page", {"url": pages[0], "project": "Tides"}))
        asked.clear()
        content(await app.call("scrape_page", {"url": pages[1], "project": "Tides"}))
        assert [each for each in asked if "project" in each[1] or "capture" in each[1]] == [("update", "project")]

    with_app(reading, script)


def counted(asked: list[tuple[str, str]], name: str) -> Any:
    """The store's method, with the kind of record noted that it is asked for."""
    method = getattr(SqliteRecordStore, name)

    async def call(store: SqliteRecordStore, first: Any, *rest: Any, **more: Any) -> Any:
        key = getattr(first, "key", first)
        asked.append((name, key if isinstance(key, str) else key.kind))
        return await method(store, first, *rest, **more)

    return call


def test_instances_share_a_project(reading: dict[str, str], internet: Internet, tmp_path: Path) -> None:
    url, other = serve(internet), serve(internet, "/site/bravo/tides", title="More on tides")

    async def begin(app: Application) -> None:
        first = {"url": url, "project": "Tides", "quote": YEARS}
        assert content(await app.call("scrape_page", first))["projectCapture"]["receipt"] == 1

    async def go_on(app: Application) -> None:
        projects, until = app.services.projects, time.monotonic() + 60
        kept = content(await app.call("scrape_page", {"url": other, "project": "tides", "quote": TIDES}))
        assert (kept["projectCapture"]["capture"], kept["projectCapture"]["receipt"]) == (2, 2)
        again = content(await app.call("scrape_page", {"url": url, "project": "@Tides"}))
        assert TIDES in again["content"]
        project = await projects.find(app.local_user, "Tides")
        assert {receipt["key"] for receipt in project.receipts.values()} == {(await projects.signing_key()).public}
        out = io.BytesIO()
        await write_wacz(projects, project, out)
        assert problems(out.getvalue()) == []
        assert (await projects.watch(project, until)).counts == {"unchanged": 2, "alive": 2}
        owner: Identity = app.local_user
        await app.services.personal_data.erase(owner.tenant, owner.user)
        with pytest.raises(NotFound):
            await projects.captures.read(project, project.captures[1])

    with RedisServer(tmp_path) as redis:
        shared = {**reading, "REDIS_URL": redis.url, "CACHE_ENCRYPTION_KEY": secrets.token_hex(32)}
        with_app({**shared, "CACHE_DIR": str(tmp_path / "1")}, begin)
        with_app({**shared, "CACHE_DIR": str(tmp_path / "2")}, go_on)


SHELL = (
    "<html><head><title>Tides</title></head><body><div id=root></div><script>document.getElementById('root').innerHTML"
    " = '<article><h1>Tides</h1>' + Array(12).fill('<p>' + [{words}].join(' ') + '</p>').join('') + '</article>'"
    "</script></body></html>"
)


def test_a_page_is_kept_as_a_browser_showed_it(reading: dict[str, str], internet: Internet, chromium: str) -> None:
    """What was served and what was shown are both there, and the words are in what was shown."""
    words = ", ".join(f"'{word}'" for word in TIDES.split())  # so that no other way to the page can find them
    served = SHELL.replace("{words}", words)
    internet.control("/site/alpha/app", status=200, body=served, headers={"content-type": "text/html; charset=utf-8"})
    url = internet.base + "/site/alpha/app"

    async def script(app: Application) -> bytes:
        projects = app.services.projects
        project = await projects.start(ANNA, "Shown")
        added = await projects.collector.add_quote(project, TIDES, time.monotonic() + 120, url=url)
        capture = added.project.captures[1]
        assert capture.way == "browser" and TIDES in (await projects.captures.reply(project, capture)).body.decode()
        out = io.BytesIO()
        await write_wacz(projects, added.project, out)
        return out.getvalue()

    wacz = with_app({**reading, "CHROME_PATH": chromium}, script)
    assert problems(wacz) == []
    with WaczFile(io.BytesIO(wacz), "shown.wacz") as opened:
        assert TIDES in opened.reply(opened.captures[1]).body.decode()
        assert served.encode() in gzip.decompress(opened.records(opened.captures[1]))


@pytest.mark.usefixtures("public_loopback")
def test_a_dead_link_comes_with_an_archived_copy(reading: Mapping[str, str], internet: Internet) -> None:
    quoted, listed, lost = (
        serve(internet, f"/site/alpha/{name}") for name in ("one-archived", "two-archived", "three")
    )

    async def script(app: Application) -> None:
        projects, until = app.services.projects, time.monotonic() + 60
        project = await projects.start(ANNA, "Dead")
        project = (await projects.collector.add_quote(project, YEARS, until, url=quoted)).project
        for url in (listed, lost):
            project = (await projects.collector.add_source(project, url, until)).project
        for url in (quoted, listed, lost):
            internet.control(url.removeprefix(internet.base), status=404, body="<h1>Not found</h1>")
        found = {(each.kind, each.url): each for each in (await projects.watch(project, until)).findings}
        assert (found["quote", quoted].state, found["source", quoted].state) == ("gone", "dead")
        for key in (("quote", quoted), ("source", quoted), ("source", listed)):
            assert f"/{key[1]}" in (found[key].archived_url or ""), found[key]
        assert (found["source", lost].state, found["source", lost].archived_url) == ("dead", None)

    with_app(reading, script)
