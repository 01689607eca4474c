"""What a demo may have left behind: processes, ports, files. Its processes are known by their TMPDIR."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

PROCESSES = Path("/proc")
PATIENCE = 10.0


def processes_with(folder: Path) -> list[int]:
    if not PROCESSES.is_dir():
        pytest.skip("the processes of this system cannot be looked at")
    mark = f"TMPDIR={folder}".encode()
    running = [int(entry.name) for entry in PROCESSES.iterdir() if entry.name.isdigit()]
    return [process for process in running if mark in environment_of(process)]


def environment_of(process: int) -> list[bytes]:
    try:
        return (PROCESSES / str(process) / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
    except ConnectionRefusedError:
        return False
    return True


def assert_nothing_left(folder: Path, *ports: int) -> None:
    """Processes that are ending have a moment to do so."""
    deadline = time.monotonic() + PATIENCE
    while processes_with(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_with(folder) == []
    assert [port for port in ports if is_open(port)] == []
    assert list(folder.iterdir()) == []
