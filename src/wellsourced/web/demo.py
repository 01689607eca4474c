"""The demo, started from the page and told step by step as it goes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.errors import WellsourcedError
from wellsourced.web.access import TurnedAway
from wellsourced.web.sse import EventStream, Seats, event

if TYPE_CHECKING:
    from wellsourced.demo import SharedDemo

MOST_VISITORS = 4


class Demonstration:
    def __init__(self, stand: SharedDemo | None) -> None:
        self._stand = stand
        self._seats = Seats(MOST_VISITORS)

    async def stream(self, request: Request) -> Response:
        if self._stand is None:
            raise TurnedAway(404, "This server has no demonstration.")
        return EventStream(steps(self._stand), self._seats)


async def steps(stand: SharedDemo) -> AsyncGenerator[bytes]:
    try:
        async with aclosing(stand.run()) as run:
            async for told in run:
                yield event("step", told.as_json())
    except WellsourcedError as problem:
        yield event("failed", {"error": problem.sentence})
