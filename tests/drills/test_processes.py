"""Processes die: the server, its document reader, its browser. One call ends in words, and the next one works."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.app import content, error, with_app
from tests.documents import samples
from tests.drills.outcome import error_text_on_wire, note, user_message
from tests.drills.processes import eventually, named
from tests.drills.research import acknowledged, arguments, begin, steps_kept
from tests.http.http_server import http_process
from tests.http.raw_connection import connect, read_to_end, tool_call
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer
from tests.net.browser.browsing import chromium
from tests.sandbox.test_pool import slow_pdf
from wellsourced.app import Application
from wellsourced.sandbox import pool

__all__ = ["chromium"]

PDF = {"content-type": "application/pdf"}
MEBIBYTE = 2**20

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def reading(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "ALLOW_PRIVATE_IPS": "true"}


@pytest.fixture
def server(reading: dict[str, str], chromium: str) -> Iterator[StdioServer]:
    with StdioServer(reading) as server:
        server.initialize()
        yield server


def answer_to(server: StdioServer, asked: int) -> dict[str, Any]:
    while (message := server.read()) is not None:
        if message.get("id") == asked:
            return message
    raise AssertionError("the server ended without an answer")


def test_process_killed(reading: dict[str, str], server: StdioServer) -> None:
    session = begin(server)
    server.ask("tools/call", {"name": "sequential_search", "arguments": arguments(3, session)})
    server.process.kill()
    server.process.wait(60)
    with StdioServer(reading) as again:
        again.initialize()
        assert steps_kept(again, session) in (2, 3)
    note(
        "process-killed",
        sees="the end of the connection; clients start the server again",
        lost="calls under way, and nothing that was acknowledged",
    )


def test_killed_after_reading(reading: dict[str, str], server: StdioServer, internet: Internet) -> None:
    """The page, and the pages that a search read, are in the library of the next process; over HTTP as on stdio."""
    page = f"{internet.base}/site/alpha/tides"
    acknowledged(server.call("scrape_page", {"url": page}))
    server.process.kill()
    server.process.wait(60)
    with http_process(reading) as (address, process), connect(address, 60) as line:
        line.sendall(tool_call("scrape_page", {"url": f"{page}-too"}, connection="close"))
        assert b'"isError":false' in read_to_end(line)
        process.kill()
        process.wait(60)
    with StdioServer(reading) as again:
        again.initialize()
        found = acknowledged(again.call("web_search", {"query": "report", "provider": "library"}))
        assert {result["url"] for result in found["results"]} == {page, f"{page}-too"}
    note(
        "killed-after-reading",
        sees="the page; then the end of the connection",
        lost="nothing: the page is in the library",
    )


def test_one_session_too_many(environment: dict[str, str]) -> None:
    """Ended ones go first, then the one unused for longest, and the answer names it."""
    with StdioServer({**environment, "SESSION_MAX_PER_USER": "3"}) as server:
        server.initialize()
        made = [begin(server) for _ in range(3)]
        acknowledged(server.call("sequential_search", {**arguments(3, made[1]), "nextStepNeeded": False}))
        fourth = acknowledged(server.call("sequential_search", arguments(1)))
        assert made[1] in fourth["warning"] and "ended" in fourth["warning"]
        fifth = acknowledged(server.call("sequential_search", arguments(1)))
        assert made[0] in fifth["warning"] and "last used" in fifth["warning"]
        assert "not found" in error_text_on_wire(server.call("get_research_session", {"sessionId": made[0]}))
        assert steps_kept(server, made[2]) == 2
    named = fifth["warning"].replace(made[0], "SESSION_ID")
    note(
        "one-session-too-many",
        sees=re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "MOMENT", named),
        lost="the session that the answer names: an ended one, else the one unused for longest",
    )


def test_terminated_in_flight(environment: dict[str, str], internet: Internet) -> None:
    """What the call found is recorded in its session behind the answer; that is waited for, too."""
    slow = {**environment, "SEARCH_PROVIDER": "searxng"}
    internet.control("/searxng", latency_ms=700)
    with http_process(slow) as (address, process), connect(address, 30) as first, connect(address, 30) as second:
        first.sendall(tool_call("sequential_search", arguments(1), connection="close"))
        session = read_to_end(first).split(b'"sessionId":"', 1)[1].split(b'"', 1)[0].decode()
        asking = {"query": "tides", "sessionId": session}
        second.sendall(tool_call("web_search", asking, connection="close"))
        eventually(lambda: internet.requests("/searxng"))
        process.send_signal(signal.SIGTERM)
        assert b'"isError":false' in read_to_end(second)
        assert process.wait(60) == 0
    with StdioServer(slow) as again:
        again.initialize()
        kept = acknowledged(again.call("get_research_session", {"sessionId": session}))
        assert (kept["stepCount"], kept["sourceCount"]) == (1, 5)
    note("terminated-in-flight", sees="the answer; then the server ends", lost="nothing")


def test_reader_killed(server: StdioServer, internet: Internet) -> None:
    internet.control("/site/alpha/slow", body=slow_pdf().decode("latin-1"), headers=PDF)
    asked = server.ask("tools/call", {"name": "scrape_page", "arguments": {"url": f"{internet.base}/site/alpha/slow"}})
    victim = eventually(lambda: named(server.process.pid, "wellsourced.sandbox.worker"))[0]
    eventually(lambda: internet.requests("/site/alpha"))
    os.kill(victim, signal.SIGKILL)
    sees = error_text_on_wire(answer_to(server, asked))
    assert "made its reader crash" in sees
    internet.control("/site/alpha/well", body=one_page().decode("latin-1"), headers=PDF)
    read = acknowledged(server.call("scrape_page", {"url": f"{internet.base}/site/alpha/well"}))
    assert "quite well" in read["content"]
    assert victim not in named(server.process.pid, "wellsourced.sandbox.worker")
    note("reader-killed", sees=sees, lost="the answer to this call")


def one_page() -> bytes:
    return samples.pdf([[(72.0, 700.0, 12.0, "This document is quite well")]])


def test_reader_out_of_memory(
    reading: dict[str, str], internet: Internet, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader gets less memory than usual, to be quick."""
    monkeypatch.setattr(pool, "WorkerPool", partial(pool.WorkerPool, memory_bytes=160 * MEBIBYTE))
    internet.control("/site/alpha/big", body=swelling().decode("latin-1"), headers=PDF)
    internet.control("/site/alpha/well", body=one_page().decode("latin-1"), headers=PDF)

    async def script(app: Application) -> None:
        failed = await app.call("scrape_page", {"url": f"{internet.base}/site/alpha/big"})
        assert error(failed)["kind"] == "content_empty"
        read = content(await app.call("scrape_page", {"url": f"{internet.base}/site/alpha/well"}))
        assert "quite well" in read["content"]
        note("reader-out-of-memory", sees=user_message(failed), lost="the answer to this call")

    with_app(reading, script)


def swelling() -> bytes:
    """A page of text too long for the memory that is allowed."""
    return samples.pdf([[(72.0, 700.0, 12.0, "start")]], drawing=f"BT /F1 1 Tf {'(word) Tj ' * 2_000_000} ET\n")


def test_browser_killed(reading: dict[str, str], internet: Internet, chromium: str) -> None:
    """The page waits for an answer that never comes, so that it is still being read whenever the browser dies."""
    busy = "const x = new XMLHttpRequest(); x.open('GET', '/site/alpha/hang', false); x.send()"
    scripted = f"<!doctype html><title>x</title><div id=a></div><script>{busy}</script>"
    internet.control("/site/alpha/scripted", body=scripted)
    internet.control("/site/alpha/hang", fault="silence")
    with StdioServer({**reading, "CHROME_PATH": chromium}) as server:
        server.initialize()
        asked = server.ask(
            "tools/call", {"name": "scrape_page", "arguments": {"url": f"{internet.base}/site/alpha/scripted"}}
        )
        eventually(lambda: any(seen["path"].endswith("/hang") for seen in internet.stats()["seen"]))
        os.kill(named(server.process.pid, "--remote-debugging")[0], signal.SIGKILL)
        sees = error_text_on_wire(answer_to(server, asked))
        well = scripted.replace(busy, "a.innerText = 'By script. '.repeat(90)")
        internet.control("/site/alpha/other", body=well)
        read = acknowledged(server.call("scrape_page", {"url": f"{internet.base}/site/alpha/other"}))
        assert "By script." in read["content"]
        assert server.end_input() == 0
    note("browser-killed", sees=sees, lost="the answer to this call")
