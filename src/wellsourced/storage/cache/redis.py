"""The half of the cache that instances share, in Redis.

Values are sealed, and their names are keyed digests: Redis knows neither questions nor answers nor whose they are. A
value goes when its time is over; how much room all of them may take is Redis's own `maxmemory`. The values of a person,
and those of a tenant, are listed in a sorted set beside them, by expiry. Erasing raises a counter that every instance
looks at once a second.
"""

from __future__ import annotations

import math
import struct
import time
from collections.abc import AsyncIterator, Callable

from wellsourced.storage.cache.memory import CachedValue
from wellsourced.storage.redis_client import CANNOT_SHARE, OptionalRedisClient
from wellsourced.storage.sealer import CannotOpen, Sealer

VALUES = "wellsourced:cache:value:"
OWNERS = "wellsourced:cache:owner:"
ERASURES = "wellsourced:cache:erasures"
LARGEST = 8 * 1024 * 1024
TENANT_PART = 32
LOOK_EVERY = 1.0
SCANNED_AT_ONCE = 500
HEAD = struct.Struct("!ddB")

# KEYS: value, then the lists of its tenant and its person if it has an owner. ARGV: sealed value, milliseconds to live.
WRITE = """
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for number = 2, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[number], '-inf', now)
  redis.call('ZADD', KEYS[number], now + ARGV[2], KEYS[1])
  if redis.call('PTTL', KEYS[number]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[number], ARGV[2]) end
end
"""
# KEYS: the list, the counter of erasures.
FORGET = """
local gone = 0
for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do gone = gone + redis.call('UNLINK', key) end
redis.call('UNLINK', KEYS[1])
redis.call('INCR', KEYS[2])
return gone
"""


class RedisCache:
    """While Redis is away nothing is found and nothing written; it is asked again by itself."""

    def __init__(self, redis: OptionalRedisClient, sealer: Sealer, clock: Callable[[], float] = time.monotonic) -> None:
        self._redis = redis
        self._sealer = sealer
        self._clock = clock
        self._removals = 0
        self._erasures: int | None = None
        self._looked_at = -math.inf

    async def read(self, key: str) -> CachedValue | None:
        removals = self._removals
        try:
            sealed = await self._redis.execute("GET", self._name(key))
        except CANNOT_SHARE:
            return None
        return self._opened(key, sealed) if sealed and removals == self._removals else None

    async def write(self, key: str, stored: CachedValue) -> bool:
        """Whether Redis has it. What is too large at least removes the value it replaces."""
        if len(stored.value) > LARGEST:
            await self.remove(key)
            return False
        parts = (stored.owner[:TENANT_PART], stored.owner) if stored.owner else ()
        head = HEAD.pack(stored.stored_at, stored.ttl, len(stored.owner)) + stored.owner
        try:
            names = [self._name(key), *map(self._list_of, parts)]
            sealed = self._sealer.seal(head + stored.value, _identity(key))
            await self._redis.run_script(WRITE, names, [sealed, math.ceil(stored.ttl * 1000)])
        except CANNOT_SHARE:
            return False
        return True

    async def remove(self, key: str) -> None:
        self._removals += 1
        try:
            await self._redis.execute("UNLINK", self._name(key))
        except CANNOT_SHARE:
            return

    async def forget(self, owner: bytes) -> int:
        self._removals += 1
        return int(await self._redis.run_script(FORGET, [self._list_of(owner), ERASURES], []))

    async def clear(self) -> None:
        self._removals += 1
        for prefix in (VALUES, OWNERS):
            async for names in self._names(prefix):
                await self._redis.execute("UNLINK", *names)
        await self._redis.execute("INCR", ERASURES)

    async def size(self) -> dict[str, int]:
        """How much room the values take only Redis knows."""
        return {"entries": sum([len(names) async for names in self._names(VALUES)])}

    async def was_erased_elsewhere(self) -> bool:
        now = self._clock()
        if now - self._looked_at < LOOK_EVERY:
            return False
        self._looked_at = now
        try:
            found = int(await self._redis.execute("GET", ERASURES) or 0)
        except CANNOT_SHARE:
            return False
        before, self._erasures = self._erasures, found
        if before is None or before == found:
            return False
        self._removals += 1
        return True

    async def settle(self) -> None:
        """Every write was answered already."""

    async def close(self) -> None:
        """The connection belongs to whoever made it."""

    async def _names(self, prefix: str) -> AsyncIterator[list[bytes]]:
        cursor, begun = 0, False
        while cursor or not begun:
            found = await self._redis.execute("SCAN", cursor, "MATCH", f"{prefix}*", "COUNT", SCANNED_AT_ONCE)
            cursor, begun = int(found[0]), True
            if found[1]:
                yield found[1]

    def _opened(self, key: str, sealed: bytes) -> CachedValue | None:
        """None for what another key sealed or somebody damaged: it is replaced by the next answer."""
        try:
            plain = self._sealer.open(sealed, _identity(key)).plain
            stored_at, ttl, length = HEAD.unpack_from(plain)
        except (CannotOpen, struct.error):
            return None
        start = HEAD.size + length
        return CachedValue(plain[start:], stored_at, ttl, plain[HEAD.size : start])

    def _name(self, key: str) -> str:
        return VALUES + self._sealer.digest(key)

    def _list_of(self, owner: bytes) -> str:
        return OWNERS + self._sealer.digest(owner.hex())


def _identity(key: str) -> str:
    return f"cache:{key}"
