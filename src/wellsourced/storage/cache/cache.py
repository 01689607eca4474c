"""Answers worth keeping: memory first, then the encrypted file, or the Redis that instances share.

A hit in memory is one look in a dictionary. A large value comes into memory when it is asked for again: most pages and
lists of hits are asked for once, and would fill it; of small ones the last few megabytes are there at once. Whatever
happens to the backend, a call never fails because of the cache. Several processes may share a backend; each has a
memory of its own, so one may go on answering from memory what another has replaced, until it expires. What was erased
over Redis is gone from every memory a second later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, Protocol

from wellsourced.late_dataclass import dataclass
from wellsourced.storage.cache.memory import CachedValue, MemoryCache
from wellsourced.storage.cache.partition import current_owner, is_too_old, partitioned
from wellsourced.storage.cache.sqlite import SqliteCache
from wellsourced.storage.database import Database

HELD_AT_ONCE = 4 * 1024
"""Bytes of a value that is held in memory before anybody has asked for it again."""
Freshness = Literal["fresh", "aging", "expiring"]


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A kept value; `age` is in seconds, as of when it was asked for."""

    value: bytes
    stored_at: float
    ttl: float
    age: float
    owner: bytes = b""

    def is_of(self, owner: str) -> bool:
        """Whether it was kept in a call of this person's."""
        return self.owner == _mark(owner)

    @property
    def freshness(self) -> Freshness:
        return freshness(self.age, self.ttl)


def freshness(age: float, ttl: float) -> Freshness:
    used = age / ttl
    if used < 0.5:
        return "fresh"
    return "aging" if used < 0.8 else "expiring"


class CacheBackend(Protocol):
    """What stands behind the memory. Reading and writing never raise; erasing does when it cannot be done."""

    async def read(self, key: str) -> CachedValue | None: ...
    async def write(self, key: str, stored: CachedValue) -> bool: ...
    async def remove(self, key: str) -> None: ...
    async def forget(self, owner: bytes) -> int: ...
    async def clear(self) -> None: ...
    async def size(self) -> dict[str, int]: ...
    async def was_erased_elsewhere(self) -> bool: ...
    async def settle(self) -> None: ...
    async def close(self) -> None: ...


class Cache:
    """`close` writes what is still waiting; the database belongs to whoever made it."""

    def __init__(
        self,
        database: Database | None,
        max_memory_bytes: int,
        max_disk_bytes: int,
        clock: Callable[[], float] = time.time,
        on_trouble: Callable[[str], None] = lambda sentence: None,
        shared: CacheBackend | None = None,
    ) -> None:
        self.memory_hits = self.backend_hits = self.misses = 0
        self._clock = clock
        self._memory = MemoryCache(max_memory_bytes)
        disk = database if max_disk_bytes > 0 else None
        self._backend: CacheBackend = shared or SqliteCache(disk, max_disk_bytes, clock, on_trouble)

    async def get(self, key: str) -> CacheEntry | None:
        if await self._backend.was_erased_elsewhere():
            self._memory.clear()
        key = partitioned(key)
        now = self._clock()
        stored = self._memory.get(key)
        from_memory = stored is not None and stored.is_alive(now)
        if stored is None or not from_memory:
            stored = await self._promote(key, now)
        if stored is None or is_too_old(stored.stored_at):
            self.misses += 1
            return None
        self.memory_hits += from_memory
        self.backend_hits += not from_memory
        return CacheEntry(stored.value, stored.stored_at, stored.ttl, max(0.0, now - stored.stored_at), stored.owner)

    async def put(self, key: str, value: bytes, ttl: float, owner: str | None = None) -> bool:
        """Whether it was taken: a value too large for both halves is not, nor one without a life.

        With an owner (`Identity.owner`), or for a person whose call is going on, it is one of those that `forget_owner`
        removes; who may see it is a matter of the key.
        """
        if not ttl > 0:
            return False
        key = partitioned(key)
        stored = CachedValue(value, self._clock(), ttl, _mark(owner or current_owner()))
        if len(value) <= HELD_AT_ONCE:
            self._memory.put_new(key, stored)
        else:
            self._memory.discard(key)
        return await self._backend.write(key, stored) or self._memory.put(key, stored)

    async def delete(self, key: str) -> None:
        """Gone from memory and the backend when this returns, unless the backend could not be reached."""
        key = partitioned(key)
        self._memory.discard(key)
        await self._backend.remove(key)

    async def forget_owner(self, owner: str) -> int:
        """Remove what belongs to one owner, and say how much it was; raises when it cannot be done now. The digest of a
        tenant, with which the owners of its people begin, stands for all of them."""
        mark = _mark(owner)
        if not mark:
            return 0
        in_memory = self._memory.forget(mark)
        return max(in_memory, await self._backend.forget(mark))

    async def flush(self) -> None:
        """Everything gone, for all instances; raises when Redis does not answer."""
        self._memory.clear()
        await self._backend.clear()

    async def sizes(self) -> dict[str, dict[str, int]]:
        """What is held in each half; raises when the backend does not answer."""
        in_memory = {"entries": len(self._memory), "bytes": self._memory.used_bytes}
        return {"memory": in_memory, "store": await self._backend.size()}

    async def settle(self) -> None:
        """Have everything that was put so far written to the backend."""
        await self._backend.settle()

    async def close(self) -> None:
        await self._backend.close()

    async def _promote(self, key: str, now: float) -> CachedValue | None:
        """The value from the backend, taken into memory with the life it has left; a put meanwhile goes before it."""
        found = await self._backend.read(key)
        kept = self._memory.get(key)
        if kept is not None and kept.is_alive(now):
            return kept
        if found is None or not found.is_alive(now):
            self._memory.discard(key)
            return None
        self._memory.put(key, found)
        return found


def _mark(owner: str | None) -> bytes:
    return bytes.fromhex(owner or "")
