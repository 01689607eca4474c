"""Calls one tool and streams what happens: who is asked and how far it is, parts of the answer, then the answer.

Closing the stream ends the call.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.tool.base import OutputPart
from wellsourced.web.access import AccessControl
from wellsourced.web.api import answer_json, read_tool_call
from wellsourced.web.sse import EventStream, StreamLimit, event, event_of

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dispatcher

MOST_STREAMS = 32


class ToolStream:
    def __init__(self, dispatcher: Dispatcher, access: AccessControl) -> None:
        self._dispatcher = dispatcher
        self._access = access
        self._stream_limit = StreamLimit(MOST_STREAMS)

    async def stream(self, request: Request) -> Response:
        tool, arguments = await read_tool_call(request, self._dispatcher)
        return EventStream(self._events(request, tool, arguments), self._stream_limit)

    async def _events(self, request: Request, tool: str, arguments: Mapping[str, Any]) -> AsyncGenerator[bytes]:
        events: asyncio.Queue[bytes | None] = asyncio.Queue()

        async def progress(done: float, total: float | None, message: str) -> None:
            events.put_nowait(event("progress", {"done": int(done), "total": total, "message": message}))

        def on_part(name: str, part: OutputPart) -> None:
            events.put_nowait(event_of(name, part.to_json()))

        async def run() -> None:
            try:
                answer = await self._access.call_tool(request, tool, arguments, progress=progress, on_part=on_part)
                events.put_nowait(event_of("answer", answer_json(answer)))
            finally:
                events.put_nowait(None)

        running = asyncio.ensure_future(run())
        try:
            while (each := await events.get()) is not None:
                yield each
            await running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
