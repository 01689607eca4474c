"""The processes under a process, as Linux lists them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 60.0


def parents() -> dict[int, int]:
    """Every live process and its parent."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    return parents


def family(root: int) -> list[int]:
    """A process and all that descend from it."""
    known, members = parents(), [root]
    for member in members:
        members += [process for process, parent in known.items() if parent == member]
    return members


def is_computing(process: int) -> bool:
    """Whether it uses a processor or waits for one."""
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] == "R"
    except OSError:
        return False


def named(root: int, words: str) -> list[int]:
    """Descendants whose command line holds these words."""
    processes = []
    for process in family(root)[1:]:
        try:
            line = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ")
        except OSError:
            continue
        if words.encode() in line:
            processes.append(process)
    return processes


def eventually(look: Callable[[], T], seconds: float = PATIENCE) -> T:
    """What `look` sees once it sees anything."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if seen := look():
            return seen
        time.sleep(0.02)
    raise AssertionError("it did not come about in time")
