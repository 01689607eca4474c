"""`python -m tests.warm.forked_server`: imports the whole package, then forks a process for each request.

Requests come on its stdin, a socket: one JSON message a process, with the stdin, stdout and stderr of the process as
file descriptors. The answer is the process id. It ends with its input.
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

# What our modules import inside functions only.
LAZY_IMPORTS = (
    "redis.asyncio",
    "sqlcipher3",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.h11_impl",
)
LARGEST = 1024 * 1024


@dataclass(frozen=True)
class ProcessRequest:
    """`line` is what follows the interpreter's name: -m and a module, or -c and code, and arguments."""

    line: list[str]
    environment: dict[str, str]
    folder: str
    streams: Sequence[int]


def import_package() -> None:
    for module in pkgutil.walk_packages(wellsourced.__path__, "wellsourced."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in LAZY_IMPORTS:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def serve_forks(connection: socket.socket) -> ProcessRequest | None:
    """Return the request in each forked child, and None in the server when its input has ended."""
    while True:
        message, streams, _, _ = socket.recv_fds(connection, LARGEST, 3)
        if not message:
            return None
        request = ProcessRequest(**json.loads(message), streams=streams)
        child = fork_detached()
        if not child:
            return request
        connection.send(str(child).encode())
        for stream in streams:
            os.close(stream)


def fork_detached() -> int:
    """Fork through a process in between that has ended when this returns.

    The system then makes the child one of the test process, which can wait for it.
    """
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


def run_request(request: ProcessRequest) -> None:
    for number, stream in enumerate(request.streams):
        os.dup2(stream, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin, sys.stdout, sys.stderr = (reopen_stream(old) for old in (sys.__stdin__, sys.__stdout__, sys.__stderr__))
    try:
        execute(*request.line)
    except SystemExit as ended:
        if isinstance(ended.code, int):
            end_process(ended.code)
        raise


def execute(flag: str, what: str, *arguments: str) -> None:
    sys.argv[:] = [flag, *arguments]
    if flag == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(what, {"__name__": "__main__"})
    end_process(0)


def end_process(status: int) -> NoReturn:
    """End as Python does, but without freeing the imported modules, which would take longer than most tests."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def reopen_stream(old: TextIO | None) -> TextIO:
    """The same stream over what is now behind its number, by lines where that is a terminal, as Python begins."""
    assert old
    number = old.fileno()
    raw = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
    buffered = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
    by_lines = number == 2 or os.isatty(number)
    return io.TextIOWrapper(buffered, old.encoding, old.errors, line_buffering=by_lines)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as connection:
        import_package()
        request = serve_forks(connection)
    if request:
        run_request(request)


if __name__ == "__main__":
    main()
