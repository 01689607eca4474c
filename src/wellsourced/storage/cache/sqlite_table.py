"""The disk half of the cache: its table and what is done with it.

Rows are found by the SHA-256 of the whole key, so no two keys share one. Triggers keep the total, which makes the
question "too much?" one look at one row, right for any number of processes. Ids grow, so the lowest is the oldest.
Large values are compressed: that takes less time than to encrypt and write what it spares.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wellsourced.storage.cache.memory import CachedValue
from wellsourced.storage.database import Schema

if TYPE_CHECKING:
    from sqlite3 import Connection

PAGE = 4096
COST_OF_A_ROW = 200
LARGE = 2 * PAGE
PACKING_LEVEL = 1  # an eighth fewer bytes than at level 0, in the same time
EXPIRED_AT_ONCE = 100
PAGES_GIVEN_BACK = 2000
KEPT_AFTER_EVICTION = 0.9

SCHEMA = Schema(
    "cache",
    (
        "CREATE TABLE cache (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, stored_at REAL NOT NULL, "
        "ttl REAL NOT NULL, expires_at REAL NOT NULL, size INTEGER NOT NULL, value BLOB NOT NULL)",
        "CREATE INDEX cache_expiry ON cache (expires_at)",
        "CREATE TABLE cache_total (bytes INTEGER NOT NULL)",
        "INSERT INTO cache_total VALUES (0)",
        "CREATE TRIGGER cache_grows AFTER INSERT ON cache BEGIN UPDATE cache_total SET bytes = bytes + new.size; END",
        "CREATE TRIGGER cache_shrinks AFTER DELETE ON cache BEGIN UPDATE cache_total SET bytes = bytes - old.size; END",
        "ALTER TABLE cache ADD COLUMN owner BLOB NOT NULL DEFAULT x''",
        "CREATE INDEX cache_owner ON cache (owner) WHERE owner <> x''",
        "ALTER TABLE cache ADD COLUMN is_packed INTEGER NOT NULL DEFAULT 0",
    ),
)


def digest_of(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def size_of(value: bytes) -> int:
    """Bytes of the file a row takes: large values fill whole pages."""
    length = len(value)
    return COST_OF_A_ROW + (length if length < PAGE else -(-length // PAGE) * PAGE)


def read(connection: Connection, key: str) -> CachedValue | None:
    wanted = "SELECT is_packed, value, stored_at, ttl, owner FROM cache WHERE digest = ?"
    found = connection.execute(wanted, (digest_of(key),)).fetchone()
    if not found:
        return None
    is_packed, value, *rest = found
    return CachedValue(zlib.decompress(value) if is_packed else value, *rest)


def marks(connection: Connection, most: int) -> set[int] | None:
    """A mark of every key that is kept; None where there are more."""
    found = connection.execute("SELECT digest FROM cache LIMIT ?", (most + 1,)).fetchall()
    return {_mark(digest) for (digest,) in found} if len(found) <= most else None


def mark_of(key: str) -> int:
    return _mark(digest_of(key))


def _mark(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big")


def write(connection: Connection, changes: Mapping[str, CachedValue | None], max_bytes: int, now: float) -> None:
    """Make room, remove the keys that have no value, and store the values of the others."""
    _delete_expired(connection, now, EXPIRED_AT_ONCE)
    incoming = sum(size_of(stored.value) for stored in changes.values() if stored is not None)
    if total(connection) + incoming > max_bytes:
        _evict(connection, int(max_bytes * KEPT_AFTER_EVICTION) - incoming, now)
    digests = [digest_of(key) for key in changes]
    connection.executemany("DELETE FROM cache WHERE digest = ?", [(digest,) for digest in digests])
    rows = [_row(digest, stored) for digest, stored in zip(digests, changes.values(), strict=True) if stored]
    connection.executemany(
        "INSERT INTO cache (digest, stored_at, ttl, expires_at, size, is_packed, value, owner) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    _give_back(connection, max_bytes)


def clear(connection: Connection) -> None:
    """Remove every row and give the space back to the disk."""
    connection.execute("DELETE FROM cache")
    connection.execute("PRAGMA incremental_vacuum").fetchall()


def forget(connection: Connection, owner: bytes) -> int:
    """Remove the rows of a person or of a whole tenant; how many there were."""
    theirs = "DELETE FROM cache WHERE owner <> x'' AND substr(owner, 1, ?) = ?"
    return int(connection.execute(theirs, (len(owner), owner)).rowcount)


def size(connection: Connection) -> tuple[int, int]:
    """Rows, and the bytes of the file they take."""
    return int(connection.execute("SELECT count(*) FROM cache").fetchone()[0]), total(connection)


def total(connection: Connection) -> int:
    return int(connection.execute("SELECT bytes FROM cache_total").fetchone()[0])


def _row(digest: bytes, stored: CachedValue) -> tuple[object, ...]:
    is_packed, value = _packed(stored.value)
    expires_at = stored.stored_at + stored.ttl
    return digest, stored.stored_at, stored.ttl, expires_at, size_of(value), is_packed, value, stored.owner


def _packed(value: bytes) -> tuple[bool, bytes]:
    """Whether it is compressed, and the value as it is written."""
    if len(value) < LARGE:
        return False, value
    from isal import isal_zlib

    packed = isal_zlib.compress(value, PACKING_LEVEL)
    return (True, packed) if len(packed) < len(value) else (False, value)


def _delete_expired(connection: Connection, now: float, most: int) -> None:
    connection.execute(
        "DELETE FROM cache WHERE id IN (SELECT id FROM cache WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
        (now, most),
    )


def _evict(connection: Connection, target: int, now: float) -> None:
    """Expired rows first, then the oldest. The target is below the limit, so that the next eviction is far away."""
    _delete_expired(connection, now, -1)
    excess = total(connection) - target
    last = 0
    for row, size in connection.execute("SELECT id, size FROM cache ORDER BY id"):
        if excess <= 0:
            break
        last, excess = row, excess - size
    connection.execute("DELETE FROM cache WHERE id <= ?", (last,))


def _give_back(connection: Connection, max_bytes: int) -> None:
    """Shrink the file a little at a time when much of it is free, as after the limit was lowered."""
    free = int(connection.execute("PRAGMA freelist_count").fetchone()[0])
    if free * PAGE * 4 > max_bytes:
        connection.execute(f"PRAGMA incremental_vacuum({PAGES_GIVEN_BACK})").fetchall()
