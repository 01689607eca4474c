"""A page made to keep the server busy: its call ends in time, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable
from pathlib import Path

import pytest

from tests.app import content, with_app
from tests.drills.outcome import note, user_message
from tests.drills.processes import eventually, is_computing, named
from tests.http.http_server import http_process
from tests.http.raw_connection import exchange, tool_call
from tests.loop_probe import probing
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.tool.answer import ToolAnswer

WORKER = "wellsourced.sandbox.worker"
SIZE = 7_800_000
SENTENCES = "A. A. A. "
CLAIM = "The tides rose by 5 metres."
QUIET = {"CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true", "SEARCH_PROVIDER": "searxng"}
KINDS = {".html": "text/html", ".svg": "image/svg+xml", ".json": "application/json"}
PLAIN = {"content-type": "text/plain; charset=utf-8"}
# Of 15 MB of text, twice as much in memory, all of it several times over.
MEBIBYTES_KEPT = 48
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
# A caller of /health/live waits no longer than this for our own process.
# Among all other tests 0.11 and 0.13 s were measured, for a reason that is not known; a page on the loop takes seconds.
LONGEST_PAUSE = 0.2


def test_page_keeps_busy(environment: dict[str, str], internet: Internet) -> None:
    url = f"{internet.base}/site/alpha/endless"
    internet.control("/site/alpha/endless", body=SENTENCES * (SIZE // len(SENTENCES)), headers=PLAIN)

    async def script(app: Application) -> None:
        await app.call("scrape_page", {"url": f"{internet.base}/site/charlie/tides"})
        async with probing() as probe:
            hostile = asyncio.create_task(app.call("scrape_page", {"url": url, "query": "harbour tides"}))
            assert content(await app.call("web_search", {"query": "tides"}))["resultCount"] > 0
            failed = await hostile
        assert probe.longest < LONGEST_PAUSE
        assert "did not finish within 3 seconds" in user_message(failed)
        await asyncio.to_thread(eventually, lambda: not any(map(is_computing, named(os.getpid(), WORKER))))
        assert content(await app.call("scrape_page", {"url": f"{internet.base}/site/alpha/tides"}))["content"]
        note("page-keeps-busy", sees=user_message(failed), lost="the answer to this call")

    impatient = {"TOOL_TIMEOUT": "3s", "CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}
    with_app({**environment, "SEARCH_PROVIDER": "searxng", **impatient}, script)


HELD_THE_LOOP = {
    "nested entities": ("<html><body><p>" + "&amp;amp;lt;" * 60_000, "text/html"),
    "one word": ("a" * 300_000, "text/plain"),
    "small tags": ("<html><body>" + "<p><b>x " * 40_000, "text/html"),
    "lists in lists": ("[" + '[1,"é"],' * 50_000 + "1]", "application/json"),
    "pictures": ("😀 tides. " * 100_000, "text/plain"),
}


def test_no_large_answer_keeps_the_loop(environment: dict[str, str], internet: Internet) -> None:
    """Read and given whole: finding out what it is, cutting it, keeping it, encoding it."""

    async def script(app: Application) -> None:
        await asyncio.to_thread(app.get_ready, for_many=True)
        await app.call("scrape_page", {"url": f"{internet.base}/site/charlie/tides"})
        for number, (name, (body, kind)) in enumerate(HELD_THE_LOOP.items()):
            internet.control(f"/site/alpha/held{number}", body=body, headers={"content-type": kind})
            async with probing() as probe:
                arguments = {"url": f"{internet.base}/site/alpha/held{number}", "max_length": 3_000_000}
                answer = await app.call("scrape_page", arguments)
                await answer.encoded_result({}, None)
            assert not answer.is_error, (name, answer.error_text)
            assert probe.longest < LONGEST_PAUSE, name

    with_app({**environment, **QUIET}, script)


def test_search_and_scrape_leaves_the_loop_alone(environment: dict[str, str], internet: Internet) -> None:
    """Sentences near a claim, and copies, of large pages."""
    internet.control("/site/", body=SENTENCES * (SIZE // 24 // len(SENTENCES)), headers=PLAIN)

    async def script(app: Application) -> None:
        async with probing() as probe:
            arguments = {"query": "tides", "claim": "The tides rose by 5 metres.", "num_results": 2}
            answer = await app.call("search_and_scrape", arguments)
        assert content(answer)["summary"]["urlsSearched"] == 2
        assert probe.longest < LONGEST_PAUSE

    settings = {"SEARCH_PROVIDER": "searxng", "CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}
    with_app({**environment, **settings}, script)


def test_every_hostile_file_is_answered(environment: dict[str, str], internet: Internet, shared: Path) -> None:
    """Each through every tool that takes such a text: an answer or a refusal in words, and nobody else waits."""
    files = sorted(path for path in (shared / "hostile").rglob("*") if path.is_file())
    assert len(files) > 30

    async def script(app: Application) -> None:
        await asyncio.to_thread(app.get_ready, for_many=True)
        await asyncio.gather(*calls(app, len(files), Path(__file__)))
        async with probing() as probe:
            for number, path in enumerate(files):
                for answer in await asyncio.gather(*calls(app, number, path)):
                    assert not answer.is_error or answer.error_kind != "internal", (path.name, answer.error_text)
        assert probe.longest < LONGEST_PAUSE

    def calls(app: Application, number: int, path: Path) -> list[Awaitable[ToolAnswer]]:
        text = path.read_text("utf-8", "replace")
        place = f"/site/hostile{number}/{number}"
        internet.control(place, body=text, headers={"content-type": KINDS.get(path.suffix, "text/plain")})
        url = internet.base + place
        return [
            app.call("scrape_page", {"url": url}),
            app.call("scrape_page", {"url": url, "query": "instructions", "outline": True}),
            app.call("search_and_scrape", {"query": text[:200], "claim": CLAIM, "num_results": 1}),
            app.call("verify_citation", {"citation": url, "claim": text[:200]}),
            app.call("audit_bibliography", {"text": text[:2000], "max_entries": 2}),
        ]

    with_app({**environment, **QUIET}, script)


@LINUX
def test_memory_of_large_pages_is_given_back(environment: dict[str, str], internet: Internet) -> None:
    """Of pages of 5 MB, each read whole, little is left once their answers are given."""
    limits = {"CACHE_MAX_MEMORY_MB": "1"}
    with http_process({**environment, **QUIET, **limits}) as (address, server):

        def read(number: int) -> None:
            arguments = {"url": f"{internet.base}/site/alpha/large{number}", "max_length": 5_000_000}
            assert b'"isError"' in exchange(address, tool_call("scrape_page", arguments, connection="close"))

        read(0)
        before = resident(server.pid)
        for number in range(1, 4):
            internet.control(f"/site/alpha/large{number}", body=f"{number} é. " * 900_000, headers=PLAIN)
            read(number)
        eventually(lambda: resident(server.pid) - before < MEBIBYTES_KEPT)


def resident(process: int) -> int:
    """Resident memory in MiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS:"))
