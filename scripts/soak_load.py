"""Mixed calls for a server under test: searches, pages, documents, sessions, bibliographies, failures, bad input."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from tests.documents import samples
from tests.drills.research import arguments
from tests.http.raw_connection import connect, read_to_end, tool_call
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer

Call: TypeAlias = tuple[str, dict[str, Any]]
Ask: TypeAlias = Callable[[str, dict[str, Any]], bool]

VARIETY = 150
ENOUGH = 160
PATIENCE = 60.0
SOURCE = {"title": "Tides", "author": "Ada Beispiel", "date": "2024", "url": "https://site.example/tides"}


def prepare(internet: Internet) -> None:
    """Sites that fail, and one that holds a document."""
    document = samples.pdf([[(72.0, 700.0, 12.0, "The sea rises and falls twice a day.")]])
    internet.control(
        "/site/bravo/document", body=document.decode("latin-1"), headers={"content-type": "application/pdf"}
    )
    internet.control("/site/bravo/reset", fault="reset")
    internet.control("/site/bravo/half", fault="half-body")
    internet.control("/site/bravo/loop", redirect="loop")


def calls(base: str) -> Iterator[Call]:
    """Without end. What is asked comes round again, so that caches reach their level, but for the document: its
    reader must stay at work."""
    for number in itertools.count():
        turn = number % VARIETY
        yield "web_search", {"query": f"tides {turn}"}
        yield "scrape_page", {"url": f"{base}/site/alpha/tides-{turn}"}
        yield "search_and_scrape", {"query": f"tides {turn}", "num_results": 2}
        yield "sequential_search", arguments(1)
        yield "format_bibliography", {"sources": [SOURCE], "style": "apa"}
        yield "scrape_page", {"url": f"{base}/site/bravo/document?{number}"}
        yield "scrape_page", {"url": f"{base}/site/bravo/{('reset', 'half', 'loop')[turn % 3]}?{turn}"}
        yield "news_search", {"query": 7}


def over_stdio(server: StdioServer) -> Ask:
    def ask(tool: str, given: dict[str, Any]) -> bool:
        return "result" in server.call(tool, given)

    return ask


def over_http(address: str) -> Ask:
    def ask(tool: str, given: dict[str, Any]) -> bool:
        with connect(address, 60) as connection:
            connection.sendall(tool_call(tool, given, connection="close"))
            return json.dumps("isError").encode() in read_to_end(connection)

    return ask


def wait_until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < limit:
        time.sleep(0.05)


class Load:
    """Threads that call tools without pause, until they are paused or stopped."""

    def __init__(self, base: str, askers: list[Ask]) -> None:
        self._working = threading.Event()
        self._stopped = False
        self._at_work = 0
        self._lock = threading.Lock()
        self._done = [0] * len(askers)
        self.unanswered: list[str] = []
        self._threads = [
            threading.Thread(target=self._ask, args=(index, ask, calls(base)), daemon=True)
            for index, ask in enumerate(askers)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def done(self) -> int:
        return sum(self._done)

    def run(self, seconds: float) -> None:
        """Work for so long, longer on a slow machine where not every way has seen enough, and come to rest."""
        self._working.set()
        time.sleep(seconds)
        wait_until(lambda: min(self._done) >= ENOUGH)
        self._working.clear()
        wait_until(lambda: not self._at_work)

    def stop(self) -> None:
        self._stopped = True
        self._working.set()
        for thread in self._threads:
            thread.join(60)

    def _ask(self, index: int, ask: Ask, given: Iterator[Call]) -> None:
        while True:
            self._working.wait()
            if self._stopped:
                return
            self._one(ask, *next(given))
            self._done[index] += 1

    def _one(self, ask: Ask, tool: str, given: dict[str, Any]) -> None:
        with self._lock:
            self._at_work += 1
        try:
            is_answered, why = ask(tool, given), ""
        except (OSError, AssertionError) as problem:
            is_answered, why = False, repr(problem)
        with self._lock:
            self._at_work -= 1
            if not is_answered:
                self.unanswered.append(f"{tool} {why}")
