"""What differs between operating systems and has no common call: waiting for input, locks, listening, ending.

Where this is developed the branches for Windows cannot be run; tests/systems forces them, docs/systems.md says so.
Nothing is imported at the top but what is there anyway: the handshake waits for this module.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    import socket
    from pathlib import Path

# A lock on Windows keeps others from reading the locked byte, so it is one that no file of ours reaches.
LOCKED_BYTE = 2**30
LOOK_SECONDS = 0.01


def is_input_waiting(descriptor: int, seconds: float) -> bool:
    """Whether there is something to read, or an end of the input, before the time is over."""
    if sys.platform != "win32":
        import select

        return bool(select.select([descriptor], [], [], seconds)[0])
    return _is_pipe_filled(descriptor, time.monotonic() + seconds)


def _is_pipe_filled(descriptor: int, end: float) -> bool:
    """Windows can wait for sockets alone, but a pipe can be looked into."""
    import _winapi
    import msvcrt

    handle = msvcrt.get_osfhandle(descriptor)  # type: ignore[attr-defined,unused-ignore]
    try:
        while not _winapi.PeekNamedPipe(handle, 0)[0]:  # type: ignore[attr-defined,unused-ignore]
            if time.monotonic() >= end:
                return False
            time.sleep(LOOK_SECONDS)
    except OSError:  # no pipe, or its other side is closed: reading tells
        return True
    return True


def free_bytes(folder: Path) -> int:
    """How much can still be written there; `shutil`, which knows it everywhere, takes 2 ms to load."""
    if sys.platform != "win32":
        found = os.statvfs(folder)
        return found.f_bavail * found.f_frsize
    import shutil

    return shutil.disk_usage(folder).free


def widen_pipe(descriptor: int, size: int) -> None:
    """Let a pipe hold so many bytes, where the system has a call for it and allows as much."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, size)
        except OSError:
            return


def lock_file(descriptor: int, *, wait: bool) -> None:
    """Lock an open file against other processes; OSError where another has it and nobody wants to wait."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return
    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
    try:
        _lock_byte(descriptor, wait=wait)
    finally:
        os.lseek(descriptor, place, os.SEEK_SET)


def _lock_byte(descriptor: int, *, wait: bool) -> None:
    """The waiting kind of lock gives up after ten seconds on Windows, so this one tries by itself."""
    import msvcrt

    while True:
        try:
            return msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,no-any-return,unused-ignore]
        except OSError:
            if not wait:
                raise
        time.sleep(LOOK_SECONDS)


def listen_alone(listener: socket.socket) -> None:
    """The port can be had again at once after a restart, and by nobody else meanwhile: what SO_REUSEADDR means on
    Windows is that any program may take it over."""
    import socket

    option = "SO_EXCLUSIVEADDRUSE" if sys.platform == "win32" else "SO_REUSEADDR"
    listener.setsockopt(socket.SOL_SOCKET, getattr(socket, option), 1)


def stop_signals() -> tuple[signal.Signals, ...]:
    """Those that ask a program to end; SIGBREAK is what a parent can send on Windows."""
    import signal

    names = ("SIGINT", "SIGTERM", "SIGBREAK")
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


def stop_this_process() -> None:
    """As if somebody had sent it SIGTERM; on Windows os.kill would end it without running what is to be run then."""
    import signal

    if sys.platform == "win32":
        signal.raise_signal(signal.SIGTERM)
    else:
        os.kill(os.getpid(), signal.SIGTERM)


def write_utf8() -> None:
    """What is written into a pipe is UTF-8 everywhere; Windows would use the code page of the machine."""
    for stream in (sys.stdout, sys.stderr):
        if sys.platform == "win32" and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")


def modes_are_kept() -> bool:
    """Whether a file's mode says who may read it. On Windows the folder of the user does, which others cannot open."""
    return os.name != "nt" and sys.platform != "win32"
