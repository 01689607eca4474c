"""What rests of a session is sealed, bound to its place, and sealed anew after a change of keys."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.sessions.session_stores import ANNA, KEY, Opener, kept, new, one_more, redis, same
from tests.storage.redis_server import RedisServer
from wellsourced.sessions.session import RequestOutcome
from wellsourced.sessions.session_store import SessionStore
from wellsourced.storage.database import Database
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.storage.records.sqlite import SqliteRecordStore
from wellsourced.storage.sealer import CannotOpen, Sealer
from wellsourced.tool.sources import FoundSource

__all__ = ["kept", "redis"]

OTHER_KEY = b"\x02" * 32


def test_nothing_that_rests_can_be_read_or_moved(tmp_path: Path, redis: RedisServer) -> None:
    """Sealed inside the encrypted file too, and each record bound to its place."""
    secret = "Sehr geheim"

    async def in_redis() -> None:
        from redis.asyncio import Redis

        sessions = SessionStore(RedisRecordStore(redis.url), Sealer(KEY))
        raw: Any = Redis.from_url(redis.url)
        one = await sessions.create(replace(new(goal=secret), summary=secret))
        two = await sessions.create(new())
        await sessions.add(ANNA, one.id, [FoundSource(url="https://secret.example/")])
        for key in await raw.keys("*"):
            kind = (await raw.type(key)).decode()
            found = await {"hash": raw.hgetall, "zset": lambda k: raw.zrange(k, 0, -1)}[kind](key)
            assert secret.encode() not in repr((key, found)).encode()
            for word in (b"secret.example", b"anna", b"acme", "検索".encode()):
                assert word not in b"".join(found.values() if isinstance(found, dict) else found), word
                assert word not in key
        hashes = [key for key in await raw.keys(f"*{one.id}") if (await raw.type(key)) == b"hash"]
        target = hashes[0].replace(one.id.encode(), two.id.encode())
        await raw.hset(target, "step 1", await raw.hget(hashes[0], "step 1"))
        with pytest.raises(CannotOpen):
            await SessionStore(RedisRecordStore(redis.url), Sealer(KEY)).load(ANNA, two.id)
        await raw.aclose()

    asyncio.run(in_redis())

    async def in_sqlite() -> None:
        database = Database(tmp_path / "store.db", KEY)
        sessions = SessionStore(SqliteRecordStore(database), Sealer(KEY))
        one = await sessions.create(new(goal=secret))
        await sessions.update(ANNA, one.id, one_more)
        rows = await database.run(lambda c: c.execute("SELECT * FROM record, record_part").fetchall(), write=False)
        assert all(word not in repr(rows).encode() for word in (secret.encode(), b"anna", b"acme", b"step 1 "))
        swap = "UPDATE record_part SET sealed = (SELECT sealed FROM record_part WHERE number = 1) WHERE number = 2"
        await database.run(lambda c: c.execute(swap) and None)
        with pytest.raises(CannotOpen):
            await SessionStore(SqliteRecordStore(database), Sealer(KEY)).load(ANNA, one.id)
        await database.close()

    asyncio.run(in_sqlite())


def test_after_a_change_of_keys_records_are_sealed_anew(kept: Opener) -> None:
    async def main() -> None:
        session = await kept(sealer=Sealer(KEY)).create(new())
        await kept(sealer=Sealer(KEY)).add(
            ANNA, session.id, [FoundSource(url="https://e.org/")], [RequestOutcome(success=True)]
        )
        with pytest.raises(CannotOpen):
            await kept(sealer=Sealer(OTHER_KEY)).load(ANNA, session.id)
        rotated = await kept(sealer=Sealer(OTHER_KEY, KEY)).load(ANNA, session.id)
        assert rotated.sources[0].url == "https://e.org/"
        found = await kept(sealer=Sealer(OTHER_KEY)).load(ANNA, session.id)
        assert same(found, rotated)

    kept.run(main)


def test_keys_change_under_load_without_a_failed_read(kept: Opener) -> None:
    """Readers and writers with the new key, the old one as previous, all at once over records of the old key."""

    async def main() -> None:
        before = kept(sealer=Sealer(KEY))
        ids = [(await before.create(new())).id for _ in range(20)]
        stores = [kept(sealer=Sealer(OTHER_KEY, KEY)) for _ in range(4)]

        async def use(store: Any, id: str, number: int) -> None:
            await store.load(ANNA, id)
            await store.add(ANNA, id, [FoundSource(url=f"https://e.org/{number}")])
            await store.load(ANNA, id)

        await asyncio.gather(*(use(store, id, n) for n, store in enumerate(stores) for id in ids))
        after = kept(sealer=Sealer(OTHER_KEY))
        for id in ids:
            assert len((await after.load(ANNA, id)).sources) == len(stores)

    kept.run(main)
