"""Tokens that were taken back before their time, each kept until it would have expired anyway.

In Redis where instances share one, so that all of them know at once; else in the encrypted file; else in memory.
Only a digest of a token's name is kept.
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Protocol

from wellsourced.storage.database import Database, Schema

if TYPE_CHECKING:
    from sqlite3 import Connection

    from wellsourced.storage.redis_client import RedisClient

PREFIX = "wellsourced:revoked:"
# ARGV: until when, and how many seconds that is from now. The later of two ends counts.
ADD = """
if redis.call('TTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('SET', KEYS[1], 1, 'EXAT', ARGV[1]) end
"""
SCHEMA = Schema(
    "revoked",
    (
        "CREATE TABLE revoked (token BLOB PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID",
        "CREATE INDEX revoked_until ON revoked (until)",
    ),
)


class RevokedTokens(Protocol):
    """A token that was added is never forgotten before `until`. Times are seconds since 1970."""

    async def add(self, token: str, until: float, now: float) -> None: ...

    async def holds(self, token: str, now: float) -> bool: ...

    async def close(self) -> None: ...


class RedisRevokedTokens:
    def __init__(self, client: RedisClient) -> None:
        self._client = client

    async def add(self, token: str, until: float, now: float) -> None:
        await self._client.run_script(ADD, [PREFIX + digest(token).hex()], [math.ceil(until), math.ceil(until - now)])

    async def holds(self, token: str, now: float) -> bool:
        return bool(await self._client.execute("EXISTS", PREFIX + digest(token).hex()))

    async def close(self) -> None:
        await self._client.close()


class SqliteRevokedTokens:
    def __init__(self, database: Database) -> None:
        self._database = database
        database.require(SCHEMA)

    async def add(self, token: str, until: float, now: float) -> None:
        await self._database.run(lambda connection: _add(connection, digest(token), until, now))

    async def holds(self, token: str, now: float) -> bool:
        sql, key = "SELECT 1 FROM revoked WHERE token = ? AND until > ?", digest(token)
        found = await self._database.run(lambda c: c.execute(sql, (key, now)).fetchone(), write=False)
        return found is not None

    async def close(self) -> None:
        """The file is closed by whoever opened it."""


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _add(connection: Connection, token: bytes, until: float, now: float) -> None:
    connection.execute("DELETE FROM revoked WHERE until <= ?", (now,))
    connection.execute(
        "INSERT INTO revoked VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET until = max(until, excluded.until)",
        (token, until),
    )
