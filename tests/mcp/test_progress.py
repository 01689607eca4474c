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


OTHERS: dict[str, tuple[dict[str, Any], str, str]] = {
    "news_search": ({"query": "tides", "provider": "hackernews"}, "/hackernews", "Hacker News"),
    "image_search": ({"query": "tides", "provider": "searxng"}, "/searxng", "SearXNG"),
    "search_and_scrape": ({"query": "tides", "provider": "brave"}, "/brave", "Brave"),
    "citation_graph": ({"paper": "10.1000/tides.1"}, "/semanticscholar", "Semantic Scholar"),
    "patent_search": ({"query": "tides"}, "/epo", "European Patent Office"),
    "filing_search": ({"ticker": "QRRY"}, "/edgar", "EDGAR"),
    "econ_search": ({"query": "kites"}, "/fred", "FRED"),
    "clinical_search": ({"query": "tides"}, "/clinicaltrials", "ClinicalTrials"),
    "audit_bibliography": ({"bibliography": "@article{a, doi={10.1000/tides.1}}"}, "/crossref", "Crossref"),
    "answer": ({"query": "tides"}, "/exa", "Exa"),
    "fetch": ({"id": "{base}/site/delta/tides"}, "/site/delta", "127.0.0.1"),
    "paper_fulltext": ({"identifier": "{base}/site/echo/tides"}, "/site/echo", "127.0.0.1"),
    "brand_research": ({"url": "{base}/site/bravo/tides"}, "/site/bravo", "127.0.0.1"),
    "archive_source": ({"url": "https://alpha.example/tides"}, "/wayback", "Wayback"),
}
OFFICES = {"EPO_OPS_CONSUMER_KEY": "office-key", "EPO_OPS_CONSUMER_SECRET": "office-secret"}


def slowed(keyed_environment: dict[str, str], internet: Internet, latency: int) -> dict[str, str]:
    for _, path, _ in OTHERS.values():
        internet.control(path, latency_ms=latency)
    return {**keyed_environment, **OFFICES, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}


def arguments_of(tool: str, internet: Internet) -> dict[str, Any]:
    return {name: text.replace("{base}", internet.base) for name, text in OTHERS[tool][0].items()}


@pytest.mark.usefixtures("public_loopback")
def test_every_tool_that_asks_others_says_whom(keyed_environment: dict[str, str], internet: Internet) -> None:
    said: dict[str, list[str]] = {tool: [] for tool in OTHERS}

    async def ask(app: Application, tool: str) -> None:
        async def note(done: float, total: float | None, message: str) -> None:
            said[tool].append(message)

        await app.call(tool, arguments_of(tool, internet), progress=note)

    async def ask_all(app: Application) -> None:
        await asyncio.gather(*(ask(app, tool) for tool in OTHERS))

    with_app(slowed(keyed_environment, internet, 2_500), ask_all)
    silent = {tool: lines for tool, lines in said.items() if not any(OTHERS[tool][2] in line for line in lines)}
    assert not silent


@pytest.mark.usefixtures("public_loopback")
def test_every_cancelled_call_drops_its_requests(keyed_environment: dict[str, str], internet: Internet) -> None:
    paths = {path for _, path, _ in OTHERS.values()}

    def asked() -> set[str]:
        running: dict[str, int] = internet.stats()["in_flight"]
        return {path for path in paths if running.get(path)}

    async def cancel_all(app: Application) -> None:
        calls = [asyncio.ensure_future(app.call(tool, arguments_of(tool, internet))) for tool in OTHERS]
        await asyncio.to_thread(wait_until, lambda: asked() == paths)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.to_thread(wait_until, lambda: not internet.stats()["in_flight"])

    with_app(slowed(keyed_environment, internet, 600_000), cancel_all)


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
