"""Research sessions in Redis, for several instances behind one address.

Keys: `wellsourced:session:<owner>:<id>` is a hash of the head, the revision and the sealed rows, with `:order` beside
it, the rows by revision; `wellsourced:sessions:<owner>` orders an owner's sessions by last use; `…:tenant:<tenant>`
holds the tenant's owners with their sealed names; `…:live` orders all sessions by expiry. Each write is one script,
and is acknowledged by Redis before we acknowledge it.
"""

from __future__ import annotations

from collections.abc import Sequence

from wellsourced.storage.redis_client import RedisClient
from wellsourced.storage.sealer import Sealer
from wellsourced.storage.sessions.backend import Change, Kept, Place, Row, Written
from wellsourced.storage.sessions.store import LIMITS, Limits, SealedSessions

PREFIX = "wellsourced:session"
SCANNED_AT_ONCE = 500

# KEYS: hash, order, owner's sessions, tenant's owners, all sessions. Times are microseconds since 1970.
PUT = """
local function put(revision, from)
  redis.call('HSET', KEYS[1], 'revision', revision, 'used', ARGV[2], 'head', ARGV[4])
  for i = from, #ARGV, 2 do
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
    redis.call('ZADD', KEYS[2], revision, ARGV[i])
  end
end
"""
PROLONG = """
local function prolong()
  redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
  local left = math.floor((tonumber(ARGV[3]) - tonumber(ARGV[2])) / 1000)
  for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], left) end
  redis.call('ZADD', KEYS[5], ARGV[3], KEYS[1])
end
"""
FORGET = """
local function forget(prefix, id)
  local gone = redis.call('DEL', prefix .. id)
  redis.call('DEL', prefix .. id .. ':order')
  redis.call('ZREM', KEYS[3], id)
  redis.call('ZREM', KEYS[5], prefix .. id)
  return gone
end
"""
# ARGV: id, now, expires, head, owner, sealed user, most, prefix of the owner's hashes, then names and rows.
CREATE = (
    PUT
    + PROLONG
    + FORGET
    + """
put(1, 9)
redis.call('HSET', KEYS[4], ARGV[5], ARGV[6])
prolong()
for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  if redis.call('EXISTS', ARGV[8] .. id) == 0 then forget(ARGV[8], id) end
end
local surplus = redis.call('ZCARD', KEYS[3]) - tonumber(ARGV[7])
if surplus > 0 then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, surplus)) do
    if id ~= ARGV[1] and surplus > 0 then
      forget(ARGV[8], id)
      surplus = surplus - 1
    end
  end
end
"""
)
# ARGV: id, now, expires, head, expected revision, then names and rows.
WRITE = (
    PUT
    + PROLONG
    + """
local revision = redis.call('HGET', KEYS[1], 'revision')
if not revision then return 'gone' end
if revision ~= ARGV[5] then return 'overtaken' end
put(tonumber(ARGV[5]) + 1, 6)
prolong()
return 'yes'
"""
)
# ARGV: id, now, expires, revision after which rows are wanted.
READ = (
    PROLONG
    + """
local kept = redis.call('HMGET', KEYS[1], 'revision', 'used', 'head')
if not kept[1] then return false end
local rows = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[4], '+inf')) do
  rows[#rows + 1] = name
  rows[#rows + 1] = redis.call('HGET', KEYS[1], name)
end
redis.call('HSET', KEYS[1], 'used', ARGV[2])
prolong()
return {kept[1], kept[2], kept[3], rows}
"""
)
# ARGV: prefix of the owner's hashes, then ids; without ids all of the owner's sessions go.
DELETE = (
    FORGET
    + """
local gone, ids = 0, {unpack(ARGV, 2)}
if #ids == 0 then ids = redis.call('ZRANGE', KEYS[3], 0, -1) end
for _, id in ipairs(ids) do gone = gone + forget(ARGV[1], id) end
return gone
"""
)


class RedisSessions(SealedSessions):
    def __init__(self, url: str, seal: Sealer, limits: Limits = LIMITS) -> None:
        super().__init__(RedisShelf(url), seal, limits)


class RedisShelf:
    def __init__(self, url: str) -> None:
        self._redis = RedisClient(url)

    async def create(self, place: Place, user: bytes, change: Change, most: int) -> None:
        head = [place.id, _us(change.now), _us(change.expires), change.head, place.owner, user, most]
        await self._redis.run(CREATE, _keys(place), [*head, f"{PREFIX}:{place.owner}:", *_flat(change.rows)])

    async def read(self, place: Place, after: int, now: float, expires: float) -> Kept | None:
        found = await self._redis.run(READ, _keys(place), [place.id, _us(now), _us(expires), after])
        if not found:
            return None
        revision, used, head, flat = found
        rows = [_row(name, sealed) for name, sealed in zip(flat[::2], flat[1::2], strict=True)]
        return Kept(place.id, int(revision), int(used) / 1e6, head, rows)

    async def write(self, place: Place, expected: int, change: Change) -> Written:
        head = [place.id, _us(change.now), _us(change.expires), change.head, expected]
        return Written((await self._redis.run(WRITE, _keys(place), [*head, *_flat(change.rows)])).decode())

    async def heads(self, owner: str, now: float) -> list[Kept]:
        ids = [id.decode() for id in await self._redis.ask("ZREVRANGE", f"{PREFIX}s:{owner}", 0, -1)]
        found = [
            (id, await self._redis.ask("HMGET", f"{PREFIX}:{owner}:{id}", "revision", "used", "head")) for id in ids
        ]
        return [Kept(id, int(part[0]), int(part[1]) / 1e6, part[2]) for id, part in found if part[0]]

    async def users(self, tenant: str) -> list[bytes]:
        return list((await self._owners_of(tenant)).values())

    async def count(self, now: float) -> int:
        return int(await self._redis.ask("ZCOUNT", f"{PREFIX}s:live", f"({_us(now)}", "+inf"))

    async def delete(self, place: Place) -> int:
        return int(await self._redis.run(DELETE, _keys(place), [f"{PREFIX}:{place.owner}:", place.id]))

    async def delete_owner(self, tenant: str, owner: str) -> int:
        gone = int(await self._redis.run(DELETE, _keys(Place(tenant, owner, "")), [f"{PREFIX}:{owner}:"]))
        await self._redis.ask("HDEL", f"{PREFIX}s:tenant:{tenant}", owner)
        return gone

    async def delete_tenant(self, tenant: str) -> int:
        return sum([await self.delete_owner(tenant, owner) for owner in await self._owners_of(tenant)])

    async def delete_all(self) -> int:
        gone, cursor, begun = 0, 0, False
        while cursor or not begun:
            found = await self._redis.ask("SCAN", cursor, "MATCH", f"{PREFIX}*", "COUNT", SCANNED_AT_ONCE)
            cursor, begun = int(found[0]), True
            if found[1]:
                await self._redis.ask("UNLINK", *found[1])
            gone += sum(key.startswith(f"{PREFIX}:".encode()) and not key.endswith(b":order") for key in found[1])
        return gone

    async def purge(self, now: float) -> int:
        """Redis removes what has expired by itself; only the list of all sessions is shortened."""
        return int(await self._redis.ask("ZREMRANGEBYSCORE", f"{PREFIX}s:live", "-inf", _us(now)))

    async def close(self) -> None:
        await self._redis.close()

    async def _owners_of(self, tenant: str) -> dict[str, bytes]:
        flat = await self._redis.ask("HGETALL", f"{PREFIX}s:tenant:{tenant}")
        pairs = flat.items() if isinstance(flat, dict) else zip(flat[::2], flat[1::2], strict=True)
        return {owner.decode(): user for owner, user in pairs}


def _keys(place: Place) -> list[str]:
    session = f"{PREFIX}:{place.owner}:{place.id}"
    shared = [f"{PREFIX}s:{place.owner}", f"{PREFIX}s:tenant:{place.tenant}", f"{PREFIX}s:live"]
    return [session, f"{session}:order", *shared]


def _us(moment: float) -> int:
    return round(moment * 1_000_000)


def _flat(rows: Sequence[Row]) -> list[str | bytes]:
    return [part for row in rows for part in (f"{row.kind} {row.number}", row.sealed)]


def _row(name: bytes, sealed: bytes) -> Row:
    kind, number = name.decode().split(" ")
    return Row(kind, int(number), sealed)
