"""Our server against the official suite, in both ways of serving clients up to 2025-11-25."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conformance.suite import command, failing, run_requirements, untried
from tests.warm.process import start

ROOT = Path(__file__).resolve().parents[2]
REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}

# They ask the client something during a call, and without a session there is no way back to the client.
NEED_SESSIONS = {
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
}


@contextmanager
def fixture_server(*options: str) -> Iterator[str]:
    """The address of a freshly started server with the suite's fixtures."""
    command()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = start([sys.executable, "-m", "tests.conformance.serve", str(port), *options], cwd=ROOT)
    try:
        wait_until_open(port, process)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(60)


def wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server under test ended at once"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server under test did not open its port in 30 s")


@pytest.fixture(scope="module")
def with_sessions() -> Iterator[str]:
    with fixture_server() as url:
        yield url


@pytest.fixture(scope="module")
def stateless() -> Iterator[str]:
    with fixture_server("--stateless") as url:
        yield url


@pytest.mark.parametrize("revision", REQUIRED)
def test_everything_required_holds_with_sessions(with_sessions: str, revision: str) -> None:
    required = run_requirements(with_sessions, revision).required
    assert len(required) == REQUIRED[revision]
    assert (failing(required), untried(required)) == ({}, set())


@pytest.mark.parametrize("revision", REQUIRED)
def test_without_sessions_only_questions_to_the_client_are_lost(stateless: str, revision: str) -> None:
    required = run_requirements(stateless, revision).required
    assert len(required) == REQUIRED[revision]
    is_legacy = revision == "2025-11-25"
    assert failing(required).keys() == (NEED_SESSIONS if is_legacy else set())
    assert untried(required) == ({"server-sse-multiple-streams"} if is_legacy else set())
    if is_legacy:
        assert "back-channel" in required["tools-call-elicitation"].failures["tools-call-elicitation"]
