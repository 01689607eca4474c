"""Answers too large to hand over at once, kept for a while under their hash.

The hash alone opens nothing: what is kept belongs to its owner, and another who knows the hash finds nothing.
"""

from __future__ import annotations

import hashlib
import re

from wellsourced.errors import BadInput
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.cache.partition import SHARED, partition

ID = re.compile(r"[0-9a-f]{64}")
HALF_AN_HOUR = 1800.0
ARTIFACT = "research://artifact/"
"""How the address of an artifact begins; its id follows."""


class Artifacts:
    def __init__(self, cache: Cache, ttl: float = HALF_AN_HOUR) -> None:
        self._cache = cache
        self.ttl = ttl

    async def keep(self, body: bytes, owner: str) -> str | None:
        """The id, which is the SHA-256 of the body; None when it is too large to keep and must be handed over whole."""
        id = hashlib.sha256(body).hexdigest()
        with partition(SHARED, owner):  # one place, whether it is kept and fetched inside a call or outside
            return id if await self._cache.put(_key(id, owner), body, self.ttl, owner) else None

    async def fetch(self, id: str, owner: str) -> bytes | None:
        """None when it has expired, was never kept, or belongs to someone else; nobody can tell which."""
        if not ID.fullmatch(id):
            raise BadInput("An artifact id is 64 lower-case hexadecimal digits, as in research://artifact/{id}.")
        with partition(SHARED, owner):
            entry = await self._cache.get(_key(id, owner))
        return entry.value if entry else None


def _key(id: str, owner: str) -> str:
    """The owner goes in as a hash of fixed length, so that no owner's name can be read as another's."""
    return f"artifact:{hashlib.sha256(owner.encode('utf-8', 'surrogatepass')).hexdigest()}:{id}"
