"""Research sessions in the record store: created, loaded, changed and erased.

Each record is sealed with its identity (tenant, user, session, kind, number), so that a session id is worth nothing
to anybody but its owner, and no record can be put in another's place. A write adds parts and is acknowledged when it
is stored; nothing that was written is written again. The last few sessions are remembered in memory, and only what
was written since is read, so that a step costs the same however long the session is.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from weakref import WeakValueDictionary

from wellsourced.errors import SessionNotFound
from wellsourced.identity import Identity
from wellsourced.sessions.session import RequestOutcome, Session
from wellsourced.sessions.session_records import KIND, SessionSealer, session_key, with_outcomes, with_sources
from wellsourced.storage.encrypted_file import StoreBusy
from wellsourced.storage.records.sealed import place_of_person, scope_of
from wellsourced.storage.records.store import RecordStore, StoredRecord, WriteResult
from wellsourced.storage.sealer import Sealer
from wellsourced.text.amounts import format_duration
from wellsourced.tool.sources import FoundSource

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
REMEMBERED_BYTES = 8 * 1024 * 1024
COST_OF_A_SESSION = 2000
TRIES = 60
LONGEST_PAUSE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """`ttl` is in seconds since the last use; `sessions` is for each user, `sources` for each session."""

    ttl: float = 4 * 3600.0
    steps: int = 200
    sessions: int = 50
    sources: int = 1000


LIMITS = SessionLimits()


class SessionStore:
    def __init__(
        self,
        records: RecordStore,
        sealer: Sealer,
        limits: SessionLimits = LIMITS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.limits = limits
        self._records = records
        self._sealer = SessionSealer(sealer)
        self._clock = clock
        self._recent = RecentSessions(REMEMBERED_BYTES)
        self._locks: WeakValueDictionary[tuple[Identity, str], asyncio.Lock] = WeakValueDictionary()

    async def create(self, session: Session) -> Session:
        """Store a new session with whatever it already holds. `remove_surplus` makes room for it afterwards."""
        session = replace(session, revision=1, step_count=len(session.steps))
        record = self._sealer.seal(None, session, self._clock())
        await self._records.put(record, limit=0, lifetime=self.limits.ttl)
        self._recent.keep(session, record)
        return session

    async def remove_surplus(self, new: Session) -> list[Session]:
        """Let go what its owner has beyond the limit: ended sessions first, then those unused for longest, never the
        new one."""
        ids = await self._records.list_ids(KIND, place_of_person(new.owner), self._since())
        surplus = len(ids) - self.limits.sessions
        if surplus <= 0:
            return []
        others = [known for known in reversed(await self.sessions_of(new.owner)) if known.id != new.id]
        others.sort(key=lambda known: known.completed_at is None)  # of either kind, the longest unused stays first
        removed = [(known, await self.delete(new.owner, known.id)) for known in others[:surplus]]
        return [known for known, count in removed if count]

    async def load(self, owner: Identity, id: str) -> Session:
        """The session as it is now; raises SessionNotFound. Loading counts as use."""
        copy = self._recent.get(owner, id)
        now = self._clock()
        record = await self._read(owner, id, copy.revision if copy else 0, now) if ID.fullmatch(id) else None
        if record is None:
            self._recent.drop(owner, id)
            raise self._not_found()
        if copy and record.revision < copy.revision:  # an older file was put back
            self._recent.drop(owner, id)
            return await self.load(owner, id)
        session, stale = self._sealer.open(record, owner, copy)
        session = replace(session, last_used=datetime.fromtimestamp(now, UTC))
        if stale:
            session = await self._seal_anew(session)
        self._recent.keep(session, record)
        return session

    async def update(self, owner: Identity, id: str, change: Callable[[Session], Session]) -> Session:
        """Store what `change` makes of the session: steps and sources it adds, sources and fields it changes.

        `change` is given the session as it is, and again when another process wrote first; it may raise to refuse.
        What it hands back unchanged is not written.
        """
        lock = self._locks.setdefault((owner, id), asyncio.Lock())
        async with lock:
            for _ in range(TRIES):
                before = await self.load(owner, id)
                after = change(before)
                if after == before or await self._write(before, after):
                    return self._recent.get(owner, id) or before
                await asyncio.sleep(random.uniform(0, LONGEST_PAUSE))
        raise StoreBusy("Too many processes are writing to this research session. Try again in a moment.")

    async def add(
        self, owner: Identity, id: str, sources: Sequence[FoundSource], outcomes: Sequence[RequestOutcome] = ()
    ) -> Session:
        """Record sources, each address once, and how the asking went."""
        limit = self.limits.sources
        return await self.update(
            owner, id, lambda session: with_outcomes(with_sources(session, sources, limit), outcomes)
        )

    async def sessions_of(self, owner: Identity) -> list[Session]:
        """The owner's sessions without their steps and sources, the last used first."""
        place, since = place_of_person(owner), self._since()
        ids = await self._records.list_ids(KIND, place, since)
        records = await self._records.read_many(KIND, place, ids, since)
        return [self._sealer.open(record, owner, None)[0] for record in records]

    async def users_of(self, tenant: str) -> list[Identity]:
        """Everybody of a tenant who has a session, expired ones that are not removed yet included."""
        records = await self._records.read_scope(KIND, scope_of(tenant), 0.0)
        names = {record.owner: record.owner_name for record in records}
        return [Identity(tenant, self._sealer.open_user(tenant, name)) for name in names.values()]

    async def count(self) -> int:
        return await self._records.count(KIND, self._since())

    async def delete(self, owner: Identity, id: str) -> int:
        self._recent.drop(owner, id)
        return await self._records.delete(session_key(owner, id)) if ID.fullmatch(id) else 0

    async def delete_user(self, owner: Identity) -> int:
        self._recent.drop_all(lambda known: known == owner)
        return await self._records.erase(KIND, scope_of(owner.tenant, owner.user))

    async def delete_tenant(self, tenant: str) -> int:
        self._recent.drop_all(lambda known: known.tenant == tenant)
        return await self._records.erase(KIND, scope_of(tenant))

    async def delete_all(self) -> int:
        self._recent.drop_all(lambda known: True)
        return await self._records.erase(KIND, None)

    async def purge_expired(self) -> int:
        return await self._records.purge(KIND, self._since())

    async def close(self) -> None:
        self._recent.drop_all(lambda known: True)
        await self._records.close()

    def _since(self) -> float:
        return self._clock() - self.limits.ttl

    async def _read(self, owner: Identity, id: str, after: int, now: float) -> StoredRecord | None:
        ttl = self.limits.ttl
        return await self._records.read(session_key(owner, id), now - ttl, after=after, used_at=now, lifetime=ttl)

    async def _write(self, before: Session, after: Session) -> bool:
        """Whether it was stored; if not, another process wrote first."""
        after = replace(after, revision=before.revision + 1, step_count=len(after.steps))
        record = self._sealer.seal(before, after, self._clock())
        written = await self._update(record)
        if written is WriteResult.GONE:
            raise self._not_found()
        if written is WriteResult.STORED:
            self._recent.keep(after, record)
        return written is WriteResult.STORED

    async def _update(self, record: StoredRecord) -> WriteResult:
        return await self._records.update(record, record.revision - 1, since=self._since(), lifetime=self.limits.ttl)

    async def _seal_anew(self, session: Session) -> Session:
        """After a change of keys: the same records under the new key. If another process wrote first, it did so."""
        anew = replace(session, revision=session.revision + 1)
        written = await self._update(self._sealer.seal(None, anew, self._clock()))
        return anew if written is WriteResult.STORED else session

    def _not_found(self) -> SessionNotFound:
        return SessionNotFound(
            f"Session not found or expired. Sessions last {format_duration(self.limits.ttl)} from last activity."
        )


class RecentSessions:
    """The sessions last used, so that only what was written since has to be read. Bounded by their bytes."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._total = 0
        self._sessions: OrderedDict[tuple[Identity, str], tuple[Session, int]] = OrderedDict()

    def get(self, owner: Identity, id: str) -> Session | None:
        known = self._sessions.get((owner, id))
        return known[0] if known else None

    def keep(self, session: Session, news: StoredRecord) -> None:
        """Remember it as it is now; `news` has the parts read or written since the copy before. The newest stays."""
        before = self._sessions.pop((session.owner, session.id), (session, 0))[1]
        self._total -= before
        size = (before or COST_OF_A_SESSION) + sum(len(part.sealed) for part in news.parts)
        self._sessions[session.owner, session.id] = session, size
        self._total += size
        while self._total > self._max_bytes and len(self._sessions) > 1:
            self._total -= self._sessions.popitem(last=False)[1][1]

    def drop(self, owner: Identity, id: str) -> None:
        self._total -= self._sessions.pop((owner, id), (None, 0))[1]

    def drop_all(self, belongs: Callable[[Identity], bool]) -> None:
        for owner, id in [known for known in self._sessions if belongs(known[0])]:
            self.drop(owner, id)
