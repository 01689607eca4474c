"""How long this process kept its own event loop waiting, whatever else the machine is busy with."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

BEAT = 0.005
SCHEDULE = Path("/proc/thread-self/schedstat")
"""What Linux says of a thread: its time on a processor, and waiting for one (docs.kernel.org, sched-stats)."""


def waited_for_processor() -> float:
    try:
        return int(SCHEDULE.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


@dataclass(slots=True)
class LoopProbe:
    """Pauses between two turns of the loop, in seconds. Time in which other processes had the processor is taken out:
    what the loop's thread waited for one, and whatever is more than this process used of any."""

    pauses: list[float] = field(default_factory=list)

    @property
    def longest(self) -> float:
        return max(self.pauses, default=0.0)

    async def watch(self) -> None:
        while True:
            wall, used, waited = time.monotonic(), time.process_time(), waited_for_processor()
            await asyncio.sleep(BEAT)
            own = time.monotonic() - wall - BEAT - (waited_for_processor() - waited)
            self.pauses.append(min(own, time.process_time() - used))


@asynccontextmanager
async def probing() -> AsyncIterator[LoopProbe]:
    probe = LoopProbe()
    task = asyncio.create_task(probe.watch())
    try:
        yield probe
    finally:
        task.cancel()
