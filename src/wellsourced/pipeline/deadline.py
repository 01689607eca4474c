"""A call ends in time: the tool sees its deadline and may hand over what it has; otherwise it is stopped."""

from __future__ import annotations

import asyncio
import time

from wellsourced.errors import TimeLimit
from wellsourced.pipeline.middleware import GoOn
from wellsourced.text.durations import in_seconds
from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer

LONGEST = 120.0


class Deadline:
    def __init__(self, seconds: float) -> None:
        self._seconds = min(seconds, LONGEST)

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        call.deadline = time.monotonic() + self._seconds
        try:
            async with asyncio.timeout(self._seconds):
                return await go_on(call)
        except TimeoutError:
            raise TimeLimit(
                f"{call.tool.name} did not finish within {in_seconds(self._seconds)}. Ask for less, or raise "
                f"TOOL_TIMEOUT (up to {LONGEST:g}s)."
            ) from None
