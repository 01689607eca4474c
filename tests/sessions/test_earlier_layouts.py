"""What earlier versions wrote is still there: sessions and personal records in their tables and Redis keys."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.people.personal_repositories import consent, memory, notes
from tests.sessions.session_stores import ANNA, KEY, new, one_more, redis, same
from tests.storage.records.memory_store import MemoryRecordStore
from tests.storage.redis_server import RedisServer
from wellsourced.identity import Identity
from wellsourced.people.repositories import PersonalRepositories
from wellsourced.sessions.session import Session
from wellsourced.sessions.session_records import SessionSealer
from wellsourced.sessions.session_store import SessionStore
from wellsourced.storage.database import Database, Schema
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.storage.records.sqlite import SCHEMA, SqliteRecordStore
from wellsourced.storage.records.store import RecordStore, StoredRecord
from wellsourced.storage.sealer import Sealer

__all__ = ["redis"]

BERT = Identity("other", "bert")
OLD_PERSONAL = Schema("personal", SCHEMA.steps[:4])
OLD_SESSIONS = Schema(
    "sessions",
    (
        "CREATE TABLE session (key INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL, "
        "user BLOB NOT NULL, revision INTEGER NOT NULL, last_used REAL NOT NULL, expires_at REAL NOT NULL, "
        "head BLOB NOT NULL, UNIQUE (owner, id))",
        "CREATE INDEX session_use ON session (owner, last_used)",
        "CREATE INDEX session_tenant ON session (tenant)",
        "CREATE INDEX session_expiry ON session (expires_at)",
        "CREATE TABLE session_row (session INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, "
        "revision INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (session, kind, number))",
        "CREATE INDEX session_row_revision ON session_row (session, revision)",
    ),
)


def sessions_of_two() -> list[tuple[Session, StoredRecord]]:
    """Sessions of two people, and how they were sealed; the form of what is sealed has not changed."""
    sessions = [one_more(new(ANNA)), new(ANNA, "Zweitens"), new(BERT)]
    counted = [replace(session, revision=1, step_count=len(session.steps)) for session in sessions]
    return [(session, SessionSealer(Sealer(KEY)).seal(None, session, time.time())) for session in counted]


async def personal_records() -> list[StoredRecord]:
    store = MemoryRecordStore()
    people = PersonalRepositories(store, Sealer(KEY))
    await people.memories.add(memory(ANNA, "note"))
    await people.consents.save(consent(ANNA))
    return [record for there in store._records.values() for record in there.values()]


async def check(records: RecordStore, sessions: list[Session]) -> None:
    """Read, listed, continued, counted and erased like any other."""
    store, people = SessionStore(records, Sealer(KEY)), PersonalRepositories(records, Sealer(KEY))
    for session in sessions:
        assert same(await store.load(session.owner, session.id), session)
        assert len((await store.update(session.owner, session.id, one_more)).steps) == len(session.steps) + 1
    assert {found.id for found in await store.sessions_of(ANNA)} == {sessions[0].id, sessions[1].id}
    assert await store.users_of("other") == [BERT]
    assert await store.count() == 3
    assert await store.delete_tenant("other") == 1
    assert await store.delete_user(ANNA) == 2
    assert await notes(people, ANNA) == ["note"]
    decided = await people.consents.get(ANNA, "memory")
    assert decided and decided.granted
    assert await people.memories.records.erase("acme", "anna") == 1


def test_the_tables_of_earlier_versions_are_taken_over(tmp_path: Path) -> None:
    async def write(database: Database) -> list[Session]:
        database.require(OLD_SESSIONS)
        database.require(OLD_PERSONAL)
        rows = sessions_of_two()
        personal = await personal_records()

        def fill(connection: Any) -> None:
            for _, record in rows:
                whose = (record.tenant, record.owner, record.key.id, record.owner_name)
                times = (record.time, record.time + 3600)
                key = connection.execute(
                    "INSERT INTO session VALUES (NULL, ?, ?, ?, ?, 1, ?, ?, ?)", (*whose, *times, record.sealed)
                ).lastrowid
                for part in record.parts:
                    values = (key, part.kind, part.number, part.sealed)
                    connection.execute("INSERT INTO session_row VALUES (?, ?, ?, 1, ?)", values)
            for record in personal:
                old = (*record.key, record.tenant, record.owner, record.time, record.sealed)
                connection.execute("INSERT INTO personal VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", old)

        await database.run(fill)
        return [session for session, _ in rows]

    async def main() -> None:
        before = Database(tmp_path / "store.db", KEY)
        sessions = await write(before)
        await before.close()
        database = Database(tmp_path / "store.db", KEY)
        await check(SqliteRecordStore(database), sessions)
        tables = await database.run(lambda c: c.execute("SELECT name FROM sqlite_master").fetchall(), write=False)
        assert {"session", "session_row", "personal"} & {row[0] for row in tables} == set()
        await database.close()

    asyncio.run(main())


def test_the_keys_of_earlier_versions_are_taken_over(redis: RedisServer) -> None:
    async def write(raw: Any) -> list[Session]:
        rows = sessions_of_two()
        for _, record in rows:
            owner, used = record.owner, round(record.time * 1e6)
            key = f"wellsourced:session:{owner}:{record.key.id}"
            await raw.hset(key, mapping={"revision": 1, "used": used, "head": record.sealed})
            for part in record.parts:
                await raw.hset(key, f"{part.kind} {part.number}", part.sealed)
                await raw.zadd(f"{key}:order", {f"{part.kind} {part.number}": 1})
            await raw.zadd(f"wellsourced:sessions:{owner}", {record.key.id: used})
            await raw.hset(f"wellsourced:sessions:tenant:{record.tenant}", owner, record.owner_name)
            await raw.zadd("wellsourced:sessions:live", {key: used + 3600 * 10**6})
            await raw.pexpire(key, 3_600_000)
        for record in await personal_records():
            kind, place, id = record.key
            created, member = round(record.time * 1e6), f"{place}:{id}"
            fields = {"tenant": record.tenant, "owner": record.owner, "created": created, "sealed": record.sealed}
            await raw.hset(f"wellsourced:personal:{kind}:{member}", mapping=fields)
            await raw.zadd(f"wellsourced:personals:{kind}:at:{place}", {id: created})
            for name in (f"owner:{record.owner}", f"tenant:{record.tenant}", "all"):
                await raw.zadd(f"wellsourced:personals:{kind}:{name}", {member: created})
        return [session for session, _ in rows]

    async def main() -> None:
        from redis.asyncio import Redis

        raw: Any = Redis.from_url(redis.url)
        sessions = await write(raw)
        records = RedisRecordStore(redis.url)
        await SessionStore(records, Sealer(KEY)).count()
        assert await raw.keys("wellsourced:session*") == []
        (key,) = await raw.keys(f"wellsourced:personal:session:*:{sessions[0].id}")
        assert 0 < await raw.pttl(key) <= 3_600_000
        await check(records, sessions)
        await records.close()
        await raw.aclose()

    asyncio.run(main())
