"""A call that takes longer than a second tells its caller every second who is being asked and how far it is."""

from __future__ import annotations

import asyncio
import time

from wellsourced.pipeline.middleware import Handler
from wellsourced.tool.activity import Activity, follow_activity
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call, Progress, no_progress

SECONDS = 1.0
# Progress has to grow with every message, also while a tool's own count stands still.
STEP = 0.001


class SteadyProgress:
    """Passes a tool's own messages on, and speaks for it when it was silent for a second."""

    def __init__(self, report: Progress, activity: Activity) -> None:
        self._report = report
        self._activity = activity
        self._done = 0.0
        self._total: float | None = None
        self._last = time.monotonic()

    async def __call__(self, done: float, total: float | None, message: str) -> None:
        self._done, self._total = max(done, self._done + STEP), total
        self._last = time.monotonic()
        await self._report(self._done, total, message)

    async def keep_talking(self) -> None:
        while True:
            await asyncio.sleep(max(0.05, self._last + SECONDS - time.monotonic()))
            if time.monotonic() - self._last >= SECONDS:
                await self(self._done + STEP, self._total, self._activity.in_words())


async def report_progress(call: Call, next_handler: Handler) -> ToolAnswer:
    if call.progress is no_progress:
        return await next_handler(call)
    with follow_activity() as activity:
        steady = SteadyProgress(call.progress, activity)
        call.progress = steady
        talking = asyncio.ensure_future(steady.keep_talking())
        try:
            return await next_handler(call)
        finally:
            talking.cancel()
