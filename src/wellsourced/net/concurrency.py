"""The same work on several things, a few at a time, and no longer than there is time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

LEAST_SECONDS = 0.1


async def gather_with_limit(
    items: Sequence[T], work: Callable[[T], Awaitable[R]], *, at_once: int, deadline: float
) -> list[R | None]:
    """What came of each, in order; None for what was not finished in time. An error of the work is raised."""
    if not items:
        return []
    turns = asyncio.Semaphore(at_once)

    async def run(item: T) -> R:
        async with turns:
            return await work(item)

    tasks = [asyncio.ensure_future(run(item)) for item in items]
    try:
        await asyncio.wait(tasks, timeout=max(LEAST_SECONDS, deadline - time.monotonic()))
        return [task.result() if task.done() else None for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
