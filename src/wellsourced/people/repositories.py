"""The repositories of personal data: consents, memories, workspaces and counts of calls, over one record store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from time import time

from wellsourced.identity import Identity, digest_of
from wellsourced.people.types import Consent, Contribution, Membership, Memory, Purpose, Usage
from wellsourced.storage.records.sealed import SealedRecords, place_of_person
from wellsourced.storage.records.store import RecordStore
from wellsourced.storage.sealer import Sealer

DAY = 86400.0
USAGE_ID = "usage"


class ConsentRepository:
    """What people decided: one record a person and purpose, kept until it is replaced or erased."""

    def __init__(self, records: SealedRecords[Consent]) -> None:
        self.records = records

    async def save(self, consent: Consent) -> None:
        who = Identity(consent.tenant_id, consent.user_id)
        await self.records.put(place_of_person(who), who, consent.purpose, consent)

    async def get(self, who: Identity, purpose: Purpose) -> Consent | None:
        """The last decision; None when there was none."""
        return await self.records.get(place_of_person(who), purpose)


class MemoryRepository:
    """What people asked to have remembered, each at a place of their own."""

    def __init__(self, records: SealedRecords[Memory]) -> None:
        self.records = records

    async def add(self, memory: Memory) -> int:
        """Returns how many of the person's oldest memories had to go for it."""
        who = _owner(memory)
        return await self.records.put(place_of_person(who), who, memory.id, memory)

    def iterate_newest(self, who: Identity) -> AsyncIterator[Memory]:
        return self.records.iterate_newest(place_of_person(who))

    async def remove(self, memory: Memory) -> int:
        return await self.records.remove(place_of_person(_owner(memory)), memory.id)


class WorkspaceRepository:
    """Who belongs to a workspace, and what its members shared. Its members may be of several tenants."""

    def __init__(self, members: SealedRecords[Membership], contributions: SealedRecords[Contribution]) -> None:
        self.members = members
        self.contributions = contributions

    async def join(self, membership: Membership) -> None:
        """Again for a member prolongs the membership."""
        who = Identity(membership.tenant_id, membership.user_id)
        await self.members.put(_workspace_place(membership.workspace_id), who, place_of_person(who), membership)

    async def leave(self, workspace: str, who: Identity) -> bool:
        """Whether there was a membership. What was shared stays until its time is over or it is erased."""
        return await self.members.remove(_workspace_place(workspace), place_of_person(who)) > 0

    async def has_member(self, workspace: str, who: Identity) -> bool:
        return await self.members.get(_workspace_place(workspace), place_of_person(who)) is not None

    async def add(self, contribution: Contribution) -> int:
        """Returns how many of the workspace's oldest contributions had to go for it."""
        who = Identity(contribution.contributor_tenant, contribution.contributor_user)
        place = _workspace_place(contribution.workspace_id)
        return await self.contributions.put(place, who, contribution.id, contribution)

    def iterate_newest(self, workspace: str) -> AsyncIterator[Contribution]:
        return self.contributions.iterate_newest(_workspace_place(workspace))

    async def remove(self, contribution: Contribution) -> int:
        return await self.contributions.remove(_workspace_place(contribution.workspace_id), contribution.id)


class UsageRepository:
    """How often people called which tool: one record a person, counted up without losing another process's call."""

    def __init__(self, records: SealedRecords[Usage]) -> None:
        self.records = records

    async def add(self, who: Identity, tools: list[str], first: str, last: str) -> Usage:
        """Count calls, given oldest first, with the moments of the first and the last of them."""
        none = Usage(tenant_id=who.tenant, user_id=who.user, total_calls=0, tool_counts={})
        return await self.records.update(
            place_of_person(who), who, USAGE_ID, lambda known: (known or none).plus(tools, first, last)
        )

    async def get(self, who: Identity) -> Usage | None:
        return await self.records.get(place_of_person(who), USAGE_ID)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalLimits:
    """Seconds for which things are kept; `memories` is for each person, `contributions` for each workspace."""

    memory_seconds: float = 90 * DAY
    workspace_seconds: float = 30 * DAY
    memories: int = 5000
    contributions: int = 5000


LIMITS = PersonalLimits()


class PersonalRepositories:
    def __init__(
        self,
        store: RecordStore,
        sealer: Sealer,
        limits: PersonalLimits = LIMITS,
        clock: Callable[[], float] = time,
    ) -> None:
        self._store = store
        lifetime = limits.workspace_seconds
        self.consents = ConsentRepository(SealedRecords(store, sealer, "consent", Consent, clock=clock))
        self.memories = MemoryRepository(
            SealedRecords(
                store, sealer, "memory", Memory, limit=limits.memories, lifetime=limits.memory_seconds, clock=clock
            )
        )
        self.workspaces = WorkspaceRepository(
            SealedRecords(store, sealer, "member", Membership, lifetime=lifetime, clock=clock),
            SealedRecords(
                store, sealer, "contribution", Contribution, limit=limits.contributions, lifetime=lifetime, clock=clock
            ),
        )
        self.usages = UsageRepository(SealedRecords(store, sealer, "usage", Usage, clock=clock))

    async def close(self) -> None:
        await self._store.close()


def _owner(memory: Memory) -> Identity:
    return Identity(memory.tenant_id, memory.user_id)


def _workspace_place(workspace: str) -> str:
    return digest_of("workspace", workspace)
