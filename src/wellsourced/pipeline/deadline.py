"""The time limit of a call: the tool sees its deadline and may answer with what it has; otherwise it is cancelled."""

from __future__ import annotations

import asyncio
import time

from wellsourced.errors import TimeLimit
from wellsourced.pipeline.middleware import Handler
from wellsourced.text.amounts import format_seconds
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call

LONGEST = 120.0


class LimitTime:
    def __init__(self, seconds: float) -> None:
        self._seconds = min(seconds, LONGEST)

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        call.deadline = time.monotonic() + self._seconds
        try:
            async with asyncio.timeout(self._seconds):
                return await next_handler(call)
        except TimeoutError:
            raise TimeLimit(
                f"{call.tool.name} did not finish within {format_seconds(self._seconds)}. Ask for less, or raise "
                f"TOOL_TIMEOUT (up to {LONGEST:g}s)."
            ) from None
