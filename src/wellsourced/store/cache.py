"""Answers worth keeping: memory in front, the encrypted file behind.

A hit in memory is one look in a dictionary, and a put returns at once. Whatever happens to the disk, a call never
fails because of the cache. Several processes may share the file; each has a memory of its own, so one may go on
answering from memory what another has replaced, until it expires.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from wellsourced.store.database import Database
from wellsourced.store.disk import Disk
from wellsourced.store.memory import Memory, Stored

Freshness = Literal["fresh", "aging", "expiring"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A kept value; `age` is in seconds, as of when it was asked for."""

    value: bytes
    stored_at: float
    ttl: float
    age: float

    @property
    def freshness(self) -> Freshness:
        used = self.age / self.ttl
        if used < 0.5:
            return "fresh"
        return "aging" if used < 0.8 else "expiring"


class Cache:
    """`close` writes what is still waiting; the database belongs to whoever made it."""

    def __init__(
        self,
        database: Database | None,
        max_memory_bytes: int,
        max_disk_bytes: int,
        clock: Callable[[], float] = time.time,
        on_trouble: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._clock = clock
        self._memory = Memory(max_memory_bytes)
        self._disk = Disk(database if max_disk_bytes > 0 else None, max_disk_bytes, clock, on_trouble)

    async def get(self, key: str) -> Entry | None:
        now = self._clock()
        stored = self._memory.get(key)
        if stored is None or not stored.is_alive(now):
            stored = await self._promoted(key, now)
            if stored is None:
                return None
        return Entry(stored.value, stored.stored_at, stored.ttl, max(0.0, now - stored.stored_at))

    async def put(self, key: str, value: bytes, ttl: float) -> bool:
        """Whether it was taken: a value too large for both halves is not, nor one without a life."""
        if not ttl > 0:
            return False
        stored = Stored(value, self._clock(), ttl)
        in_memory = self._memory.put(key, stored)
        return self._disk.queue(key, stored) or in_memory

    async def delete(self, key: str) -> None:
        """Gone from memory and disk when this returns, unless another process held the file all the while."""
        self._memory.discard(key)
        await self._disk.remove(key)

    async def clear(self) -> None:
        """Everything gone, with the same reservation."""
        self._memory.clear()
        await self._disk.clear()

    async def flush(self) -> None:
        """Have everything that was put so far written to the file."""
        await self._disk.flush()

    async def close(self) -> None:
        await self._disk.flush()
        self._disk.stop()

    async def _promoted(self, key: str, now: float) -> Stored | None:
        """The disk's value, taken into memory with the life it has left; a put meanwhile goes before it."""
        found = await self._disk.read(key)
        kept = self._memory.get(key)
        if kept is not None and kept.is_alive(now):
            return kept
        if found is None or not found.is_alive(now):
            self._memory.discard(key)
            return None
        self._memory.put(key, found)
        return found
