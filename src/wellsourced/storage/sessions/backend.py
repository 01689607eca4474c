"""What a place for research sessions must be able to do, whatever it is made of.

A shelf holds sealed bytes and knows nothing of their meaning. A session on it is a head and rows, each row known by
its kind and number, and a revision that every write raises. A write names the revision it builds on and is refused
when another came first, so that processes that share a shelf never overwrite each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from wellsourced.identity import Identity, digest_of


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session rests. Tenant and owner are hashes: no name can be read as another's, and none is told."""

    tenant: str
    owner: str
    id: str


@dataclass(frozen=True, slots=True)
class Row:
    kind: str
    number: int
    sealed: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """A session as it lies on the shelf; `rows` are those written after the revision that was asked for."""

    id: str
    revision: int
    last_used: float
    head: bytes
    rows: Sequence[Row] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What one write leaves behind, at once or not at all."""

    head: bytes
    rows: Sequence[Row]
    now: float
    expires: float


class Written(Enum):
    YES = "yes"
    OVERTAKEN = "overtaken"
    GONE = "gone"


class Shelf(Protocol):
    async def create(self, place: Place, user: bytes, change: Change, most: int) -> None:
        """Put a session there, and take the owner's least recently used away when there are more than `most`."""

    async def read(self, place: Place, after: int, now: float, expires: float) -> Kept | None:
        """The session, whose time is thereby prolonged; None when there is none or its time is over."""

    async def write(self, place: Place, expected: int, change: Change) -> Written: ...

    async def heads(self, owner: str, now: float) -> list[Kept]:
        """Without rows, the most recently used first."""

    async def users(self, tenant: str) -> list[bytes]:
        """What `create` was given as `user`, each owner once."""

    async def count(self, now: float) -> int: ...

    async def delete(self, place: Place) -> int: ...

    async def delete_owner(self, tenant: str, owner: str) -> int: ...

    async def delete_tenant(self, tenant: str) -> int: ...

    async def delete_all(self) -> int: ...

    async def purge(self, now: float) -> int:
        """Remove what has expired; returns how many sessions."""

    async def close(self) -> None: ...


def tenant_key(tenant: str) -> str:
    return digest_of(tenant)


def owner_key(owner: Identity) -> str:
    return digest_of(owner.tenant, owner.user)


def place_of(owner: Identity, id: str) -> Place:
    return Place(tenant_key(owner.tenant), owner_key(owner), id)
