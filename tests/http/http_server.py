"""The real process over HTTP on a free loopback port."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.secret_scan import scan_audit_files, scan_later
from tests.warm.process import Begin, start

START_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


PATIENT = """
import sys
from wellsourced.storage import redis_client
from wellsourced.storage.limits import daily_counts
redis_client.OptionalRedisClient.__init__.__kwdefaults__["answer_seconds"] = 30
daily_counts.READ_SECONDS = 30
from wellsourced.main import main
sys.exit(main())
"""


def patiently(command: list[str], **more: Any) -> subprocess.Popen[Any]:
    """Begins a server that waits for Redis, where it otherwise would count by itself after a moment: on a busy machine
    even a Redis beside it takes longer."""
    return start([command[0], "-c", PATIENT, *command[3:]], **more)


@contextmanager
def http_server(environment: Mapping[str, str], begin: Begin = start) -> Iterator[str]:
    """Gives the server's address, e.g. http://127.0.0.1:4711. `begin` is subprocess.Popen for a cold start."""
    with http_process(environment, begin) as (address, _):
        yield address


@contextmanager
def http_process(environment: Mapping[str, str], begin: Begin = start) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address and the process, for tests that send it signals."""
    port = free_port()
    command = [sys.executable, "-m", "wellsourced", "serve", "--http", "--port", str(port)]
    process = begin(command, env={**environment, "PORT": str(port)}, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_alive(address, process)
        yield address, process
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(60)
        if process.stderr and not process.stderr.closed:
            scan_later("what a server wrote to stderr", process.stderr.read(), environment)
        scan_audit_files(environment)


def wait_until_alive(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        try:
            get(address + "/health/live")
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server did not come up")


def get(url: str, headers: Mapping[str, str] | None = None) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers and body, whatever the status."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(url, headers=dict(headers or {})), timeout=60) as reply:
            return reply.status, lower(reply.headers.items()), reply.read()
    except urllib.error.HTTPError as refused:
        return refused.code, lower(refused.headers.items()), refused.read()


def lower(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name.lower(): value for name, value in pairs}
