"""Records in Redis, for several instances behind one address.

`wellsourced:personal:<kind>:<place>:<id>` is a hash: the sealed record, whose it is, its time and revision, and its
parts; `…:order` beside it lists the parts by revision. Sorted sets by time find records again:
`wellsourced:personals:<kind>:at:<place>` holds ids, and `…:owner:<owner>`, `…:tenant:<tenant>` and `…:all` hold
`<place>:<id>`. Each write is one script, and Redis acknowledges it before we do. Times are microseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wellsourced.data import read_sections
from wellsourced.storage.records.store import RecordKey, RecordPart, RecordScope, StoredRecord, WriteResult
from wellsourced.storage.redis_client import RedisClient

PREFIX = "wellsourced:personal"
OLD_SESSIONS = "wellsourced:session"
BATCH = 200

_SCRIPTS = read_sections("redis_records.lua")


def _script(*sections: str) -> str:
    return "\n".join(_SCRIPTS[section] for section in sections)


PUT = _script("forget", "sort", "store", "put")
UPDATE = _script("forget", "sort", "store", "update")
READ = _script("sort", "read")
READ_MANY = _script("read_many")
DELETE = _script("forget", "delete")
MIGRATE_SESSIONS = _script("migrate_sessions")


class RedisRecordStore:
    def __init__(self, url: str) -> None:
        self._redis = RedisClient(url)
        self._is_migrated = False

    async def put(self, record: StoredRecord, *, limit: int, lifetime: float) -> int:
        return int(await self._run(PUT, record.key.kind, [*_values(record, lifetime), limit, 0, *_parts(record)]))

    async def update(
        self,
        record: StoredRecord,
        expected: int,
        *,
        since: float,
        lifetime: float,
        beside: StoredRecord | None = None,
    ) -> WriteResult:
        if beside:
            await self.put(beside, limit=0, lifetime=lifetime)
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
