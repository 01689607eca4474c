"""The folder a browser of ours keeps its files in, for as long as it runs and no longer."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from wellsourced.system import lock_file

PREFIX = "wellsourced-browser-"
LOCK = "owner.lock"
TRIES = 3
REMOVALS, PAUSE = 40, 0.05
NEITHER_FOLLOWED_NOR_INHERITED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
SOCKET_FOLDERS = ("org.chromium.", "com.google.Chrome.", "com.microsoft.Edge.")


class BrowserProfile:
    """A new folder. The lock in it falls with our process, however that ends; folders whose lock has fallen were
    left by an owner who was killed, and are cleared away first."""

    def __init__(self) -> None:
        _clear_left_behind()
        for _ in range(TRIES):
            self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._lock = _locked(self.folder / LOCK, os.O_CREAT)
            if self._lock is not None:
                break  # else another process cleared the folder away before the lock was taken

    def remove(self) -> None:
        if self._lock is not None and sys.platform == "win32":  # there no open file can be removed
            os.close(self._lock)
            self._lock = None
        _clear(self.folder)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _clear_left_behind() -> None:
    for folder in Path(tempfile.gettempdir()).glob(PREFIX + "*"):
        # Without a lock file it is being made at this moment by another process, or is none of ours.
        lock = _locked(folder / LOCK)
        if lock is not None:
            _clear(folder)
            os.close(lock)


def _clear(folder: Path) -> None:
    """Remove a profile, and the folder elsewhere with a socket that Chromium leaves behind when it is killed.

    Helpers of a browser that crashed go on writing for a moment, also into a folder that is being removed.
    """
    with suppress(OSError):
        socket = (folder / "SingletonSocket").readlink()
        if socket.parent.name.startswith(SOCKET_FOLDERS):
            shutil.rmtree(socket.parent, ignore_errors=True)
    for _ in range(REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(PAUSE)


def _locked(path: Path, extra: int = 0) -> int | None:
    """A descriptor that holds the lock, or None when another process does or there is nothing to lock."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDWR | NEITHER_FOLLOWED_NOR_INHERITED | extra, 0o600)
        try:
            lock_file(descriptor, wait=False)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor
    return None
