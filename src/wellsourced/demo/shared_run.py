"""The demo for the visitors of a running server: one at a time, ended with the server at the latest."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from wellsourced.demo.event import Event
from wellsourced.demo.run import DemoRun
from wellsourced.errors import RateLimited

BUSY = "The demo is running for somebody else just now. It takes a few seconds: start it again when it has ended."
SECONDS_TO_WAIT = 10
OPEN_SECONDS = 1800


class DemoStand:
    """The workbench of the last run stays open for half an hour, until the next one begins or the stand is closed."""

    def __init__(self) -> None:
        self._last: DemoRun | None = None
        self.is_running = False

    async def run(self) -> AsyncGenerator[Event]:
        """The events of a fresh run. Raises RateLimited while another one is under way."""
        if self.is_running:
            raise RateLimited(BUSY, retry_after=SECONDS_TO_WAIT)
        self.is_running = True
        has_ended = False
        try:
            await self.close()
            self._last = DemoRun(open_for=OPEN_SECONDS)
            async for event in self._last.events():
                yield event
            has_ended = True
        finally:
            self.is_running = False
            if not has_ended:
                await self.close()

    async def close(self) -> None:
        run, self._last = self._last, None
        if run is not None:
            await run.close()
