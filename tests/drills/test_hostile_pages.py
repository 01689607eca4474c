"""A page made to keep the server busy: its call ends in time, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.app import content, with_app
from tests.drills.outcome import note, user_message
from tests.drills.processes import eventually, named
from tests.loopback.run import Internet
from wellsourced.app import Application

WORKER = "wellsourced.sandbox.worker"
SIZE = 7_800_000
SENTENCES = "A. A. A. "
PLAIN = {"content-type": "text/plain; charset=utf-8"}
# Far more than a thread uses up before another gets its turn, and far less than such a page takes.
LONGEST_PAUSE = 0.5


@dataclass(slots=True)
class LoopProbe:
    """What this process did between two turns of its event loop, in seconds of processor time, which the work of other
    processes does not lengthen."""

    pauses: list[float] = field(default_factory=list)

    async def watch(self) -> None:
        while True:
            before = time.process_time()
            await asyncio.sleep(0.01)
            self.pauses.append(time.process_time() - before)


@asynccontextmanager
async def probing() -> AsyncIterator[LoopProbe]:
    probe = LoopProbe()
    task = asyncio.create_task(probe.watch())
    try:
        yield probe
    finally:
        task.cancel()


def test_page_keeps_busy(environment: dict[str, str], internet: Internet) -> None:
    url = f"{internet.base}/site/alpha/endless"
    internet.control("/site/alpha/endless", body=SENTENCES * (SIZE // len(SENTENCES)), headers=PLAIN)

    async def script(app: Application) -> None:
        await app.call("scrape_page", {"url": f"{internet.base}/site/charlie/tides"})
        async with probing() as probe:
            hostile = asyncio.create_task(app.call("scrape_page", {"url": url, "query": "harbour tides"}))
            assert content(await app.call("web_search", {"query": "tides"}))["resultCount"] > 0
            failed = await hostile
        assert max(probe.pauses) < LONGEST_PAUSE
        assert "did not finish within 3 seconds" in user_message(failed)
        await asyncio.to_thread(eventually, lambda: not named(os.getpid(), WORKER))
        assert content(await app.call("scrape_page", {"url": f"{internet.base}/site/alpha/tides"}))["content"]
        note("page-keeps-busy", sees=user_message(failed), lost="the answer to this call")

    impatient = {"TOOL_TIMEOUT": "3s", "CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}
    with_app({**environment, "SEARCH_PROVIDER": "searxng", **impatient}, script)


def test_search_and_scrape_leaves_the_loop_alone(environment: dict[str, str], internet: Internet) -> None:
    """Sentences near a claim, and copies, of large pages."""
    internet.control("/site/", body=SENTENCES * (SIZE // 2 // len(SENTENCES)), headers=PLAIN)

    async def script(app: Application) -> None:
        async with probing() as probe:
            arguments = {"query": "tides", "claim": "The tides rose by 5 metres.", "num_results": 2}
            answer = await app.call("search_and_scrape", arguments)
        assert content(answer)["summary"]["urlsSearched"] == 2
        assert max(probe.pauses) < LONGEST_PAUSE

    settings = {"SEARCH_PROVIDER": "searxng", "CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}
    with_app({**environment, **settings}, script)
