"""The memory half of the cache: what was used last stays, up to a number of bytes."""

from __future__ import annotations

import sys
from collections import OrderedDict

from wellsourced.late_dataclass import dataclass

COST_OF_AN_ENTRY = 300
LARGEST_SHARE = 8
CLOCK_SLACK = 300.0


@dataclass(frozen=True, slots=True)
class CachedValue:
    """A value and its life. Times are seconds since 1970. `owner` is a digest of the tenant and then one of
    the person, empty for what belongs to nobody."""

    value: bytes
    stored_at: float
    ttl: float
    owner: bytes = b""

    def is_alive(self, now: float) -> bool:
        """A value from the future was stored under a wrong clock, and nobody knows its age."""
        return self.stored_at - CLOCK_SLACK <= now < self.stored_at + self.ttl

    def belongs_to(self, owner: bytes) -> bool:
        """Whether it is this person's, or of somebody in this tenant."""
        return self.owner.startswith(owner)


class MemoryCache:
    """Least recently used goes first. A value larger than an eighth of the whole is not taken."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.used_bytes = 0
        self._entries: OrderedDict[str, CachedValue] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> CachedValue | None:
        stored = self._entries.get(key)
        if stored is not None:
            self._entries.move_to_end(key)
        return stored

    def put(self, key: str, stored: CachedValue) -> bool:
        """Whether it was taken. Either way the older value of this key is gone."""
        self.discard(key)
        cost = _cost(key, stored)
        if cost * LARGEST_SHARE > self.max_bytes:
            return False
        self._entries[key] = stored
        self.used_bytes += cost
        while self.used_bytes > self.max_bytes:
            oldest, dropped = self._entries.popitem(last=False)
            self.used_bytes -= _cost(oldest, dropped)
        return True

    def discard(self, key: str) -> None:
        stored = self._entries.pop(key, None)
        if stored is not None:
            self.used_bytes -= _cost(key, stored)

    def forget(self, owner: bytes) -> int:
        """How many values of this owner's there were."""
        keys = [key for key, stored in self._entries.items() if stored.belongs_to(owner)]
        for key in keys:
            self.discard(key)
        return len(keys)

    def clear(self) -> None:
        self._entries.clear()
        self.used_bytes = 0


def _cost(key: str, stored: CachedValue) -> int:
    return len(stored.value) + sys.getsizeof(key) + COST_OF_AN_ENTRY
