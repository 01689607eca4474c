"""What was read and is not indexed yet, in the encrypted SQLite file.

It is written at once, since an answer waits for it, and packed as fast as can be: that takes a fifth of the time of
encrypting and writing what it spares. A row that was replaced has a new key, so that the older one is never removed in
its stead.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from isal import isal_zlib

from wellsourced.storage.database import Schema
from wellsourced.storage.library.store import LONGEST_TEXT, NewDocument

if TYPE_CHECKING:
    from sqlite3 import Connection

FASTEST = 1

SCHEMA = Schema(
    "library_held",
    (
        "CREATE TABLE library_held (key INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, owner TEXT NOT NULL, "
        "id TEXT NOT NULL, added REAL NOT NULL, about TEXT NOT NULL, text BLOB NOT NULL, UNIQUE (tenant, owner, id))",
        "ALTER TABLE library_held ADD COLUMN is_packed INTEGER NOT NULL DEFAULT 0",
    ),
)


def put(connection: Connection, entries: Sequence[NewDocument], now: float) -> None:
    sql = "INSERT OR REPLACE INTO library_held (tenant, owner, id, added, about, text, is_packed) "
    connection.executemany(sql + "VALUES (?, ?, ?, ?, ?, ?, 1)", (_row(entry, now) for entry in entries))


def take(connection: Connection, limit: int, characters: int) -> list[tuple[int, float, NewDocument]]:
    """Key, moment and document of as many as one transaction should index, and at least one where there is any. Bytes
    are counted for characters."""
    found: list[tuple[int, float, NewDocument]] = []
    sql = "SELECT key, added, about, is_packed, text FROM library_held ORDER BY key LIMIT ?"
    for key, added, about, is_packed, text in connection.execute(sql, (limit,)):
        whole = isal_zlib.decompress(text) if is_packed else text
        characters -= len(whole)
        if found and characters < 0:
            break
        found.append((key, added, _document(about, whole)))
    return found


def remove(connection: Connection, keys: Sequence[int]) -> None:
    connection.executemany("DELETE FROM library_held WHERE key = ?", [(key,) for key in keys])


def _row(entry: NewDocument, now: float) -> tuple[object, ...]:
    about = {field.name: getattr(entry, field.name) for field in fields(entry) if field.name != "text"}
    text = entry.text[:LONGEST_TEXT].encode("utf-8", "ignore")  # it is tidied when it is indexed
    return entry.tenant, entry.owner, entry.id, now, json.dumps(about), isal_zlib.compress(text, FASTEST)


def _document(about: str, text: bytes) -> NewDocument:
    names = {field.name for field in fields(NewDocument)}
    known = {name: value for name, value in json.loads(about).items() if name in names}
    return NewDocument(**{**known, "tags": tuple(known["tags"])}, text=text.decode())
