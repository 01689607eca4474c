"""The cache over Redis: shared, sealed, erasable, and done without while Redis is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from tests.storage.redis_server import RedisServer
from wellsourced.errors import UpstreamUnavailable
from wellsourced.identity import Identity, digest_of
from wellsourced.storage.artifacts import Artifacts
from wellsourced.storage.cache import redis
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.cache.partition import partition
from wellsourced.storage.cache.redis import LARGEST, RedisCache
from wellsourced.storage.database import Database
from wellsourced.storage.redis_client import OptionalRedisClient
from wellsourced.storage.sealer import Sealer

KEY = b"\x03" * 32
MB = 1024 * 1024
TENANT = digest_of("one")
ANN, BOB, EVE = (Identity(tenant, user).owner for tenant, user in (("one", "ann"), ("one", "bob"), ("two", "eve")))


class Instance:
    """One of several that share a Redis."""

    def __init__(self, url: str, key: bytes = KEY, memory: int = 64 * MB) -> None:
        self.troubles: list[str] = []
        self.link = OptionalRedisClient(url, self.troubles.append, answer_seconds=30, backoff_seconds=0.1)
        self.cache = Cache(None, memory, 0, shared=RedisCache(self.link, Sealer(key)))

    async def value(self, key: str) -> bytes | None:
        entry = await self.cache.get(key)
        return entry.value if entry else None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as running:
        yield running


def with_two(server: RedisServer, use: Callable[[Instance, Instance], Awaitable[None]], memory: int = 64 * MB) -> None:
    async def main() -> None:
        one, other = Instance(server.url, memory=memory), Instance(server.url, memory=memory)
        await one.link.execute("FLUSHALL")
        try:
            await use(one, other)
        finally:
            await one.link.close()
            await other.link.close()

    asyncio.run(main())


def test_what_one_instance_keeps_the_other_finds_with_its_age_and_until_its_end(server: RedisServer) -> None:
    async def use(one: Instance, other: Instance) -> None:
        assert await one.cache.put("вопрос", b"answer", 100)
        assert await one.cache.put("brief", b"answer", 0.3)
        entry = await other.cache.get("вопрос")
        assert entry is not None
        assert (entry.value, entry.ttl) == (b"answer", 100)
        assert 0 <= entry.age < 30
        assert await other.value("absent") is None
        await one.cache.delete("вопрос")
        await asyncio.sleep(0.35)
        assert await one.value("вопрос") is None
        assert [await instance.value("brief") for instance in (one, other)] == [None, None]
        assert await one.link.execute("DBSIZE") == 0

    with_two(server, use)


def test_redis_sees_neither_questions_nor_answers_nor_owners(server: RedisServer) -> None:
    async def use(one: Instance, other: Instance) -> None:
        await one.cache.put("secret question", b"secret answer", 100, owner=ANN)
        for key in await one.link.execute("KEYS", "*"):
            kind = await one.link.execute("TYPE", key)
            held = await one.link.execute(*(("ZRANGE", key, 0, -1) if kind == b"zset" else ("GET", key)))
            seen = key + (b"".join(held) if isinstance(held, list) else held)
            assert not any(hidden in seen for hidden in (b"secret", TENANT.encode(), bytes.fromhex(TENANT)))
        stranger = Instance(server.url, key=b"\x04" * 32)
        assert await stranger.value("secret question") is None
        await stranger.link.close()

    with_two(server, use)


def test_a_damaged_or_swapped_value_is_not_an_answer(server: RedisServer) -> None:
    async def use(one: Instance, other: Instance) -> None:
        await one.cache.put("a", b"of a", 100)
        await one.cache.put("b", b"of b", 100)
        names = [redis.VALUES + Sealer(KEY).digest(key) for key in "ab"]
        await one.link.execute("SET", names[0], await one.link.execute("GET", names[1]))
        await one.link.execute("SET", names[1], b"\x01junk")
        assert [await other.value(key) for key in "ab"] == [None, None]

    with_two(server, use)


def test_a_value_that_is_too_large_removes_the_one_it_replaces(server: RedisServer) -> None:
    async def use(one: Instance, other: Instance) -> None:
        assert await one.cache.put("k", b"x" * LARGEST, 100)
        assert await other.value("k") == b"x" * LARGEST
        assert not await one.cache.put("k", b"x" * (LARGEST + 1), 100)
        assert await one.value("k") is None

    with_two(server, use, memory=0)


def test_erasing_an_owner_a_tenant_or_everything_reaches_every_instance(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis, "LOOK_EVERY", 0.05)

    async def use(one: Instance, other: Instance) -> None:
        kept = await Artifacts(one.cache).keep(b"an artifact", ANN)
        await one.cache.put("hers", b"v", 100, owner=ANN)
        await one.cache.put("his", b"v", 100, owner=BOB)
        await one.cache.put("all's", b"v", 100)
        assert kept is not None
        assert [await other.value(key) for key in ("hers", "his", "all's")] == [b"v"] * 3
        assert await Artifacts(other.cache).fetch(kept, ANN)
        assert await one.cache.forget_owner(ANN) == 2
        await asyncio.sleep(0.1)
        for instance in (one, other):
            assert [await instance.value(key) for key in ("hers", "his", "all's")] == [None, b"v", b"v"]
            assert await Artifacts(instance.cache).fetch(kept, ANN) is None
        assert await one.cache.forget_owner(ANN) == 0
        await one.cache.put("hers", b"v", 100, owner=ANN)
        await one.cache.put("a stranger's", b"v", 100, owner=EVE)
        assert await other.cache.forget_owner(TENANT) == 2
        await asyncio.sleep(0.1)
        rest = [await one.value(key) for key in ("hers", "his", "all's", "a stranger's")]
        assert rest == [None, None, b"v", b"v"]
        for number in range(600):
            await one.cache.put(f"k{number}", b"v", 100)
        await other.cache.flush()
        await asyncio.sleep(0.1)
        assert [await one.value(key) for key in ("a stranger's", "all's", "k7")] == [None] * 3
        assert await one.link.execute("KEYS", "*") == [redis.ERASURES.encode()]

    with_two(server, use)


def test_an_owner_and_a_tenant_are_forgotten_on_disk_too(tmp_path: Path) -> None:
    async def main() -> None:
        for written in (True, False):
            database = Database(tmp_path / "store.db", KEY)
            cache = Cache(database, MB, 8 * MB)
            for key, owner in (("hers", ANN), ("his", BOB), ("all's", None)):
                await cache.put(key, b"v", 100, owner)
            if written:
                await cache.close()
                cache = Cache(database, MB, 8 * MB)
                assert await cache.get("hers"), "promoted into memory with its owner"
            assert await cache.forget_owner(ANN) == 1
            for looked_at in (cache, Cache(database, MB, 8 * MB)):
                await cache.settle()
                found = [await looked_at.get(key) is not None for key in ("hers", "his", "all's")]
                assert found == [False, True, True]
            await cache.put("a stranger's", b"v", 100, EVE)
            assert await cache.forget_owner(TENANT) == 1
            found = [await cache.get(key) is not None for key in ("his", "all's", "a stranger's")]
            assert found == [False, True, True]
            await cache.close()
            await database.close()

    asyncio.run(main())


def test_parts_of_the_cache_do_not_see_each_other(server: RedisServer) -> None:
    async def use(one: Instance, other: Instance) -> None:
        with partition("tenant a"):
            await one.cache.put("k", b"of a", 100)
        with partition("tenant b"):
            assert await other.value("k") is None
            await other.cache.put("k", b"of b", 100)
        with partition("tenant a"):
            assert [await instance.value("k") for instance in (one, other)] == [b"of a"] * 2
        assert await one.value("k") is None

    with_two(server, use)


def test_redis_killed_in_the_middle_costs_no_answer_and_no_time_and_comes_back(tmp_path: Path) -> None:
    async def main(server: RedisServer) -> None:
        one, other = Instance(server.url), Instance(server.url)
        await one.cache.put("before", b"v", 100)
        server.kill()
        started = time.monotonic()
        for number in range(50):
            assert await one.cache.put(f"k{number}", b"v", 100), "memory takes it"
            assert await one.value(f"k{number}") == b"v"
            assert await one.value(f"absent{number}") is None
        assert await one.value("before") == b"v"
        assert time.monotonic() - started < 20
        assert len(one.troubles) == 1
        for erase in (one.cache.flush, lambda: one.cache.forget_owner(ANN)):
            with pytest.raises(UpstreamUnavailable):
                await erase()
        server.start()
        await asyncio.sleep(0.2)
        assert await other.value("before") == b"v"
        await one.value("absent")
        await one.cache.put("after", b"v", 100)
        assert await other.value("after") == b"v"
        await one.link.close()
        await other.link.close()

    with RedisServer(tmp_path) as server:
        asyncio.run(main(server))


def test_a_full_redis_is_still_read_from(tmp_path: Path) -> None:
    async def main(server: RedisServer) -> None:
        one = Instance(server.url, memory=0)
        await one.cache.put("k", b"v", 100)
        await one.link.execute("CONFIG", "SET", "maxmemory", "1")
        assert not await one.cache.put("more", b"v", 100)
        assert await one.value("k") == b"v"
        assert one.troubles == []
        await one.link.close()

    with RedisServer(tmp_path) as server:
        asyncio.run(main(server))
