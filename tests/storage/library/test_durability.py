"""The library on disk: sealed, durable, right after a kill; written behind without ever failing the caller."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from itertools import count
from pathlib import Path

import pytest

from tests.storage.library.library_stores import ANNA, KEY, entry, find, in_file, names
from tests.warm.process import start
from wellsourced.errors import WellsourcedError
from wellsourced.storage.database import Database
from wellsourced.storage.library import write_behind as library_queue
from wellsourced.storage.library.postgres import PostgresLibrary
from wellsourced.storage.library.sqlite import SqliteLibrary
from wellsourced.storage.library.store import LibraryFilters, LibraryStore, document_id
from wellsourced.storage.library.write_behind import WriteBehindQueue

ROOT = Path(__file__).resolve().parents[3]


def test_what_is_older_than_the_retention_goes(tmp_path: Path) -> None:
    async def script(database: Database) -> None:
        now = 1000.0
        store = SqliteLibrary(database, clock=lambda: now)
        await store.add([entry("old", "heron one")])
        now = 2000.0
        await store.add([entry("new", "heron two")])
        assert await store.purge(1500.0) == 1
        assert names(await find(store, "heron")) == ["new"]

    async def run() -> None:
        database = Database(tmp_path / "library.db", KEY)
        await script(database)
        await database.close()

    asyncio.run(run())


def test_nothing_of_it_can_be_read_in_the_file(tmp_path: Path) -> None:
    async def script(store: LibraryStore) -> None:
        await store.add([entry("marmalade-path", "marmalade " * 50, title="marmalade title", tags=("marmalade-tag",))])
        await store.note_addresses(ANNA, ["https://example.org/marmalade"])

    asyncio.run(in_file(tmp_path / "library.db", script))
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert len(written) > 10_000 and b"marmalade" not in written


def test_writing_behind_keeps_the_newest_and_never_fails_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_queue, "QUIET_SECONDS", 0.2)
    told: list[str] = []

    async def script(store: LibraryStore) -> None:
        queue = WriteBehindQueue(store, told.append)
        for n in range(200):
            await queue.put([entry(f"p{n % 100}", f"otter version {n} of {n % 100}")])
        async with asyncio.timeout(60):
            while (await store.totals(ANNA)).documents < 100:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await queue.put([entry("late", "otter at the end")])
        await queue.close()
        assert names(await find(store, "otter end"))[:1] == ["late"]
        whole = await store.fetch(document_id("https://example.org/p7"), ANNA)
        assert whole is not None and whole.text == "otter version 107 of 7"

    asyncio.run(in_file(tmp_path / "library.db", script))
    assert told == []


def test_pages_that_keep_coming_are_indexed_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never quiet, and many: some are indexed all the same, and none is put off for good."""
    monkeypatch.setattr(library_queue, "MOST_WAITING", 20)
    monkeypatch.setattr(library_queue, "QUIET_SECONDS", 0.5)

    async def script(store: LibraryStore) -> None:
        queue = WriteBehindQueue(store)
        async with asyncio.timeout(60):
            for n in count():
                await queue.put([entry(f"p{n}", f"otter number {n}")])
                if (await store.totals(ANNA)).documents:
                    break
        await queue.close()
        assert (await store.totals(ANNA)).documents == n + 1

    asyncio.run(in_file(tmp_path / "library.db", script))


def test_what_comes_while_the_last_is_indexed_is_not_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_queue, "QUIET_SECONDS", 0.05)

    async def script(store: LibraryStore) -> None:
        queue, index, late = WriteBehindQueue(store), store.index_held, [entry("late", "otter at the end")]

        async def index_while_one_comes(limit: int) -> int:
            done = await index(limit)
            if not done and late:
                await queue.put([late.pop()])
            return done

        monkeypatch.setattr(store, "index_held", index_while_one_comes)
        await queue.put([entry("first", "otter at first")])
        async with asyncio.timeout(60):
            while (await store.totals(ANNA)).documents < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await queue.close()

    asyncio.run(in_file(tmp_path / "library.db", script))


def test_what_comes_while_memory_is_given_back_is_not_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_queue, "QUIET_SECONDS", 0.01)

    async def script(store: LibraryStore) -> None:
        queue, loop, late = WriteBehindQueue(store), asyncio.get_running_loop(), [entry("late", "otter at the end")]

        def give_back_while_one_comes() -> None:
            monkeypatch.setattr(library_queue, "give_back_memory", lambda: None)
            asyncio.run_coroutine_threadsafe(queue.put(late), loop).result(10)

        monkeypatch.setattr(library_queue, "give_back_memory", give_back_while_one_comes)
        await queue.put([entry("first", "otter at the start")])
        async with asyncio.timeout(20):
            while (await store.totals(ANNA)).documents < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await queue.close()

    asyncio.run(in_file(tmp_path / "library.db", script))


def test_trouble_with_the_store_is_told_to_the_caller_and_once_to_the_log(tmp_path: Path) -> None:
    told: list[str] = []
    path = tmp_path / "library.db"

    async def run() -> None:
        path.write_bytes(b"not a database at all" * 500)
        store = SqliteLibrary(Database(path, KEY))
        queue = WriteBehindQueue(store, told.append)
        for n in range(3):
            with pytest.raises(WellsourcedError, match=r"library\.db"):
                await queue.put([entry(f"p{n}", "text")])
            await queue.flush()
        path.unlink()
        await queue.put([entry("mended", "otter again")])
        await queue.flush()
        assert names(await find(store, "otter")) == ["mended"]

    asyncio.run(run())
    assert len(told) == 1 and "library.db" in told[0]


def test_what_a_process_held_is_indexed_by_the_next(tmp_path: Path) -> None:
    """Two versions of a page and a page of two million letters, none of them indexed when the process ends."""

    async def hold(store: LibraryStore) -> None:
        await store.hold([entry("a", "otter one"), entry("b", "otter " + "x" * 1_999_000)])
        await store.hold([entry("a", "otter two \ud800\0", tags=("river",))])

    async def look(store: LibraryStore) -> None:
        await WriteBehindQueue(store).flush()
        assert sorted(names(await find(store, "otter"))) == ["a", "b"]
        whole = await store.fetch(document_id("https://example.org/a"), ANNA)
        assert whole is not None and (whole.text, whole.about.tags) == ("otter two ", ("river",))
        assert await store.index_held(16) == 0

    async def unpack() -> None:
        """As rows were written by earlier versions."""
        database = Database(tmp_path / "library.db", KEY)
        sql = "UPDATE library_held SET is_packed = 0, text = ? WHERE length(text) < 100"
        await database.run(lambda c: c.execute(sql, (b"otter two \0",)).rowcount)
        await database.close()

    asyncio.run(in_file(tmp_path / "library.db", hold))
    asyncio.run(unpack())
    asyncio.run(in_file(tmp_path / "library.db", look))


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    pytest.importorskip("asyncpg")

    async def run() -> None:
        store = PostgresLibrary("postgresql://reader:s3cret@127.0.0.1:9/nowhere")
        with pytest.raises(WellsourcedError, match="LIBRARY_URL") as raised:
            await store.add([entry("a", "b")])
        assert "s3cret" not in raised.value.sentence

    asyncio.run(run())


def test_a_file_of_which_much_is_free_is_shortened_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "library.db"

    async def script(store: LibraryStore) -> tuple[int, list[str]]:
        texts = [os.urandom(20_000).hex() for _ in range(200)]
        await store.add([entry(text[:9], text) for text in texts])
        await store.purge(before=1e12)
        before = (await store.totals(ANNA)).size
        for number in range(20):
            await store.add([entry(f"page{number}", f"heron {number}")])
        return before, names(await find(store, "heron 7"))[:1]

    before, best = asyncio.run(in_file(path, script))
    assert best == ["page7"]
    assert path.stat().st_size < before // 4


KILLED = """
import asyncio, os, sys
from pathlib import Path
from wellsourced.storage.database import Database
from wellsourced.storage.library.store import NewDocument
from wellsourced.storage.library.sqlite import SqliteLibrary

async def main():
    store = SqliteLibrary(Database(Path(sys.argv[1]), bytes(range(32))))
    large = [os.urandom(20_000).hex() for _ in range(300)]
    await store.add([NewDocument(url=f"https://example.org/{text[:9]}", text=text, tenant="acme") for text in large])
    await store.purge(before=1e12)
    for number in range(100_000):
        text = f"otter{number} " + "river bank stone water reed " * 80
        await store.add([NewDocument(url=f"https://example.org/{number}", text=text, tenant="acme")])
        print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("killed_after", [4, 60])
def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path, killed_after: int) -> None:
    """Also where the file is being shortened, as it is by the first dozen."""
    path = tmp_path / "library.db"
    line = [sys.executable, "-c", textwrap.dedent(KILLED), str(path)]
    process = start(line, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": "src"})
    assert process.stdout is not None
    acknowledged = -1
    for said in process.stdout:
        acknowledged = int(said)
        if acknowledged >= killed_after:
            process.send_signal(signal.SIGKILL)
            break
    rest = process.stdout.read().split()
    process.wait(60)
    acknowledged = int(rest[-1]) if rest and rest[-1].isdigit() else acknowledged

    async def script(store: LibraryStore) -> None:
        for number in range(acknowledged + 1):
            assert names(await find(store, f'"otter{number}"', limit=1)) == [str(number)]
        totals = await store.totals(ANNA)
        assert totals.documents in {acknowledged + 1, acknowledged + 2}
        everything = await store.list_documents(ANNA, LibraryFilters(), 1000)
        assert len(everything) == totals.documents

    asyncio.run(in_file(path, script))
