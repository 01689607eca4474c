"""The stores that hold something of a person, seen alike: each can hand it over and erase it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Protocol

from wellsourced.errors import SessionNotFound
from wellsourced.identity import Identity, digest_of
from wellsourced.library.library import Library
from wellsourced.people.types import Subject
from wellsourced.sessions.session_json import session_json
from wellsourced.sessions.sessions import Sessions
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.library.store import DocumentWithText
from wellsourced.storage.records.sealed import SealedRecords
from wellsourced.storage.sealer import CannotOpen
from wellsourced.text.amounts import format_count


class Holding(Protocol):
    async def export(self, subject: Subject, into: list[Any]) -> None:
        """Add what there is; what was added before an error is not lost by it."""

    async def erase(self, subject: Subject) -> int: ...


class RecordHolding:
    def __init__(self, *kinds: SealedRecords[Any]) -> None:
        self._kinds = kinds

    async def export(self, subject: Subject, into: list[Any]) -> None:
        closed = 0
        for records in self._kinds:
            found, unreadable = await records.read_all(subject.tenant, subject.user)
            into += [record.model_dump(by_alias=True, exclude_none=True) for record in found]
            closed += unreadable
        if closed:
            raise CannotOpen(
                f"The keys at hand do not open {format_count(closed, 'record')} (see CACHE_ENCRYPTION_KEY_PREV)."
            )

    async def erase(self, subject: Subject) -> int:
        return sum([await records.erase(subject.tenant, subject.user) for records in self._kinds])


class SessionHolding:
    """A research session is one user's, so the erasure of one leaves those of the others."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def export(self, subject: Subject, into: list[Any]) -> None:
        await self._sessions.drain()
        store = self._sessions.store
        for who in await store.users_of(subject.tenant) if subject.user is None else [_person(subject)]:
            for head in await store.sessions_of(who):
                try:
                    session = await store.load(who, head.id)
                except SessionNotFound:  # its time was over in between
                    continue
                into.append({**session_json(session), "userId": who.user})

    async def erase(self, subject: Subject) -> int:
        await self._sessions.drain()
        store = self._sessions.store
        if subject.user is None:
            return await store.delete_tenant(subject.tenant)
        return await store.delete_user(_person(subject))


class LibraryHolding:
    """Private documents are a person's. Shared ones are the tenant's, without anybody's name: they stay."""

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library

    async def export(self, subject: Subject, into: list[Any]) -> None:
        library = self._library()
        users = await library.owners(subject.tenant) if subject.user is None else [subject.user]
        for user in users:
            documents = await library.private_of(Identity(subject.tenant, user))
            into += [{"userId": user, **_document(whole)} for whole in documents]

    async def erase(self, subject: Subject) -> int:
        if subject.user is None:
            return await self._library().erase_tenant(subject.tenant)
        return await self._library().erase_user(_person(subject))


class CacheHolding:
    """Kept answers and artifacts: short-lived copies of what was answered, so they are erased and not handed over.

    Whoever had something kept is its owner, though others may have found it too.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def export(self, subject: Subject, into: list[Any]) -> None:
        """Nothing to hand over."""

    async def erase(self, subject: Subject) -> int:
        if subject.user is None:
            return await self._cache.forget_owner(digest_of(subject.tenant))
        return await self._cache.forget_owner(_person(subject).owner)


def _person(subject: Subject) -> Identity:
    assert subject.user is not None
    return Identity(subject.tenant, subject.user)


def _document(whole: DocumentWithText) -> Mapping[str, Any]:
    return {**asdict(whole.about), "text": whole.text}
