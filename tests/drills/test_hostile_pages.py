"""A page made to keep the server busy: its call ends in time, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import os

from tests.app import content, with_app
from tests.drills.outcome import note, user_message
from tests.drills.processes import eventually, named
from tests.loop_probe import probing
from tests.loopback.run import Internet
from wellsourced.app import Application

WORKER = "wellsourced.sandbox.worker"
SIZE = 7_800_000
SENTENCES = "A. A. A. "
PLAIN = {"content-type": "text/plain; charset=utf-8"}
# A caller of /health/live waits no longer than this for our own process.
LONGEST_PAUSE = 0.1


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
        await asyncio.to_thread(eventually, lambda: not named(os.getpid(), WORKER))
        assert content(await app.call("scrape_page", {"url": f"{internet.base}/site/alpha/tides"}))["content"]
        note("page-keeps-busy", sees=user_message(failed), lost="the answer to this call")

    impatient = {"TOOL_TIMEOUT": "3s", "CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}
    with_app({**environment, "SEARCH_PROVIDER": "searxng", **impatient}, script)


def test_search_and_scrape_leaves_the_loop_alone(environment: dict[str, str], internet: Internet) -> None:
    """Sentences near a claim, and copies, of large pages."""
    internet.control("/site/", body=SENTENCES * (SIZE // 8 // len(SENTENCES)), headers=PLAIN)

    async def script(app: Application) -> None:
        async with probing() as probe:
            arguments = {"query": "tides", "claim": "The tides rose by 5 metres.", "num_results": 2}
            answer = await app.call("search_and_scrape", arguments)
        assert content(answer)["summary"]["urlsSearched"] == 2
        assert probe.longest < LONGEST_PAUSE

    settings = {"SEARCH_PROVIDER": "searxng", "CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}
    with_app({**environment, **settings}, script)
