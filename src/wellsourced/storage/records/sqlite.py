"""Personal records in the encrypted SQLite file, a row each. A write is on the disk when it is acknowledged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from wellsourced.storage.database import Database, Schema
from wellsourced.storage.records.backend import Row, Whose

if TYPE_CHECKING:
    from sqlite3 import Connection

SCHEMA = Schema(
    "personal",
    (
        "CREATE TABLE personal (key INTEGER PRIMARY KEY, kind TEXT NOT NULL, place TEXT NOT NULL, id TEXT NOT NULL, "
        "tenant TEXT NOT NULL, owner TEXT NOT NULL, created REAL NOT NULL, sealed BLOB NOT NULL, "
        "UNIQUE (kind, place, id))",
        "CREATE INDEX personal_age ON personal (kind, place, created)",
        "CREATE INDEX personal_owner ON personal (kind, tenant, owner)",
        "CREATE INDEX personal_expiry ON personal (kind, created)",
    ),
)
COLUMNS = "kind, place, id, tenant, owner, created, sealed"
WHERE_ID = "kind = ? AND place = ? AND id = ?"


class SqliteShelf:
    def __init__(self, database: Database) -> None:
        self._database = database
        database.require(SCHEMA)

    async def put(self, row: Row, *, most: int, lifetime: float) -> int:
        return await self._database.run(partial(_put, row=row, most=most))

    async def swap(self, row: Row, expected: bytes | None) -> bool:
        return await self._database.run(partial(_swap, row=row, expected=expected))

    async def ids(self, kind: str, place: str, since: float) -> list[str]:
        where = "kind = ? AND place = ? AND created > ? ORDER BY created DESC, key DESC"
        return [row[0] for row in await self._select("id", where, kind, place, since)]

    async def rows(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[Row]:
        where = f"kind = ? AND place = ? AND created > ? AND id IN ({', '.join('?' * len(ids))})"
        found = {row[2]: Row(*row) for row in await self._select(COLUMNS, where, kind, place, since, *ids)}
        return [found[id] for id in ids if id in found]

    async def rows_of(self, kind: str, whose: Whose, since: float) -> list[Row]:
        where, values = _belonging(kind, whose)
        found = await self._select(COLUMNS, f"{where} AND created > ? ORDER BY created, key", *values, since)
        return [Row(*row) for row in found]

    async def remove(self, kind: str, place: str, id: str) -> int:
        return await self._delete(WHERE_ID, kind, place, id)

    async def erase(self, kind: str, whose: Whose) -> int:
        where, values = _belonging(kind, whose)
        return await self._delete(where, *values)

    async def purge(self, kind: str, before: float) -> int:
        return await self._delete("kind = ? AND created <= ?", kind, before)

    async def close(self) -> None:
        """The file is closed by whoever opened it."""

    async def _select(self, columns: str, where: str, *values: object) -> list[Any]:
        sql = f"SELECT {columns} FROM personal WHERE {where}"  # noqa: S608 - conditions are written in this file
        return await self._database.run(lambda c: c.execute(sql, values).fetchall(), write=False)

    async def _delete(self, where: str, *values: object) -> int:
        sql = f"DELETE FROM personal WHERE {where}"  # noqa: S608 - conditions are written in this file
        return await self._database.run(lambda c: c.execute(sql, values).rowcount)


def _put(connection: Connection, row: Row, most: int) -> int:
    connection.execute(f"DELETE FROM personal WHERE {WHERE_ID}", (row.kind, row.place, row.id))  # noqa: S608
    _insert(connection, row)
    if not most:
        return 0
    return connection.execute(
        "DELETE FROM personal WHERE key IN (SELECT key FROM personal WHERE kind = ? AND place = ? "
        "ORDER BY created DESC, key DESC LIMIT -1 OFFSET ?)",
        (row.kind, row.place, most),
    ).rowcount


def _swap(connection: Connection, row: Row, expected: bytes | None) -> bool:
    place = (row.kind, row.place, row.id)
    found = connection.execute(f"SELECT sealed FROM personal WHERE {WHERE_ID}", place).fetchone()  # noqa: S608
    if (found[0] if found else None) != expected:
        return False
    if found:
        connection.execute(f"UPDATE personal SET sealed = ? WHERE {WHERE_ID}", (row.sealed, *place))  # noqa: S608
    else:
        _insert(connection, row)
    return True


def _insert(connection: Connection, row: Row) -> None:
    connection.execute(
        f"INSERT INTO personal ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (row.kind, row.place, row.id, row.tenant, row.owner, row.created, row.sealed),
    )


def _belonging(kind: str, whose: Whose) -> tuple[str, tuple[str, ...]]:
    if whose.owner is None:
        return "kind = ? AND tenant = ?", (kind, whose.tenant)
    return "kind = ? AND tenant = ? AND owner = ?", (kind, whose.tenant, whose.owner)
