"""Server-sent events (WHATWG HTML, 9.2): their format, and a bounded number of streams at a time."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from wellsourced.tool.answer import encode_json
from wellsourced.web.access import HEADERS

HEARTBEAT = b":\n\n"
RETRY_SECONDS = 10


def event(name: str, data: Mapping[str, Any]) -> bytes:
    return event_of(name, encode_json(data))


def event_of(name: str, encoded: bytes) -> bytes:
    """One event. Encoded JSON has no line breaks, so one data line is enough."""
    return b"event: " + name.encode() + b"\ndata: " + encoded + b"\n\n"


class StreamLimit:
    """How many streams of one kind may be open at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0


class EventStream(StreamingResponse):
    def __init__(self, events: AsyncGenerator[bytes], limit: StreamLimit) -> None:
        headers = {**HEADERS, "X-Accel-Buffering": "no"}
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._events = events
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._events):
            if self._limit.open >= self._limit.most:
                await too_many_streams(self._limit)(scope, receive, send)
                return
            self._limit.open += 1
            try:
                await super().__call__(scope, receive, send)
            finally:
                self._limit.open -= 1


def too_many_streams(limit: StreamLimit) -> JSONResponse:
    sentence = f"{limit.most} streams of this kind are open already; close another window or try again in a moment."
    return JSONResponse({"error": sentence}, 503, headers={**HEADERS, "Retry-After": str(RETRY_SECONDS)})
