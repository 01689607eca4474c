"""Documents on their way into the library, written in batches when nothing else is going on, so that no answer waits.

A document that comes puts the writing off by a moment, but after ten seconds it begins all the same, with pauses, so
that it takes a quarter of the time at most. The queue is bounded: what does not fit is left out, since the page can be
read again. Trouble with the store is reported once and never reaches the call that read the page.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import islice

from wellsourced.errors import WellsourcedError
from wellsourced.storage.library.store import LibraryStore, NewDocument

QUIET_SECONDS = 1.0
LONGEST_WAIT = 10.0
PAUSE = 3.0
"""How many times as long as a batch took."""
MOST_CHARACTERS = 32_000_000
MOST_WAITING = 5_000
AT_ONCE = 16


class WriteBehindQueue:
    def __init__(self, store: LibraryStore, on_trouble: Callable[[str], None] = lambda sentence: None) -> None:
        self._store = store
        self._on_trouble = on_trouble
        self._waiting: dict[tuple[str, str, str], NewDocument] = {}
        self._characters = 0
        self._writing = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._write_by = 0.0
        self._task: asyncio.Task[None] | None = None
        self._is_reported = False

    def put(self, entry: NewDocument) -> bool:
        """Whether it will be written; of the same document the newest counts."""
        key = (entry.tenant, entry.owner, entry.id)
        size = len(entry.text) - (len(self._waiting[key].text) if key in self._waiting else 0)
        if self._characters + size > MOST_CHARACTERS or len(self._waiting) >= MOST_WAITING:
            return False
        self._waiting[key] = entry
        self._characters += size
        self._write_soon()
        return True

    async def flush(self) -> None:
        """Write all of it at once; what is being written already is waited for."""
        async with self._writing:
            while self._waiting:
                await self._write_some()

    async def _write_gently(self) -> None:
        while self._waiting:
            started = time.monotonic()
            async with self._writing:
                await self._write_some()
            await asyncio.sleep(PAUSE * (time.monotonic() - started))

    async def _write_some(self) -> None:
        batch = [self._waiting.pop(key) for key in list(islice(self._waiting, AT_ONCE))]
        self._characters -= sum(len(entry.text) for entry in batch)
        try:
            await self._store.add(batch, durable=False)
        except WellsourcedError as problem:
            self._report(problem)

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self.flush()
        if self._task is not None:
            self._task.cancel()  # nothing is being written any more; it only pauses

    def _write_soon(self) -> None:
        if self._task is not None and not self._task.done():
            return
        loop = asyncio.get_running_loop()
        if self._timer is None:
            self._write_by = loop.time() + LONGEST_WAIT
        else:
            self._timer.cancel()
        self._timer = loop.call_at(min(loop.time() + QUIET_SECONDS, self._write_by), self._start)

    def _start(self) -> None:
        self._timer = None
        self._task = asyncio.ensure_future(self._write_gently())
        self._task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        """What came while the last batch was being written starts the clock again."""
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            self._on_trouble(f"The library could not be written: {task.exception()}")
        if self._waiting:
            self._write_soon()

    def _report(self, problem: WellsourcedError) -> None:
        if not self._is_reported:
            self._is_reported = True
            self._on_trouble(f"Pages are not kept in the library: {problem.sentence}")
