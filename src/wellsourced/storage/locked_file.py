"""Opening the audit log's files: for their owner's eyes alone, and by one process at a time.

A lock is on an open file; the system releases it when its holder ends, however it ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from wellsourced.system import lock_file


def open_private(path: Path, mode: str) -> FileIO:
    """Unbuffered; a file that is made by this can be read by its owner only."""
    return FileIO(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600))


def write_whole(file: FileIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) or 0 :]


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Wait for the lock that a file of this name stands for; the file is made and stays."""
    with open_private(path, "a") as file:
        lock(file)
        yield


def try_lock(file: FileIO) -> bool:
    """Whether the lock could be had at once; closing the file gives it back."""
    try:
        lock(file, wait=False)
    except OSError:
        return False
    return True


def lock(file: FileIO, *, wait: bool = True) -> None:
    lock_file(file.fileno(), wait=wait)
