"""Whether what must be kept can be kept now: tried on the file itself, for readiness, the page and the first answer."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from wellsourced.errors import WellsourcedError
from wellsourced.storage.database import Database
from wellsourced.storage.encrypted_file import disk_full
from wellsourced.system import free_bytes

if TYPE_CHECKING:
    from sqlite3 import Connection

    from wellsourced.storage.audit.log import AuditLog

KEPT_SECONDS = 2.0
PATIENCE = 2.0
LEAST_FREE_SPACE = 64 * 1024


class StorageCheck:
    """The result is kept for two seconds, so that frequent checks cost nothing."""

    def __init__(self, database: Database, audit: AuditLog | None = None) -> None:
        self._database = database
        self._audit = audit
        self._checking = asyncio.Lock()
        self._checked_at = float("-inf")
        self._problem = ""

    async def problem(self) -> str:
        """What is wrong and what helps, in a sentence or two; empty where everything can be kept."""
        async with self._checking:
            if time.monotonic() - self._checked_at > KEPT_SECONDS:
                self._problem = await self._check()
                self._checked_at = time.monotonic()
        return self._problem or (self._audit.problem if self._audit else "")

    async def _check(self) -> str:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._database.run(_nothing, durable=False)
                await asyncio.to_thread(check_free_space, self._database.path)
        except WellsourcedError as problem:
            return problem.sentence
        except TimeoutError:  # an OSError too
            return f"{self._database.path} does not answer: another process holds it, or its disk is slow."
        except OSError as problem:
            return f"{self._database.path} cannot be used ({problem.strerror or problem})."
        return ""


def _nothing(connection: Connection) -> None:
    """In a write transaction, which a file that is read-only, damaged or replaced refuses; nothing is written."""


def check_free_space(path: Path) -> None:
    """A transaction meets a full disk only when it is committed."""
    if free_bytes(path.parent) < LEAST_FREE_SPACE:
        raise disk_full(path)
