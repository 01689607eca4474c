"""The cache: what it keeps, for how long, how much of it, and what it does when the disk fails."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from sqlite3 import Connection

import pytest

from tests.warm.process import start
from wellsourced.storage import encrypted_file
from wellsourced.storage.cache import sqlite_table as cache_rows
from wellsourced.storage.cache.cache import Cache, CacheEntry
from wellsourced.storage.database import Database

KEY = b"\x01" * 32
MB = 1024 * 1024


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """A cache on a file, which can be left and come back to as a new process would."""

    def __init__(self, folder: Path, memory: int = MB, disk: int = 8 * MB) -> None:
        self.path = folder / "store.db"
        self.clock = Clock()
        self.troubles: list[str] = []
        self.memory, self.disk = memory, disk
        self.start()

    def start(self) -> Cache:
        self.database = Database(self.path, KEY)
        self.cache = Cache(self.database, self.memory, self.disk, self.clock, self.troubles.append)
        return self.cache

    async def restart(self) -> Cache:
        await self.stop()
        return self.start()

    async def stop(self) -> None:
        await self.cache.close()
        await self.database.close()

    async def rows(self) -> tuple[int, int]:
        def look(connection: Connection) -> tuple[int, int]:
            found = connection.execute("SELECT count(*), total(size) FROM cache").fetchone()
            assert found[1] == cache_rows.total(connection)
            return int(found[0]), int(found[1])

        return await self.database.run(look, write=False)


def on(folder: Path, use: Callable[[Bench], Awaitable[None]], memory: int = MB, disk: int = 8 * MB) -> Bench:
    bench = Bench(folder, memory, disk)

    async def main() -> None:
        try:
            await use(bench)
        finally:
            await bench.stop()

    asyncio.run(main())
    return bench


def value_of(entry: CacheEntry | None) -> bytes | None:
    return entry.value if entry else None


def test_a_value_outlives_the_process_with_the_life_it_had_left(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        await bench.cache.put("ключ", b"value", 100)
        bench.clock.now += 60
        cache = await bench.restart()
        for _ in ("from disk", "from memory"):
            entry = await cache.get("ключ")
            assert entry
            assert (entry.value, entry.ttl, entry.age, entry.freshness) == (b"value", 100, 60, "aging")
        bench.clock.now += 40
        assert await cache.get("ключ") is None

    assert on(tmp_path, use).troubles == []


@pytest.mark.parametrize(
    ("age", "freshness"),
    [(0, "fresh"), (49.9, "fresh"), (50, "aging"), (79.9, "aging"), (80, "expiring"), (99, "expiring")],
)
def test_freshness(age: float, freshness: str) -> None:
    async def main() -> None:
        clock = Clock()
        cache = Cache(None, MB, 0, clock)
        await cache.put("k", b"v", 100)
        clock.now += age
        entry = await cache.get("k")
        assert entry
        assert entry.freshness == freshness
        clock.now -= age + 1000
        assert await cache.get("k") is None, "stored in the future, so of unknown age"

    asyncio.run(main())


def test_a_large_value_is_packed_and_comes_back_as_it_was(tmp_path: Path) -> None:
    text, noise = b"The tide rose by two metres. " * 5_000, os.urandom(20_000)

    async def script(bench: Bench) -> None:
        for key, value in (("text", text), ("noise", noise)):
            await bench.cache.put(key, value, 60)
        cache = await bench.restart()
        assert [value_of(await cache.get(key)) for key in ("text", "noise")] == [text, noise]
        assert (await cache.sizes())["store"]["bytes"] < len(text) // 2

    on(tmp_path, script)


def test_long_keys_that_begin_alike_do_not_collide(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        keys = [f"{'tenant' * 50}:{number}" for number in range(50)] + ["", "\ud800", "\x00", "\x00\x00"]
        for key in keys:
            await bench.cache.put(key, key.encode("utf-8", "surrogatepass"), 100)
        cache = await bench.restart()
        assert [value_of(await cache.get(key)) for key in keys] == [k.encode("utf-8", "surrogatepass") for k in keys]

    on(tmp_path, use)


def test_values_are_written_soon_without_being_asked(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        for number in range(50):
            await bench.cache.put(f"k{number}", b"v", 100)
        async with asyncio.timeout(60):
            while (await bench.rows())[0] < 50:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert (await bench.rows())[0] == 50

    on(tmp_path, use)


def test_a_value_is_found_while_it_waits_to_be_written(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        await bench.cache.put("k", b"old", 100)
        putting = asyncio.ensure_future(bench.cache.put("k", b"new", 100))
        await asyncio.sleep(0)
        assert value_of(await bench.cache.get("k")) == b"new"
        await putting
        assert value_of(await bench.cache.get("k")) == b"new"

    on(tmp_path, use, memory=0)


def test_what_another_process_wrote_is_found_though_it_was_missed_before(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        assert await bench.cache.get("theirs") is None
        await bench.cache.put("own", b"v", 100)
        await bench.cache.settle()
        assert await bench.cache.get("theirs") is None, "told from memory"
        other = Database(bench.database.path, KEY)
        theirs = Cache(other, 0, MB, bench.clock)
        await theirs.put("theirs", b"t", 100)
        await theirs.close()
        await other.close()
        assert value_of(await bench.cache.get("theirs")) == b"t"
        assert value_of(await bench.cache.get("own")) == b"v"

    on(tmp_path, use)


def test_a_slow_read_does_not_bring_an_older_value_back(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        await bench.cache.put("k", b"old", 100)
        await bench.restart()
        reading = asyncio.ensure_future(bench.cache.get("k"))
        await asyncio.sleep(0)
        await bench.cache.put("k", b"new", 100)
        writing = asyncio.ensure_future(bench.cache.settle())
        assert value_of(await reading) == b"new"
        assert value_of(await bench.cache.get("k")) == b"new"
        await writing

    on(tmp_path, use)


def test_what_is_removed_stays_removed(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        for key in "abc":
            await bench.cache.put(key, b"v", 100)
        await bench.restart()
        reading = asyncio.ensure_future(bench.cache.get("a"))  # still on its way to the disk
        await asyncio.sleep(0)
        await bench.cache.delete("a")
        await reading
        assert await bench.cache.get("a") is None
        cache = await bench.restart()
        assert await cache.get("a") is None
        assert value_of(await cache.get("b")) == b"v"
        await cache.put("d", b"v", 100)
        await cache.flush()
        assert [await cache.get(key) for key in "abcd"] == [None] * 4
        cache = await bench.restart()
        assert [await cache.get(key) for key in "abcd"] == [None] * 4
        assert await bench.rows() == (0, 0)

    on(tmp_path, use)


def test_the_disk_half_keeps_within_its_limit_and_drops_the_expired_then_the_oldest(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        await bench.cache.put("lasting", b"x" * 20_000, 1000)
        for number in range(1800):
            await bench.cache.put(f"brief{number}", b"x" * 800, 1)
        await bench.cache.settle()
        assert (await bench.rows())[0] == 1801
        bench.clock.now += 10
        for number in range(300):
            await bench.cache.put(f"k{number}", os.urandom(20_000), 1000)
            if number % 20 == 0:
                await bench.cache.settle()
                assert (await bench.rows())[1] <= 2 * MB
            if number == 60:
                assert await bench.cache.get("lasting"), "the expired ones made room"
                assert (await bench.rows())[0] <= 62
        cache = await bench.restart()
        assert await cache.get("k299")
        assert await cache.get("k250")
        assert await cache.get("k0") is None
        assert await cache.get("lasting") is None
        assert (await bench.rows())[0] > 60

    on(tmp_path, use, memory=0, disk=2 * MB)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2.5 * MB


def test_a_lowered_limit_shrinks_the_file(tmp_path: Path) -> None:
    async def fill(bench: Bench) -> None:
        for number in range(300):
            await bench.cache.put(f"k{number}", os.urandom(20_000), 1000)

    async def shrink(bench: Bench) -> None:
        for number in range(3):
            await bench.cache.put(f"n{number}", b"v", 1000)
            await bench.cache.settle()

    on(tmp_path, fill, disk=8 * MB)
    assert (tmp_path / "store.db").stat().st_size > 5 * MB
    on(tmp_path, shrink, disk=MB)
    assert (tmp_path / "store.db").stat().st_size < 2 * MB


def test_values_too_large_are_not_taken_and_drop_what_they_replace(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        assert await bench.cache.put("k", b"small", 100)
        assert await bench.cache.put("k", b"x" * (MB // 2), 100), "too large for memory, not for the disk"
        assert value_of(await bench.cache.get("k")) == b"x" * (MB // 2)
        assert not await bench.cache.put("k", b"x" * (5 * MB), 100)
        assert await bench.cache.get("k") is None
        await bench.restart()
        assert await bench.cache.get("k") is None
        assert not await bench.cache.put("k", b"v", 0)
        assert not await bench.cache.put("k", b"v", float("nan"))

    on(tmp_path, use)


def test_without_a_disk_nothing_is_written(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        assert await bench.cache.put("k", b"v", 100)
        assert value_of(await bench.cache.get("k")) == b"v"
        await bench.cache.delete("k")
        await bench.cache.flush()
        assert await bench.cache.get("k") is None

    on(tmp_path, use, disk=0)
    assert list(tmp_path.iterdir()) == []


def break_with_a_wrong_key(path: Path) -> None:
    path.write_bytes(os.urandom(8192))


def break_with_a_folder_in_its_place(path: Path) -> None:
    path.mkdir()


def break_by_moving_it_away(path: Path) -> None:
    path.rename(path.with_name("away"))


@pytest.mark.parametrize("damage", [break_with_a_wrong_key, break_with_a_folder_in_its_place])
def test_trouble_at_the_start_is_told_once_and_memory_goes_on(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    damage(tmp_path / "store.db")

    async def use(bench: Bench) -> None:
        cache = bench.cache
        assert await cache.get("absent") is None
        assert await cache.put("k", b"v", 100)
        assert value_of(await cache.get("k")) == b"v"
        await cache.settle()
        await cache.delete("absent")
        assert value_of(await cache.get("k")) == b"v"

    bench = on(tmp_path, use)
    assert len(bench.troubles) == 1
    assert str(bench.path) in bench.troubles[0]


def test_trouble_in_the_middle_is_told_once_and_memory_goes_on(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        await bench.cache.put("k", b"v", 100)
        await bench.cache.settle()
        break_by_moving_it_away(bench.path)
        for number in range(3):
            await bench.cache.put(f"k{number}", b"v", 100)
            await bench.cache.settle()
        assert value_of(await bench.cache.get("k2")) == b"v"

    assert len(on(tmp_path, use).troubles) == 1


def test_a_read_only_folder_is_told_once_and_memory_goes_on(read_only_folder: Path) -> None:
    async def use(bench: Bench) -> None:
        await bench.cache.put("k", b"v", 100)
        await bench.cache.settle()
        assert value_of(await bench.cache.get("k")) == b"v"
        assert await bench.cache.get("absent") is None

    troubles = on(read_only_folder, use).troubles
    assert len(troubles) == 1
    assert "CACHE_DIR" in troubles[0]


@pytest.mark.skipif(os.name == "nt", reason="needs a limit on the size of files")
def test_a_full_disk_is_told_once_and_memory_goes_on(tmp_path: Path) -> None:
    async def use(bench: Bench) -> None:
        for number in range(100):
            await bench.cache.put(f"k{number}", os.urandom(20_000), 100)
            await bench.cache.settle()
        assert await bench.cache.get("k99")

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, before[1]))
    try:
        assert len(on(tmp_path, use).troubles) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)

    async def again(bench: Bench) -> None:
        assert await bench.cache.get("k0"), "what was written before is still there"

    assert on(tmp_path, again).troubles == []


def hold(held: threading.Event, release: threading.Event, connection: object) -> None:
    held.set()
    release.wait(60)


def test_a_busy_file_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encrypted_file, "BUSY_SECONDS", 0.05)

    async def use(bench: Bench) -> None:
        await bench.cache.put("old", b"v", 100)
        await bench.cache.settle()
        other, held, release = Database(bench.path, KEY), threading.Event(), threading.Event()
        holding = asyncio.ensure_future(other.run(partial(hold, held, release)))
        assert await asyncio.to_thread(held.wait, 60)
        await bench.cache.flush()
        await bench.cache.put("k", b"v", 100)
        await bench.cache.settle()
        assert await bench.cache.get("old") is None
        release.set()
        await holding
        await other.close()
        cache = await bench.restart()
        assert value_of(await cache.get("k")) == b"v"
        assert await cache.get("old") is None

    assert on(tmp_path, use).troubles == []


def test_a_large_value_comes_into_memory_when_it_is_asked_for_again(tmp_path: Path) -> None:
    """Most pages are read once. Where there is no disk to keep them, memory does."""
    page, answer = b"p" * 50_000, b"a" * 3_000

    async def in_memory(cache: Cache) -> int:
        return (await cache.sizes())["memory"]["entries"]

    async def use(bench: Bench) -> None:
        await bench.cache.put("page", page, 100)
        await bench.cache.put("answer", answer, 100)
        assert await in_memory(bench.cache) == 1
        assert [value_of(await bench.cache.get(key)) for key in ("page", "answer", "page")] == [page, answer, page]
        assert (await in_memory(bench.cache), bench.cache.backend_hits) == (2, 1)
        await bench.cache.put("page", page[::2], 100)
        assert value_of(await bench.cache.get("page")) == page[::2], "the older value is gone"
        without = Cache(None, MB, MB)
        assert await without.put("page", page, 100)
        assert (await in_memory(without), value_of(await without.get("page"))) == (1, page)

    on(tmp_path, use)


WRITER = """
import asyncio, os, sys, time
from pathlib import Path
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.database import Database
async def main(path):
    cache = Cache(Database(Path(path), bytes([1]) * 32), 1 << 20, 8 << 20)
    for number in range(100_000):
        await cache.put(f"k{number}", os.urandom(5000), 1000)
        await asyncio.sleep(0.001)
        if number == 250:
            written = time.monotonic()
        if number == 500:
            await asyncio.sleep(written + 0.7 - time.monotonic())
            print("a moment later", flush=True)
asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that cannot be caught")
def test_a_kill_costs_only_the_last_moment(tmp_path: Path) -> None:
    child = start([sys.executable, "-c", WRITER, str(tmp_path / "store.db")], stdout=subprocess.PIPE)
    assert child.stdout
    assert child.stdout.readline() == b"a moment later\n"
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=30)

    async def use(bench: Bench) -> None:
        bench.clock.now = time.time()
        for number in range(251):
            assert await bench.cache.get(f"k{number}")

    assert on(tmp_path, use).troubles == []
