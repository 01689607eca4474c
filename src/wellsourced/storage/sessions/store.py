"""Research sessions: one interface, sealed wherever they rest.

Each record is sealed with its identity (tenant, user, session, kind, number), so that a session id is worth nothing
to anybody but its owner, and no record can be put in another's place. A write adds rows and is acknowledged when it
is stored; nothing that was written is written again. The last few sessions are remembered in memory, and only what
was written since is read, so that a step costs the same however long the session is.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol
from weakref import WeakValueDictionary

from wellsourced.errors import SessionNotFound
from wellsourced.identity import Identity
from wellsourced.sessions.session import RequestOutcome, Session
from wellsourced.storage.encrypted_file import StoreBusy
from wellsourced.storage.sealer import Sealer
from wellsourced.storage.sessions.backend import Change, Kept, Shelf, Written, owner_key, place_of, tenant_key
from wellsourced.storage.sessions.copies import Copies
from wellsourced.storage.sessions.records import Records, with_outcomes, with_sources
from wellsourced.text.amounts import format_duration
from wellsourced.tool.sources import FoundSource

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
REMEMBERED_BYTES = 8 * 1024 * 1024
TRIES = 60
LONGEST_PAUSE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`ttl` is in seconds since the last use; `sessions` is for each user, `sources` for each session."""

    ttl: float = 4 * 3600.0
    steps: int = 200
    sessions: int = 50
    sources: int = 1000


LIMITS = Limits()


class SessionStore(Protocol):
    limits: Limits

    async def create(self, session: Session) -> Session: ...
    async def load(self, owner: Identity, id: str) -> Session: ...
    async def update(self, owner: Identity, id: str, change: Callable[[Session], Session]) -> Session: ...
    async def add(
        self, owner: Identity, id: str, sources: Sequence[FoundSource], outcomes: Sequence[RequestOutcome] = ()
    ) -> Session: ...
    async def sessions_of(self, owner: Identity) -> list[Session]: ...
    async def users_of(self, tenant: str) -> list[Identity]: ...
    async def count(self) -> int: ...
    async def delete(self, owner: Identity, id: str) -> int: ...
    async def delete_user(self, owner: Identity) -> int: ...
    async def delete_tenant(self, tenant: str) -> int: ...
    async def delete_all(self) -> int: ...
    async def purge_expired(self) -> int: ...
    async def close(self) -> None: ...


class SealedSessions:
    """The interface over any shelf."""

    def __init__(self, shelf: Shelf, seal: Sealer, limits: Limits, clock: Callable[[], float] = time.time) -> None:
        self.limits = limits
        self._shelf = shelf
        self._records = Records(seal)
        self._clock = clock
        self._copies = Copies(REMEMBERED_BYTES)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(self, session: Session) -> Session:
        """Store a new session with whatever it already holds; the owner's least recently used may have to go."""
        session = replace(session, revision=1, step_count=len(session.steps))
        place, user = place_of(session.owner, session.id), self._records.sealed_user(session.owner)
        change = self._change(None, session)
        await self._shelf.create(place, user, change, self.limits.sessions)
        self._copies.keep(session, change)
        return session

    async def load(self, owner: Identity, id: str) -> Session:
        """The session as it is now; raises SessionNotFound. Loading counts as use."""
        copy = self._copies.get(owner, id)
        now = self._clock()
        found = ID.fullmatch(id) is not None
        kept = await self._read(owner, id, copy.revision if copy else 0, now) if found else None
        if kept is None:
            self._copies.drop(owner, id)
            raise self._not_found()
        session, stale = self._records.opened(kept, owner, copy)
        session = replace(session, last_used=datetime.fromtimestamp(now, UTC))
        if stale:
            session = await self._seal_anew(session)
        self._copies.keep(session, kept)
        return session

    async def update(self, owner: Identity, id: str, change: Callable[[Session], Session]) -> Session:
        """Store what `change` makes of the session: steps and sources it adds, sources and fields it changes.

        `change` is given the session as it is, and again when another process wrote first; it may raise to refuse.
        What it hands back unchanged is not written.
        """
        lock = self._locks.setdefault(f"{owner_key(owner)}:{id}", asyncio.Lock())
        async with lock:
            for _ in range(TRIES):
                before = await self.load(owner, id)
                after = change(before)
                if after == before or await self._write(before, after):
                    return self._copies.get(owner, id) or before
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
        found = await self._shelf.heads(owner_key(owner), self._clock())
        return [self._records.opened(kept, owner, None)[0] for kept in found]

    async def users_of(self, tenant: str) -> list[Identity]:
        """Everybody of a tenant who has a session."""
        sealed = await self._shelf.users(tenant_key(tenant))
        return [Identity(tenant, self._records.opened_user(tenant, user)) for user in sealed]

    async def count(self) -> int:
        return await self._shelf.count(self._clock())

    async def delete(self, owner: Identity, id: str) -> int:
        self._copies.drop(owner, id)
        return await self._shelf.delete(place_of(owner, id)) if ID.fullmatch(id) else 0

    async def delete_user(self, owner: Identity) -> int:
        self._copies.drop_all(lambda known: known == owner)
        return await self._shelf.delete_owner(tenant_key(owner.tenant), owner_key(owner))

    async def delete_tenant(self, tenant: str) -> int:
        self._copies.drop_all(lambda known: known.tenant == tenant)
        return await self._shelf.delete_tenant(tenant_key(tenant))

    async def delete_all(self) -> int:
        self._copies.drop_all(lambda known: True)
        return await self._shelf.delete_all()

    async def purge_expired(self) -> int:
        return await self._shelf.purge(self._clock())

    async def close(self) -> None:
        self._copies.drop_all(lambda known: True)
        await self._shelf.close()

    async def _read(self, owner: Identity, id: str, after: int, now: float) -> Kept | None:
        return await self._shelf.read(place_of(owner, id), after, now, now + self.limits.ttl)

    async def _write(self, before: Session, after: Session) -> bool:
        """Whether it was stored; if not, another process wrote first."""
        after = replace(after, revision=before.revision + 1, step_count=len(after.steps))
        change = self._change(before, after)
        written = await self._shelf.write(place_of(after.owner, after.id), before.revision, change)
        if written is Written.GONE:
            raise self._not_found()
        if written is Written.YES:
            self._copies.keep(after, change)
        return written is Written.YES

    def _change(self, before: Session | None, after: Session) -> Change:
        now = self._clock()
        head, rows = self._records.sealed(before, after)
        return Change(head, rows, now, now + self.limits.ttl)

    async def _seal_anew(self, session: Session) -> Session:
        """After a change of keys: the same records under the new key. If another process wrote first, it did so."""
        head, rows = self._records.sealed(None, session)
        now = self._clock()
        change = Change(head, rows, now, now + self.limits.ttl)
        place = place_of(session.owner, session.id)
        if await self._shelf.write(place, session.revision, change) is Written.YES:
            return replace(session, revision=session.revision + 1)
        return session

    def _not_found(self) -> SessionNotFound:
        return SessionNotFound(
            f"Session not found or expired. Sessions last {format_duration(self.limits.ttl)} from last activity."
        )
