"""Personal records that live no longer than the process: for when nothing may or can be kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wellsourced.storage.records.backend import Row, Whose


class MemoryShelf:
    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], dict[str, Row]] = {}

    async def put(self, row: Row, *, most: int, lifetime: float) -> int:
        there = self._rows.setdefault((row.kind, row.place), {})
        there.pop(row.id, None)
        there[row.id] = row
        surplus = list(there)[: max(0, len(there) - most)] if most else []
        for id in surplus:
            del there[id]
        return len(surplus)

    async def swap(self, row: Row, expected: bytes | None) -> bool:
        there = self._rows.setdefault((row.kind, row.place), {})
        before = there.get(row.id)
        if (before.sealed if before else None) != expected:
            return False
        there[row.id] = replace(row, created=before.created) if before else row
        return True

    async def ids(self, kind: str, place: str, since: float) -> list[str]:
        there = self._rows.get((kind, place), {})
        return [row.id for row in reversed(there.values()) if row.created > since]

    async def rows(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[Row]:
        there = self._rows.get((kind, place), {})
        return [row for id in ids if (row := there.get(id)) and row.created > since]

    async def rows_of(self, kind: str, whose: Whose, since: float) -> list[Row]:
        found = [row for (known, _), there in self._rows.items() if known == kind for row in there.values()]
        return sorted((row for row in found if belongs(row, whose) and row.created > since), key=lambda r: r.created)

    async def remove(self, kind: str, place: str, id: str) -> int:
        return self._drop(lambda row: (row.kind, row.place, row.id) == (kind, place, id))

    async def erase(self, kind: str, whose: Whose) -> int:
        return self._drop(lambda row: row.kind == kind and belongs(row, whose))

    async def purge(self, kind: str, before: float) -> int:
        return self._drop(lambda row: row.kind == kind and row.created <= before)

    async def close(self) -> None:
        self._rows.clear()

    def _drop(self, is_unwanted: Callable[[Row], bool]) -> int:
        unwanted = [row for there in self._rows.values() for row in there.values() if is_unwanted(row)]
        for row in unwanted:
            del self._rows[row.kind, row.place][row.id]
        self._rows = {place: there for place, there in self._rows.items() if there}
        return len(unwanted)


def belongs(row: Row, whose: Whose) -> bool:
    return row.tenant == whose.tenant and whose.owner in (None, row.owner)
