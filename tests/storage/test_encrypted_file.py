"""The encrypted file: unreadable without its key, untouched by a wrong one, whole after a rotation."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.warm.process import start
from wellsourced.errors import WellsourcedError
from wellsourced.storage import encrypted_file
from wellsourced.storage.database import Database, Schema
from wellsourced.storage.encrypted_file import CannotStore, check_file, open_file
from wellsourced.storage.sealer import CannotOpen

KEY, OTHER = b"\x01" * 32, b"\x02" * 32
NOTES = Schema("notes", ("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",))
MARKER = "ein Merksatz, der nirgends im Klartext stehen darf"

FILL = """
import asyncio, os, sys
from pathlib import Path
from wellsourced.storage.database import Database, Schema
async def main(path, key, rows, ending):
    database = Database(Path(path), bytes.fromhex(key))
    database.require(Schema("notes", ("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",)))
    fill = lambda c: c.executemany("INSERT INTO note (text) VALUES (?)", [("x" * 3000,)] * int(rows)) and None
    await database.run(fill)
    if ending == "crash":
        os.kill(os.getpid(), 9)
    await database.close()
asyncio.run(main(*sys.argv[1:]))
"""

BEGIN = """
import os, sys
from pathlib import Path
from wellsourced.storage import encrypted_file as encrypted
encrypted._create(Path(sys.argv[1]))
connection = encrypted._connect(Path(sys.argv[1]), bytes.fromhex(sys.argv[2]))
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("CREATE TABLE half (data)")
connection.executemany("INSERT INTO half VALUES (?)", [(bytes(9000),)] * 50)
os.kill(os.getpid(), 9)
"""

ROTATE = """
import asyncio, sys
from pathlib import Path
from wellsourced.storage.database import Database
async def main(path, old, new):
    database = Database(Path(path), bytes.fromhex(new), bytes.fromhex(old))
    print("ready", flush=True)
    sys.stdin.readline()
    print(await database.run(lambda c: c.execute("SELECT count(*) FROM note").fetchone()[0], write=False))
    await database.close()
asyncio.run(main(*sys.argv[1:]))
"""


def fill(path: Path, key: bytes, rows: int, ending: str = "close") -> None:
    start([sys.executable, "-c", FILL, str(path), key.hex(), str(rows), ending]).wait(60)


def rotation(path: Path, old: bytes, new: bytes) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ROTATE, str(path), old.hex(), new.hex()]
    child = start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    assert child.stdout.readline() == "ready\n"
    return child


def count(path: Path, key: bytes, previous: bytes | None = None) -> int:
    """The rows in the file, after SQLite's own check of the whole of it."""

    async def main() -> int:
        database = Database(path, key, previous)
        database.require(NOTES)
        try:
            sound = await database.run(lambda c: c.execute("PRAGMA integrity_check").fetchall(), write=False)
            assert sound == [("ok",)]
            found = await database.run(lambda c: c.execute("SELECT count(*) FROM note").fetchone(), write=False)
            return int(found[0])
        finally:
            await database.close()

    return asyncio.run(main())


def contents(folder: Path) -> dict[str, str]:
    """What the files hold. A reader may leave an empty log, and an index of it in which there is no data."""
    files = [path for path in folder.iterdir() if path.stat().st_size and not path.name.endswith("-shm")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_nothing_is_readable_on_disk(tmp_path: Path) -> None:
    async def main() -> None:
        database = Database(tmp_path / "store.db", KEY)
        database.require(NOTES)
        await database.run(lambda c: c.execute("INSERT INTO note (text) VALUES (?)", (MARKER * 500,)) and None)
        check()
        await database.close()
        check()

    def check() -> None:
        for path in tmp_path.iterdir():
            data = path.read_bytes()
            assert not any(word in data for word in (MARKER.encode(), b"CREATE TABLE", b"SQLite format", KEY)), path
            assert path.stat().st_mode & 0o077 == 0 or os.name == "nt"

    asyncio.run(main())


@pytest.mark.parametrize("ending", ["close", "crash"])
@pytest.mark.parametrize("previous", [None, b"\x03" * 32], ids=["alone", "with a previous one"])
def test_a_wrong_key_changes_nothing(tmp_path: Path, ending: str, previous: bytes | None) -> None:
    path = tmp_path / "store.db"
    fill(path, KEY, 50, ending)
    assert path.with_name("store.db-wal").exists() == (ending == "crash")
    before = contents(tmp_path)
    with pytest.raises(CannotOpen, match="CACHE_ENCRYPTION_KEY_PREV") as told:
        count(path, OTHER, previous)
    assert str(path) in told.value.sentence
    assert contents(tmp_path) == before
    assert count(path, KEY) == 50


def test_a_file_whose_first_write_was_cut_short_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    start([sys.executable, "-c", BEGIN, str(path), KEY.hex()]).wait(60)
    assert path.stat().st_size
    assert path.with_name("store.db-journal").stat().st_size
    assert count(path, KEY) == 0


@pytest.mark.parametrize("keep", [7, 4096, 4096 * 10, 4096 * 20 + 5])
def test_a_truncated_file_is_told_and_left(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "store.db"
    fill(path, KEY, 50)
    path.write_bytes(path.read_bytes()[:keep])
    before = contents(tmp_path)
    with pytest.raises(CannotOpen, match="left as it is") as told:
        count(path, KEY)
    assert str(path) in told.value.sentence
    assert contents(tmp_path) == before


@pytest.mark.parametrize("foreign", [b"SQLite format 3\x00" + bytes(8000), b"not a database at all", bytes(5000)])
def test_a_foreign_file_is_told_and_left(tmp_path: Path, foreign: bytes) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(foreign)
    with pytest.raises(CannotOpen):
        count(path, KEY)
    assert path.read_bytes() == foreign


def test_a_damaged_page_is_noticed_and_the_rest_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, KEY, 50)
    data = bytearray(path.read_bytes())
    data[4096 * 30 + 100] ^= 1
    path.write_bytes(data)

    async def main() -> None:
        database = Database(path, KEY)
        with pytest.raises(CannotOpen, match="damaged"):
            await database.run(lambda c: c.execute("SELECT text FROM note").fetchall(), write=False)
        first = await database.run(lambda c: c.execute("SELECT length(text) FROM note LIMIT 1").fetchone(), write=False)
        assert first == (3000,)
        assert path.read_bytes() == data
        with pytest.raises(CannotOpen, match="damaged"):
            await database.run(lambda c: c.execute("INSERT INTO note (text) VALUES ('more')") and None)
        await database.close()

    asyncio.run(main())


def test_places_that_cannot_hold_a_file_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "store.db").mkdir()
    for path in (tmp_path / "file" / "store.db", tmp_path / "store.db"):
        with pytest.raises(WellsourcedError, match="CACHE_DIR") as told:
            count(path, KEY)
        assert isinstance(told.value, CannotStore)


def test_rotation_keeps_everything_and_retires_the_old_key(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, KEY, 50, "crash")
    assert count(path, OTHER, KEY) == 50
    assert count(path, OTHER) == 50
    with pytest.raises(CannotOpen):
        count(path, KEY)


def test_processes_that_rotate_together_both_get_through(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, KEY, 500)
    children = [rotation(path, KEY, OTHER) for _ in range(3)]
    for child in children:
        assert child.stdin
        child.stdin.write("go\n")
        child.stdin.flush()
    assert [child.communicate(timeout=30)[0].strip() for child in children] == ["500"] * 3
    assert count(path, OTHER) == 500


@pytest.mark.parametrize("look", [open_file, check_file])
def test_a_key_that_another_process_changes_between_two_looks_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: Callable[..., object]
) -> None:
    path = tmp_path / "store.db"
    fill(path, KEY, 5)
    fits = encrypted_file._fits

    def fits_before_the_change(path: Path, key: bytes) -> bool:
        found = fits(path, key)
        monkeypatch.setattr(encrypted_file, "_fits", fits)
        assert count(path, OTHER, KEY) == 5
        return found

    monkeypatch.setattr(encrypted_file, "_fits", fits_before_the_change)
    look(path, OTHER, KEY)
    assert count(path, OTHER) == 5


def test_a_process_with_the_old_key_is_told_and_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def main() -> None:
        old = Database(path, KEY)
        old.require(NOTES)
        await old.run(lambda c: c.execute("INSERT INTO note (text) VALUES ('a')") and None)
        new = Database(path, OTHER, KEY)
        await new.run(lambda c: c.execute("INSERT INTO note (text) VALUES ('b')") and None)
        with pytest.raises(CannotOpen, match="does not open with this encryption key"):
            await old.run(lambda c: c.execute("INSERT INTO note (text) VALUES ('c')") and None)
        await old.close()
        await new.close()

    asyncio.run(main())
    assert count(path, OTHER) == 2


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that cannot be caught")
def test_a_kill_during_rotation_leaves_one_key_or_the_other(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, KEY, 3000)
    old, new = KEY, OTHER
    interrupted = 0
    for attempt in range(8):
        child = rotation(path, old, new)
        assert child.stdin
        child.stdin.write("go\n")
        child.stdin.flush()
        time.sleep(0.02 + 0.02 * attempt)
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=30)
        try:
            assert count(path, old) == 3000
            interrupted += 1
        except CannotOpen:
            assert count(path, new) == 3000
            old, new = new, old
    assert interrupted
