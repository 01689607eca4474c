"""Everything of one person, or of a whole tenant, in every store: to export and to erase.

Each store is asked by itself. One that fails is named in `errors`, and the others are asked all the same.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from wellsourced.errors import BadInput, SessionNotFound, WellsourcedError
from wellsourced.identity import Identity, digest_of
from wellsourced.library.library import Library
from wellsourced.people.repositories import ConsentRepository
from wellsourced.people.types import DataSubject
from wellsourced.people.usage_counts import UsageService
from wellsourced.projects.project import whole_json
from wellsourced.projects.project_store import ProjectStore
from wellsourced.sessions.session_json import session_json
from wellsourced.sessions.sessions import Sessions
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.library.store import DocumentWithText
from wellsourced.storage.records.sealed import SealedRecords
from wellsourced.storage.sealer import CannotOpen
from wellsourced.text.amounts import format_count

ERASURE = "erasure"
LIBRARY = "library"
CONSENT = "consent"

logger = logging.getLogger("wellsourced")


@dataclass(frozen=True, slots=True)
class StoreReach:
    """Where each store is that an export or an erasure covers, and in words what has to be asked elsewhere."""

    stores: Mapping[str, str] = field(default_factory=dict)
    elsewhere: tuple[str, ...] = ()


SHARED_BY_ALL = "shared by all instances"
THIS_INSTANCE = "this instance alone"
NOT_COVERED = "The audit log, backups and what Redis or PostgreSQL write to their own disks are not covered."


def store_reach(names: Iterable[str], *, has_redis: bool, has_postgres: bool) -> StoreReach:
    """Sessions, cache and personal data are in Redis where there is one, the library in PostgreSQL."""
    shared = {name: has_postgres if name == LIBRARY else has_redis for name in names}
    own = [name for name, is_shared in shared.items() if not is_shared]
    ask = f"Every other instance has its own {', '.join(own)}: where there are others, send this request to each."
    stores = {name: SHARED_BY_ALL if is_shared else THIS_INSTANCE for name, is_shared in shared.items()}
    return StoreReach(stores, (*((ask,) if own else ()), NOT_COVERED))


class PersonalData(Protocol):
    async def export(self, subject: DataSubject, into: list[Any]) -> None:
        """Add what there is; what was added before an error is not lost by it."""

    async def erase(self, subject: DataSubject) -> int: ...


class RecordData:
    def __init__(self, *kinds: SealedRecords[Any]) -> None:
        self._kinds = kinds

    async def export(self, subject: DataSubject, into: list[Any]) -> None:
        closed = 0
        for records in self._kinds:
            found, unreadable = await records.read_all(subject.tenant, subject.user)
            into += [record.model_dump(by_alias=True, exclude_none=True) for record in found]
            closed += unreadable
        if closed:
            raise CannotOpen(
                f"The keys at hand do not open {format_count(closed, 'record')} (see CACHE_ENCRYPTION_KEY_PREV)."
            )

    async def erase(self, subject: DataSubject) -> int:
        return sum([await records.erase(subject.tenant, subject.user) for records in self._kinds])


class SessionData:
    """A research session is one user's, so the erasure of one leaves those of the others."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def export(self, subject: DataSubject, into: list[Any]) -> None:
        await self._sessions.drain()
        store = self._sessions.store
        for who in await store.users_of(subject.tenant) if subject.user is None else [_person(subject)]:
            for head in await store.sessions_of(who):
                try:
                    session = await store.load(who, head.id)
                except SessionNotFound:  # its time was over in between
                    continue
                into.append({**session_json(session), "userId": who.user})

    async def erase(self, subject: DataSubject) -> int:
        await self._sessions.drain()
        store = self._sessions.store
        if subject.user is None:
            return await store.delete_tenant(subject.tenant)
        return await store.delete_user(_person(subject))


class ProjectData:
    """A project is one person's, as a session is; its captures go with it."""

    def __init__(self, store: Callable[[], ProjectStore]) -> None:
        self._store = store

    async def export(self, subject: DataSubject, into: list[Any]) -> None:
        store = self._store()
        for who in await store.owners(subject.tenant) if subject.user is None else [_person(subject)]:
            for head in await store.heads(who):
                into.append({**whole_json(await store.load(who, head.project_id)), "userId": who.user})

    async def erase(self, subject: DataSubject) -> int:
        return await self._store().erase(subject.tenant, subject.user)


class LibraryData:
    """Private documents are a person's. Shared ones are the tenant's, without anybody's name: they stay."""

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library

    async def export(self, subject: DataSubject, into: list[Any]) -> None:
        library = self._library()
        users = await library.owners(subject.tenant) if subject.user is None else [subject.user]
        for user in users:
            documents = await library.private_of(Identity(subject.tenant, user))
            into += [{"userId": user, **_document(whole)} for whole in documents]

    async def erase(self, subject: DataSubject) -> int:
        if subject.user is None:
            return await self._library().erase_tenant(subject.tenant)
        return await self._library().erase_user(_person(subject))


class CacheData:
    """Cached answers and artifacts: short-lived copies of what was answered, so they are erased and not exported.

    Whoever's call stored an entry is its owner, though others may have been served it too.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def export(self, subject: DataSubject, into: list[Any]) -> None:
        """Nothing to export."""

    async def erase(self, subject: DataSubject) -> int:
        if subject.user is None:
            return await self._cache.forget_owner(digest_of(subject.tenant))
        return await self._cache.forget_owner(_person(subject).owner)


def _person(subject: DataSubject) -> Identity:
    assert subject.user is not None
    return Identity(subject.tenant, subject.user)


def _document(whole: DocumentWithText) -> Mapping[str, Any]:
    return {**asdict(whole.about), "text": whole.text}


class PersonalDataService:
    """`tidy` has the file written anew after an erasure, so that no trace is left in it. `find_reach` says what the
    stores of these names cover."""

    def __init__(
        self,
        data_sources: Mapping[str, PersonalData],
        consents: ConsentRepository,
        usage: UsageService,
        tidy: Callable[[], Awaitable[None]] | None = None,
        find_reach: Callable[[Iterable[str]], StoreReach] = lambda names: StoreReach(),
    ) -> None:
        self._sources = data_sources
        self._reach = find_reach(data_sources)
        self._consents = consents
        self._counting = usage
        self._tidy = tidy

    async def export(self, tenant: str, user: str | None = None) -> dict[str, Any]:
        """`{tenantId, userId?, namespaces: {name: [...]}, stores: {name: where}, elsewhere: [...], errors?}`"""
        subject = data_subject(tenant, user)
        await self._counting.drain()
        namespaces: dict[str, list[Any]] = {}
        errors: list[str] = []
        for name, source in self._sources.items():
            namespaces[name] = []
            await self._attempt(name, source.export(subject, namespaces[name]), errors)
        return self._response(subject, {"namespaces": namespaces}, errors)

    async def erase(self, tenant: str, user: str | None = None) -> dict[str, Any]:
        """`{tenantId, userId?, deleted: {name: how many}, stores: {name: where}, elsewhere: [...], errors?}`

        Consents are withdrawn first, so that nothing new is kept meanwhile, and removed last.
        """
        subject = data_subject(tenant, user)
        errors: list[str] = []
        await self._attempt(CONSENT, self._withdraw(subject), errors)
        await self._counting.drain()
        deleted = {name: await self._attempt(name, h.erase(subject), errors) or 0 for name, h in self._sources.items()}
        if self._tidy is not None:
            await self._attempt("file", self._tidy(), errors)
        return self._response(subject, {"deleted": deleted}, errors)

    def _response(self, subject: DataSubject, result: dict[str, Any], errors: list[str]) -> dict[str, Any]:
        about = {"tenantId": subject.tenant, **({"userId": subject.user} if subject.user is not None else {})}
        reach = {"stores": dict(self._reach.stores), "elsewhere": list(self._reach.elsewhere)}
        return {**about, **result, **reach, **({"errors": errors} if errors else {})}

    async def _withdraw(self, subject: DataSubject) -> None:
        consents, _ = await self._consents.records.read_all(subject.tenant, subject.user)
        for consent in consents:
            await self._consents.save(consent.model_copy(update={"granted": False, "decided_from": ERASURE}))

    async def _attempt(self, name: str, request: Awaitable[Any], errors: list[str]) -> Any:
        try:
            return await request
        except WellsourcedError as problem:
            errors.append(f"{name}: {problem.sentence}")
        except Exception as problem:  # one store's mistake must not keep the others from being asked
            logger.error("The store of %s failed", name, exc_info=problem)
            errors.append(f"{name}: a mistake in Wellsourced ({type(problem).__name__}); please report it.")
        return None


def data_subject(tenant: str, user: str | None) -> DataSubject:
    if not tenant:
        raise BadInput("tenant_id is required")
    return DataSubject(tenant, user)
