"""Memory: findings a person asked to have remembered, recalled by topic or by words, in later sessions too."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from datetime import datetime
from heapq import nlargest

from wellsourced.people.consent import AccessRefusal, Caller, ConsentService, utc_now
from wellsourced.people.notes import BoundedNotes, check_note, normalize_name
from wellsourced.people.repositories import MemoryRepository
from wellsourced.people.types import Memory
from wellsourced.text.index_words import fold_text, index_words
from wellsourced.text.moments import format_rfc3339


class MemoryService:
    def __init__(self, store: MemoryRepository, consent: ConsentService, now: Callable[[], datetime] = utc_now) -> None:
        self._store = store
        self._consent = consent
        self._now = now

    async def save(
        self, caller: Caller, note: str, *, topic: str | None, url: str | None, tags: list[str] | None
    ) -> tuple[Memory, int] | AccessRefusal:
        """The memory as it is stored, and how many of the oldest had to go for it."""
        new = check_note(note, url, tags)
        label = normalize_name("topic", topic)
        if refusal := await self._consent.refusal(caller, "memory"):
            return refusal
        memory = Memory(
            id=uuid.uuid4().hex,
            tenant_id=caller.who.tenant,
            user_id=caller.who.user,
            topic=label or None,
            note=new.note,
            url=new.url,
            tags=new.tags,
            created_at=format_rfc3339(self._now()),
        )
        dropped = await self._store.add(memory)
        if refusal := await self._consent.refusal(caller, "memory"):  # withdrawn, perhaps erased, meanwhile
            await self._store.remove(memory)
            return refusal
        return memory, dropped

    async def recall(
        self, caller: Caller, *, topic: str | None, query: str | None, limit: int
    ) -> BoundedNotes[Memory] | AccessRefusal:
        """The newest first; with words to look for, those that hold most of them first."""
        if refusal := await self._consent.refusal(caller, "memory"):
            return refusal
        label, sought = fold_text(normalize_name("topic", topic)), frozenset(index_words(query or ""))
        if query and query.strip() and not sought:
            return BoundedNotes()
        found = await self._ranked(caller, label, sought, limit) if sought else await self._newest(caller, label, limit)
        answered: BoundedNotes[Memory] = BoundedNotes()
        for memory in found:
            if not answered.take(memory):
                break
        return answered

    async def _newest(self, caller: Caller, label: str, limit: int) -> list[Memory]:
        found: list[Memory] = []
        async for memory in self._store.iterate_newest(caller.who):
            if is_about(memory, label):
                found.append(memory)
            if len(found) == limit:
                break
        return found

    async def _ranked(self, caller: Caller, label: str, sought: frozenset[str], limit: int) -> list[Memory]:
        best: list[tuple[int, int, Memory]] = []
        age = 0
        async for memory in self._store.iterate_newest(caller.who):
            age -= 1
            await asyncio.sleep(0)  # thousands of long notes must not hold up everybody else
            score = matched(memory, sought) if is_about(memory, label) else 0
            if score:
                best.append((score, age, memory))
            if len(best) >= 2 * limit:
                best = nlargest(limit, best, key=lambda found: found[:2])
        return [memory for _, _, memory in nlargest(limit, best, key=lambda found: found[:2])]


def is_about(memory: Memory, label: str) -> bool:
    """Topics are the same whatever their case, accents and width."""
    return not label or fold_text(memory.topic or "") == label


def matched(memory: Memory, sought: frozenset[str]) -> int:
    """How many of the words occur in it, tags and topic included."""
    return len(sought.intersection(index_words(" ".join([memory.note, memory.topic or "", *(memory.tags or ())]))))
