"""MCP over stdin and stdout, answering the handshake before the rest of the house is loaded.

The main thread reads lines and answers what the listings know. Everything else goes to the `Runtime`, a
second thread with the event loop, which is loaded when it is first needed or when the client has been quiet
for a moment after the handshake. stdout belongs to the protocol alone: the real one is kept aside and
whatever a library prints goes to stderr. When the input ends, calls in flight are answered, then the process
ends.
"""

from __future__ import annotations

import _thread
import os
import select
import sys

from wellsourced.mcp.json_rpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    Message,
    ProtocolError,
    check_envelope,
    error_line,
    parse,
    result_line,
)
from wellsourced.mcp.listings import METHODS, Listings
from wellsourced.settings import from_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellsourced.mcp.stdio_runtime import Runtime

CHUNK = 1 << 16
LONGEST_LINE = 16 << 20
QUIET_BEFORE_WARM_UP = 0.1
NEEDS_ENVELOPE = (
    "params._meta must be an object carrying the envelope keys: this connection was opened with protocol 2026-07-28."
)


class Outlet:
    """The real stdout. Lines are written whole, whichever thread writes them."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = _thread.allocate_lock()
        self.is_broken = False

    def write(self, line: bytes) -> None:
        with self._lock:
            view = memoryview(line)
            while view and not self.is_broken:
                try:
                    view = view[os.write(self._fd, view) :]
                except BlockingIOError:
                    select.select([], [self._fd], [])
                except OSError:
                    self.is_broken = True


class Inlet:
    """The real stdin as lines; `None` stands for a line that was too long and was skipped."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = bytearray()
        self._skipping = False

    def is_quiet(self, seconds: float) -> bool:
        return not select.select([self._fd], [], [], seconds)[0]

    def read(self) -> list[bytes | None] | None:
        """The lines that have arrived; None at the end of input."""
        try:
            chunk = os.read(self._fd, CHUNK)
        except BlockingIOError:
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
        yield from self._lengthen(first)
        for part in others:
            line, self._rest, self._skipping = self._rest, bytearray(), False
            if line.strip():
                yield bytes(line)
            yield from self._lengthen(part)

    def _lengthen(self, part: bytes) -> Iterator[None]:
        """Only what is new is copied, or a long line that comes in small parts would be copied over and over."""
        if not self._skipping:
            self._rest += part
        if len(self._rest) > LONGEST_LINE:
            self._rest, self._skipping = bytearray(), True
            yield None


class Conversation:
    """Reads, answers, hands over."""

    def __init__(self, inlet: Inlet, outlet: Outlet) -> None:
        self._inlet = inlet
        self._outlet = outlet
        self._listings = Listings(from_environment())
        self._runtime: Runtime | None = None
        self._opened_modern: bool | None = None

    def run(self) -> None:
        while not self._outlet.is_broken:
            if self._may_warm_up() and self._inlet.is_quiet(QUIET_BEFORE_WARM_UP):
                self._start_runtime()
            lines = self._inlet.read()
            if lines is None:
                break
            for line in lines:
                self._take(line)
        if self._runtime:
            self._runtime.finish()

    def _may_warm_up(self) -> bool:
        return self._runtime is None and self._opened_modern is not None

    def _start_runtime(self) -> Runtime:
        if self._runtime is None:
            from wellsourced.mcp.stdio_runtime import Runtime

            self._runtime = Runtime(self._outlet, self._listings)
        return self._runtime

    def _take(self, line: bytes | None) -> None:
        try:
            if line is None:
                raise ProtocolError(
                    INVALID_REQUEST, f"A line may be {LONGEST_LINE} bytes long at most; this one was skipped."
                )
            message = parse(line)
            if message is not None:
                self._dispatch(message)
        except ProtocolError as error:
            self._outlet.write(error_line(error))

    def _dispatch(self, message: Message) -> None:
        if message.is_request:
            self._check_era(message)
        if message.is_request and message.method in METHODS:
            self._outlet.write(result_line(message.id, self._listings.answer(message)))
        elif message.is_request or message.method == "notifications/cancelled":
            self._start_runtime().submit(message)

    def _check_era(self, message: Message) -> None:
        """The first request decides the era; on a 2026-era connection every request carries its envelope."""
        if message.is_modern:
            check_envelope(message)
        elif self._opened_modern and message.method != "initialize":
            raise ProtocolError(INVALID_PARAMS, NEEDS_ENVELOPE, id=message.id)
        if self._opened_modern is None:
            self._opened_modern = message.is_modern


def take_over() -> tuple[int, int]:
    """Private copies of stdin and stdout; the usual ones lead to nothing and to stderr from now on."""
    inlet, outlet = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return inlet, outlet


def serve() -> int:
    try:
        inlet, outlet = take_over()
    except OSError:
        sys.stderr.write("wellsourced: stdin or stdout is closed; an MCP client speaks through them.\n")
        return 2
    Conversation(Inlet(inlet), Outlet(outlet)).run()
    return 0
