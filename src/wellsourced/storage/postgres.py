"""A pool of connections to PostgreSQL, opened when first needed, and its errors in words.

The driver is asyncpg (Apache-2.0), an optional dependency: `pip install wellsourced[postgres]`.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from wellsourced.errors import WellsourcedError
from wellsourced.storage.encrypted_file import CannotStore, StoreBusy

Connection: TypeAlias = Any
Pool: TypeAlias = Any
"""The driver comes without types."""

POOL = 4
SECONDS = 30.0
SETTINGS = {
    "jit": "off",
    "join_collapse_limit": "1",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "enable_material": "off",
    "application_name": "wellsourced",
}
"""Compiling a query takes longer than these queries do, and each of them wants few rows, found by an index. Tables are
joined in the order in which they are written: left to choose, the server began with all blocks of a million texts once
it had counted the segments anew, and a question took seconds. Nor may it put all of a table aside to go through."""

MARK = re.compile(r"\?")
LOCK = 7_203_977_001
"""Of all who start at once, one makes the tables: the number of the advisory lock."""


class Postgres:
    """`tables` are statements that make what is not there yet."""

    def __init__(self, url: str, tables: Sequence[str]) -> None:
        self._url = url
        self._tables = tables
        self._pool: Pool | None = None
        self._opening = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Every statement is a transaction of its own. The driver's errors are explained in words."""
        with self._explained():
            pool = await self._ready()
            async with pool.acquire() as connection:
                yield connection

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        async with self.connection() as connection, connection.transaction():
            yield connection

    async def rows(self, sql: str, *values: object) -> list[Any]:
        with self._explained():
            pool = await self._ready()
            return list(await pool.fetch(numbered(sql), *values))

    async def close(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            with contextlib.suppress(Exception):
                await asyncio.wait_for(pool.close(), SECONDS)

    async def _ready(self) -> Pool:
        async with self._opening:
            if self._pool is None:
                pool = await driver().create_pool(
                    self._url,
                    min_size=0,
                    max_size=POOL,
                    command_timeout=SECONDS,
                    server_settings=SETTINGS,
                    connection_class=_connection_class(),
                )
                await self._make_tables(pool)
                self._pool = pool
            return self._pool

    async def _make_tables(self, pool: Pool) -> None:
        try:
            async with pool.acquire() as connection, connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
                await connection.execute("CREATE TABLE IF NOT EXISTS wellsourced_tables (digest text PRIMARY KEY)")
                # Even a statement that changes nothing would wait for those who read, and they for it.
                digest = hashlib.sha256("".join(self._tables).encode()).hexdigest()
                known = "INSERT INTO wellsourced_tables VALUES ($1) ON CONFLICT DO NOTHING RETURNING digest"
                for statement in self._tables if await connection.fetchval(known, digest) else ():
                    await connection.execute(statement)
        except BaseException:
            pool.terminate()
            raise

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except WellsourcedError:
            raise
        except (TimeoutError, driver().DeadlockDetectedError, driver().SerializationError) as problem:
            raise StoreBusy(f"{self._shown()} did not answer in time. Try again in a moment.") from problem
        except (OSError, ValueError, driver().PostgresError, driver().InterfaceError) as problem:
            raise CannotStore(
                f"{self._shown()} cannot be used. Check LIBRARY_URL and that the server runs.",
                detail=f"{type(problem).__name__}: {problem}",
            ) from problem

    def _shown(self) -> str:
        """Where the database is, without the password."""
        try:
            parts = urlsplit(self._url)
            return f"The database at {parts.hostname or 'this machine'}{parts.path}"
        except ValueError:
            return "The database in LIBRARY_URL"


def _connection_class() -> Any:
    """Nothing that lasts beyond a transaction is ever set here, so that nothing has to be reset behind each."""
    return type("PlainConnection", (driver().Connection,), {"__slots__": (), "get_reset_query": lambda self: ""})


@lru_cache(maxsize=256)
def numbered(sql: str) -> str:
    """`?` as `$1`, `$2`, …"""
    number = count(1)
    return MARK.sub(lambda _: f"${next(number)}", sql)


def driver() -> Any:
    try:
        import asyncpg  # type: ignore[import-untyped]
    except ImportError as problem:
        raise CannotStore(
            "LIBRARY_URL needs the PostgreSQL driver. Install it with: pip install 'wellsourced[postgres]'",
            detail=str(problem),
        ) from problem
    return asyncpg
