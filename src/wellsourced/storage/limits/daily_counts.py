"""Calls of a UTC day by key: counted in memory, and written behind to the encrypted file where there is one.

What is written is what was added, and what comes back is the sum, so that processes on one file count together, a
fifth of a second late. A crash costs that much and no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from wellsourced.errors import WellsourcedError
from wellsourced.storage.cache.sqlite_table import digest_of
from wellsourced.storage.database import Database, Schema
from wellsourced.storage.encrypted_file import StoreBusy

if TYPE_CHECKING:
    from sqlite3 import Connection

DAY = 86_400
WRITE_AFTER = 0.2
REST_SECONDS = 30.0
"""After how long a disk that could not be used is tried again."""
READ_SECONDS = 0.3
MOST_KEYS = 200_000

SCHEMA = Schema(
    "calls",
    (
        "CREATE TABLE calls (day INTEGER NOT NULL, digest BLOB NOT NULL, used INTEGER NOT NULL, "
        "PRIMARY KEY (day, digest)) WITHOUT ROWID",
    ),
)


class DailyCounts:
    """`make_ready` a key, then ask or add. All keys are of the day of the last `make_ready`."""

    def __init__(
        self, database: Database | None = None, on_trouble: Callable[[str], None] = lambda sentence: None
    ) -> None:
        self.day = 0
        self._database = database
        self._on_trouble = on_trouble
        self._used: dict[str, int] = {}
        self._unwritten: dict[str, int] = {}
        self._writing = asyncio.Lock()
        self._is_reported = False
        self._timer: asyncio.TimerHandle | None = None
        self._writer: asyncio.Task[None] | None = None
        if database is not None:
            database.require(SCHEMA)

    async def make_ready(self, key: str, now: float) -> None:
        """Know the key's count of today. A file that is slow to say is not waited for: the next write tells the sum."""
        day = int(now // DAY)
        if day != self.day:
            self.day = day
            self._used.clear()
            self._unwritten.clear()
        if self._database is not None and key not in self._used:
            kept = await self._read(self._database, key)
            if self.day == day and key not in self._used:
                self._set(key, kept + self._unwritten.get(key, 0))

    def used(self, key: str) -> int:
        return self._used.get(key, 0)

    def add(self, key: str, calls: int) -> None:
        self._set(key, self.used(key) + calls)
        if self._database is not None and len(self._unwritten) < MOST_KEYS:
            self._unwritten[key] = self._unwritten.get(key, 0) + calls
            self._write_soon()

    def learn(self, key: str, day: int, used: int) -> None:
        """What others who count the same say; never less than is known."""
        if day == self.day and used > self.used(key):
            self._set(key, used)

    async def settle(self) -> None:
        """Write what was added since the last time."""
        async with self._writing:
            self._stop()
            if self._database is None or not self._unwritten:
                return
            day, calls = self.day, self._unwritten
            self._unwritten = {}
            try:
                sums = await self._database.run(partial(_add, day=day, calls=calls), durable=False)
            except StoreBusy:
                self._put_back(day, calls)
            except WellsourcedError as trouble:
                self._put_back(day, calls, REST_SECONDS)
                self._report(trouble)
            else:
                self._is_reported = False
                self._take_over(day, sums)

    async def close(self) -> None:
        await self.settle()
        self._stop()

    def _set(self, key: str, used: int) -> None:
        """With a file behind, a key that had to go is read again when it is next seen."""
        self._used.pop(key, None)
        self._used[key] = used
        if len(self._used) > MOST_KEYS:
            del self._used[next(iter(self._used))]

    async def _read(self, database: Database, key: str) -> int:
        try:
            async with asyncio.timeout(READ_SECONDS):
                return await database.run(partial(_used, day=self.day, key=key), write=False)
        except (TimeoutError, WellsourcedError):
            return 0

    def _take_over(self, day: int, sums: dict[str, int]) -> None:
        if day == self.day:
            for key, used in sums.items():
                self._set(key, used + self._unwritten.get(key, 0))

    def _put_back(self, day: int, calls: dict[str, int], seconds: float = WRITE_AFTER) -> None:
        if day == self.day:
            for key, number in calls.items():
                self._unwritten[key] = self._unwritten.get(key, 0) + number
            self._write_soon(seconds)

    def _report(self, trouble: WellsourcedError) -> None:
        if not self._is_reported:
            self._is_reported = True
            self._on_trouble(f"The day's calls are counted in memory alone. {trouble.sentence}")

    def _write_soon(self, seconds: float = WRITE_AFTER) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._start_writing)

    def _start_writing(self) -> None:
        self._timer = None
        self._writer = asyncio.get_running_loop().create_task(self.settle())

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _used(connection: Connection, day: int, key: str) -> int:
    row = connection.execute("SELECT used FROM calls WHERE day = ? AND digest = ?", (day, digest_of(key))).fetchone()
    return int(row[0]) if row else 0


def _add(connection: Connection, day: int, calls: dict[str, int]) -> dict[str, int]:
    connection.execute("DELETE FROM calls WHERE day < ?", (day,))
    return {key: _add_one(connection, day, key, number) for key, number in calls.items()}


def _add_one(connection: Connection, day: int, key: str, number: int) -> int:
    row = connection.execute(
        "INSERT INTO calls VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used RETURNING used",
        (day, digest_of(key), number),
    ).fetchone()
    return int(row[0])
