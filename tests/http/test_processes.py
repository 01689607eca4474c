"""Several processes on one port: any of them answers, one that dies is replaced, and all end with the first."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.http.http_server import get, http_process
from tests.http.test_server import post
from wellsourced.http.processes import process_problems
from wellsourced.settings import Settings

MANY = {"WEB_CONCURRENCY": "2", "HTTP_STATELESS": "true"}
ENOUGH = 60.0
SESSION = re.compile(r'\\"sessionId\\":\\"([^"\\]+)')


def children(process: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()}


def wait_for(sign: Callable[[], bool]) -> None:
    deadline = time.monotonic() + ENOUGH
    while not sign():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def call(address: str, tool: str, **arguments: object) -> str:
    params = {"name": tool, "arguments": arguments}
    status, body = post(address + "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    assert status == 200
    return body.decode()


def test_what_one_keeps_the_other_knows_and_a_dead_one_is_replaced(environment: Mapping[str, str]) -> None:
    with http_process({**environment, **MANY}, subprocess.Popen) as (address, parent):
        wait_for(lambda: len(children(parent.pid)) == 2)
        first, second = children(parent.pid)
        begun = call(address, "sequential_search", searchStep="Tides at six", stepNumber=1, nextStepNeeded=True)
        [session] = set(SESSION.findall(begun))
        for stopped in (first, second):
            os.kill(stopped, signal.SIGSTOP)
            try:
                assert "Tides at six" in call(address, "get_research_session", sessionId=session)
            finally:
                os.kill(stopped, signal.SIGCONT)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: len(children(parent.pid) - {first}) == 2)
        assert get(address + "/health/live")[2] == b"ok"
        serving = children(parent.pid)
        parent.send_signal(signal.SIGTERM)
        assert parent.wait(ENOUGH) == 0
        assert not any(Path(f"/proc/{one}").exists() for one in serving)


def test_sessions_that_would_be_lost_are_refused_in_words() -> None:
    assert process_problems(Settings({})) == []
    assert process_problems(Settings(MANY)) == []
    assert "HTTP_STATELESS=true" in json.dumps(process_problems(Settings({"WEB_CONCURRENCY": "2"})))
