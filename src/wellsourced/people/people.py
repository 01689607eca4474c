"""The use-cases around people, put together over their stores."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping

from wellsourced.people.consent import Permission
from wellsourced.people.erasure import CONSENT, Subjects
from wellsourced.people.holdings import Holding, RecordHolding
from wellsourced.people.memory import Remembering
from wellsourced.people.repositories import PersonalRepositories
from wellsourced.people.types import PURPOSES, Purpose
from wellsourced.people.usage_counts import Counting
from wellsourced.people.workspace import Sharing


class Personal:
    """`others` are the stores outside this room that hold something of a person, by the name they are told under."""

    def __init__(
        self,
        stores: PersonalRepositories,
        enabled: Collection[Purpose] = PURPOSES,
        others: Mapping[str, Holding] | None = None,
        tidy: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._stores = stores
        self.permission = Permission(stores.consents, enabled)
        self.memory = Remembering(stores.memories, self.permission)
        self.workspaces = Sharing(stores.workspaces, self.permission)
        self.counting = Counting(stores.usages, self.permission)
        self.subjects = Subjects({**(others or {}), **holdings(stores)}, stores.consents, self.counting, tidy)

    async def close(self) -> None:
        await self.counting.drain()
        await self._stores.close()


def holdings(stores: PersonalRepositories) -> dict[str, Holding]:
    return {
        "memory": RecordHolding(stores.memories.records),
        "analytics": RecordHolding(stores.usages.records),
        "workspace": RecordHolding(stores.workspaces.contributions, stores.workspaces.members),
        CONSENT: RecordHolding(stores.consents.records),
    }
