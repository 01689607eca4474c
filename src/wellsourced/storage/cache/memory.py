"""The memory half of the cache: what was used last stays, up to a number of bytes.

What nobody has asked for again has a small part of it: most answers are asked for once, and would fill the whole.
"""

from __future__ import annotations

import sys
from collections import OrderedDict

from wellsourced.late_dataclass import dataclass

COST_OF_AN_ENTRY = 300
LARGEST_SHARE = 8
SHARE_OF_NEW, MOST_NEW = 8, 4 * 1024 * 1024
"""What nobody has asked for again may take an eighth of the whole, and no more than so many bytes."""
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
        self._known = _Recent(max_bytes)
        self._new = _Recent(min(max_bytes // SHARE_OF_NEW, MOST_NEW))

    def __len__(self) -> int:
        return len(self._known.entries) + len(self._new.entries)

    @property
    def used_bytes(self) -> int:
        return self._known.used_bytes + self._new.used_bytes

    def get(self, key: str) -> CachedValue | None:
        if (asked_again := self._new.entries.get(key)) is not None:
            self.put(key, asked_again)
        return self._known.get(key)

    def put(self, key: str, stored: CachedValue) -> bool:
        """Whether it was taken. Either way the older value of this key is gone."""
        return self._replace(self._known, key, stored)

    def put_new(self, key: str, stored: CachedValue) -> bool:
        """The same for what nobody has asked for yet."""
        return self._replace(self._new, key, stored)

    def discard(self, key: str) -> None:
        self._known.discard(key)
        self._new.discard(key)

    def forget(self, owner: bytes) -> int:
        """How many values of this owner's there were."""
        return self._known.forget(owner) + self._new.forget(owner)

    def clear(self) -> None:
        self._known.clear()
        self._new.clear()

    def _replace(self, part: _Recent, key: str, stored: CachedValue) -> bool:
        self.discard(key)
        if _cost(key, stored) * LARGEST_SHARE > self.max_bytes:
            return False
        part.add(key, stored)
        self._known.shrink(self.max_bytes - self._new.used_bytes)
        return True


class _Recent:
    """Values in the order in which they were used, up to a number of bytes."""

    def __init__(self, max_bytes: int) -> None:
        self.entries: OrderedDict[str, CachedValue] = OrderedDict()
        self.used_bytes = 0
        self._max_bytes = max_bytes

    def get(self, key: str) -> CachedValue | None:
        stored = self.entries.get(key)
        if stored is not None:
            self.entries.move_to_end(key)
        return stored

    def add(self, key: str, stored: CachedValue) -> None:
        self.entries[key] = stored
        self.used_bytes += _cost(key, stored)
        self.shrink(self._max_bytes)

    def shrink(self, max_bytes: int) -> None:
        while self.used_bytes > max_bytes and self.entries:
            oldest, dropped = self.entries.popitem(last=False)
            self.used_bytes -= _cost(oldest, dropped)

    def discard(self, key: str) -> None:
        stored = self.entries.pop(key, None)
        if stored is not None:
            self.used_bytes -= _cost(key, stored)

    def forget(self, owner: bytes) -> int:
        keys = [key for key, stored in self.entries.items() if stored.belongs_to(owner)]
        for key in keys:
            self.discard(key)
        return len(keys)

    def clear(self) -> None:
        self.entries.clear()
        self.used_bytes = 0


def _cost(key: str, stored: CachedValue) -> int:
    return len(stored.value) + sys.getsizeof(key) + COST_OF_AN_ENTRY
