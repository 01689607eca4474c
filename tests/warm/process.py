"""Starts `python -m …` and `python -c …` warm, with the interface of `subprocess`."""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parents[2]
PR_SET_CHILD_SUBREAPER = 36
COLD = sys.platform != "linux" or bool(os.environ.get("COLD"))


class ForkServer:
    def __init__(self) -> None:
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.warm.forked_server"], stdin=theirs.fileno(), cwd=ROOT
            )

    def start_child(self, request: Mapping[str, Any], streams: Sequence[int]) -> int:
        """Return the id of a new process, which can be waited for like one of our own."""
        with self._lock:
            socket.send_fds(self._connection, [json.dumps(request).encode()], streams)
            answer = self._connection.recv(64)
        assert answer, "the fork server has ended"
        return int(answer)


@cache
def fork_server() -> ForkServer:
    return ForkServer()


class WarmPopen(subprocess.Popen[Any]):
    """A Popen that differs only in how the process starts; this overrides the private method for that."""

    def _execute_child(
        self, args: Sequence[str], executable: object, preexec_fn: object, close_fds: object, pass_fds: object,
        cwd: str | None, env: Mapping[str, str] | None, startupinfo: object, creationflags: object, shell: object,
        *rest: Any,
    ) -> None:  # fmt: skip
        p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite = rest[:6]
        request = {
            "line": list(args[1:]),
            "environment": dict(os.environ if env is None else env),
            "folder": os.fspath(cwd or os.getcwd()),
        }
        streams = [number if end < 0 else end for number, end in enumerate((p2cread, c2pwrite, errwrite))]
        self.pid = fork_server().start_child(request, streams)
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]


# `start`, or subprocess.Popen for a cold start, as users have it.
Begin: TypeAlias = Callable[..., subprocess.Popen[Any]]


def start(command: Sequence[str], **more: Any) -> subprocess.Popen[Any]:
    """As `subprocess.Popen`, for [sys.executable, "-m" or "-c", ...]."""
    assert command[0] == sys.executable and command[1] in {"-m", "-c"}, command
    return (subprocess.Popen if COLD else WarmPopen)(command, **more)


def run(
    command: Sequence[str], env: Mapping[str, str], *, timeout: float, stdin: str | bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run`, with the output as text; `stdin` is all that the process can read."""
    given, pipe = stdin if isinstance(stdin, bytes) else stdin.encode(), subprocess.PIPE
    with start(command, env=dict(env), stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd) as process:
        try:
            out, err = process.communicate(given, timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out.decode(), err.decode())
