"""A PostgreSQL server of one's own: made in a temporary folder on a free port, ended with the tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

NOBODY = 65534
START_LIMIT = 30.0


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`; Debian keeps them off the PATH."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: folder.parent.name, default=None)


def unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    return {"user": NOBODY, "group": NOBODY} if hasattr(os, "geteuid") and os.geteuid() == 0 else {}


@contextmanager
def postgres(*settings: str) -> Iterator[str]:
    """The address of a server with an empty database; skips loudly where there is no server to start."""
    folder = programs()
    if folder is None or not (folder / "postgres").exists():
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is not installed (scripts/test-parts.sh installs it).")
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    pytest.importorskip("asyncpg", reason="the PostgreSQL driver is not installed: pip install asyncpg")
    with TemporaryDirectory(prefix="pg-") as name:
        home = Path(name)
        home.chmod(0o755)
        data = home / "data"
        data.mkdir(mode=0o700)
        if unprivileged():
            os.chown(data, NOBODY, NOBODY)
            os.chown(home, NOBODY, NOBODY)
        initialise = [
            str(folder / "initdb"),
            "-D",
            str(data),
            "-U",
            "reader",
            "--auth=trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ]
        subprocess.run(initialise, check=True, capture_output=True, cwd=home, **unprivileged())
        port = free_port()
        options = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={home}", "-c", "fsync=off"]
        options += [part for setting in settings for part in ("-c", setting)]
        line = [str(folder / "postgres"), "-D", str(data), "-p", str(port), *options]
        with (home / "log").open("wb") as log:
            server = subprocess.Popen(line, stdout=log, stderr=log, cwd=home, **unprivileged())
        try:
            wait_until_open(folder, port, server)
            yield f"postgresql://reader@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)  # the fast way: whoever is still connected is cut off
            server.wait(START_LIMIT)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_open(folder: Path, port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_LIMIT
    while time.monotonic() < deadline:
        assert server.poll() is None, "PostgreSQL did not start"
        asked = [str(folder / "pg_isready"), "-h", "127.0.0.1", "-p", str(port)]
        if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.05)
    raise AssertionError("PostgreSQL took too long to start")
