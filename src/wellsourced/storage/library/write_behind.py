"""Documents on their way into the library: held at once, and indexed in batches when nothing else is going on.

What is held is in the store when `put` returns, and the end of the process does not lose it: whoever looks into the
library next, in this process or another, indexes it first. A document that comes puts the indexing off by some seconds,
but when many are held, or after a minute, it begins all the same, with pauses, so that it takes a quarter of the time
at most.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from wellsourced.errors import WellsourcedError
from wellsourced.storage.library.store import LibraryStore, NewDocument

QUIET_SECONDS = 5.0
LONGEST_WAIT = 60.0
MOST_WAITING = 200
"""Documents that are indexed without waiting for quiet: whoever searches waits for all that are held."""
PAUSE = 3.0
"""How many times as long as a batch took."""
AT_ONCE = 16


class WriteBehindQueue:
    def __init__(self, store: LibraryStore, on_trouble: Callable[[str], None] = lambda sentence: None) -> None:
        self._store = store
        self._on_trouble = on_trouble
        self._writing = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._write_by = 0.0
        self._task: asyncio.Task[None] | None = None
        self._came_meanwhile = False
        self._is_reported = False
        self._waiting = 0

    async def put(self, entries: Sequence[NewDocument]) -> None:
        """Of the same document the newest counts. Raises where it cannot be kept."""
        if await self._store.hold(entries):
            self._waiting += len(entries)
            self._write_soon()

    async def flush(self) -> None:
        """Index all of it at once; what is being indexed already is waited for."""
        async with self._writing:
            while await self._index_some():
                pass

    async def _write_gently(self) -> None:
        is_more = True
        while is_more:
            self._came_meanwhile = False
            started = time.monotonic()
            async with self._writing:
                is_more = await self._index_some()
            await asyncio.sleep(PAUSE * (time.monotonic() - started))

    async def _index_some(self) -> bool:
        """Whether there may be more."""
        try:
            is_more = await self._store.index_held(AT_ONCE) > 0
        except WellsourcedError as problem:
            self._report(problem)
            return False
        self._is_reported = False
        return is_more

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self.flush()
        if self._task is not None:
            self._task.cancel()  # nothing is being written any more; it only pauses

    def _write_soon(self) -> None:
        if self._task is not None and not self._task.done():
            self._came_meanwhile = True
            return
        loop = asyncio.get_running_loop()
        if self._timer is None:
            self._write_by = loop.time() + LONGEST_WAIT
        else:
            self._timer.cancel()
        quiet = QUIET_SECONDS if self._waiting < MOST_WAITING else 0.0
        self._timer = loop.call_at(min(loop.time() + quiet, self._write_by), self._start)

    def _start(self) -> None:
        self._timer = None
        self._waiting = 0
        self._task = asyncio.ensure_future(self._write_gently())
        self._task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        """What came while the last batch was being indexed starts the clock again."""
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            self._on_trouble(f"The library could not be written: {task.exception()}")
        if self._came_meanwhile and not task.cancelled():
            self._write_soon()

    def _report(self, problem: WellsourcedError) -> None:
        """Once; what is held stays held, and is indexed when the store can be used again."""
        if not self._is_reported:
            self._is_reported = True
            self._on_trouble(f"Pages are not kept in the library: {problem.sentence}")
