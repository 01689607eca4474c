"""A redis-server of one's own on a loopback port, with everything it acknowledges on the disk."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
import warnings
from pathlib import Path
from types import TracebackType

import pytest

START_LIMIT = 60.0


def redis_program() -> str:
    """Where it is; where it is missing a test is skipped loudly, or fails in CI."""
    found = shutil.which("redis-server")
    if found:
        return found
    if os.environ.get("CI") == "true":
        pytest.fail("redis-server is missing; CI must test the shared store")
    warnings.warn("redis-server is missing: the shared store is NOT tested", stacklevel=2)
    pytest.skip("redis-server is missing")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RedisServer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def __enter__(self) -> RedisServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def start(self) -> None:
        command = [redis_program(), "--port", str(self._port), "--bind", "127.0.0.1", "--dir", str(self._folder)]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--loglevel", "warning"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + START_LIMIT
        while time.monotonic() < limit:
            if self._answers():
                return
            time.sleep(0.02)
        raise AssertionError("redis-server did not start")

    def kill(self) -> None:
        """With a signal that cannot be caught."""
        if self._process:
            self._process.kill()
            self._process.wait(60)
            self._process = None

    def pause(self) -> None:
        """It keeps its connections and answers none."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1) as connection:
                connection.settimeout(1)
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
