"""Graceful shutdown: requests in progress are finished, new ones are not begun.

The first SIGTERM or SIGINT starts the drain; a second one ends the process at once, which loses nothing that was
acknowledged, because that is on disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.system import stop_signals

STOP_SIGNALS = stop_signals()
EVENT_STREAM = b"text/event-stream"
STOPPING = "The server is stopping and could not finish this call. Try again in a moment."


class Drain:
    """Whether the server has begun to stop, and a way to wait for it."""

    def __init__(self) -> None:
        self.has_begun = False
        self._begun = asyncio.Event()

    def begin(self) -> None:
        self.has_begun = True
        self._begun.set()

    async def wait(self) -> None:
        await self._begun.wait()


class DrainingServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, drain: Drain) -> None:
        super().__init__(config)
        self._drain = drain

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Replaces uvicorn's, which raises the signal again in the end: after a graceful shutdown the status is 0.

        Nor is uvicorn's handler called: sse-starlette patches it, and would cut off streams that are still being sent.
        """
        loop = asyncio.get_running_loop()

        def stop(number: int, frame: FrameType | None) -> None:
            for each in STOP_SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            self.should_exit = True
            self._drain.has_begun = True
            loop.call_soon_threadsafe(self._drain.begin)

        before = {each: signal.signal(each, stop) for each in STOP_SIGNALS}
        try:
            yield
        finally:
            if not self._drain.has_begun:
                for each, handler in before.items():
                    signal.signal(each, handler)


class DrainMiddleware:
    """Ends the streams on which a client only listens, and answers 503 where a call could not be finished in time."""

    def __init__(self, app: ASGIApp, drain: Drain) -> None:
        self._app = app
        self._drain = drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response = WatchedSend(send)
        if scope["method"] == "GET":
            receive = self._receive_until_drained(receive, response)
        try:
            await self._app(scope, receive, response)
        except asyncio.CancelledError:
            if not self._drain.has_begun:
                raise
            if not response.has_started:
                await PlainTextResponse(STOPPING, 503, {"retry-after": "5"})(scope, receive, response)
        if response.is_open_stream and scope["method"] == "GET":
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _receive_until_drained(self, receive: Receive, response: WatchedSend) -> Receive:
        async def receive_or_disconnect() -> Message:
            coming = asyncio.ensure_future(receive())
            ending = asyncio.ensure_future(self._drain.wait())
            try:
                await asyncio.wait((coming, ending), return_when=asyncio.FIRST_COMPLETED)
                if not coming.done() and response.is_open_stream:
                    return {"type": "http.disconnect"}
                return await coming
            finally:
                coming.cancel()
                ending.cancel()

        return receive_or_disconnect


class WatchedSend:
    """`send` that knows how far the response has come."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_started = False
        self.is_open_stream = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_started = True
            kinds = [value for name, value in message.get("headers", ()) if name.lower() == b"content-type"]
            self.is_open_stream = any(kind.startswith(EVENT_STREAM) for kind in kinds)
        elif not message.get("more_body", False):
            self.is_open_stream = False
        await self._send(message)
