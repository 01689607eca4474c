"""Records of one kind, sealed in the record store. Each is sealed together with where it lies and whose it is, so that
no record can be put in another's place. What the previous key sealed is sealed anew when it is read.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Generic, TypeVar

from wellsourced.identity import Identity, digest_of
from wellsourced.storage.encrypted_file import StoreBusy
from wellsourced.storage.records.store import RecordKey, RecordScope, RecordStore, StoredRecord, WriteResult
from wellsourced.storage.sealer import CannotOpen, Sealer
from wellsourced.tool.base import OutputPart

T = TypeVar("T", bound=OutputPart)

BATCH = 100
PURGE_SECONDS = 900.0
TRIES = 60
LONGEST_PAUSE = 0.02


class SealedRecords(Generic[T]):
    """At most `limit` at a place, each for `lifetime` seconds; 0 means without limit."""

    def __init__(
        self,
        store: RecordStore,
        sealer: Sealer,
        kind: str,
        model: type[T],
        *,
        limit: int = 0,
        lifetime: float = 0.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.limit = limit
        self.lifetime = lifetime
        self._store = store
        self._sealer = sealer
        self._kind = kind
        self._model = model
        self._clock = clock
        self._purged = float("-inf")

    async def put(self, place: str, whose: Identity, id: str, record: T) -> int:
        """Store or replace it; returns how many of the oldest had to go. It is stored when this returns."""
        await self._purge_now_and_then()
        return await self._store.put(self._new(place, whose, id, record), limit=self.limit, lifetime=self.lifetime)

    async def get(self, place: str, id: str) -> T | None:
        stored = await self._store.read(RecordKey(self._kind, place, id), self._since())
        return await self._open(stored) if stored else None

    async def iterate_newest(self, place: str) -> AsyncIterator[T]:
        """All at a place, the newest first, read as far as they are asked for."""
        await self._purge_now_and_then()
        ids = await self._store.list_ids(self._kind, place, self._since())
        for start in range(0, len(ids), BATCH):
            for stored in await self._store.read_many(self._kind, place, ids[start : start + BATCH], self._since()):
                yield await self._open(stored)

    async def update(self, place: str, whose: Identity, id: str, change: Callable[[T | None], T]) -> T:
        """Store what `change` makes of the record; it is called again when another process wrote first."""
        key = RecordKey(self._kind, place, id)
        for _ in range(TRIES):
            before = await self._store.read(key, self._since())
            after = change(self._decode(before)[0] if before else None)
            if await self._replace(before, self._new(place, whose, id, after)):
                return after
            await asyncio.sleep(random.uniform(0, LONGEST_PAUSE))
        raise StoreBusy("Too many processes are writing to this record. Try again in a moment.")

    async def remove(self, place: str, id: str) -> int:
        return await self._store.delete(RecordKey(self._kind, place, id))

    async def read_all(self, tenant: str, user: str | None = None) -> tuple[list[T], int]:
        """Everything of a person or tenant, the oldest first, and how many records do not open."""
        records: list[T] = []
        unreadable = 0
        for stored in await self._store.read_scope(self._kind, scope_of(tenant, user), self._since()):
            try:
                records.append(self._decode(stored)[0])
            except CannotOpen:
                unreadable += 1
        return records, unreadable

    async def erase(self, tenant: str, user: str | None = None) -> int:
        return await self._store.erase(self._kind, scope_of(tenant, user))

    def _since(self) -> float:
        return self._clock() - self.lifetime if self.lifetime else 0.0

    def _new(self, place: str, whose: Identity, id: str, record: T) -> StoredRecord:
        """Revisions begin at the clock, so that a record removed and put again is not taken for the one before."""
        tenant, owner, now = digest_of(whose.tenant), digest_of(whose.tenant, whose.user), self._clock()
        key = RecordKey(self._kind, place, id)
        return self._seal(StoredRecord(key, tenant, owner, now, b"", revision=round(now * 1_000_000)), record)

    def _seal(self, stored: StoredRecord, record: T) -> StoredRecord:
        plain = record.model_dump_json(by_alias=True, exclude_none=True).encode()
        return replace(stored, sealed=self._sealer.seal(plain, _identity(stored)))

    def _decode(self, stored: StoredRecord) -> tuple[T, bool]:
        """The record, and whether it needs sealing anew."""
        opened = self._sealer.open(stored.sealed, _identity(stored))
        return self._model.model_validate_json(opened.plain), opened.stale

    async def _open(self, stored: StoredRecord) -> T:
        record, stale = self._decode(stored)
        if stale:  # if another process wrote first, it did so with the new key
            await self._replace(stored, self._seal(stored, record))
        return record

    async def _replace(self, before: StoredRecord | None, after: StoredRecord) -> bool:
        """Whether it was stored; if not, another process wrote first. A record keeps the moment of its creation."""
        if before:
            after = replace(after, time=before.time, revision=before.revision + 1)
        written = await self._store.update(
            after, before.revision if before else 0, since=self._since(), lifetime=0.0 if before else self.lifetime
        )
        return written is WriteResult.STORED

    async def _purge_now_and_then(self) -> None:
        if self.lifetime and time.monotonic() - self._purged >= PURGE_SECONDS:
            self._purged = time.monotonic()
            await self._store.purge(self._kind, self._since())


def place_of_person(who: Identity) -> str:
    """Where what concerns nobody but this person lies."""
    return digest_of(who.tenant, who.user)


def scope_of(tenant: str, user: str | None = None) -> RecordScope:
    """One person's records, or the whole tenant's without a user."""
    return RecordScope(digest_of(tenant), None if user is None else digest_of(tenant, user))


def _identity(record: StoredRecord) -> str:
    """What a record is sealed with. Earlier versions wrote the same, so it may not change."""
    return json.dumps(["personal", *record.key, record.tenant, record.owner])
