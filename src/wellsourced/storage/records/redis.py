"""Personal records in Redis, for several instances behind one address.

`wellsourced:personal:<kind>:<place>:<id>` is a hash: the sealed record, whose it is and since when. Beside it are
sorted sets by age: `wellsourced:personals:<kind>:at:<place>` of ids, and `…:owner:<owner>`, `…:tenant:<tenant>` and
`…:all` of `<place>:<id>`. Each write is one script.
"""

from __future__ import annotations

from collections.abc import Sequence

from wellsourced.storage.records.backend import Row, Whose
from wellsourced.storage.redis_client import RedisClient

PREFIX = "wellsourced:personal"
AT_ONCE = 200

# KEYS[1] is the prefix of the hashes, KEYS[2] that of the sorted sets; both are of one kind.
FORGET = """
local function forget(place, id)
  local row = KEYS[1] .. place .. ':' .. id
  local whose = redis.call('HMGET', row, 'tenant', 'owner')
  if whose[1] then
    redis.call('ZREM', KEYS[2] .. 'tenant:' .. whose[1], place .. ':' .. id)
    redis.call('ZREM', KEYS[2] .. 'owner:' .. whose[2], place .. ':' .. id)
  end
  redis.call('ZREM', KEYS[2] .. 'at:' .. place, id)
  redis.call('ZREM', KEYS[2] .. 'all', place .. ':' .. id)
  return redis.call('DEL', row)
end
"""
# ARGV: place, id, tenant, owner, created, sealed, then what the script itself names. Times are microseconds.
STORE = """
local function store(created, lifetime)
  local row, member = KEYS[1] .. ARGV[1] .. ':' .. ARGV[2], ARGV[1] .. ':' .. ARGV[2]
  redis.call('HSET', row, 'tenant', ARGV[3], 'owner', ARGV[4], 'created', created, 'sealed', ARGV[6])
  local sets = {'at:' .. ARGV[1], 'owner:' .. ARGV[4], 'tenant:' .. ARGV[3], 'all'}
  for i, set in ipairs(sets) do
    redis.call('ZADD', KEYS[2] .. set, created, i == 1 and ARGV[2] or member)
    if lifetime > 0 then
      redis.call('ZREMRANGEBYSCORE', KEYS[2] .. set, '-inf', tonumber(created) - lifetime * 1000)
      redis.call('PEXPIRE', KEYS[2] .. set, lifetime)
    end
  end
  if lifetime > 0 then redis.call('PEXPIRE', row, lifetime) end
end
"""
# ARGV[7] is the lifetime in milliseconds, ARGV[8] the most rows a place holds; 0 means no limit.
PUT = (
    FORGET
    + STORE
    + """
store(ARGV[5], tonumber(ARGV[7]))
local most, gone = tonumber(ARGV[8]), 0
local surplus = most > 0 and redis.call('ZCARD', KEYS[2] .. 'at:' .. ARGV[1]) - most or 0
if surplus > 0 then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[2] .. 'at:' .. ARGV[1], 0, surplus - 1)) do
    gone = gone + forget(ARGV[1], id)
  end
end
return gone
"""
)
# ARGV[7] is what is expected to lie there, '' for nothing.
SWAP = (
    STORE
    + """
local row = KEYS[1] .. ARGV[1] .. ':' .. ARGV[2]
local there = redis.call('HMGET', row, 'sealed', 'created')
if (there[1] or '') ~= ARGV[7] then return 0 end
if there[1] then redis.call('HSET', row, 'sealed', ARGV[6]) else store(ARGV[5], 0) end
return 1
"""
)
# ARGV: places and ids, one after the other.
READ = """
local found = {}
for i = 1, #ARGV, 2 do
  local row = KEYS[1] .. ARGV[i] .. ':' .. ARGV[i + 1]
  found[#found + 1] = redis.call('HMGET', row, 'tenant', 'owner', 'created', 'sealed')
end
return found
"""
# ARGV: a sorted set in which the rows may stand although they are gone, then places and ids.
DELETE = (
    FORGET
    + """
local gone = 0
for i = 2, #ARGV, 2 do
  gone = gone + forget(ARGV[i], ARGV[i + 1])
  redis.call('ZREM', ARGV[1], ARGV[i] .. ':' .. ARGV[i + 1])
end
return gone
"""
)


class RedisShelf:
    def __init__(self, url: str) -> None:
        self._redis = RedisClient(url)

    async def put(self, row: Row, *, most: int, lifetime: float) -> int:
        return int(await self._redis.run(PUT, _keys(row.kind), [*_values(row), round(lifetime * 1000), most]))

    async def swap(self, row: Row, expected: bytes | None) -> bool:
        return bool(await self._redis.run(SWAP, _keys(row.kind), [*_values(row), expected or b""]))

    async def ids(self, kind: str, place: str, since: float) -> list[str]:
        found = await self._redis.ask("ZRANGEBYSCORE", f"{_sets(kind)}at:{place}", f"({_us(since)}", "+inf")
        return [id.decode() for id in reversed(found)]

    async def rows(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[Row]:
        return await self._read(kind, [(place, id) for id in ids], since)

    async def rows_of(self, kind: str, whose: Whose, since: float) -> list[Row]:
        members = await self._redis.ask("ZRANGE", _belonging(kind, whose), 0, -1)
        return await self._read(kind, [_address(member) for member in members], since)

    async def remove(self, kind: str, place: str, id: str) -> int:
        return await self._forget(kind, f"{_sets(kind)}all", [(place, id)])

    async def erase(self, kind: str, whose: Whose) -> int:
        return await self._erase_range(kind, _belonging(kind, whose), "+inf")

    async def purge(self, kind: str, before: float) -> int:
        return await self._erase_range(kind, f"{_sets(kind)}all", str(_us(before)))

    async def close(self) -> None:
        await self._redis.close()

    async def _erase_range(self, kind: str, members: str, last: str) -> int:
        """In bites, so that nobody else at this Redis waits long. Each bite leaves the set it was taken from."""
        gone = 0
        while found := await self._redis.ask("ZRANGEBYSCORE", members, "-inf", last, "LIMIT", 0, AT_ONCE):
            gone += await self._forget(kind, members, [_address(member) for member in found])
        return gone

    async def _forget(self, kind: str, members: str, addresses: Sequence[tuple[str, str]]) -> int:
        flat = [part for address in addresses for part in address]
        return int(await self._redis.run(DELETE, _keys(kind), [members, *flat]))

    async def _read(self, kind: str, addresses: Sequence[tuple[str, str]], since: float) -> list[Row]:
        rows: list[Row] = []
        for start in range(0, len(addresses), AT_ONCE):
            bite = addresses[start : start + AT_ONCE]
            found = await self._redis.run(READ, _keys(kind), [part for address in bite for part in address])
            for (place, id), (tenant, owner, created, sealed) in zip(bite, found, strict=True):
                if tenant is not None:
                    moment = int(created) / 1e6
                    rows.append(Row(kind, place, id, tenant.decode(), owner.decode(), moment, sealed))
        return [row for row in rows if row.created > since]


def _keys(kind: str) -> list[str]:
    return [f"{PREFIX}:{kind}:", _sets(kind)]


def _sets(kind: str) -> str:
    return f"{PREFIX}s:{kind}:"


def _belonging(kind: str, whose: Whose) -> str:
    return _sets(kind) + (f"tenant:{whose.tenant}" if whose.owner is None else f"owner:{whose.owner}")


def _values(row: Row) -> list[str | int | bytes]:
    return [row.place, row.id, row.tenant, row.owner, _us(row.created), row.sealed]


def _address(member: bytes) -> tuple[str, str]:
    place, _, id = member.decode().partition(":")
    return place, id


def _us(moment: float) -> int:
    return round(moment * 1_000_000)
