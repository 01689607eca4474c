"""The wall clock jumps under the running server: nobody is locked out and nothing is thrown away."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drills.outcome import error_text_on_wire, note
from tests.drills.research import acknowledged, arguments, begin, steps_kept
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer

DAY, HOUR = 86_400, 3_600
JUMPING = """
import os, sys, time
true_time, jump = time.time, sys.argv.pop(1)
time.time = lambda: true_time() + os.stat(jump).st_size - 100_000
from wellsourced.main import main
sys.exit(main())
"""
"""The jump is the size of a file, so that it can be changed from outside without half-written numbers."""


class Jumping:
    def __init__(self, server: StdioServer, file: Path) -> None:
        self.server = server
        self._file = file

    def jump(self, seconds: int) -> None:
        set_jump(self._file, seconds)


def set_jump(file: Path, seconds: int) -> None:
    with file.open("ab") as opened:
        opened.truncate(100_000 + seconds)


@pytest.fixture
def jumping(environment: dict[str, str], tmp_path: Path) -> Iterator[Jumping]:
    file = tmp_path / "jump"
    set_jump(file, 0)
    limits = {"MAX_CALLS_PER_DAY": "50", "SEARCH_PROVIDER": "searxng"}
    with StdioServer({**environment, **limits}, (sys.executable, "-c", JUMPING, str(file)), subprocess.Popen) as server:
        server.initialize()
        yield Jumping(server, file)
        assert server.end_input() == 0


def test_clock_a_day_ahead(jumping: Jumping, internet: Internet) -> None:
    server, session = jumping.server, begin(jumping.server)
    acknowledged(server.call("web_search", {"query": "tides"}))
    jumping.jump(DAY)
    sees = error_text_on_wire(server.call("sequential_search", arguments(3, session)))
    assert "expired" in sees
    acknowledged(server.call("web_search", {"query": "tides"}))
    assert internet.requests("/searxng") == 2
    jumping.jump(0)
    assert steps_kept(server, session) == 2
    lost = "nothing if the clock is set right again; sessions older than SESSION_TTL by the new time are over"
    note("clock-a-day-ahead", sees=f"Kept answers are asked for anew. Of a session: {sees}", lost=lost)


def test_clock_an_hour_back(jumping: Jumping, internet: Internet) -> None:
    server, session = jumping.server, begin(jumping.server)
    acknowledged(server.call("web_search", {"query": "tides"}))
    jumping.jump(-HOUR)
    acknowledged(server.call("web_search", {"query": "tides"}))
    assert steps_kept(server, session) == 2
    acknowledged(server.call("sequential_search", arguments(3, session)))
    jumping.jump(0)
    assert steps_kept(server, session) == 3
    assert internet.requests("/searxng") == 2
    note("clock-an-hour-back", sees="Kept answers are asked for anew; sessions go on.", lost="nothing")
