"""Records in Redis, for several instances behind one address.

`wellsourced:personal:<kind>:<place>:<id>` is a hash: the sealed record, whose it is, its time and revision, and its
parts; `…:order` beside it lists the parts by revision. Sorted sets by time find records again:
`wellsourced:personals:<kind>:at:<place>` holds ids, and `…:owner:<owner>`, `…:tenant:<tenant>` and `…:all` hold
`<place>:<id>`. Each write is one script, and Redis acknowledges it before we do. Times are microseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wellsourced.storage.records.store import RecordKey, RecordPart, RecordScope, StoredRecord, WriteResult
from wellsourced.storage.redis_client import RedisClient

PREFIX = "wellsourced:personal"
OLD_SESSIONS = "wellsourced:session"
BATCH = 200

# In every script KEYS[1] is the prefix of the hashes and KEYS[2] that of the sorted sets; both are of one kind.
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
  redis.call('DEL', row .. ':order')
  return redis.call('DEL', row)
end
"""
# Moves a record in the sorted sets to its time. With a lifetime in milliseconds, it and the sets end that much later;
# the set of all stays (earlier versions let it end), for `purge` to count what has ended.
SORT = """
local function sort(place, id, tenant, owner, time, lifetime)
  local row = KEYS[1] .. place .. ':' .. id
  local sets = {'at:' .. place, 'owner:' .. owner, 'tenant:' .. tenant, 'all'}
  for i, set in ipairs(sets) do
    redis.call('ZADD', KEYS[2] .. set, time, i == 1 and id or place .. ':' .. id)
    if lifetime > 0 and set ~= 'all' then
      redis.call('ZREMRANGEBYSCORE', KEYS[2] .. set, '-inf', tonumber(time) - lifetime * 1000)
      redis.call('PEXPIRE', KEYS[2] .. set, lifetime)
    end
  end
  if lifetime > 0 then
    redis.call('PERSIST', KEYS[2] .. 'all')
    redis.call('PEXPIRE', row, lifetime)
    redis.call('PEXPIRE', row .. ':order', lifetime)
  end
end
"""
# ARGV: place, id, tenant, owner, time, sealed, revision, sealed name of the owner, lifetime, two of the script's own,
# then names and bytes of parts.
STORE = """
local place, id = ARGV[1], ARGV[2]
local row = KEYS[1] .. place .. ':' .. id
local function store()
  redis.call('HSET', row, 'tenant', ARGV[3], 'owner', ARGV[4], 'created', ARGV[5], 'sealed', ARGV[6])
  redis.call('HSET', row, 'revision', ARGV[7], 'owner_name', ARGV[8])
  for i = 12, #ARGV, 2 do
    redis.call('HSET', row, ARGV[i], ARGV[i + 1])
    redis.call('ZADD', row .. ':order', ARGV[7], ARGV[i])
  end
  sort(place, id, ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[9]))
end
"""
# ARGV[10] is how many records a place holds at most, 0 for no limit. The new one stays even if its clock lags behind.
PUT = (
    FORGET
    + SORT
    + STORE
    + """
forget(place, id)
store()
local limit, gone = tonumber(ARGV[10]), 0
local surplus = limit > 0 and redis.call('ZCARD', KEYS[2] .. 'at:' .. place) - limit or 0
if surplus > 0 then
  for _, old in ipairs(redis.call('ZRANGE', KEYS[2] .. 'at:' .. place, 0, surplus)) do
    if old ~= id and surplus > 0 then
      gone = gone + forget(place, old)
      surplus = surplus - 1
    end
  end
end
return gone
"""
)
# ARGV[10] is the expected revision, 0 for nothing; ARGV[11] the moment since which records live. Earlier versions
# wrote no revision.
UPDATE = (
    FORGET
    + SORT
    + STORE
    + """
local there = redis.call('HMGET', row, 'revision', 'created')
local is_live = there[2] and tonumber(there[2]) > tonumber(ARGV[11])
local revision = is_live and (there[1] or '1') or '0'
if revision == '0' and ARGV[10] ~= '0' then return 'gone' end
if revision ~= ARGV[10] then return 'overtaken' end
if revision == '0' then forget(place, id) end
store()
return 'stored'
"""
)
# ARGV: place, id, moment since which records live, revision after which parts are wanted, time of use or 0, lifetime.
READ = (
    SORT
    + """
local row = KEYS[1] .. ARGV[1] .. ':' .. ARGV[2]
local there = redis.call('HMGET', row, 'tenant', 'owner', 'created', 'sealed', 'revision', 'owner_name')
if not there[1] or tonumber(there[3]) <= tonumber(ARGV[3]) then return false end
local parts = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', row .. ':order', '(' .. ARGV[4], '+inf')) do
  parts[#parts + 1] = name
  parts[#parts + 1] = redis.call('HGET', row, name)
end
if ARGV[5] ~= '0' then
  redis.call('HSET', row, 'created', ARGV[5])
  sort(ARGV[1], ARGV[2], there[1], there[2], ARGV[5], tonumber(ARGV[6]))
end
return {there, parts}
"""
)
# ARGV: places and ids, one after the other.
READ_MANY = """
local records = {}
for i = 1, #ARGV, 2 do
  local row = KEYS[1] .. ARGV[i] .. ':' .. ARGV[i + 1]
  records[#records + 1] = redis.call('HMGET', row, 'tenant', 'owner', 'created', 'sealed', 'revision', 'owner_name')
end
return records
"""
# ARGV: a sorted set in which the records may stand although they are gone, then places and ids.
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
# Takes over the research sessions of earlier versions, which had keys of their own: a hash and `:order` each, a set for
# each owner, a hash of owners for each tenant, and one set of all. ARGV[1] is their prefix.
MIGRATE_SESSIONS = """
local live = ARGV[1] .. 's:live'
if redis.call('EXISTS', live) == 0 then return 0 end
local owners, old, moved = {}, {live}, 0
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. 's:tenant:*')) do
  local names = redis.call('HGETALL', key)
  for i = 1, #names, 2 do owners[names[i]] = {string.sub(key, #ARGV[1] + #'s:tenant:' + 1), names[i + 1]} end
  old[#old + 1] = key
end
for _, key in ipairs(redis.call('ZRANGE', live, 0, -1)) do
  local owner, id = string.match(string.sub(key, #ARGV[1] + 2), '^([^:]+):([^:]+)$')
  local whose = owner and owners[owner]
  local there = redis.call('HMGET', key, 'used', 'head')
  if whose and there[1] then
    local row, left = KEYS[1] .. owner .. ':' .. id, redis.call('PTTL', key)
    redis.call('RENAME', key, row)
    if redis.call('EXISTS', key .. ':order') == 1 then redis.call('RENAME', key .. ':order', row .. ':order') end
    redis.call('HSET', row, 'tenant', whose[1], 'owner', owner, 'owner_name', whose[2])
    redis.call('HSET', row, 'created', there[1], 'sealed', there[2])
    redis.call('HDEL', row, 'used', 'head')
    for i, set in ipairs({'at:' .. owner, 'owner:' .. owner, 'tenant:' .. whose[1], 'all'}) do
      redis.call('ZADD', KEYS[2] .. set, there[1], i == 1 and id or owner .. ':' .. id)
      if i < 4 and redis.call('PTTL', KEYS[2] .. set) < left then redis.call('PEXPIRE', KEYS[2] .. set, left) end
    end
    moved = moved + 1
  end
  if owner then old[#old + 1] = ARGV[1] .. 's:' .. owner end
end
for _, key in ipairs(old) do redis.call('DEL', key) end
return moved
"""


class RedisRecordStore:
    def __init__(self, url: str) -> None:
        self._redis = RedisClient(url)
        self._is_migrated = False

    async def put(self, record: StoredRecord, *, limit: int, lifetime: float) -> int:
        return int(await self._run(PUT, record.key.kind, [*_values(record, lifetime), limit, 0, *_parts(record)]))

    async def update(self, record: StoredRecord, expected: int, *, since: float, lifetime: float) -> WriteResult:
        values = [*_values(record, lifetime), expected, _microseconds(since), *_parts(record)]
        return WriteResult((await self._run(UPDATE, record.key.kind, values)).decode())

    async def read(
        self, key: RecordKey, since: float, *, after: int = 0, used_at: float = 0.0, lifetime: float = 0.0
    ) -> StoredRecord | None:
        times = [_microseconds(since), after, _microseconds(used_at), round(lifetime * 1000)]
        reply = await self._run(READ, key.kind, [key.place, key.id, *times])
        if not reply:
            return None
        fields, flat = reply
        return _record(key, fields, [_part(*pair) for pair in zip(flat[::2], flat[1::2], strict=True)])

    async def list_ids(self, kind: str, place: str, since: float) -> list[str]:
        await self._migrate()
        first = f"({_microseconds(since)}"
        ids = await self._redis.execute("ZRANGEBYSCORE", f"{_sets(kind)}at:{place}", first, "+inf")
        return [id.decode() for id in reversed(ids)]

    async def read_many(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[StoredRecord]:
        return await self._read_keys([RecordKey(kind, place, id) for id in ids], since)

    async def read_scope(self, kind: str, scope: RecordScope, since: float) -> list[StoredRecord]:
        await self._migrate()
        members = await self._redis.execute("ZRANGE", _members(kind, scope), 0, -1)
        return await self._read_keys([_key(kind, member) for member in members], since)

    async def count(self, kind: str, since: float) -> int:
        await self._migrate()
        return int(await self._redis.execute("ZCOUNT", _members(kind, None), f"({_microseconds(since)}", "+inf"))

    async def delete(self, key: RecordKey) -> int:
        return await self._forget(_members(key.kind, None), [key])

    async def erase(self, kind: str, scope: RecordScope | None) -> int:
        return await self._erase_range(kind, _members(kind, scope), "+inf")

    async def purge(self, kind: str, before: float) -> int:
        """Redis has removed most of them by itself; those count too."""
        await self._migrate()
        members, last = _members(kind, None), str(_microseconds(before))
        ended = int(await self._redis.execute("ZCOUNT", members, "-inf", last))
        await self._erase_range(kind, members, last)
        return ended

    async def close(self) -> None:
        await self._redis.close()

    async def _run(self, script: str, kind: str, values: Sequence[Any]) -> Any:
        await self._migrate()
        return await self._redis.run_script(script, [f"{PREFIX}:{kind}:", _sets(kind)], values)

    async def _migrate(self) -> None:
        if not self._is_migrated:
            keys = [f"{PREFIX}:session:", _sets("session")]
            await self._redis.run_script(MIGRATE_SESSIONS, keys, [OLD_SESSIONS])
            self._is_migrated = True

    async def _erase_range(self, kind: str, members: str, last: str) -> int:
        """In batches, so that nobody else at this Redis waits long. Each batch leaves the set it was taken from."""
        await self._migrate()
        gone = 0
        while batch := await self._redis.execute("ZRANGEBYSCORE", members, "-inf", last, "LIMIT", 0, BATCH):
            gone += await self._forget(members, [_key(kind, member) for member in batch])
        return gone

    async def _forget(self, members: str, keys: Sequence[RecordKey]) -> int:
        return int(await self._run(DELETE, keys[0].kind, [members, *_places(keys)]))

    async def _read_keys(self, keys: Sequence[RecordKey], since: float) -> list[StoredRecord]:
        records: list[StoredRecord] = []
        for start in range(0, len(keys), BATCH):
            batch = keys[start : start + BATCH]
            rows = await self._run(READ_MANY, batch[0].kind, _places(batch))
            # a hash that has expired may still stand in the sorted sets
            records += [_record(key, row) for key, row in zip(batch, rows, strict=True) if row[0] is not None]
        return [record for record in records if record.time > since]


def _sets(kind: str) -> str:
    return f"{PREFIX}s:{kind}:"


def _members(kind: str, scope: RecordScope | None) -> str:
    """The sorted set of what a scope covers."""
    if scope is None:
        return f"{_sets(kind)}all"
    return _sets(kind) + (f"tenant:{scope.tenant}" if scope.owner is None else f"owner:{scope.owner}")


def _values(record: StoredRecord, lifetime: float) -> list[str | int | bytes]:
    whose, content = (record.tenant, record.owner), (record.sealed, record.revision, record.owner_name)
    return [record.key.place, record.key.id, *whose, _microseconds(record.time), *content, round(lifetime * 1000)]


def _parts(record: StoredRecord) -> list[str | bytes]:
    return [value for part in record.parts for value in (f"{part.kind} {part.number}", part.sealed)]


def _part(name: bytes, sealed: bytes) -> RecordPart:
    kind, number = name.decode().split(" ")
    return RecordPart(kind, int(number), sealed)


def _record(key: RecordKey, fields: Sequence[Any], parts: Sequence[RecordPart] = ()) -> StoredRecord:
    tenant, owner, time, sealed, revision, owner_name = fields
    whose = tenant.decode(), owner.decode()
    return StoredRecord(key, *whose, int(time) / 1e6, sealed, int(revision or 1), owner_name or b"", parts)


def _key(kind: str, member: bytes) -> RecordKey:
    place, _, id = member.decode().partition(":")
    return RecordKey(kind, place, id)


def _places(keys: Sequence[RecordKey]) -> list[str]:
    return [value for key in keys for value in (key.place, key.id)]


def _microseconds(moment: float) -> int:
    return round(moment * 1_000_000)
