"""Documents on their way into the library: held at once, and indexed in batches when nothing else is going on.

What is held is in the store when `put` returns, and the end of the process does not lose it: whoever looks into the
library next, in this process or another, indexes it first. While documents keep coming the indexing waits for a moment
without any. Where many are held it goes on all the same, with pauses that are the shorter the more there are: it takes
a twentieth of the time at first, half of it where thousands wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from wellsourced.errors import WellsourcedError
from wellsourced.process import give_back_memory
from wellsourced.storage.library.store import LibraryStore, NewDocument

QUIET_SECONDS = 1.0
LONGEST_WAIT = 60.0
MOST_WAITING = 200
"""Documents that are indexed without waiting for quiet: whoever searches waits for all that are held."""
LONGEST_PAUSE = 19.0
"""How many times as long as a batch took; fewer times the more are held."""
AT_ONCE = 16


class WriteBehindQueue:
    def __init__(self, store: LibraryStore, on_trouble: Callable[[str], None] = lambda sentence: None) -> None:
        self._store = store
        self._on_trouble = on_trouble
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._is_reported = False
        self._waiting = 0
        self._came = 0.0

    async def put(self, entries: Sequence[NewDocument]) -> None:
        """Of the same document the newest counts. Raises where it cannot be kept."""
        if not await self._store.hold(entries):
            return
        self._waiting += len(entries)
        self._came = time.monotonic()
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._write_gently())
            self._task.add_done_callback(self._finished)

    async def flush(self) -> None:
        """Index all of it at once; what is being indexed already is waited for."""
        async with self._writing:
            while await self._index_some():
                pass

    async def close(self) -> None:
        await self.flush()
        if self._task is not None:
            self._task.cancel()  # nothing is being written any more; it only pauses

    async def _write_gently(self) -> None:
        took, is_more = 0.0, True
        while is_more:
            await self._pause(took)
            started = time.monotonic()
            async with self._writing:
                is_more = await self._index_some()
            took = time.monotonic() - started
            if not is_more:
                # A batch takes many times what is left of it; nothing else may come that would give it back.
                await asyncio.to_thread(give_back_memory)
                is_more = self._waiting > 0  # what came meanwhile found this task at work

    async def _pause(self, took: float) -> None:
        """As long as the batch before took, and then until nothing comes any more or the longest pause is over."""
        began, left = time.monotonic(), took
        while left >= 0:
            await asyncio.sleep(left)
            left = min(self._came + QUIET_SECONDS, began + self._longest_pause(took)) - time.monotonic()

    def _longest_pause(self, took: float) -> float:
        if self._waiting < MOST_WAITING:
            return LONGEST_WAIT
        return took * max(1.0, LONGEST_PAUSE * MOST_WAITING / self._waiting)

    async def _index_some(self) -> bool:
        """Whether there may be more."""
        waiting = self._waiting
        try:
            done = await self._store.index_held(AT_ONCE)
        except WellsourcedError as problem:
            self._report(problem)
            done = 0
        else:
            self._is_reported = False
        self._waiting -= min(self._waiting, done or waiting)
        return done > 0 or self._waiting > 0

    def _finished(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            self._on_trouble(f"The library could not be written: {task.exception()}")

    def _report(self, problem: WellsourcedError) -> None:
        """Once; what is held stays held, and is indexed when the store can be used again."""
        if not self._is_reported:
            self._is_reported = True
            self._on_trouble(f"Pages are not kept in the library: {problem.sentence}")
