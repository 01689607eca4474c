"""A slow call says who is being asked; one that the client cancels lets go of everybody it was asking."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.app import with_app
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer
from wellsourced.app import Application

SLOW: dict[str, tuple[dict[str, Any], str, str]] = {
    "web_search": ({"query": "tides"}, "/searxng", "SearXNG"),
    "academic_search": ({"query": "tides"}, "/openalex", "OpenAlex"),
    "verify_citation": ({"citation": "10.1000/tides.1"}, "/crossref", "Crossref"),
    "legal_search": ({"query": "tides"}, "/courtlistener", "CourtListener"),
    "scrape_page": ({"url": "{base}/site/alpha/tides"}, "/site/alpha", "127.0.0.1"),
}
slow_calls = pytest.mark.parametrize("tool", SLOW)


def placed(tool: str, internet: Internet) -> dict[str, Any]:
    return {name: text.replace("{base}", internet.base) for name, text in SLOW[tool][0].items()}


@slow_calls
def test_a_slow_call_says_who_is_being_asked(environment: dict[str, str], internet: Internet, tool: str) -> None:
    said: list[tuple[float, str]] = []

    async def note(done: float, total: float | None, message: str) -> None:
        said.append((done, message))

    internet.control(SLOW[tool][1], latency_ms=2_500)
    environment = {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    answer = with_app(environment, lambda app: app.call(tool, placed(tool, internet), progress=note))
    assert not answer.is_error, answer.text
    assert any(SLOW[tool][2] in message for _, message in said), said
    amounts = [done for done, _ in said]
    assert amounts == sorted(set(amounts)), "progress has to grow"


def test_a_quick_call_says_nothing(environment: dict[str, str], internet: Internet) -> None:
    async def ask(app: Application) -> list[str]:
        said: list[str] = []

        async def note(done: float, total: float | None, message: str) -> None:
            said.append(message)

        await app.call("web_search", {"query": "tides"})
        await app.call("web_search", {"query": "tides"}, progress=note)
        return said

    assert with_app(environment, ask) == []


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "it did not happen within a minute"
        time.sleep(0.05)


@slow_calls
def test_a_cancelled_call_drops_its_requests(environment: Mapping[str, str], internet: Internet, tool: str) -> None:
    environment = {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}

    async def cancel(app: Application) -> None:
        running = asyncio.ensure_future(app.call(tool, placed(tool, internet)))
        await asyncio.to_thread(wait_until, lambda: bool(internet.stats()["in_flight"].get(SLOW[tool][1])))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await asyncio.to_thread(wait_until, lambda: not internet.stats()["in_flight"])

    internet.control(SLOW[tool][1], latency_ms=600_000)
    with_app(environment, cancel)


def test_a_cancellation_by_the_client_drops_the_requests(environment: Mapping[str, str], internet: Internet) -> None:
    with StdioServer(environment) as server:
        server.initialize()
        server.call("web_search", {"query": "warm up"})
        internet.control("/searxng", latency_ms=600_000)
        slow = server.ask("tools/call", {"name": "web_search", "arguments": {"query": "slow"}})
        wait_until(lambda: bool(internet.stats()["in_flight"].get("/searxng")))
        server.notify("notifications/cancelled", {"requestId": slow})
        wait_until(lambda: not internet.stats()["in_flight"])
