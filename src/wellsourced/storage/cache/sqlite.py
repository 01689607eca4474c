"""The disk half of the cache as the event loop sees it: a bounded queue in front of the table.

Changes are written in batches, a fifth of a second later at most, so a crash costs that much and no more, and no answer
waits for the disk. Trouble with the disk is reported once and rests this half for a while, then it is tried again; a
file that is merely busy is tried at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from wellsourced.errors import WellsourcedError
from wellsourced.storage.cache import sqlite_table
from wellsourced.storage.cache.memory import CachedValue
from wellsourced.storage.database import Database, Version, version_of
from wellsourced.storage.encrypted_file import StoreBusy

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

WRITE_AFTER = 0.2
REST_SECONDS = 30.0
"""How long a disk that could not be used is left alone."""
BATCH_BYTES = 4 * 1024 * 1024
QUEUE_BYTES = 16 * 1024 * 1024
QUEUE_ITEMS = 20_000
LARGEST_SHARE = 4
MOST_MARKS = 20_000
MARK_SECONDS = 10.0
"""How often at most the keys of a file that others write to are read."""


class SqliteCache:
    """A waiting change is a value, or None where a key is to be removed."""

    def __init__(
        self,
        database: Database | None,
        max_bytes: int,
        clock: Callable[[], float],
        on_trouble: Callable[[str], None],
    ) -> None:
        self._file = database
        self._unusable_until = 0.0
        self._is_reported = False
        self._max_bytes = max_bytes
        self._batch_bytes = min(BATCH_BYTES, max_bytes // 8)
        self._clock = clock
        self._on_trouble = on_trouble
        self._waiting: dict[str, CachedValue | None] = {}
        self._waiting_bytes = 0
        self._clear_first = False
        self._removals = 0
        self._writing = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._writer: asyncio.Task[None] | None = None
        self._marks: set[int] = set()
        self._marked_version: Version | None = None
        self._mark_after = 0.0
        if database is not None:
            database.require(sqlite_table.SCHEMA)

    @property
    def _database(self) -> Database | None:
        """The file while it can be used."""
        return None if self._unusable_until and time.monotonic() < self._unusable_until else self._file

    async def read(self, key: str) -> CachedValue | None:
        if key in self._waiting:
            return self._waiting[key]
        if (database := self._database) is None or self._clear_first:
            return None
        if self._is_absent(database, key):
            return None
        removals = self._removals
        found = await self._attempt(database.run(partial(self._look_up, key=key), write=False))
        if key in self._waiting:
            return self._waiting[key]
        return found if removals == self._removals else None

    def _is_absent(self, database: Database, key: str) -> bool:
        """Whether memory can tell that the file does not have it, which spares the way to the file's thread."""
        is_current = database.version is not None and database.version == self._marked_version
        return is_current and database.is_unchanged and sqlite_table.mark_of(key) not in self._marks

    def _mark(self, keys: Iterable[str]) -> bool:
        """When a batch is taken, and again when it is written: the marks may have been read anew meanwhile."""
        self._marks.update(map(sqlite_table.mark_of, keys))
        if len(self._marks) > 2 * MOST_MARKS:
            self._marks, self._marked_version = set(), None
        return True

    def _look_up(self, connection: Connection, key: str) -> CachedValue | None:
        """Runs on the file's thread; now and then the keys that it has are taken note of."""
        if self._marked_version != (version := version_of(connection)) and time.monotonic() >= self._mark_after:
            self._mark_after = time.monotonic() + MARK_SECONDS
            marks = sqlite_table.marks(connection, MOST_MARKS)
            self._marks, self._marked_version = marks or set(), version if marks is not None else None
        return sqlite_table.read(connection, key)

    async def write(self, key: str, stored: CachedValue) -> bool:
        """Queue it. Whether it will be written. What does not fit at least removes the value it replaces."""
        if self._database is None or (len(self._waiting) >= QUEUE_ITEMS and key not in self._waiting):
            return False
        size = sqlite_table.size_of(stored.value)
        fits = size * LARGEST_SHARE <= self._max_bytes and self._waiting_bytes + size <= QUEUE_BYTES
        self._change(key, stored if fits else None)
        self._write_soon()
        return fits

    async def remove(self, key: str) -> None:
        """Where the file cannot be used, it is emptied before it is used again: it still holds the value."""
        if self._file is not None:
            self._removals += 1
            self._change(key, None)
            self._clear_first = self._clear_first or self._database is None
            await self.settle()

    async def clear(self) -> None:
        if self._file is not None:
            self._removals += 1
            self._clear_first = True
            self._forget_waiting()
            await self.settle()

    async def forget(self, owner: bytes) -> int:
        """How many values of this owner's there were; a file that cannot be written to is raised as an error."""
        self._removals += 1
        async with self._writing:  # so that nothing of the owner's is on its way to the file
            keys = [key for key, stored in self._waiting.items() if stored is not None and stored.belongs_to(owner)]
            for key in keys:
                self._change(key, None)
            if self._file is None:
                return len(keys)
            return len(keys) + await self._file.run(partial(sqlite_table.forget, owner=owner))

    async def size(self) -> dict[str, int]:
        if (database := self._database) is None:
            return {"entries": 0, "bytes": 0}
        entries, held = await database.run(sqlite_table.size, write=False)
        return {"entries": entries, "bytes": held}

    async def was_erased_elsewhere(self) -> bool:
        """Processes that share a file do not tell each other."""
        return False

    async def settle(self) -> None:
        """Write what waits, until nothing does or the file is busy."""
        async with self._writing:
            self.stop()
            while (database := self._database) is not None and (self._waiting or self._clear_first):
                if not await self._write_batch(database):
                    break

    async def close(self) -> None:
        await self.settle()
        self.stop()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _change(self, key: str, stored: CachedValue | None) -> None:
        """The newest change of a key is the one that counts, and goes to the end of the queue."""
        self._waiting_bytes -= _weight(self._waiting.pop(key, None))
        self._waiting[key] = stored
        self._waiting_bytes += _weight(stored)

    def _write_soon(self) -> None:
        if self._waiting_bytes >= self._batch_bytes:
            self._start_writing()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(WRITE_AFTER, self._start_writing)

    def _start_writing(self) -> None:
        self.stop()
        if self._writer is None or self._writer.done():
            self._writer = asyncio.get_running_loop().create_task(self.settle())

    async def _write_batch(self, database: Database) -> bool:
        batch, clear_first = self._take_batch(), self._clear_first
        self._clear_first = False
        job = partial(_store, changes=batch, clear_first=clear_first, max_bytes=self._max_bytes, now=self._clock())
        if await self._attempt(database.run(lambda connection: job(connection) and self._mark(batch), durable=False)):
            self._is_reported = False
            return True
        if self._database is not None:
            self._put_back(batch, clear_first)
        else:
            self._clear_first = self._clear_first or clear_first or None in batch.values()
        return False

    def _take_batch(self) -> dict[str, CachedValue | None]:
        batch: dict[str, CachedValue | None] = {}
        size = 0
        for key in list(self._waiting):
            batch[key] = stored = self._waiting.pop(key)
            size += _weight(stored)
            if size >= self._batch_bytes:
                break
        self._waiting_bytes -= size
        self._mark(batch)
        return batch

    def _put_back(self, batch: dict[str, CachedValue | None], clear_first: bool) -> None:
        """After a busy file: wait again, behind whatever has changed since and unless all was cleared since."""
        if not self._clear_first:
            self._waiting = {**batch, **self._waiting}
            self._waiting_bytes = sum(_weight(stored) for stored in self._waiting.values())
        self._clear_first = self._clear_first or clear_first
        self._write_soon()

    async def _attempt(self, job: Awaitable[T]) -> T | None:
        try:
            return await job
        except StoreBusy:
            return None
        except WellsourcedError as trouble:
            self._rest(trouble)
            return None

    def _rest(self, trouble: WellsourcedError) -> None:
        self._unusable_until = time.monotonic() + REST_SECONDS
        self.stop()
        self._clear_first = self._clear_first or None in self._waiting.values()
        self._forget_waiting()
        if not self._is_reported:
            self._is_reported = True
            self._on_trouble(f"The cache goes on in memory alone. {trouble.sentence}")

    def _forget_waiting(self) -> None:
        self._waiting.clear()
        self._waiting_bytes = 0


def _weight(stored: CachedValue | None) -> int:
    return sqlite_table.size_of(stored.value) if stored is not None else 0


def _store(
    connection: Connection, changes: dict[str, CachedValue | None], clear_first: bool, max_bytes: int, now: float
) -> bool:
    if clear_first:
        sqlite_table.clear(connection)
    sqlite_table.write(connection, changes, max_bytes, now)
    return True
