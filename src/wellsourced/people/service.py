"""The services around people (consent, memory, workspaces, usage, erasure), put together over their stores."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping

from wellsourced.people.consent import ConsentService
from wellsourced.people.erasure import CONSENT, PersonalData, PersonalDataService, RecordData, StoreReach
from wellsourced.people.memory import MemoryService
from wellsourced.people.repositories import PersonalRepositories
from wellsourced.people.types import PURPOSES, Purpose
from wellsourced.people.usage_counts import UsageService
from wellsourced.people.workspace import WorkspaceService


class PeopleService:
    """`others` are the stores outside this package that hold something of a person, by their name in an export."""

    def __init__(
        self,
        stores: PersonalRepositories,
        enabled: Collection[Purpose] = PURPOSES,
        others: Mapping[str, PersonalData] | None = None,
        tidy: Callable[[], Awaitable[None]] | None = None,
        find_reach: Callable[[Iterable[str]], StoreReach] = lambda names: StoreReach(),
    ) -> None:
        self._stores = stores
        self.consent = ConsentService(stores.consents, enabled)
        self.memory = MemoryService(stores.memories, self.consent)
        self.workspaces = WorkspaceService(stores.workspaces, self.consent)
        self.usage = UsageService(stores.usages, self.consent)
        self.personal_data = PersonalDataService(
            {**(others or {}), **data_sources(stores)}, stores.consents, self.usage, tidy, find_reach
        )

    async def close(self) -> None:
        await self.usage.drain()
        await self._stores.close()


def data_sources(stores: PersonalRepositories) -> dict[str, PersonalData]:
    return {
        "memory": RecordData(stores.memories.records),
        "analytics": RecordData(stores.usages.records),
        "workspace": RecordData(stores.workspaces.contributions, stores.workspaces.members),
        CONSENT: RecordData(stores.consents.records),
    }
