"""The end of the process: what is being answered is finished, nothing new is begun.

The first SIGTERM or SIGINT starts the drain; a second one ends the process at once, which loses nothing that was
acknowledged, because that is on the disk.
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

SIGNALS = (signal.SIGINT, signal.SIGTERM)
EVENTS = b"text/event-stream"
STOPPING = "The server is stopping and could not finish this call. Try again in a moment."


class Drain:
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
        """In place of the library's, which raises the signal again in the end: after an orderly end the status is 0.

        Nor is its handler called: the event-stream library listens in there, and would cut off the answers that are
        still on their way.
        """
        loop = asyncio.get_running_loop()

        def stop(number: int, frame: FrameType | None) -> None:
            for each in SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            self.should_exit = True
            self._drain.has_begun = True
            loop.call_soon_threadsafe(self._drain.begin)

        before = {each: signal.signal(each, stop) for each in SIGNALS}
        try:
            yield
        finally:
            if not self._drain.has_begun:
                for each, handler in before.items():
                    signal.signal(each, handler)


class DrainDoor:
    """Ends the streams on which a client only listens, and tells those whose call could not be finished in time."""

    def __init__(self, app: ASGIApp, drain: Drain) -> None:
        self._app = app
        self._drain = drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = Watched(send)
        if scope["method"] == "GET":
            receive = self._until_drained(receive, answer)
        try:
            await self._app(scope, receive, answer)
        except asyncio.CancelledError:
            if not self._drain.has_begun:
                raise
            if not answer.has_started:
                await PlainTextResponse(STOPPING, 503, {"retry-after": "5"})(scope, receive, answer)
        if answer.is_open_stream and scope["method"] == "GET":
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _until_drained(self, receive: Receive, answer: Watched) -> Receive:
        async def either() -> Message:
            coming = asyncio.ensure_future(receive())
            ending = asyncio.ensure_future(self._drain.wait())
            try:
                await asyncio.wait((coming, ending), return_when=asyncio.FIRST_COMPLETED)
                if not coming.done() and answer.is_open_stream:
                    return {"type": "http.disconnect"}
                return await coming
            finally:
                coming.cancel()
                ending.cancel()

        return either


class Watched:
    """`send` that knows how far the answer has come."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_started = False
        self.is_open_stream = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_started = True
            kinds = [value for name, value in message.get("headers", ()) if name.lower() == b"content-type"]
            self.is_open_stream = any(kind.startswith(EVENTS) for kind in kinds)
        elif not message.get("more_body", False):
            self.is_open_stream = False
        await self._send(message)
