"""The demo, started from the page and streamed step by step."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.errors import WellsourcedError
from wellsourced.web.access import RequestRefused
from wellsourced.web.sse import EventStream, StreamLimit, event

if TYPE_CHECKING:
    from wellsourced.demo import SharedDemo

MOST_STREAMS = 4


class DemoStream:
    def __init__(self, demo: SharedDemo | None) -> None:
        self._demo = demo
        self._stream_limit = StreamLimit(MOST_STREAMS)

    async def stream(self, request: Request) -> Response:
        if self._demo is None:
            raise RequestRefused(404, "This server has no demonstration.")
        return EventStream(demo_events(self._demo), self._stream_limit)


async def demo_events(demo: SharedDemo) -> AsyncGenerator[bytes]:
    try:
        async with aclosing(demo.run()) as run:
            async for step in run:
                yield event("step", step.as_json())
    except WellsourcedError as problem:
        yield event("failed", {"error": problem.sentence})
