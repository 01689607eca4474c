"""What a place for personal records must be able to do, whatever it is made of.

A shelf holds sealed bytes and knows nothing of their meaning. A row lies at a place (a person's or a workspace's)
under an id, and knows whose it is, so that everything of one person or tenant can be found and erased. Tenant, owner
and place are hashes: no name can be read as another's, and none is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Row:
    kind: str
    place: str
    id: str
    tenant: str
    owner: str
    created: float
    sealed: bytes


@dataclass(frozen=True, slots=True)
class Whose:
    """The rows of one owner, or of a whole tenant where no owner is named."""

    tenant: str
    owner: str | None = None


class Shelf(Protocol):
    """A moment called `since` leaves out what is as old or older."""

    async def put(self, row: Row, *, most: int, lifetime: float) -> int:
        """Store or replace it; beyond `most` rows at its place the oldest go, and it is told how many (0: no limit).

        With a `lifetime` the row may vanish by itself so many seconds later; 0 keeps it.
        """

    async def swap(self, row: Row, expected: bytes | None) -> bool:
        """Store it if what lies there is as expected, None for nothing. Its moment stays that of the row before."""

    async def ids(self, kind: str, place: str, since: float) -> list[str]:
        """The newest first."""

    async def rows(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[Row]:
        """Those that are there, in the order asked for."""

    async def rows_of(self, kind: str, whose: Whose, since: float) -> list[Row]:
        """The oldest first."""

    async def remove(self, kind: str, place: str, id: str) -> int: ...

    async def erase(self, kind: str, whose: Whose) -> int: ...

    async def purge(self, kind: str, before: float) -> int:
        """Remove the rows of that moment and older."""

    async def close(self) -> None: ...
