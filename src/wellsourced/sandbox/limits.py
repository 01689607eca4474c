"""What a worker process may use: memory, time, files. Set inside the worker, before it reads anything.

setrlimit(2) limits address space, CPU time, files and core dumps; an interval timer limits wall time, so that a worker
ends by itself even where nobody is left to end it; prctl(2) PR_SET_PDEATHSIG ends it with its parent where Linux has
it. What a system does not offer is done without.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

MEMORY_BYTES = 2**30
DOCUMENT_SECONDS = 30.0
# The pool's own limit acts first; this is added so that the worker's does not cut in before it.
GRACE_SECONDS = 2.0
PR_SET_PDEATHSIG = 1
OPEN_FILES = 64
NICENESS = 3


def give_way() -> None:
    """Let the server have the processor first, so that it answers others while pages are worked on."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def limit_resources(memory_bytes: int) -> None:
    """Limit address space and open files; no files may be written and no core dumped."""
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
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds + GRACE_SECONDS if seconds else 0)
    if not seconds:
        return
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        # RLIMIT_CPU counts from the start of the process, so what earlier documents used is added.
        usage = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime + seconds + GRACE_SECONDS), hard))


def end_with_parent(parent: int) -> None:
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # The parent may have ended before the signal was asked for.
    if hasattr(os, "getppid") and os.getppid() != parent:
        sys.exit(0)


def peak_memory() -> int:
    """Peak resident memory in bytes, zero where unknown. getrusage(2) would carry over the parent's own peak."""
    try:
        with Path("/proc/self/status").open() as lines:
            return max((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), default=0)
    except OSError:
        return 0
