"""SIGTERM to the real process while it is at work."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections.abc import Mapping

import pytest

from tests.http.http_server import get, http_process
from tests.http.raw_connection import connect, initialize, read_to_end, read_until, request, tool_call
from tests.loopback.run import Internet

CALL_MS = 4000
QUESTION = {"query": "solar panels", "num_results": 3}


def session_at(address: str) -> str:
    with connect(address) as connection:
        connection.sendall(initialize(connection="close"))
        found = re.search(rb"mcp-session-id: (\S+)", read_to_end(connection).lower())
        assert found
        return found[1].decode()


def wait_for_calls(internet: Internet, wanted: int = 1) -> None:
    limit = time.monotonic() + 60
    while internet.requests("/searxng") < wanted and time.monotonic() < limit:
        time.sleep(0.02)


def is_ready(address: str) -> bool:
    try:
        return get(address + "/health/ready")[0] == 200
    except OSError:
        return False


def end_of(process: subprocess.Popen[bytes], seconds: float) -> tuple[int, bytes]:
    assert process.stderr
    return process.wait(seconds), process.stderr.read()


def test_calls_in_flight_are_answered_and_nothing_new_begins(
    environment: Mapping[str, str], internet: Internet
) -> None:
    internet.control("/searxng", latency_ms=CALL_MS)
    with http_process({**environment, "SEARCH_PROVIDER": "searxng"}) as (address, process):
        session = session_at(address)
        with connect(address) as listening, connect(address) as older, connect(address) as newer:
            listening.sendall(request("GET", "/mcp", {"accept": "text/event-stream", "mcp-session-id": session}))
            read_until(listening, b"text/event-stream")
            older.sendall(tool_call("web_search", QUESTION, **{"mcp-session-id": session}))
            newer.sendall(tool_call("web_search", {**QUESTION, "query": "wind turbines"}))
            wait_for_calls(internet, 2)
            assert is_ready(address)
            process.send_signal(signal.SIGTERM)
            assert not is_ready(address)
            assert read_to_end(listening).endswith(b"0\r\n\r\n")
            assert internet.stats()["in_flight"]["/searxng"] == 2, "the calls are not waited for"
            with pytest.raises(OSError, match="refused"):
                connect(address)
            assert b'"resultCount":3' in read_to_end(older).replace(b" ", b"")
            assert b'"resultCount":3' in read_to_end(newer).replace(b" ", b"")
        assert end_of(process, 60)[0] == 0
    asked = internet.requests("/searxng")
    with http_process({**environment, "SEARCH_PROVIDER": "searxng"}) as (address, _), connect(address) as again:
        again.sendall(tool_call("web_search", QUESTION, connection="close"))
        assert b'"cached":true' in read_to_end(again).replace(b" ", b"")
    assert internet.requests("/searxng") == asked


def test_a_call_that_takes_too_long_is_told_so(environment: Mapping[str, str], internet: Internet) -> None:
    internet.control("/searxng", latency_ms=20_000)
    limited = {**environment, "SEARCH_PROVIDER": "searxng", "HTTP_SHUTDOWN_TIMEOUT": "1s"}
    with http_process(limited) as (address, process), connect(address) as slow:
        slow.sendall(tool_call("web_search", QUESTION))
        wait_for_calls(internet)
        process.send_signal(signal.SIGTERM)
        said = read_to_end(slow)
        status, log = end_of(process, 60)
    assert status == 0
    assert b"503" in said and b"stopping" in said
    assert b"Traceback" not in log


def test_a_second_signal_ends_it_at_once(environment: Mapping[str, str], internet: Internet) -> None:
    internet.control("/searxng", latency_ms=20_000)
    with http_process({**environment, "SEARCH_PROVIDER": "searxng"}) as (address, process), connect(address) as slow:
        slow.sendall(tool_call("web_search", QUESTION))
        wait_for_calls(internet)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(15) == -signal.SIGTERM
