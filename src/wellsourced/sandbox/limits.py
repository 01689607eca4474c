"""What a worker process may use: memory, time, files. Set inside the worker, before it reads anything.

setrlimit(2) limits address space, CPU time, files and core dumps; an interval timer limits wall time, so that a worker
ends by itself even where nobody is left to end it; prctl(2) PR_SET_PDEATHSIG ends it with its parent where Linux has
it. On Windows a job object limits memory and child processes, and a thread the wall time. What a system does not offer
is done without; docs/systems.md says what that is.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wellsourced.process import give_back_memory

DOCUMENT_SECONDS = 30.0
# The pool's own limit acts first; this is added so that the worker's does not cut in before it.
GRACE_SECONDS = 2.0
PR_SET_PDEATHSIG = 1
OPEN_FILES = 64
NICENESS = 3
LARGE_MEMORY = 64 * 2**20
# Looking for what can be given back takes a worker half a millisecond, so it has to have grown since the last time.
WORTH_GIVING_BACK = 8 * 2**20
OUT_OF_TIME = 124
"""How a worker ends by itself where no signal can end it."""
_held: dict[str, Any] = {}
"""The job, which ends with its last handle, the timer that runs, and the memory left when some was given back."""


def give_way() -> None:
    """Let the server have the processor first, so that it answers others while pages are worked on."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def limit_resources(memory_bytes: int) -> None:
    """Limit address space and open files; no files may be written and no core dumped."""
    if sys.platform == "win32":
        from wellsourced import windows_job

        _held["job"] = windows_job.limit_this_process(memory_bytes)
        return
    try:
        import resource
    except ImportError:
        return
    amounts = {"RLIMIT_AS": memory_bytes, "RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0, "RLIMIT_NOFILE": OPEN_FILES}
    for name, amount in amounts.items():
        with contextlib.suppress(OSError, ValueError, AttributeError):
            resource.setrlimit(getattr(resource, name), (amount, amount))


def limit_time(seconds: float) -> None:
    """Limit wall and CPU time for the next document; zero takes the wall limit away while waiting."""
    limit = seconds + GRACE_SECONDS if seconds else 0
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, limit)
    else:
        _limit_by_thread(limit)
    if not seconds:
        return
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        # RLIMIT_CPU counts from the start of the process, so what earlier documents used is added.
        usage = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime + seconds + GRACE_SECONDS), hard))


def _limit_by_thread(seconds: float) -> None:
    if timer := _held.pop("timer", None):
        timer.cancel()
    if seconds:
        timer = _held["timer"] = threading.Timer(seconds, os._exit, (OUT_OF_TIME,))
        timer.daemon = True
        timer.start()


def end_with_parent(parent: int) -> None:
    """On Windows the end of the input does it: the parent there may be the starter that a virtual environment has."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # The parent may have ended before the signal was asked for.
    if sys.platform != "win32" and os.getppid() != parent:
        sys.exit(0)


def held_memory() -> int:
    """Resident memory in bytes, zero where unknown; what a large document took is given back first."""
    held = resident_memory()
    if held < max(LARGE_MEMORY, _held.get("memory", 0) + WORTH_GIVING_BACK):
        return held
    give_back_memory()
    _held["memory"] = resident_memory()
    return int(_held["memory"])


def resident_memory() -> int:
    """What macOS tells is the peak."""
    if sys.platform == "win32":
        import win32process

        return int(win32process.GetProcessMemoryInfo(win32process.GetCurrentProcess())["WorkingSetSize"])
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """No garbage collection meanwhile: a page, or a large project, makes thousands of objects that all live on.

    Looking through them again and again finds nothing and takes a fifth to half of the time. Those of a page are let
    go before collection is turned on again, or it would look through them once more.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
