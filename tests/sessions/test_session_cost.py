"""What a session costs does not grow with what there is."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from tests.sessions.session_stores import ANNA, KEY, Opener, kept, new, one_more, redis
from wellsourced.sessions.session_store import SessionStore
from wellsourced.storage.database import Database
from wellsourced.storage.records.sqlite import SqliteRecordStore
from wellsourced.storage.sealer import Sealer
from wellsourced.tool.sources import FoundSource

__all__ = ["kept", "redis"]


class MeasuringStore:
    """A record store that adds up what is read from it and written to it."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.parts = 0
        self.bytes = 0

    async def read(self, *arguments: Any, **options: Any) -> Any:
        record = await self._store.read(*arguments, **options)
        self._measure(record)
        return record

    async def update(self, record: Any, *arguments: Any, **options: Any) -> Any:
        self._measure(record)
        return await self._store.update(record, *arguments, **options)

    def _measure(self, record: Any) -> None:
        self.parts += len(record.parts)
        self.bytes += len(record.sealed) + sum(len(part.sealed) for part in record.parts)


def test_a_step_costs_the_same_late_as_early(kept: Opener) -> None:
    """One part is written and none read again; the time is printed, but a busy machine must not fail the test."""

    async def main() -> None:
        sessions = kept()
        session = await sessions.create(new())
        await sessions.add(
            ANNA, session.id, [FoundSource(url=f"https://e{n}.org/", title="x" * 200) for n in range(500)]
        )
        measured = MeasuringStore(sessions._records)
        sessions._records = measured  # type: ignore[assignment]
        times, costs = [], []
        for _ in range(199):
            start, before = time.perf_counter(), (measured.parts, measured.bytes)
            await sessions.update(ANNA, session.id, one_more)
            times.append(time.perf_counter() - start)
            costs.append((measured.parts - before[0], measured.bytes - before[1]))
        early, late = sorted(times[:20])[10], sorted(times[-20:])[10]
        print(f"{kept.kind}: steps 2 to 21 {early * 1000:.2f} ms each, 181 to 200 {late * 1000:.2f} ms")
        assert {parts for parts, _ in costs} == {1}
        assert abs(costs[-1][1] - costs[0][1]) < 32

    kept.run(main)


def test_starting_does_not_look_at_what_is_there(tmp_path: Path) -> None:
    async def fill(database: Database, count: int) -> None:
        sessions = SessionStore(SqliteRecordStore(database), Sealer(KEY))
        session = await sessions.create(new())
        copy = (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO record "
            "SELECT NULL, kind, 'o' || i, id, tenant, 'o' || i, time, sealed, 1, owner_name FROM record, n WHERE id = ?"
        )
        await database.run(lambda c: c.execute(copy, (count, session.id)) and None)
        rows = "INSERT INTO record_part SELECT key, 'step', 1, 1, randomblob(300) FROM record WHERE owner LIKE 'o%'"
        await database.run(lambda c: c.execute(rows) and None)

    async def first_answer(path: Path) -> float:
        start = time.perf_counter()
        database = Database(path, KEY)
        await SessionStore(SqliteRecordStore(database), Sealer(KEY)).create(new())
        passed = time.perf_counter() - start
        await database.close()
        return passed

    async def main() -> None:
        empty, full = tmp_path / "empty.db", tmp_path / "full.db"
        database = Database(full, KEY)
        await fill(database, 10_000)
        await database.close()
        await first_answer(empty)
        quick = min([await first_answer(empty) for _ in range(5)])
        loaded = min([await first_answer(full) for _ in range(5)])
        print(f"first answer: {quick * 1000:.1f} ms with none, {loaded * 1000:.1f} ms with 10,000 sessions")
        assert loaded < quick * 3 + 0.05

    asyncio.run(main())
