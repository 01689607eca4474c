"""Opening the encrypted SQLite file: trying the key, changing it, and saying what is wrong.

Facts about SQLCipher 4 (zetetic.net/sqlcipher/sqlcipher-api), each tried out against the library in use:

- A key of 64 hexadecimal digits in x'…' is taken as it is, without the slow derivation that passwords need.
- Closing a connection folds the write-ahead log into the file even when the key was wrong. A key is therefore
  tried on a read-only connection, which cannot do that.
- Changing the key (`rekey`) rewrites every page in one transaction, in the log as well: after a crash the file
  has the old key or the new one. A process that still uses the old key gets an error and cannot do harm.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wellsourced.errors import Misconfigured, UpstreamUnavailable, WellsourcedError
from wellsourced.storage.key_file import derive, sync_folder
from wellsourced.storage.sealer import CannotOpen

if TYPE_CHECKING:
    from sqlite3 import Connection, Error

T = TypeVar("T")

BUSY_SECONDS = 5.0
TRIES = 12
LONGEST_LOG = 16 * 1024 * 1024
INCREMENTAL = 2

BUSY, LOCKED, READ_ONLY, CORRUPT, FULL, CANNOT_OPEN, PROTOCOL, NOT_A_DATABASE = 5, 6, 8, 11, 13, 14, 15, 26
DAMAGE = {CORRUPT, NOT_A_DATABASE}
IN_THE_WAY = {BUSY, LOCKED, CANNOT_OPEN, PROTOCOL}


class CannotStore(Misconfigured):
    """The disk does not take or give what it should: full, read-only, gone."""

    action = "inform_user"


class StoreBusy(UpstreamUnavailable):
    """Another process held the file for too long; the same call will do later."""

    action = "retry_after_delay"
    default_wait = 5


def open_file(path: Path, key: bytes, previous: bytes | None = None) -> Connection:
    """A connection whose key is known to fit. The file is made when absent, and re-keyed from the previous key."""
    try:
        _create(path)
        return _patiently(lambda: _open_existing(path, key, previous))
    except OSError as problem:
        raise CannotStore(
            f"{path} cannot be used ({problem.strerror or problem}). Make its folder writable or set CACHE_DIR "
            "to another one."
        ) from problem


def check_file(path: Path, key: bytes, previous: bytes | None = None) -> None:
    """Raises where a file opens with neither key or a page of it is damaged, and changes nothing."""
    try:
        if _is_unwritten(path):
            return
        if not _is_whole(path, _fitting(path, key, previous)):
            raise is_damaged(path)
    except library().Error as problem:
        raise explained(problem, path) from problem


def explained(problem: Error, path: Path) -> WellsourcedError:
    """The library's error in words that say which file and what to do."""
    code, said = code_of(problem), str(problem)
    if code in {BUSY, LOCKED, PROTOCOL}:
        return StoreBusy(f"Another process is holding {path}. Try again in a moment.", detail=said)
    if code == NOT_A_DATABASE:
        return does_not_fit(path)
    if code == CORRUPT:
        return is_damaged(path, said)
    why = {FULL: "the disk is full", READ_ONLY: "it is read-only", CANNOT_OPEN: "it or its folder cannot be opened"}
    return _unusable(path, why.get(code, said), said)


def disk_full(path: Path) -> CannotStore:
    return _unusable(path, "the disk is full")


def _unusable(path: Path, why: str, detail: str | None = None) -> CannotStore:
    return CannotStore(
        f"{path} cannot be used: {why}. Make room or make its folder writable, or set CACHE_DIR to another one.",
        detail=detail,
    )


def is_damaged(path: Path, detail: str = "") -> CannotOpen:
    return CannotOpen(
        f"{path} is damaged and was left as it is. Restore it from a backup, or move it and the files "
        "beside it that begin with its name away; a new one is begun then.",
        detail=detail or None,
    )


def does_not_fit(path: Path) -> CannotOpen:
    return CannotOpen(
        f"{path} does not open with this encryption key, or is not a file of Wellsourced. It was left as it is. "
        "Restore the key it was written with, set CACHE_ENCRYPTION_KEY_PREV to that key, or move the file away "
        "to start afresh."
    )


def code_of(problem: Error) -> int:
    """SQLite's primary result code; 0 when the library gave none."""
    return int(getattr(problem, "sqlite_errorcode", None) or 0) & 0xFF


def library() -> Any:
    """The database library, loaded when the store is first used."""
    try:
        from sqlcipher3 import dbapi2  # type: ignore[import-untyped]
    except ImportError as problem:
        raise CannotStore(
            "Nothing can be kept on disk: the package sqlcipher3 is not installed or does not load here. "
            "Install it with: pip install sqlcipher3",
            detail=str(problem),
        ) from problem
    return dbapi2


def _create(path: Path) -> None:
    """Make the file before SQLite does, so that it and its companions are the owner's alone from the start."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    sync_folder(path.parent)


def _open_existing(path: Path, key: bytes, previous: bytes | None) -> Connection:
    fitting = key if _is_unwritten(path) else _fitting(path, key, previous)
    if fitting != key:
        _change_key(path, fitting, key)
    return _settled(_connect(path, key))


def _is_unwritten(path: Path) -> bool:
    """Empty, or left by a crash in its very first write, which is the only one that uses a rollback journal."""
    journal = path.with_name(path.name + "-journal")
    return path.stat().st_size == 0 or file_size(journal) > 0


def file_size(path: Path) -> int:
    """0 where there is no such file, as when another process has just removed it."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _fitting(path: Path, key: bytes, previous: bytes | None) -> bytes:
    """The key that the file opens with; another process may have changed to the new one between the two looks."""
    for known in (key,) if previous is None else (key, previous, key):
        if _fits(path, known):
            return known
    raise does_not_fit(path)


def _fits(path: Path, key: bytes) -> bool:
    connection = _connect(path, key, mode="ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except library().DatabaseError as problem:
        if code_of(problem) != NOT_A_DATABASE:
            raise
        return False
    finally:
        connection.close()
    return True


def _is_whole(path: Path, key: bytes) -> bool:
    """Whether every page carries the code that it was sealed with."""
    connection = _connect(path, key, mode="ro")
    try:
        return not connection.execute("PRAGMA cipher_integrity_check").fetchall()
    finally:
        connection.close()


def _change_key(path: Path, old: bytes, new: bytes) -> None:
    connection = _connect(path, old)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA rekey = {_quoted(new)}").fetchall()
    except library().Error as problem:  # most often: another process was faster, or is at it
        if not _fits(path, new):
            raise StoreBusy(
                f"The encryption key of {path} could not be changed while another process uses it. "
                "Stop the other one or try again in a moment.",
                detail=str(problem),
            ) from problem
    finally:
        connection.close()


def _connect(path: Path, key: bytes, mode: str = "rw") -> Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    connection: Connection = library().connect(address, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
    connection.execute("PRAGMA cipher_log_level = NONE")
    connection.execute(f"PRAGMA key = {_quoted(key)}")
    return connection


def _quoted(key: bytes) -> str:
    return f"\"x'{derive(key, 'database').hex()}'\""


def _settled(connection: Connection) -> Connection:
    try:
        connection.execute("PRAGMA temp_store = MEMORY")
        if connection.execute("PRAGMA auto_vacuum").fetchone()[0] != INCREMENTAL:  # setting it again would write
            connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}")
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
        connection.execute(f"PRAGMA journal_size_limit = {LONGEST_LOG}")
        connection.execute("PRAGMA foreign_keys = ON")
    except library().Error:
        connection.close()
        raise
    return connection


def _patiently(action: Callable[[], T]) -> T:
    """Processes that start or end together are briefly in each other's way, where SQLite itself does not wait."""
    for pause in range(TRIES):
        try:
            return action()
        except library().Error as problem:
            if code_of(problem) not in IN_THE_WAY or pause == TRIES - 1:
                raise
        time.sleep(0.005 * (pause + 1))
    raise AssertionError("the last try returns or raises")
