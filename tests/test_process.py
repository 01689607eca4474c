"""A server started with --until-eof ends when the program that holds its stdin does."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping

from tests.http.http_server import free_port, wait_until_alive
from tests.warm.process import start


def test_it_ends_with_its_input(quiet_environment: Mapping[str, str]) -> None:
    port = free_port()
    command = [sys.executable, "-m", "wellsourced", "serve", "--http", "--until-eof", "--port", str(port)]
    process = start(command, env=dict(quiet_environment), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        wait_until_alive(f"http://127.0.0.1:{port}", process)
        assert process.stdin
        process.stdin.close()
        assert process.wait(60) in {0, -signal.SIGTERM}
    finally:
        process.kill()
        process.wait(60)
