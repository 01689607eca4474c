"""`python -m tests.warm.forked_server`: has imported the house, and becomes, forked, any Python it is asked for.

Asked on its stdin, a socket: one message a process, JSON, with the process's own stdin, stdout and stderr as
descriptors beside it. Its answer is the process's number. It ends with its input.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, TextIO

import wellsourced

LATER = ("redis.asyncio", "sqlcipher3", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.h11_impl")
"""What the house imports inside functions and not at all at its modules' level."""
LARGEST = 1024 * 1024


@dataclass(frozen=True)
class Asked:
    """`line` is what follows the interpreter's name: -m and a module, or -c and code, and arguments."""

    line: list[str]
    environment: dict[str, str]
    folder: str
    streams: Sequence[int]


def import_the_house() -> None:
    for module in pkgutil.walk_packages(wellsourced.__path__, "wellsourced."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in LATER:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def next_child(door: socket.socket) -> Asked | None:
    """Comes back in each child with what it shall become, and in the nursery itself when nobody asks any more."""
    while True:
        message, streams, _, _ = socket.recv_fds(door, LARGEST, 3)
        if not message:
            return None
        asked = Asked(**json.loads(message), streams=streams)
        child = forked()
        if not child:
            return asked
        door.send(str(child).encode())
        for stream in streams:
            os.close(stream)


def forked() -> int:
    """As fork, but by a process between that has ended when this comes back: the system then gives the child to the
    test process, which waits for it as for one of its own."""
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        child = os.fork()
        if not child:
            return 0
        os.write(writing, str(child).encode())
        os._exit(0)
    os.waitpid(between, 0)
    number = int(os.read(reading, 64))
    os.close(reading)
    os.close(writing)
    return number


def become(asked: Asked) -> None:
    for number, stream in enumerate(asked.streams):
        os.dup2(stream, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(asked.folder)
    os.environ.clear()
    os.environ.update(asked.environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin, sys.stdout, sys.stderr = (as_at_start(old) for old in (sys.__stdin__, sys.__stdout__, sys.__stderr__))
    try:
        execute(*asked.line)
    except SystemExit as ended:
        if isinstance(ended.code, int):
            leave(ended.code)
        raise


def execute(flag: str, what: str, *arguments: str) -> None:
    sys.argv[:] = [flag, *arguments]
    if flag == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(what, {"__name__": "__main__"})
    leave(0)


def leave(status: int) -> NoReturn:
    """As Python ends, but without taking apart what the nursery imported, which would take longer than most errands."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def as_at_start(old: TextIO | None) -> TextIO:
    """The same stream over what is now behind its number, by lines where that is a terminal, as Python begins."""
    assert old
    number = old.fileno()
    raw = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
    buffered = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
    by_lines = number == 2 or os.isatty(number)
    return io.TextIOWrapper(buffered, old.encoding, old.errors, line_buffering=by_lines)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as door:
        import_the_house()
        asked = next_child(door)
    if asked:
        become(asked)


if __name__ == "__main__":
    main()
