"""The stores of personal data on both record stores, opened anew as the next process would."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from wellsourced.identity import Identity
from wellsourced.people.repositories import LIMITS, PersonalLimits, PersonalRepositories
from wellsourced.people.types import Consent, Contribution, Membership, Memory
from wellsourced.storage.database import Database
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.storage.records.sqlite import SqliteRecordStore
from wellsourced.storage.records.store import RecordStore
from wellsourced.storage.sealer import Sealer

KEY, OTHER_KEY = b"\x01" * 32, b"\x02" * 32
WHEN = "2026-05-06T07:08:09Z"


class Opener:
    def __init__(self, kind: str, folder: Path, url: str) -> None:
        self.kind, self._folder, self._url = kind, folder, url
        self._opened: list[Database | PersonalRepositories] = []

    def __call__(
        self, limits: PersonalLimits = LIMITS, sealer: Sealer | None = None, clock: Callable[[], float] = time.time
    ) -> PersonalRepositories:
        stores = PersonalRepositories(self._record_store(), sealer or Sealer(KEY), limits, clock)
        if self.kind == "redis":
            self._opened.append(stores)
        return stores

    def run(self, script: Callable[[], Awaitable[Any]]) -> None:
        async def main() -> None:
            try:
                await script()
            finally:
                for opened in self._opened:
                    await opened.close()
                self._opened.clear()

        asyncio.run(main())

    def _record_store(self) -> RecordStore:
        if self.kind == "redis":
            return RedisRecordStore(self._url)
        database = Database(self._folder / "store.db", KEY)
        self._opened.append(database)
        return SqliteRecordStore(database)


def consent(who: Identity, purpose: Any = "memory", granted: bool = True) -> Consent:
    return Consent(
        tenant_id=who.tenant, user_id=who.user, purpose=purpose, granted=granted, decided_at=WHEN, decided_from="test"
    )


def memory(who: Identity, note: str, id: str = "") -> Memory:
    return Memory(id=id or note, tenant_id=who.tenant, user_id=who.user, note=note, created_at=WHEN)


def contribution(who: Identity, workspace: str, note: str) -> Contribution:
    return Contribution(
        id=note,
        workspace_id=workspace,
        contributor_tenant=who.tenant,
        contributor_user=who.user,
        note=note,
        created_at=WHEN,
    )


def membership(who: Identity, workspace: str) -> Membership:
    return Membership(workspace_id=workspace, tenant_id=who.tenant, user_id=who.user, added_at=WHEN)


async def notes(stores: PersonalRepositories, who: Identity) -> list[str]:
    return [found.note async for found in stores.memories.iterate_newest(who)]


async def shared(stores: PersonalRepositories, workspace: str) -> list[str]:
    return [found.note async for found in stores.workspaces.iterate_newest(workspace)]
