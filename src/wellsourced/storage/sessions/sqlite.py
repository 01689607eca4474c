"""Research sessions in the encrypted SQLite file: a row a session, and a row a step, source and outcome.

Every write is one transaction that is on the disk when it is acknowledged. Nothing is read at the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wellsourced.storage.database import Database, Schema
from wellsourced.storage.sealer import Sealer
from wellsourced.storage.sessions.backend import Change, Kept, Place, Row, Written
from wellsourced.storage.sessions.store import LIMITS, Limits, SealedSessions

if TYPE_CHECKING:
    from sqlite3 import Connection

PURGED_AT_ONCE = 200
TOUCH_SECONDS = 30.0

SCHEMA = Schema(
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


class SqliteSessions(SealedSessions):
    def __init__(self, database: Database, seal: Sealer, limits: Limits = LIMITS) -> None:
        super().__init__(SqliteShelf(database), seal, limits)


class SqliteShelf:
    def __init__(self, database: Database) -> None:
        self._database = database
        database.require(SCHEMA)

    async def create(self, place: Place, user: bytes, change: Change, most: int) -> None:
        await self._database.run(lambda c: _create(c, place, user, change, most))

    async def read(self, place: Place, after: int, now: float, expires: float) -> Kept | None:
        kept = await self._database.run(lambda c: _read(c, place, after, now), write=False)
        if kept is not None and now - kept.last_used >= min(TOUCH_SECONDS, (expires - now) / 10):
            await self._database.run(lambda c: _touch(c, place, now, expires), durable=False)
        return kept

    async def write(self, place: Place, expected: int, change: Change) -> Written:
        return await self._database.run(lambda c: _write(c, place, expected, change))

    async def heads(self, owner: str, now: float) -> list[Kept]:
        sql = (
            "SELECT id, revision, last_used, head FROM session WHERE owner = ? AND expires_at > ? "
            "ORDER BY last_used DESC, key DESC"
        )
        found = await self._database.run(lambda c: c.execute(sql, (owner, now)).fetchall(), write=False)
        return [Kept(*row) for row in found]

    async def users(self, tenant: str) -> list[bytes]:
        sql = "SELECT max(user) FROM session WHERE tenant = ? GROUP BY owner"
        found = await self._database.run(lambda c: c.execute(sql, (tenant,)).fetchall(), write=False)
        return [row[0] for row in found]

    async def count(self, now: float) -> int:
        sql = "SELECT count(*) FROM session WHERE expires_at > ?"
        return int((await self._database.run(lambda c: c.execute(sql, (now,)).fetchone(), write=False))[0])

    async def delete(self, place: Place) -> int:
        return await self._database.run(lambda c: _delete_where(c, "owner = ? AND id = ?", (place.owner, place.id)))

    async def delete_owner(self, tenant: str, owner: str) -> int:
        return await self._database.run(lambda c: _delete_where(c, "owner = ?", (owner,)))

    async def delete_tenant(self, tenant: str) -> int:
        return await self._database.run(lambda c: _delete_where(c, "tenant = ?", (tenant,)))

    async def delete_all(self) -> int:
        return await self._database.run(lambda c: _delete_where(c, "TRUE", ()))

    async def purge(self, now: float) -> int:
        """In small bites, so that no other job waits long."""
        total, removed = 0, PURGED_AT_ONCE
        while removed == PURGED_AT_ONCE:
            removed = await self._database.run(
                lambda c: _delete_where(c, f"expires_at <= ? LIMIT {PURGED_AT_ONCE}", (now,)), durable=False
            )
            total += removed
        return total

    async def close(self) -> None:
        """The file is closed by whoever opened it."""


def _create(connection: Connection, place: Place, user: bytes, change: Change, most: int) -> None:
    key = connection.execute(
        "INSERT INTO session (tenant, owner, id, user, revision, last_used, expires_at, head) "
        "VALUES (?, ?, ?, ?, 1, ?, ?, ?)",
        (place.tenant, place.owner, place.id, user, change.now, change.expires, change.head),
    ).lastrowid
    assert key is not None
    _put(connection, key, 1, change.rows)
    _delete_where(connection, "owner = ? AND expires_at <= ?", (place.owner, change.now))
    _delete_where(connection, "owner = ? ORDER BY last_used DESC, key DESC LIMIT -1 OFFSET ?", (place.owner, most))


def _read(connection: Connection, place: Place, after: int, now: float) -> Kept | None:
    found = connection.execute(
        "SELECT key, revision, last_used, head FROM session WHERE owner = ? AND id = ? AND expires_at > ?",
        (place.owner, place.id, now),
    ).fetchone()
    if found is None:
        return None
    key, revision, last_used, head = found
    rows = connection.execute(
        "SELECT kind, number, sealed FROM session_row WHERE session = ? AND revision > ?", (key, after)
    ).fetchall()
    return Kept(place.id, revision, last_used, head, [Row(*row) for row in rows])


def _write(connection: Connection, place: Place, expected: int, change: Change) -> Written:
    found = connection.execute(
        "SELECT key, revision FROM session WHERE owner = ? AND id = ? AND expires_at > ?",
        (place.owner, place.id, change.now),
    ).fetchone()
    if found is None:
        return Written.GONE
    key, revision = found
    if revision != expected:
        return Written.OVERTAKEN
    connection.execute(
        "UPDATE session SET revision = ?, last_used = ?, expires_at = ?, head = ? WHERE key = ?",
        (expected + 1, change.now, change.expires, change.head, key),
    )
    _put(connection, key, expected + 1, change.rows)
    return Written.YES


def _put(connection: Connection, key: int, revision: int, rows: Sequence[Row]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO session_row (session, kind, number, revision, sealed) VALUES (?, ?, ?, ?, ?)",
        [(key, row.kind, row.number, revision, row.sealed) for row in rows],
    )


def _touch(connection: Connection, place: Place, now: float, expires: float) -> None:
    connection.execute(
        "UPDATE session SET last_used = ?, expires_at = ? WHERE owner = ? AND id = ?",
        (now, expires, place.owner, place.id),
    )


def _delete_where(connection: Connection, condition: str, values: tuple[object, ...]) -> int:
    """Sessions and their rows; the condition is one of the few written in this file."""
    found = connection.execute(f"SELECT key FROM session WHERE {condition}", values).fetchall()  # noqa: S608
    connection.executemany("DELETE FROM session_row WHERE session = ?", found)
    connection.executemany("DELETE FROM session WHERE key = ?", found)
    return len(found)
