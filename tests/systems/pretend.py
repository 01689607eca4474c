"""Runs the command as another system would: `python -m tests.systems.pretend win32 [ARGUMENTS]`.

The libraries are loaded first, since they are those of this system. Then `sys.platform` is the other's, what it lacks
is gone, and what it has instead is there in a small form. Paths, the console and the event loop stay those of this one.
"""

from __future__ import annotations

import array
import asyncio
import fcntl
import os
import select
import signal
import socket
import sys
import termios
import time
import types
from typing import Any

from tests.warm.forked_server import import_package

LACKING = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "readline", "posix_ipc", "syslog")
GONE = {
    os: ("fork", "geteuid", "getuid", "getegid", "getgid", "nice", "killpg", "setsid", "uname", "O_NOFOLLOW", "wait"),
    signal: ("setitimer", "SIGALRM", "SIGHUP", "SIGXCPU"),
}
JOBS: list[dict[str, Any]] = []


def pretend(system: str) -> None:
    import_package()
    sys.platform = system
    if system == "win32":
        take_away()
        put_in()


def take_away() -> None:
    for name in LACKING:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in GONE.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)

    def no_handler(*_: object) -> None:
        raise NotImplementedError

    def sockets_only(*_: object) -> None:
        raise OSError(10038, "An operation was attempted on something that is not a socket")

    asyncio.SelectorEventLoop.add_signal_handler = no_handler  # type: ignore[assignment,method-assign]
    select.select = sockets_only  # type: ignore[assignment]


def put_in() -> None:
    signal.SIGBREAK = signal.SIGUSR1  # type: ignore[attr-defined]
    socket.SO_EXCLUSIVEADDRUSE = socket.SO_REUSEADDR  # type: ignore[attr-defined]
    add_module("msvcrt", get_osfhandle=lambda descriptor: descriptor, locking=locking, LK_NBLCK=2)
    add_module("_winapi", PeekNamedPipe=peek)
    add_module("win32api", OpenProcess=lambda access, inherit, process: process)
    flags = ("PROCESS_MEMORY", "ACTIVE_PROCESS", "KILL_ON_JOB_CLOSE")
    add_module(
        "win32job",
        JobObjectExtendedLimitInformation=9,
        CreateJobObject=new_job,
        QueryInformationJobObject=lambda job, kind: {"BasicLimitInformation": {}},
        SetInformationJobObject=lambda job, kind, limits: JOBS[job].update(limits),
        AssignProcessToJobObject=lambda job, process: JOBS[job].update(process=process),
        **{f"JOB_OBJECT_LIMIT_{name}": 1 << place for place, name in enumerate(flags)},
    )
    usage = {"WorkingSetSize": 50 * 2**20}
    add_module("win32process", GetCurrentProcess=lambda: -1, GetProcessMemoryInfo=lambda handle: usage)


def new_job(*_: object) -> int:
    JOBS.append({})
    return len(JOBS) - 1


def add_module(name: str, **members: object) -> None:
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


def locking(descriptor: int, mode: int, count: int) -> None:
    assert (mode, count, os.lseek(descriptor, 0, os.SEEK_CUR)) == (2, 1, 2**30)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def peek(handle: int, size: int) -> tuple[int, int]:
    """How much there is in a pipe; an OSError where its other side is closed and it is empty."""
    waiting = array.array("i", [0])
    fcntl.ioctl(handle, termios.FIONREAD, waiting)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    if not waiting[0] and any(event & select.POLLHUP for _, event in poll.poll(0)):
        raise BrokenPipeError
    return waiting[0], 0


def take_limits() -> int:
    """What a worker does before it reads anything, then a document that takes too long."""
    from wellsourced.sandbox import limits

    limits.end_with_parent(parent=1)
    limits.give_way()
    limits.limit_resources(2**28)
    print(JOBS, limits.held_memory(), flush=True)
    limits.limit_time(600)
    limits.limit_time(0)
    limits.GRACE_SECONDS = 0.01
    limits.limit_time(0.01)
    time.sleep(60)
    return 0


if __name__ == "__main__":
    pretend(sys.argv.pop(1))
    if sys.argv[1:] == ["limits"]:
        sys.exit(take_limits())
    from wellsourced.main import main

    sys.exit(main())
