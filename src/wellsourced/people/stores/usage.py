"""How often people called which tool: one record a person, counted up without losing a call of another process."""

from __future__ import annotations

from wellsourced.identity import Identity
from wellsourced.people.types import Usage
from wellsourced.storage.records.sealed import Records, own_place

ID = "usage"


class Usages:
    def __init__(self, records: Records[Usage]) -> None:
        self.records = records

    async def add(self, who: Identity, tools: list[str], first: str, last: str) -> Usage:
        """Count calls, given oldest first, with the moments of the first and the last of them."""
        none = Usage(tenant_id=who.tenant, user_id=who.user, total_calls=0, tool_counts={})
        return await self.records.update(
            own_place(who), who, ID, lambda known: (known or none).plus(tools, first, last)
        )

    async def of(self, who: Identity) -> Usage | None:
        return await self.records.get(own_place(who), ID)
