"""The disk is full, read-only or damaged: said in words, and what was acknowledged is there when it is mended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.drills.outcome import error_text_on_wire, note
from tests.drills.research import acknowledged, arguments, begin, steps_kept
from tests.mcp.stdio_client import COMMAND, StdioServer

PAGE_BYTES = 4096
LIMITED = (
    "import os, resource, sys\n"
    "size = int(sys.argv[1])\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
    "os.execv(sys.argv[2], sys.argv[2:])\n"
)
NEW_STEPS = "the steps that were refused, and nothing that was acknowledged"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs limits and modes of Unix")


@contextmanager
def serving(environment: dict[str, str], command: tuple[str, ...] = COMMAND) -> Iterator[StdioServer]:
    with StdioServer(environment, command) as server:
        server.initialize()
        yield server
        assert server.end_input() == 0


def test_disk_full(environment: dict[str, str]) -> None:
    """No file may grow beyond the size that the database has already."""
    with serving(environment) as server:
        session = begin(server)
    size = (Path(environment["CACHE_DIR"]) / "wellsourced.db").stat().st_size
    kept = 2
    with serving(environment, (sys.executable, "-c", LIMITED, str(size), *COMMAND)) as server:
        for number in range(3, 30):
            response = server.call("sequential_search", arguments(number, session, "x" * 9000))
            if response["result"]["isError"]:
                break
            kept = number
        sees = error_text_on_wire(response)
        assert "Make room" in sees
        assert steps_kept(server, session) == kept
        acknowledged(server.call("web_search", {"query": "tides"}))
    with serving(environment) as server:
        assert steps_kept(server, session) == kept
        acknowledged(server.call("sequential_search", arguments(kept + 1, session)))
    note("disk-full", sees=f"{sees} Searching and reading go on.", lost=NEW_STEPS)


@contextmanager
def chmod(folder: Path) -> Iterator[Callable[[bool], None]]:
    def lock(locked: bool) -> None:
        for path in (*folder.iterdir(), folder):
            path.chmod((0o555 if locked else 0o755) if path.is_dir() else 0o444 if locked else 0o644)

    try:
        yield lock
    finally:
        lock(False)


@contextmanager
def mounted(folder: Path) -> Iterator[Callable[[bool], None]]:
    """For root, whom no mode stops: a file system of its own."""
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "drill", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip("A READ-ONLY DISK IS NOT TESTED: root may write anywhere and may not mount anything here")

    def lock(locked: bool) -> None:
        subprocess.run(["mount", "-o", f"remount,{'ro' if locked else 'rw'}", str(folder)], check=True)

    try:
        yield lock
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_disk_read_only(environment: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    there = {**environment, "CACHE_DIR": str(folder)}
    with (mounted if os.geteuid() == 0 else chmod)(folder) as lock:
        with serving(there) as server:
            session = begin(server)
        lock(True)
        with serving(there) as server:
            sees = error_text_on_wire(server.call("sequential_search", arguments(3, session)))
            assert "make its folder writable" in sees
            acknowledged(server.call("web_search", {"query": "tides"}))
        lock(False)
        with serving(there) as server:
            assert steps_kept(server, session) == 2
    note("disk-read-only", sees=f"{sees} Searching and reading go on.", lost=NEW_STEPS)


def test_database_page_damaged(environment: dict[str, str]) -> None:
    with serving(environment) as server:
        session = begin(server)
    path = Path(environment["CACHE_DIR"]) / "wellsourced.db"
    whole = path.read_bytes()
    damaged = bytearray(whole)
    for start in range(3 * PAGE_BYTES, len(damaged), PAGE_BYTES):
        damaged[start + 100] ^= 1
    path.write_bytes(damaged)
    with serving(environment) as server:
        sees = error_text_on_wire(server.call("get_research_session", {"sessionId": session}))
        assert "is damaged and was left as it is" in sees
        acknowledged(server.call("web_search", {"query": "tides"}))
    assert path.read_bytes() == damaged
    path.write_bytes(whole)
    with serving(environment) as server:
        assert steps_kept(server, session) == 2
    lost = "nothing once the file is restored; without a backup, what was on those pages"
    note("database-page-damaged", sees=f"{sees} Searching and reading go on.", lost=lost)
