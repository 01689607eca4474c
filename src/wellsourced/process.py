"""How this process deals with the operating system: its memory, and its end when the parent program ends."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import Any

from wellsourced.system import stop_this_process

M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
LARGE_BLOCK = 2**21
KEPT_FREE = 2**22
SWITCH_SECONDS = 0.002
CHUNK = 4096


def serve_many() -> None:
    """Set up a process that serves many for long; to be called before threads are started.

    glibc opens a heap for every thread and gives little of it back, and once a large block was freed it takes the next
    ones from a heap too; after a day of reading pages they hold a fifth of the process. Large blocks are therefore
    always mapped by themselves and unmapped when they are freed. Threads hand Python's lock on after two
    milliseconds, so that the event loop does not wait long for those beside it.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    if (libc := _glibc()) is not None:
        libc.mallopt(M_ARENA_MAX, 1)
    keep_some_memory()


def keep_some_memory() -> None:
    """Keep a few megabytes of what is freed at the heap's end for what comes next: glibc would give it back at once,
    and take it anew with hundreds of page faults for every page that is read."""
    if (libc := _glibc()) is not None:
        libc.mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT_FREE)


def leave_out_plugins() -> None:
    """pydantic looks for plugins in every installed package, where it is not told to do without; even the module that
    would look takes 15 ms to load. To be called before pydantic is loaded."""
    if os.environ.get("PYDANTIC_DISABLE_PLUGINS") == "__all__":
        loader: Any = ModuleType("pydantic.plugin._loader")
        loader.get_plugins = tuple
        sys.modules.setdefault(loader.__name__, loader)


def give_back_memory() -> None:
    """Give what was freed back to the system, after work on something large. Takes milliseconds; Python's lock is not
    held meanwhile."""
    if (libc := _glibc()) is not None:
        libc.malloc_trim(0)


@cache
def _glibc() -> Any:
    """The C library, where it is the one of GNU."""
    if sys.platform != "linux":
        return None
    import ctypes

    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.malloc_trim, libc.mallopt  # noqa: B018 - another C library does not have them
        return libc
    return None


def end_with_input() -> None:
    """From now on the end of stdin is a SIGTERM: its other side closes with the program that holds it."""
    threading.Thread(target=_watch_input, name="parent-watch", daemon=True).start()


def _watch_input() -> None:
    while os.read(0, CHUNK):
        pass
    stop_this_process()
