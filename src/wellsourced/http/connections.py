"""One client's connection, with the bounds the HTTP library leaves open: a time for the head, a size for what is
neither head nor body, and an end to clients that do not read."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from wellsourced.http.connection_limit import Room
from wellsourced.text.amounts import format_seconds

NO_ROOM = "The server has no room for another connection just now. Try again in a moment."
NOT_HTTP = "This is not a request in HTTP/1.1 that can be understood."
TWO_HOSTS = "The request has more than one Host header, so that it is not clear whom it is for."


def connection_class(shared: Room) -> type[asyncio.Protocol]:
    """The server makes connections from a class alone, so the class holds what they share."""

    class BoundedConnection(Connection):
        room = shared

    return BoundedConnection


class Connection(HttpToolsProtocol):
    room: ClassVar[Room]
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _pending = 0
    """Bytes received since a head was complete or a piece of a body arrived."""
    _has_head = False
    _refusal: tuple[int, str] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.timeout_keep_alive = self.room.idle_seconds  # type: ignore[assignment]
        self.room.open += 1
        if self.room.make_way():
            self.room.waiting[self] = None
            self._expect_head()
        else:
            self.refuse(503, NO_ROOM)

    def connection_lost(self, exc: Exception | None) -> None:
        self.room.open -= 1
        self.room.waiting.pop(self, None)
        self._head_came()
        self._reads_again()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._expect_head()
        self._pending += len(data)
        super().data_received(data)
        if self._pending > self.room.head_bytes:
            self.refuse(*self._too_large())

    def on_message_begin(self) -> None:
        self._has_head = False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:  # a trailer must not become a header after the doors have looked
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._refusal = self._objection()
        if self._refusal:
            raise ValueError("the parser ends here, and the refusal is sent in place of its own")
        self._has_head = True
        self._pending = 0
        self._head_came()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._pending = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._pending = 0
        self.room.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.transport.is_closing():  # the last bytes have a time to leave, too
            self._stops_reading()
        elif not self.pipeline:
            self.room.waiting[self] = None
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        self.refuse(*(self._refusal or (400, NOT_HTTP)))

    def pause_writing(self) -> None:
        self._stops_reading()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._reads_again()
        super().resume_writing()

    def refuse(self, status: int, sentence: str) -> None:
        """Answer outside the app and hang up; where an answer has begun, only hang up."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()
            return
        body = sentence.encode()
        headers = [
            *self.room.headers,
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
        ]
        lines = b"".join(b"%s: %s\r\n" % pair for pair in headers)
        self.transport.write(STATUS_LINE[status] + lines + b"\r\n" + body)
        self.transport.close()

    def give_way(self) -> None:
        self.room.waiting.pop(self, None)
        self.transport.abort()

    def _objection(self) -> tuple[int, str] | None:
        """Two names (RFC 9112, 3.2) are one for the doors here and the other for a proxy in front."""
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > self.room.head_bytes:
            return self._too_large()
        return (400, TWO_HOSTS) if sum(name == b"host" for name, _ in self.headers) > 1 else None

    def _too_large(self) -> tuple[int, str]:
        return 431, f"The request's head is too large: at most {self.room.head_bytes} bytes (HTTP_MAX_HEADER_BYTES)."

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.room.head_seconds, self._head_is_late)

    def _head_came(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _head_is_late(self) -> None:
        if not self._pending:
            self.transport.abort()
        seconds = format_seconds(self.room.head_seconds)
        self.refuse(408, f"The request's head did not arrive within {seconds} (HTTP_READ_HEADER_TIMEOUT).")

    def _stops_reading(self) -> None:
        if self._stalled is None:
            self._stalled = self.loop.call_later(self.room.idle_seconds, self.transport.abort)

    def _reads_again(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
