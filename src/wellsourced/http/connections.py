"""Client connections, with the limits uvicorn leaves open: how many there may be, a time and a size for a request's
head, and an end to clients that do not read their answer.

Idle connections never keep others out: when the limit is reached, the one that has gone longest without a complete
request is closed. A new connection is refused only when all others are busy.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from wellsourced.http.middleware.security_headers import security_headers
from wellsourced.settings import Settings
from wellsourced.text.amounts import format_seconds

MOST_CONNECTIONS = 10_000
ENOUGH_FILES = 65_536
LAST_PORT = 65_535
MOST_HELD = 8192
TOO_MANY = "The server cannot take another connection just now. Try again in a moment."
NOT_HTTP = "This is not a request in HTTP/1.1 that can be understood."
NO_HOST = "The Host header is not a host with or without a port, such as localhost:8765."
HOST = re.compile(rb"(?:[A-Za-z0-9._~%!$&'()*+,;=-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])?(?::([0-9]{1,5})?)?")
TWO_HOSTS = "The request has more than one Host header, so that it is not clear whom it is for."


@dataclass(slots=True)
class ConnectionLimit:
    """The limits and the count that all connections share."""

    head_seconds: float
    idle_seconds: float
    head_bytes: int
    most: int
    headers: Sequence[tuple[bytes, bytes]]
    open: int = 0
    waiting: dict[Connection, None] = field(default_factory=dict)
    """Connections without a complete request, the longest-waiting first."""

    def accept_one_more(self) -> bool:
        """Whether one more connection fits, if need be in place of an idle one, which is closed."""
        if self.open <= self.most:
            return True
        longest = next(iter(self.waiting), None)
        if longest is None:
            return False
        longest.close_idle()
        return True


def connection_class(shared: ConnectionLimit) -> type[asyncio.Protocol]:
    """uvicorn makes connections from a class without arguments, so the class holds what they share."""

    class BoundedConnection(Connection):
        limit = shared

    return BoundedConnection


class Connection(HttpToolsProtocol):
    limit: ClassVar[ConnectionLimit]
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _pending = 0
    """Bytes received since a head was complete or a piece of a body arrived."""
    _has_head = False
    _refusal: tuple[int, str] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]
        self.timeout_keep_alive = self.limit.idle_seconds  # type: ignore[assignment]
        self.limit.open += 1
        if self.limit.accept_one_more():
            self.limit.waiting[self] = None
            self._start_head_deadline()
        else:
            self.refuse(503, TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        self.limit.open -= 1
        self.limit.waiting.pop(self, None)
        self._cancel_head_deadline()
        self._cancel_stall_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._start_head_deadline()
        self._pending += len(data)
        super().data_received(data)
        if self._pending > self.limit.head_bytes:
            self.refuse(*self._too_large())

    def on_message_begin(self) -> None:
        self._has_head = False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:  # a trailer must not become a header after the middleware has looked
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._refusal = self._head_refusal()
        if self._refusal:
            raise ValueError("the parser ends here, and the refusal is sent in place of its own")
        self._has_head = True
        self._pending = 0
        self._cancel_head_deadline()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._pending = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._pending = 0
        self.limit.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.transport.is_closing():  # the last bytes, too, have to leave within a time
            self._start_stall_deadline()
        elif not self.pipeline:
            self.limit.waiting[self] = None
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        self.refuse(*(self._refusal or (400, NOT_HTTP)))

    def pause_writing(self) -> None:
        self._start_stall_deadline()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._cancel_stall_deadline()
        super().resume_writing()

    def refuse(self, status: int, sentence: str) -> None:
        """Answer without the app and close; where an answer has begun, only close."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()
            return
        body = sentence.encode()
        headers = [
            *self.limit.headers,
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
        ]
        lines = b"".join(b"%s: %s\r\n" % pair for pair in headers)
        self.transport.write(STATUS_LINE[status] + lines + b"\r\n" + body)
        self.transport.close()

    def close_idle(self) -> None:
        self.limit.waiting.pop(self, None)
        self.transport.abort()

    def _head_refusal(self) -> tuple[int, str] | None:
        """Of two Host headers (RFC 9112, 3.2) the middleware here may go by one and a proxy in front by the other; of
        one that is not a host and port, one may read another name than the other."""
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > self.limit.head_bytes:
            return self._too_large()
        hosts = [value for name, value in self.headers if name == b"host"]
        if len(hosts) > 1:
            return 400, TWO_HOSTS
        return None if all(map(is_host_and_port, hosts)) else (400, NO_HOST)

    def _too_large(self) -> tuple[int, str]:
        return 431, f"The request's head is too large: at most {self.limit.head_bytes} bytes (HTTP_MAX_HEADER_BYTES)."

    def _start_head_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.limit.head_seconds, self._refuse_late_head)

    def _cancel_head_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse_late_head(self) -> None:
        if not self._pending:
            self.transport.abort()
        seconds = format_seconds(self.limit.head_seconds)
        self.refuse(408, f"The request's head did not arrive within {seconds} (HTTP_READ_HEADER_TIMEOUT).")

    def _start_stall_deadline(self) -> None:
        if self._stalled is None:
            self._stalled = self.loop.call_later(self.limit.idle_seconds, self.transport.abort)

    def _cancel_stall_deadline(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


class JoinedWrites:
    """A transport that sends the head of an answer together with the first piece of its body.

    uvicorn writes them one after the other, and each write to a socket costs more than all else that is done for a
    short answer. What nothing follows in the same turn of the loop leaves at its end.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""
        self.is_closing = transport.is_closing
        self.get_extra_info = transport.get_extra_info
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.set_protocol = transport.set_protocol
        self.abort = transport.abort

    def write(self, data: bytes) -> None:
        if self._held:
            data, self._held = self._held + data, b""
        elif len(data) < MOST_HELD:
            self._held = data
            self._loop.call_soon(self.flush)
            return
        self._transport.write(data)

    def flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        self.flush()
        self._transport.close()


def is_host_and_port(value: bytes) -> bool:
    found = HOST.fullmatch(value.strip(b" \t"))
    return found is not None and int(found[1] or 0) <= LAST_PORT


def connection_limit(settings: Settings) -> ConnectionLimit:
    return ConnectionLimit(
        head_seconds=settings.seconds("HTTP_READ_HEADER_TIMEOUT"),
        idle_seconds=settings.seconds("HTTP_IDLE_TIMEOUT"),
        head_bytes=settings.count("HTTP_MAX_HEADER_BYTES"),
        # the other half of the files is for upstreams, the database and child processes
        most=min(MOST_CONNECTIONS, raise_file_limit() // 2),
        headers=security_headers(settings),
    )


def raise_file_limit() -> int:
    """Raise the soft limit of open files and sockets as far as allowed, and return what it is then."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return ENOUGH_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH_FILES if hard == resource.RLIM_INFINITY else min(hard, ENOUGH_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return ENOUGH_FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # macOS has a further, undocumented limit
        return soft
    return wanted
