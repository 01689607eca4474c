"""The database: transactions, tables that grow with the versions, several processes, sudden death."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from tests.warm.process import start
from wellsourced.storage import database as database_module
from wellsourced.storage.database import Database, Schema
from wellsourced.storage.encrypted_file import CannotStore
from wellsourced.storage.sealer import CannotOpen

KEY = b"\x01" * 32
CREATE = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"
NOTES = Schema("notes", (CREATE,))

WRITER = (
    f"CREATE = {CREATE!r}"
    + """
import asyncio, sys
from pathlib import Path
from wellsourced.storage import encrypted_file as encrypted
from wellsourced.storage.database import Database, Schema
async def main(path, name, rows):
    database = Database(Path(path), bytes([1]) * 32)
    encrypted.library()
    if name.startswith("together"):
        print("ready", flush=True)
        sys.stdin.readline()
    database.require(Schema("notes", (CREATE,)))
    for row in range(int(rows)):
        text = f"{name}-{row}-" + "x" * 2000
        await database.run(lambda c: c.execute("INSERT INTO note (text) VALUES (?)", (text,)) and None)
        print(row, flush=True)
    await database.close()
asyncio.run(main(*sys.argv[1:]))
"""
)


def add(connection: Connection, text: str) -> int:
    """Add a note, and tell in which thread."""
    connection.execute("INSERT INTO note (text) VALUES (?)", (text,))
    return threading.get_ident()


def writer(path: Path, name: str, rows: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(rows)]
    return start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def hold(held: threading.Event, release: threading.Event, connection: Connection) -> None:
    held.set()
    release.wait(60)


def rows_of(path: Path) -> list[str]:
    async def main() -> list[str]:
        database = Database(path, KEY)
        database.require(NOTES)
        sound = await database.run(lambda c: c.execute("PRAGMA integrity_check").fetchall(), write=False)
        assert sound == [("ok",)]
        found = await database.run(lambda c: c.execute("SELECT text FROM note").fetchall(), write=False)
        await database.close()
        return [row[0].rsplit("-", 1)[0] for row in found]

    return asyncio.run(main())


def test_jobs_run_in_order_in_one_thread_and_fail_as_a_whole(tmp_path: Path) -> None:
    async def main() -> None:
        database = Database(tmp_path / "store.db", KEY)
        database.require(NOTES)
        assert not (tmp_path / "store.db").exists()

        def half(connection: Connection) -> None:
            add(connection, "half")
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await database.run(half)
        threads = set(await asyncio.gather(*[database.run(partial(add, text=str(i))) for i in range(20)]))
        assert len(threads) == 1
        assert threading.get_ident() not in threads
        found = await database.run(lambda c: c.execute("SELECT text FROM note ORDER BY id").fetchall(), write=False)
        assert [row[0] for row in found] == [str(i) for i in range(20)]
        await database.close()
        with pytest.raises(CannotStore):
            await database.run(lambda c: None)

    asyncio.run(main())


def test_the_caller_chooses_how_safe_a_write_is(tmp_path: Path) -> None:
    async def main() -> None:
        database = Database(tmp_path / "store.db", KEY)
        levels = [
            await database.run(lambda c: c.execute("PRAGMA synchronous").fetchone()[0], durable=durable)
            for durable in (True, False, True)
        ]
        assert levels == [2, 1, 2]
        mode = await database.run(lambda c: c.execute("PRAGMA journal_mode").fetchone()[0], write=False)
        assert mode == "wal"
        await database.close()

    asyncio.run(main())


def test_tables_are_brought_up_to_date_store_by_store(tmp_path: Path) -> None:
    more = Schema("notes", (CREATE, "ALTER TABLE note ADD COLUMN seen INTEGER NOT NULL DEFAULT 7"))
    other = Schema("other", ("CREATE TABLE other (id INTEGER)",))

    async def use(*schemas: Schema, sql: str) -> list[tuple[object, ...]]:
        database = Database(tmp_path / "store.db", KEY)
        try:
            for schema in schemas:
                database.require(schema)
            return await database.run(lambda c: c.execute(sql).fetchall())
        finally:
            await database.close()

    asyncio.run(use(NOTES, sql="INSERT INTO note (text) VALUES ('old')"))
    assert asyncio.run(use(other, more, sql="SELECT text, seen FROM note")) == [("old", 7)]
    assert asyncio.run(use(other, sql="SELECT * FROM other")) == []
    with pytest.raises(CannotOpen, match="newer version"):
        asyncio.run(use(NOTES, sql="SELECT 1"))
    broken = Schema("broken", ("CREATE TABLE half (id INTEGER)", "CREATE NONSENSE"))
    with pytest.raises(CannotStore):
        asyncio.run(use(broken, sql="SELECT 1"))
    assert asyncio.run(use(more, sql="SELECT name FROM sqlite_master WHERE name = 'half'")) == []


def test_processes_write_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    children = [writer(path, name, 40) for name in ("a", "b", "c")]
    for child in children:
        assert len(child.communicate(timeout=60)[0].split()) == 40
    assert sorted(rows_of(path)) == sorted(f"{name}-{row}" for name in "abc" for row in range(40))


def test_processes_that_create_the_file_together_agree(tmp_path: Path) -> None:
    for attempt in range(3):
        path = tmp_path / f"{attempt}.db"
        children = [writer(path, f"together{number}", 1) for number in range(6)]
        for child in children:
            assert child.stdout
            assert child.stdout.readline() == "ready\n"
        for child in children:
            assert child.stdin
            child.stdin.write("go\n")
            child.stdin.flush()
        for child in children:
            assert child.communicate(timeout=60)[0] == "0\n"
        assert sorted(rows_of(path)) == [f"together{number}-0" for number in range(6)]


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that cannot be caught")
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    acknowledged: set[str] = set()
    for attempt in range(10):
        child = writer(path, f"r{attempt}", 100_000)
        assert child.stdout
        lines = [child.stdout.readline()] if attempt % 3 else []
        time.sleep(0.01 * attempt)
        child.send_signal(signal.SIGKILL)
        lines += child.communicate(timeout=30)[0].splitlines(keepends=True)
        acknowledged |= {f"r{attempt}-{line.strip()}" for line in lines if line.endswith("\n")}
        assert acknowledged <= set(rows_of(path))
    assert len(acknowledged) > 10


def test_a_file_that_is_moved_away_is_noticed(tmp_path: Path) -> None:
    async def main() -> None:
        path = tmp_path / "store.db"
        database = Database(path, KEY)
        await database.run(lambda c: None)
        path.rename(tmp_path / "away.db")
        with pytest.raises(CannotStore, match="moved or replaced"):
            await database.run(lambda c: None)
        await database.close()

    asyncio.run(main())


def test_a_file_held_by_another_is_busy_not_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wellsourced.storage import encrypted_file

    monkeypatch.setattr(encrypted_file, "BUSY_SECONDS", 0.05)

    async def main() -> None:
        first, second = Database(tmp_path / "store.db", KEY), Database(tmp_path / "store.db", KEY)
        for each in (first, second):  # one after the other: making the tables would hold up the other for too long
            await each.run(lambda c: None)
        held, release = threading.Event(), threading.Event()
        holding = asyncio.ensure_future(first.run(partial(hold, held, release)))
        assert await asyncio.to_thread(held.wait, 60)
        try:
            with pytest.raises(encrypted_file.StoreBusy) as told:
                await second.run(lambda c: None)
            assert told.value.retryable
        finally:
            release.set()
        await holding
        await second.run(lambda c: None)
        await asyncio.gather(first.close(), second.close())

    asyncio.run(main())


def test_tables_that_are_required_while_others_are_made_are_made_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that asks for its tables from another thread at that moment must not go without them."""
    database = Database(tmp_path / "data.db", KEY)
    late = Schema("late", ("CREATE TABLE late (x)",))
    migrate = database_module._migrate

    def require_meanwhile(*arguments: Any) -> None:
        migrate(*arguments)
        database.require(late)

    monkeypatch.setattr(database_module, "_migrate", require_meanwhile)

    async def script() -> None:
        await database.run(lambda connection: None)
        assert await database.run(lambda connection: connection.execute("SELECT count(*) FROM late").fetchone()[0]) == 0
        await database.close()

    asyncio.run(script())
