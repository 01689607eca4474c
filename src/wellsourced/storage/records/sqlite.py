"""Records in the encrypted SQLite file: a row a record, and a row each part.

Every write is one transaction that is on the disk when it is acknowledged. Nothing is read at the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from wellsourced.storage.database import Database, Schema
from wellsourced.storage.records.store import RecordKey, RecordPart, RecordScope, StoredRecord, WriteResult

if TYPE_CHECKING:
    from sqlite3 import Connection

PURGE_BATCH = 200
TOUCH_SECONDS = 30.0
"""Use is written down at most so often: a read should not cost a write each time."""

SESSION_TABLES = (
    "CREATE TABLE IF NOT EXISTS session (key INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, "
    "id TEXT NOT NULL, user BLOB NOT NULL, revision INTEGER NOT NULL, last_used REAL NOT NULL, "
    "expires_at REAL NOT NULL, head BLOB NOT NULL, UNIQUE (owner, id))",
    "CREATE TABLE IF NOT EXISTS session_row (session INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, "
    "revision INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (session, kind, number))",
)
"""Where earlier versions kept research sessions. They are made where they are missing, so that the steps that copy
them out run on every file."""

# The first four steps are those of earlier versions, which kept only personal records here; the name has to stay.
SCHEMA = Schema(
    "personal",
    (
        "CREATE TABLE personal (key INTEGER PRIMARY KEY, kind TEXT NOT NULL, place TEXT NOT NULL, id TEXT NOT NULL, "
        "tenant TEXT NOT NULL, owner TEXT NOT NULL, created REAL NOT NULL, sealed BLOB NOT NULL, "
        "UNIQUE (kind, place, id))",
        "CREATE INDEX personal_age ON personal (kind, place, created)",
        "CREATE INDEX personal_owner ON personal (kind, tenant, owner)",
        "CREATE INDEX personal_expiry ON personal (kind, created)",
        "ALTER TABLE personal RENAME TO record",
        "ALTER TABLE record RENAME COLUMN created TO time",
        "ALTER TABLE record ADD COLUMN revision INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE record ADD COLUMN owner_name BLOB NOT NULL DEFAULT x''",
        "CREATE TABLE record_part (record INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, "
        "revision INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (record, kind, number))",
        "CREATE INDEX record_part_revision ON record_part (record, revision)",
        *SESSION_TABLES,
        "INSERT INTO record (kind, place, id, tenant, owner, time, sealed, revision, owner_name) "
        "SELECT 'session', owner, id, tenant, owner, last_used, head, revision, user FROM session ORDER BY key",
        "INSERT INTO record_part SELECT record.key, p.kind, p.number, p.revision, p.sealed FROM session_row p "
        "JOIN session s ON s.key = p.session "
        "JOIN record ON record.kind = 'session' AND record.place = s.owner AND record.id = s.id",
        "DROP TABLE session_row",
        "DROP TABLE session",
    ),
)
COLUMNS = "kind, place, id, tenant, owner, time, sealed, revision, owner_name"
WHERE_KEY = "kind = ? AND place = ? AND id = ?"


class SqliteRecordStore:
    def __init__(self, database: Database) -> None:
        self._database = database
        database.require(SCHEMA)

    async def put(self, record: StoredRecord, *, limit: int, lifetime: float) -> int:
        return await self._database.run(partial(_put, record=record, limit=limit))

    async def update(
        self,
        record: StoredRecord,
        expected: int,
        *,
        since: float,
        lifetime: float,
        beside: StoredRecord | None = None,
    ) -> WriteResult:
        job = partial(_update, record=record, expected=expected, since=since, beside=beside)
        return await self._database.run(job)

    async def read(
        self, key: RecordKey, since: float, *, after: int = 0, used_at: float = 0.0, lifetime: float = 0.0
    ) -> StoredRecord | None:
        record = await self._database.run(partial(_read, key=key, since=since, after=after), write=False)
        if record is not None and used_at and used_at - record.time >= min(TOUCH_SECONDS, lifetime / 10):
            sql = f"UPDATE record SET time = ? WHERE {WHERE_KEY}"  # noqa: S608
            await self._database.run(lambda c: c.execute(sql, (used_at, *key)).rowcount, durable=False)
        return record

    async def list_ids(self, kind: str, place: str, since: float) -> list[str]:
        where = "kind = ? AND place = ? AND time > ? ORDER BY time DESC, key DESC"
        return [row[0] for row in await self._select("id", where, kind, place, since)]

    async def read_many(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[StoredRecord]:
        where = f"kind = ? AND place = ? AND time > ? AND id IN ({', '.join('?' * len(ids))})"
        rows = {row[2]: row for row in await self._select(COLUMNS, where, kind, place, since, *ids)}
        return [_record(rows[id]) for id in ids if id in rows]

    async def read_scope(self, kind: str, scope: RecordScope, since: float) -> list[StoredRecord]:
        where, values = _in_scope(kind, scope)
        rows = await self._select(COLUMNS, f"{where} AND time > ? ORDER BY time, key", *values, since)
        return [_record(row) for row in rows]

    async def count(self, kind: str, since: float) -> int:
        return int((await self._select("count(*)", "kind = ? AND time > ?", kind, since))[0][0])

    async def delete(self, key: RecordKey) -> int:
        return await self._database.run(partial(_delete_where, condition=WHERE_KEY, values=key))

    async def erase(self, kind: str, scope: RecordScope | None) -> int:
        condition, values = _in_scope(kind, scope)
        return await self._database.run(partial(_delete_where, condition=condition, values=values))

    async def purge(self, kind: str, before: float) -> int:
        """In small batches, so that no other job waits long."""
        total, removed = 0, PURGE_BATCH
        condition = f"kind = ? AND time <= ? LIMIT {PURGE_BATCH}"
        while removed == PURGE_BATCH:
            job = partial(_delete_where, condition=condition, values=(kind, before))
            removed = await self._database.run(job, durable=False)
            total += removed
        return total

    async def close(self) -> None:
        """The file is closed by whoever opened it."""

    async def _select(self, columns: str, where: str, *values: object) -> list[Any]:
        sql = f"SELECT {columns} FROM record WHERE {where}"  # noqa: S608 - conditions are written in this file
        return await self._database.run(lambda c: c.execute(sql, values).fetchall(), write=False)


def _put(connection: Connection, record: StoredRecord, limit: int) -> int:
    _delete_where(connection, WHERE_KEY, record.key)
    _insert(connection, record)
    if not limit:
        return 0
    surplus = "kind = ? AND place = ? ORDER BY time DESC, key DESC LIMIT -1 OFFSET ?"
    return _delete_where(connection, surplus, (record.key.kind, record.key.place, limit))


def _update(
    connection: Connection, record: StoredRecord, expected: int, since: float, beside: StoredRecord | None
) -> WriteResult:
    found = connection.execute(
        f"SELECT key, revision FROM record WHERE {WHERE_KEY} AND time > ?",  # noqa: S608
        (*record.key, since),
    ).fetchone()
    if found is None and expected:
        return WriteResult.GONE
    if (found[1] if found else 0) != expected:
        return WriteResult.OVERTAKEN
    if beside:
        _insert(connection, beside)
    if found is None:
        _delete_where(connection, WHERE_KEY, record.key)  # one whose time is over may still be there
        _insert(connection, record)
    else:
        connection.execute(
            "UPDATE record SET revision = ?, time = ?, sealed = ?, owner_name = ? WHERE key = ?",
            (record.revision, record.time, record.sealed, record.owner_name, found[0]),
        )
        _insert_parts(connection, found[0], record)
    return WriteResult.STORED


def _read(connection: Connection, key: RecordKey, since: float, after: int) -> StoredRecord | None:
    row = connection.execute(
        f"SELECT {COLUMNS}, key FROM record WHERE {WHERE_KEY} AND time > ?",  # noqa: S608
        (*key, since),
    ).fetchone()
    if row is None:
        return None
    parts = connection.execute(
        "SELECT kind, number, sealed FROM record_part WHERE record = ? AND revision > ?", (row[9], after)
    ).fetchall()
    return _record(row, [RecordPart(*part) for part in parts])


def _record(row: Sequence[Any], parts: Sequence[RecordPart] = ()) -> StoredRecord:
    kind, place, id, tenant, owner, time, sealed, revision, owner_name = row[:9]
    return StoredRecord(RecordKey(kind, place, id), tenant, owner, time, sealed, revision, owner_name, parts)


def _insert(connection: Connection, record: StoredRecord) -> None:
    whose, content = (record.tenant, record.owner), (record.sealed, record.revision, record.owner_name)
    key = connection.execute(
        f"INSERT INTO record ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (*record.key, *whose, record.time, *content),
    ).lastrowid
    assert key is not None
    _insert_parts(connection, key, record)


def _insert_parts(connection: Connection, key: int, record: StoredRecord) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO record_part (record, kind, number, revision, sealed) VALUES (?, ?, ?, ?, ?)",
        [(key, part.kind, part.number, record.revision, part.sealed) for part in record.parts],
    )


def _delete_where(connection: Connection, condition: str, values: Sequence[object]) -> int:
    """Records and their parts; the condition is one of the few written in this file."""
    sql = f"SELECT key FROM record WHERE {condition}"  # noqa: S608
    keys = connection.execute(sql, tuple(values)).fetchall()
    connection.executemany("DELETE FROM record_part WHERE record = ?", keys)
    connection.executemany("DELETE FROM record WHERE key = ?", keys)
    return len(keys)


def _in_scope(kind: str, scope: RecordScope | None) -> tuple[str, tuple[str, ...]]:
    if scope is None:
        return "kind = ?", (kind,)
    if scope.owner is None:
        return "kind = ? AND tenant = ?", (kind, scope.tenant)
    return "kind = ? AND tenant = ? AND owner = ?", (kind, scope.tenant, scope.owner)
