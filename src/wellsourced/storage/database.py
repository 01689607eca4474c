"""One encrypted SQLite file, driven from one thread of its own.

Every job runs in a transaction on that thread, in the order in which it was asked for. The file is opened at the
first job. A durable job is on the disk when it returns (synchronous=FULL: the log is forced out at commit);
one that is not may be lost with the power, never half-done (sqlite.org/pragma.html#pragma_synchronous).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from wellsourced.late_dataclass import dataclass
from wellsourced.storage.encrypted_file import (
    DAMAGE,
    CannotStore,
    StoreBusy,
    code_of,
    explained,
    is_damaged,
    library,
    open_file,
)
from wellsourced.storage.key_file import KeySource, key_source
from wellsourced.storage.sealer import CannotOpen

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

LAYOUT = 1
Version = tuple[int, int]
FileState = tuple[int, int, int]
"""What changes when a file is replaced or written to."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of one store, as single SQL statements. Steps are only ever added at the end."""

    name: str
    steps: tuple[str, ...]


class Database:
    """`run` is the only way in. A file that does not open raises CannotOpen or CannotStore and stays as it is."""

    def __init__(self, path: Path, key: bytes | KeySource, previous: bytes | None = None) -> None:
        self.path = path
        self._keys = key_source(key, previous)
        self._schemas: list[Schema] = []
        self._unchecked = False
        self._connection: Connection | None = None
        self._opened_file: tuple[int, int] | None = None
        self._damaged: FileState | None = None
        self._synchronous = ""
        self._closed = False
        self.version: Version | None = None
        """Another one once another process has written, as far as the last job could see."""
        self._log_state: tuple[int, int] | None = None
        self._is_writing = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")

    def require(self, schema: Schema) -> None:
        """Have these tables made or brought up to date before the next job. Several stores may share a schema."""
        if schema not in self._schemas:
            self._schemas.append(schema)
            self._unchecked = True

    async def run(self, job: Callable[[Connection], T], *, write: bool = True, durable: bool = True) -> T:
        """Do the job in one transaction. It is done even when its caller is cancelled meanwhile.

        The job must fetch what it wants to return, and only write when `write` is set.
        """
        if self._closed:
            raise CannotStore(f"{self.path} was closed.")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._do, job, write, durable)

    @property
    def is_unchanged(self) -> bool:
        """Whether nobody else has written since the last job; one look at the log's size and time, which change by
        our own hand while we write."""
        return self._is_writing or self._is_log_unchanged()

    def _is_log_unchanged(self) -> bool:
        return self._log_state is not None and self._look_at_log() == self._log_state

    def _look_at_log(self) -> tuple[int, int] | None:
        try:
            found = os.stat(f"{self.path}-wal")  # noqa: PTH116
        except OSError:
            return None
        return found.st_size, found.st_mtime_ns

    async def compact(self) -> None:
        """Write the file anew without what was deleted, and empty the log: afterwards no trace of it is left.

        Other jobs wait meanwhile.
        """
        await self.run(_nothing)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._compact)

    async def close(self) -> None:
        """Finish what was asked for, fold the log into the file, and end the thread."""
        if self._closed:
            return
        self._closed = True
        await asyncio.get_running_loop().run_in_executor(self._thread, self._drop)
        self._thread.shutdown(wait=False)

    def _do(self, job: Callable[[Connection], T], write: bool, durable: bool) -> T:
        sql = library()
        self._refuse_damaged(write)
        try:
            connection = self._ready()
            self._set_synchronous(connection, "FULL" if durable else "NORMAL")
            result = _in_transaction(
                connection, self._noted(job) if write else job, "BEGIN IMMEDIATE" if write else "BEGIN"
            )
            self._log_state = self._look_at_log()  # before the version: what is written between them shows in one
            self.version = version_of(connection)
            return result
        except (sql.IntegrityError, sql.ProgrammingError):
            raise
        except sql.Error as problem:
            if code_of(problem) in DAMAGE:  # the library refuses a connection that has met damage
                self._drop()
                self._damaged = _state(self.path)
            raise explained(problem, self.path) from problem
        finally:
            self._is_writing = False
            if self._damaged:  # nothing is held open, so that the file can be restored while the server runs
                self._drop()

    def _noted(self, job: Callable[[Connection], T]) -> Callable[[Connection], T]:
        """The job, and before it a look at the log: inside the transaction nobody else can write."""

        def write(connection: Connection) -> T:
            self._is_writing = self._is_log_unchanged()
            return job(connection)

        return write

    def _refuse_damaged(self, write: bool) -> None:
        """A file that has met damage may be read as far as it can be, and is not written to until it is another one."""
        if self._damaged and self._damaged != _state(self.path):
            self._damaged = None
        if self._damaged and write:
            raise is_damaged(self.path)

    def _compact(self) -> None:
        connection = self._ready()
        try:
            connection.execute("VACUUM")
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except library().Error as problem:
            raise explained(problem, self.path) from problem
        if busy:
            raise StoreBusy(f"Another process is reading {self.path}, so its log could not be emptied. Try again.")

    def _ready(self) -> Connection:
        if self._connection is None:
            self._connection = self._open()
            self._opened_file = _identity(self.path)
            self._unchecked = True
        elif self._opened_file != _identity(self.path):
            raise CannotStore(f"{self.path} was moved or replaced while in use. Start Wellsourced again.")
        if self._unchecked:
            self._make_tables(self._connection)
        return self._connection

    def _make_tables(self, connection: Connection) -> None:
        """The mark goes first: tables that another thread requires meanwhile set it again for the next job."""
        self._unchecked = False
        try:
            self._set_synchronous(connection, "FULL")
            _migrate(connection, list(self._schemas), self.path)
        except BaseException:
            self._unchecked = True
            raise

    def _open(self) -> Connection:
        try:
            return open_file(self.path, *self._keys.pair())
        except CannotOpen:  # perhaps the right key is put back later
            self._keys.forget()
            raise

    def _set_synchronous(self, connection: Connection, level: str) -> None:
        if level != self._synchronous:
            connection.execute(f"PRAGMA synchronous = {level}")
            self._synchronous = level

    def _drop(self) -> None:
        connection, self._connection, self._synchronous = self._connection, None, ""
        self.version = None
        if connection is not None and self._opened_file == _identity(self.path):
            with contextlib.suppress(library().Error):
                connection.close()


def version_of(connection: Connection) -> Version:
    return id(connection), connection.execute("PRAGMA data_version").fetchone()[0]


def _nothing(connection: Connection) -> None:
    """Opens the file, so that whatever is wrong with it is explained in words."""


def _state(path: Path) -> FileState | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - on the way of every job, and Path.stat costs twice as much
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _in_transaction(connection: Connection, job: Callable[[Connection], T], begin: str) -> T:
    connection.execute(begin)
    try:
        result = job(connection)
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(library().Error):  # SQLite may have rolled back already; the first error counts
            connection.execute("ROLLBACK")
        raise
    return result


def _migrate(connection: Connection, schemas: list[Schema], path: Path) -> None:
    if not _is_current(connection, schemas):
        _in_transaction(connection, lambda inside: _apply(inside, schemas, path), "BEGIN IMMEDIATE")


def _is_current(connection: Connection, schemas: list[Schema]) -> bool:
    if connection.execute("PRAGMA user_version").fetchone()[0] != LAYOUT:
        return False
    done = dict(connection.execute("SELECT name, steps FROM part").fetchall())
    return all(done.get(schema.name) == len(schema.steps) for schema in schemas)


def _apply(connection: Connection, schemas: list[Schema], path: Path) -> None:
    if connection.execute("PRAGMA user_version").fetchone()[0] > LAYOUT:
        raise _too_new(path)
    connection.execute("CREATE TABLE IF NOT EXISTS part (name TEXT PRIMARY KEY, steps INTEGER NOT NULL)")
    done = dict(connection.execute("SELECT name, steps FROM part").fetchall())
    for schema in schemas:
        if done.get(schema.name, 0) > len(schema.steps):
            raise _too_new(path)
        for step in schema.steps[done.get(schema.name, 0) :]:
            connection.execute(step)
        connection.execute("INSERT OR REPLACE INTO part VALUES (?, ?)", (schema.name, len(schema.steps)))
    connection.execute(f"PRAGMA user_version = {LAYOUT}")


def _too_new(path: Path) -> CannotOpen:
    return CannotOpen(
        f"{path} was written by a newer version of Wellsourced and was left as it is. "
        "Install that version again, or choose another folder with CACHE_DIR."
    )
