"""What a session costs does not grow with what there is."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from tests.storage.sessions.session_stores import ANNA, KEY, Opener, kept, new, one_more, redis
from wellsourced.storage.database import Database
from wellsourced.storage.sealer import Sealer
from wellsourced.storage.sessions.sqlite import SqliteSessions
from wellsourced.tool.sources import FoundSource

__all__ = ["kept", "redis"]


class Scales:
    """A shelf that weighs what is read from it and written to it."""

    def __init__(self, shelf: Any) -> None:
        self._shelf = shelf
        self.rows = 0
        self.bytes = 0

    async def read(self, *arguments: Any) -> Any:
        kept = await self._shelf.read(*arguments)
        self._weigh(kept)
        return kept

    async def write(self, place: Any, expected: int, change: Any) -> Any:
        self._weigh(change)
        return await self._shelf.write(place, expected, change)

    def _weigh(self, part: Any) -> None:
        self.rows += len(part.rows)
        self.bytes += len(part.head) + sum(len(row.sealed) for row in part.rows)


def test_a_step_costs_the_same_late_as_early(kept: Opener) -> None:
    """One row is written and none read again; the time is told, but a busy machine must not fail the test."""

    async def main() -> None:
        sessions = kept()
        session = await sessions.create(new())
        await sessions.add(
            ANNA, session.id, [FoundSource(url=f"https://e{n}.org/", title="x" * 200) for n in range(500)]
        )
        scales = Scales(sessions._shelf)
        sessions._shelf = scales  # type: ignore[assignment]
        times, weights = [], []
        for _ in range(199):
            start, before = time.perf_counter(), (scales.rows, scales.bytes)
            await sessions.update(ANNA, session.id, one_more)
            times.append(time.perf_counter() - start)
            weights.append((scales.rows - before[0], scales.bytes - before[1]))
        early, late = sorted(times[:20])[10], sorted(times[-20:])[10]
        print(f"{kept.kind}: steps 2 to 21 {early * 1000:.2f} ms each, 181 to 200 {late * 1000:.2f} ms")
        assert {rows for rows, _ in weights} == {1}
        assert abs(weights[-1][1] - weights[0][1]) < 32

    kept.run(main)


def test_starting_does_not_look_at_what_is_there(tmp_path: Path) -> None:
    async def fill(database: Database, count: int) -> None:
        sessions = SqliteSessions(database, Sealer(KEY))
        session = await sessions.create(new())
        copy = (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO session "
            "SELECT NULL, tenant, 'o' || i, id, user, 1, last_used, expires_at, head FROM session, n WHERE id = ?"
        )
        await database.run(lambda c: c.execute(copy, (count, session.id)) and None)
        rows = "INSERT INTO session_row SELECT key, 'step', 1, 1, randomblob(300) FROM session WHERE owner LIKE 'o%'"
        await database.run(lambda c: c.execute(rows) and None)

    async def first_answer(path: Path) -> float:
        start = time.perf_counter()
        database = Database(path, KEY)
        await SqliteSessions(database, Sealer(KEY)).create(new())
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
