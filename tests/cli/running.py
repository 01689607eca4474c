"""Runs the `wellsourced` command: in pipes, or on a terminal of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from tests.secret_scan import scan_later
from tests.warm import process
from wellsourced import upstreams

COMMAND = [sys.executable, "-m", "wellsourced"]
SECONDS = 120


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


def run(environment: Mapping[str, str], *arguments: str, stdin: str = "") -> Ran:
    ran = process.run([*COMMAND, *arguments], environment, timeout=SECONDS, stdin=stdin)
    scan_later("what a command wrote to stderr", ran.stderr, environment)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def on_terminal(environment: Mapping[str, str], *arguments: str) -> Ran:
    """The same with stdout and stderr each a terminal."""
    if sys.platform == "win32":
        pytest.skip("Windows has no pseudo-terminals that Python knows")
    out, err = Terminal(), Terminal()
    environment = {"TERM": "xterm-256color", "COLUMNS": "100", **environment}
    line, nothing = [*COMMAND, *arguments], subprocess.DEVNULL
    status = process.start(line, stdin=nothing, stdout=out.inner, stderr=err.inner, env=environment).wait(SECONDS)
    return Ran(status, out.shown(), err.shown())


def all_on_loopback(environment: Mapping[str, str], base: str) -> dict[str, str]:
    """No provider keeps an address elsewhere, whether or not the loopback imitates it."""
    addresses = [setting.name for setting in upstreams.upstream_settings() if setting.kind == "url"]
    return {**dict.fromkeys(addresses, f"{base}/nobody"), **environment}


class Terminal:
    def __init__(self) -> None:
        import pty  # not on Windows, where the tests of this skip

        self._outer, self.inner = pty.openpty()
        self._seen = bytearray()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while True:
            try:
                part = os.read(self._outer, 65536)
            except OSError:  # what Linux answers when the other side has been closed
                return
            if not part:
                return
            self._seen += part

    def shown(self) -> str:
        os.close(self.inner)
        self._thread.join(60)
        os.close(self._outer)
        return self._seen.decode().replace("\r\n", "\n")


def can_be_interrupted() -> None:
    """Tests may run in the background, where shells have interrupts ignored, and children would inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
