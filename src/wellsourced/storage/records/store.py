"""What a record store can do, whichever of the two backends it is: SQLite or Redis.

A record is sealed bytes kept at a place (a person's or a workspace's) under an id. It knows whose it is, so that
everything of one person or tenant can be listed and erased; tenant, owner and place are hashes. A long record, such as
a research session, also has parts that are added to it, so that a write costs what it adds and not what is there.

A record lives as long as its `time` is later than the `since` of whoever asks: retention is a matter of the reader,
and shortening it also hides what was written before.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from wellsourced.late_dataclass import dataclass


class RecordKey(NamedTuple):
    kind: str
    place: str
    id: str


@dataclass(frozen=True, slots=True)
class RecordPart:
    kind: str
    number: int
    sealed: bytes


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """`time` is when it was created or last used, and orders the records of a place. `owner_name` is sealed too.

    A write that builds on another names its revision and is refused when a third came first, so that processes that
    share a store never overwrite each other.
    """

    key: RecordKey
    tenant: str
    owner: str
    time: float
    sealed: bytes
    revision: int = 1
    owner_name: bytes = b""
    parts: Sequence[RecordPart] = ()


@dataclass(frozen=True, slots=True)
class RecordScope:
    """The records of one owner, or of a whole tenant where no owner is named."""

    tenant: str
    owner: str | None = None

    def covers(self, record: StoredRecord) -> bool:
        return record.tenant == self.tenant and self.owner in (None, record.owner)


class WriteResult(Enum):
    STORED = "stored"
    OVERTAKEN = "overtaken"
    GONE = "gone"


class RecordStore(Protocol):
    """A moment called `since` leaves out what is as old or older. With a `lifetime`, a record may vanish by itself so
    many seconds after its last write or use; 0 keeps it."""

    async def put(self, record: StoredRecord, *, limit: int, lifetime: float) -> int:
        """Store or replace it; beyond `limit` records at its place the oldest go (0: no limit). Returns how many."""

    async def update(
        self,
        record: StoredRecord,
        expected: int,
        *,
        since: float,
        lifetime: float,
        beside: StoredRecord | None = None,
    ) -> WriteResult:
        """Store it if the expected revision is there (0: nothing is), and add its parts to those there. A new
        record `beside` it, which it names, is put first or with it: one that is named is there."""

    async def read(
        self, key: RecordKey, since: float, *, after: int = 0, used_at: float = 0.0, lifetime: float = 0.0
    ) -> StoredRecord | None:
        """The record with the parts that were written after a revision. With `used_at`, reading counts as use."""

    async def list_ids(self, kind: str, place: str, since: float) -> list[str]:
        """The newest first."""

    async def read_many(self, kind: str, place: str, ids: Sequence[str], since: float) -> list[StoredRecord]:
        """Those that are there, in the order of the ids, without their parts."""

    async def read_scope(self, kind: str, scope: RecordScope, since: float) -> list[StoredRecord]:
        """The oldest first, without their parts."""

    async def count(self, kind: str, since: float) -> int: ...

    async def delete(self, key: RecordKey) -> int: ...

    async def erase(self, kind: str, scope: RecordScope | None) -> int:
        """Remove what the scope covers; None covers everything of the kind."""

    async def purge(self, kind: str, before: float) -> int:
        """Remove the records of that moment and older."""

    async def close(self) -> None: ...
