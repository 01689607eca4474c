"""A record store and sessions that live no longer than the process, for tests that are not about storing."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from wellsourced.sessions.session_store import LIMITS, SessionLimits, SessionStore
from wellsourced.storage.records.store import RecordKey, RecordPart, RecordScope, StoredRecord, WriteResult
from wellsourced.storage.sealer import Sealer

Parts = dict[tuple[str, int], tuple[int, bytes]]
"""The revision that wrote a part and its bytes, by the part's kind and number."""


class MemoryRecordStore:
    def __init__(self) -> None:
        self._records: dict[tuple[str, str], dict[str, StoredRecord]] = {}
        self._parts: dict[RecordKey, Parts] = {}

    async def put(self, record: StoredRecord, *, limit: int, lifetime: float) -> int:
        self._remove(record.key)
        self._store(record)
        there = self._at(record.key.kind, record.key.place)
        surplus = there[: len(there) - limit] if 0 < limit < len(there) else []
        for old in surplus:
            self._remove(old.key)
        return len(surplus)

    async def update(
        self,
        record: StoredRecord,
        expected: int,
        *,
        since: float,
        lifetime: float,
        beside: StoredRecord | None = None,
    ) -> WriteResult:
        if beside:
            await self.put(beside, limit=0, lifetime=lifetime)
        before = self._live(record.key, since)
        if before is None and expected:
            return WriteResult.GONE
        if (before.revision if before else 0) != expected:
            return WriteResult.OVERTAKEN
        if before is None:
            self._remove(record.key)  # one whose time is over may still be there
        self._store(record)
        return WriteResult.STORED

    async def read(
        self, key: RecordKey, since: float, *, after: int = 0, used_at: float = 0.0, lifetime: float = 0.0
    ) -> StoredRecord | None:
        record = self._live(key, since)
        if record is None:
            return None
        if used_at:
            self._records[key.kind, key.place][key.id] = replace(record, time=used_at)
        parts = self._parts.get(key, {}).items()
        return replace(record, parts=[RecordPart(*name, sealed) for name, (at, sealed) in parts if at > after])

    async def list_ids(self, kind: str, place: str, since: float) -> list[str]:
        return [record.key.id for record in reversed(self._at(kind, place)) if record.time > since]

    async def read_many(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[StoredRecord]:
        return [record for id in ids if (record := self._live(RecordKey(kind, place, id), since))]

    async def read_scope(self, kind: str, scope: RecordScope, since: float) -> list[StoredRecord]:
        covered = self._select(kind, lambda record: scope.covers(record) and record.time > since)
        return sorted(covered, key=lambda record: record.time)

    async def count(self, kind: str, since: float) -> int:
        return len(self._select(kind, lambda record: record.time > since))

    async def delete(self, key: RecordKey) -> int:
        return self._remove(key)

    async def erase(self, kind: str, scope: RecordScope | None) -> int:
        return self._remove_all(kind, lambda record: scope is None or scope.covers(record))

    async def purge(self, kind: str, before: float) -> int:
        return self._remove_all(kind, lambda record: record.time <= before)

    async def close(self) -> None:
        self._records.clear()
        self._parts.clear()

    def _at(self, kind: str, place: str) -> list[StoredRecord]:
        """The oldest first; of the same moment, in the order in which they came."""
        return sorted(self._records.get((kind, place), {}).values(), key=lambda record: record.time)

    def _live(self, key: RecordKey, since: float) -> StoredRecord | None:
        record = self._records.get((key.kind, key.place), {}).get(key.id)
        return record if record and record.time > since else None

    def _store(self, record: StoredRecord) -> None:
        key = record.key
        self._records.setdefault((key.kind, key.place), {})[key.id] = replace(record, parts=())
        if record.parts:
            written = {(part.kind, part.number): (record.revision, part.sealed) for part in record.parts}
            self._parts.setdefault(key, {}).update(written)

    def _select(self, kind: str, is_wanted: Callable[[StoredRecord], bool]) -> list[StoredRecord]:
        places = [there for (known, _), there in self._records.items() if known == kind]
        return [record for there in places for record in there.values() if is_wanted(record)]

    def _remove_all(self, kind: str, is_unwanted: Callable[[StoredRecord], bool]) -> int:
        return sum(self._remove(record.key) for record in self._select(kind, is_unwanted))

    def _remove(self, key: RecordKey) -> int:
        there = self._records.get((key.kind, key.place), {})
        removed = there.pop(key.id, None)
        self._parts.pop(key, None)
        if removed and not there:
            del self._records[key.kind, key.place]
        return removed is not None


def memory_session_store(limits: SessionLimits = LIMITS) -> SessionStore:
    return SessionStore(MemoryRecordStore(), Sealer(os.urandom(32)), limits)
