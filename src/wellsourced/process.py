"""How this process deals with the operating system: its memory, and its end when the parent program ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress

M_ARENA_MAX = -8
CHUNK = 4096


def share_one_heap() -> None:
    """Let all threads share one heap; to be called before threads are started.

    glibc opens a heap for every thread and gives little of it back; after a day of reading pages they hold a fifth of
    the process.
    """
    if sys.platform != "linux":
        return
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def end_with_input() -> None:
    """From now on the end of stdin is a SIGTERM: its other side closes with the program that holds it."""
    threading.Thread(target=_watch_input, name="parent-watch", daemon=True).start()


def _watch_input() -> None:
    while os.read(0, CHUNK):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
