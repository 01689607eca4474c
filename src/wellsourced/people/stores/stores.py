"""The stores of personal data, put together on one shelf."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import time

from wellsourced.people.stores.consents import Consents
from wellsourced.people.stores.memories import Memories
from wellsourced.people.stores.usage import Usages
from wellsourced.people.stores.workspaces import Workspaces
from wellsourced.people.types import Consent, Contribution, Membership, Memory, Usage
from wellsourced.storage.records.backend import Shelf
from wellsourced.storage.records.sealed import Records
from wellsourced.storage.sealer import Sealer

DAY = 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds for which things are kept; `memories` is for each person, `contributions` for each workspace."""

    memory_seconds: float = 90 * DAY
    workspace_seconds: float = 30 * DAY
    memories: int = 5000
    contributions: int = 5000


LIMITS = Limits()


class PersonalStores:
    def __init__(self, shelf: Shelf, seal: Sealer, limits: Limits = LIMITS, clock: Callable[[], float] = time) -> None:
        self._shelf = shelf
        memory_seconds, workspace_seconds = limits.memory_seconds, limits.workspace_seconds
        self.consents = Consents(Records(shelf, seal, "consent", Consent, clock=clock))
        self.memories = Memories(
            Records(shelf, seal, "memory", Memory, most=limits.memories, lifetime=memory_seconds, clock=clock)
        )
        self.workspaces = Workspaces(
            Records(shelf, seal, "member", Membership, lifetime=workspace_seconds, clock=clock),
            Records(
                shelf,
                seal,
                "contribution",
                Contribution,
                most=limits.contributions,
                lifetime=workspace_seconds,
                clock=clock,
            ),
        )
        self.usages = Usages(Records(shelf, seal, "usage", Usage, clock=clock))

    async def close(self) -> None:
        await self._shelf.close()
