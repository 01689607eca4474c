"""Research sessions that live no longer than the process: for when nothing may or can be kept."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from wellsourced.storage.sealer import Sealer
from wellsourced.storage.sessions.backend import Change, Kept, Place, Row, Written
from wellsourced.storage.sessions.store import LIMITS, Limits, SealedSessions


class MemorySessions(SealedSessions):
    def __init__(self, limits: Limits = LIMITS) -> None:
        super().__init__(MemoryShelf(), Sealer(os.urandom(32)), limits)


@dataclass(slots=True)
class _Entry:
    tenant: str
    user: bytes
    revision: int = 0
    last_used: float = 0
    expires: float = 0
    head: bytes = b""
    rows: dict[tuple[str, int], tuple[int, bytes]] = field(default_factory=dict)

    def take(self, change: Change) -> None:
        self.revision += 1
        self.head, self.last_used, self.expires = change.head, change.now, change.expires
        self.rows |= {(row.kind, row.number): (self.revision, row.sealed) for row in change.rows}

    def kept(self, id: str, after: int) -> Kept:
        rows = [Row(*name, sealed) for name, (revision, sealed) in self.rows.items() if revision > after]
        return Kept(id, self.revision, self.last_used, self.head, rows)


class MemoryShelf:
    def __init__(self) -> None:
        self._owners: dict[str, dict[str, _Entry]] = {}

    async def create(self, place: Place, user: bytes, change: Change, most: int) -> None:
        own = self._owners.setdefault(place.owner, {})
        own[place.id] = _Entry(place.tenant, user)
        own[place.id].take(change)
        for id in sorted(own, key=lambda id: own[id].last_used)[: max(0, len(own) - most)]:
            del own[id]

    async def read(self, place: Place, after: int, now: float, expires: float) -> Kept | None:
        entry = self._live(place, now)
        if entry is None:
            return None
        entry.last_used, entry.expires = now, expires
        return entry.kept(place.id, after)

    async def write(self, place: Place, expected: int, change: Change) -> Written:
        entry = self._live(place, change.now)
        if entry is None:
            return Written.GONE
        if entry.revision != expected:
            return Written.OVERTAKEN
        entry.take(change)
        return Written.YES

    async def heads(self, owner: str, now: float) -> list[Kept]:
        own = self._owners.get(owner, {})
        live = sorted(((id, e) for id, e in own.items() if e.expires > now), key=lambda pair: -pair[1].last_used)
        return [entry.kept(id, entry.revision) for id, entry in live]

    async def users(self, tenant: str) -> list[bytes]:
        firsts = (next(iter(own.values()), None) for own in self._owners.values())
        return [entry.user for entry in firsts if entry and entry.tenant == tenant]

    async def count(self, now: float) -> int:
        return sum(entry.expires > now for own in self._owners.values() for entry in own.values())

    async def delete(self, place: Place) -> int:
        return self._owners.get(place.owner, {}).pop(place.id, None) is not None

    async def delete_owner(self, tenant: str, owner: str) -> int:
        return len(self._owners.pop(owner, {}))

    async def delete_tenant(self, tenant: str) -> int:
        owners = [owner for owner, own in self._owners.items() if any(e.tenant == tenant for e in own.values())]
        return sum([await self.delete_owner(tenant, owner) for owner in owners])

    async def delete_all(self) -> int:
        gone = sum(map(len, self._owners.values()))
        self._owners.clear()
        return gone

    async def purge(self, now: float) -> int:
        removed = 0
        for owner, own in list(self._owners.items()):
            expired = [id for id, entry in own.items() if entry.expires <= now]
            for id in expired:
                del own[id]
            removed += len(expired)
            if not own:
                del self._owners[owner]
        return removed

    async def close(self) -> None:
        self._owners.clear()

    def _live(self, place: Place, now: float) -> _Entry | None:
        entry = self._owners.get(place.owner, {}).get(place.id)
        return entry if entry and entry.expires > now else None
