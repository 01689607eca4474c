"""What people asked to have remembered, each at a place of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator

from wellsourced.identity import Identity
from wellsourced.people.types import Memory
from wellsourced.storage.records.sealed import Records, own_place


class Memories:
    def __init__(self, records: Records[Memory]) -> None:
        self.records = records

    async def add(self, memory: Memory) -> int:
        """How many of the person's oldest had to go for it."""
        who = _owner(memory)
        return await self.records.put(own_place(who), who, memory.id, memory)

    def newest(self, who: Identity) -> AsyncIterator[Memory]:
        return self.records.newest(own_place(who))

    async def remove(self, memory: Memory) -> int:
        return await self.records.remove(own_place(_owner(memory)), memory.id)


def _owner(memory: Memory) -> Identity:
    return Identity(memory.tenant_id, memory.user_id)
