"""How a server process ends with its input, and what it does while it loads."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from collections.abc import Mapping

import pytest

from tests.http.http_server import free_port, wait_until_alive
from tests.warm.process import start
from wellsourced import app


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


def test_garbage_is_looked_for_again_once_everything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "load_what_is_called_first", lambda: seen.append(gc.isenabled()))
    seen: list[bool] = []
    frozen_before = gc.get_freeze_count()
    app.Application.get_ready()
    assert (seen, gc.isenabled()) == ([False], True)
    assert gc.get_freeze_count() > frozen_before
