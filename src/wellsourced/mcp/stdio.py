"""MCP over stdin and stdout, answering the handshake before the rest of the package is loaded.

The main thread reads lines and answers what the listings know. Everything else goes to the `StdioRuntime`, a
second thread with the event loop, which is loaded when it is first needed or when the client has been quiet
for a moment after the handshake. Once it runs, the event loop reads the lines itself where the system lets it wait for
them, which spares each call the way from one thread to another. stdout belongs to the protocol alone: the real one is
kept aside and whatever a library prints goes to stderr. When the input ends, calls in flight are answered, then the
process ends.
"""

from __future__ import annotations

import _thread
import os
import select
import sys

from wellsourced.mcp.json_rpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    ProtocolError,
    RpcMessage,
    check_envelope,
    error_line,
    parse_line,
    result_line,
)
from wellsourced.mcp.listings import METHODS, Listings
from wellsourced.settings import from_environment
from wellsourced.system import is_input_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellsourced.mcp.stdio_runtime import StdioRuntime

CHUNK = 1 << 16
PIPES = frozenset({0o010000, 0o140000})  # pipes and sockets, as `stat` has it
LONGEST_LINE = 16 << 20
# A client usually asks for the lists right after the handshake; loading the rest then would delay them.
QUIET_BEFORE_WARM_UP = 0.1
# What a first call needs of the standard library, in steps of a few milliseconds: another list waits for one at most.
LOADED_AHEAD = ("typing", "inspect", "logging", "socket", "ssl", "subprocess", "asyncio")
NEEDS_ENVELOPE = (
    "params._meta must be an object carrying the envelope keys: this connection was opened with protocol 2026-07-28."
)


class StdoutLines:
    """The real stdout. Lines are written whole, whichever thread writes them."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = _thread.allocate_lock()
        self.is_broken = False

    def write_line(self, line: bytes) -> None:
        with self._lock:
            view = memoryview(line)
            while view and not self.is_broken:
                try:
                    view = view[os.write(self._fd, view) :]
                except BlockingIOError:
                    select.select([], [self._fd], [])
                except OSError:
                    self.is_broken = True


class StdinLines:
    """The real stdin as lines; `None` stands for a line that was too long and was skipped."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = bytearray()
        self._skipping = False

    @property
    def pipe(self) -> int | None:
        """What an event loop can wait for: not a file, which is always there."""
        kind = os.fstat(self._fd).st_mode & 0o170000
        return self._fd if kind in PIPES else None

    def is_quiet(self, seconds: float) -> bool:
        return not is_input_waiting(self._fd, seconds)

    def read_lines(self, *, wait: bool = True) -> list[bytes | None] | None:
        """The lines that have arrived; None at the end of input."""
        try:
            chunk = os.read(self._fd, CHUNK)
        except BlockingIOError:
            if wait:
                select.select([self._fd], [], [])
            return []
        except OSError:
            chunk = b""
        if not chunk:
            last, self._rest = self._rest, bytearray()
            return [bytes(last)] if last.strip() else None
        return list(self._split(chunk))

    def _split(self, chunk: bytes) -> Iterator[bytes | None]:
        first, *others = chunk.split(b"\n")
        yield from self._extend(first)
        for part in others:
            line, self._rest, self._skipping = self._rest, bytearray(), False
            if line.strip():
                yield bytes(line)
            yield from self._extend(part)

    def _extend(self, part: bytes) -> Iterator[None]:
        """Only what is new is copied, or a long line that comes in small parts would be copied over and over."""
        if not self._skipping:
            self._rest += part
        if len(self._rest) > LONGEST_LINE:
            self._rest, self._skipping = bytearray(), True
            yield None


class StdioServer:
    """Reads messages, answers what the listings know, and hands the rest to the runtime."""

    def __init__(self, stdin: StdinLines, stdout: StdoutLines) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._listings = Listings(from_environment())
        self._runtime: StdioRuntime | None = None
        self._opened_modern: bool | None = None
        self._to_load: list[str] = []

    def run(self) -> None:
        while not self._stdout.is_broken:
            self._load_ahead()
            if self._may_warm_up() and self._stdin.is_quiet(QUIET_BEFORE_WARM_UP):
                self._start_runtime()
            lines = self._stdin.read_lines()
            if lines is None:
                break
            for line in lines:
                self._handle_line(line)
            if self._runtime and self._runtime.read_on(self._stdin.pipe, self._read_waiting):
                return
        if self._runtime:
            self._runtime.finish()

    def _read_waiting(self) -> bool:
        """What has arrived, for the event loop; False at the end."""
        lines = None if self._stdout.is_broken else self._stdin.read_lines(wait=False)
        for line in lines or ():
            self._handle_line(line)
        return lines is not None

    def _load_ahead(self) -> None:
        """Begin with what a first call needs, until more comes; clients take a while between the list and a call."""
        while self._to_load and self._may_warm_up() and self._stdin.is_quiet(0):
            __import__(self._to_load.pop(0))

    def _may_warm_up(self) -> bool:
        return self._runtime is None and self._opened_modern is not None

    def _start_runtime(self, *, is_asked: bool = False) -> StdioRuntime:
        if self._runtime is None:
            from wellsourced.mcp.stdio_runtime import StdioRuntime

            self._runtime = StdioRuntime(self._stdout, self._listings, is_asked=is_asked)
        return self._runtime

    def _handle_line(self, line: bytes | None) -> None:
        try:
            if line is None:
                raise ProtocolError(
                    INVALID_REQUEST, f"A line may be {LONGEST_LINE} bytes long at most; this one was skipped."
                )
            message = parse_line(line)
            if message is not None:
                self._dispatch(message)
        except ProtocolError as error:
            self._stdout.write_line(error_line(error))

    def _dispatch(self, message: RpcMessage) -> None:
        if message.is_request:
            self._check_era(message)
        if message.is_request and message.method in METHODS:
            self._stdout.write_line(result_line(message.id, self._listings.answer(message)))
            if message.method == "tools/list":
                self._to_load = list(LOADED_AHEAD)
        elif message.is_request or message.method == "notifications/cancelled":
            self._start_runtime(is_asked=message.method == "tools/call").submit(message)

    def _check_era(self, message: RpcMessage) -> None:
        """The first request decides the era; on a 2026-era connection every request carries its envelope."""
        if message.is_modern:
            check_envelope(message)
        elif self._opened_modern and message.method != "initialize":
            raise ProtocolError(INVALID_PARAMS, NEEDS_ENVELOPE, id=message.id)
        if self._opened_modern is None:
            self._opened_modern = message.is_modern


def take_over_streams() -> tuple[int, int]:
    """Private copies of stdin and stdout. From now on the usual stdin is empty and the usual stdout goes to stderr."""
    stdin, stdout = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return stdin, stdout


def serve() -> int:
    try:
        stdin, stdout = take_over_streams()
    except OSError:
        sys.stderr.write("wellsourced: stdin or stdout is closed; an MCP client speaks through them.\n")
        return 2
    StdioServer(StdinLines(stdin), StdoutLines(stdout)).run()
    return 0
