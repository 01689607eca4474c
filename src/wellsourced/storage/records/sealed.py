"""Records of one kind, sealed on a shelf. Each is sealed together with where it lies and whose it is, so that no
record can be put in another's place. What the previous key sealed is sealed anew when it is read.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Generic, TypeVar

from wellsourced.identity import Identity, digest_of
from wellsourced.people.types import Subject
from wellsourced.storage.encrypted_file import StoreBusy
from wellsourced.storage.records.backend import Row, Shelf, Whose
from wellsourced.storage.sealer import CannotOpen, Sealer
from wellsourced.tool.base import OutputPart

T = TypeVar("T", bound=OutputPart)

AT_ONCE = 100
PURGE_SECONDS = 900.0
TRIES = 60
LONGEST_PAUSE = 0.02


class Records(Generic[T]):
    """At most `most` at a place, each for `lifetime` seconds; 0 means without limit."""

    def __init__(
        self,
        shelf: Shelf,
        seal: Sealer,
        kind: str,
        form: type[T],
        *,
        most: int = 0,
        lifetime: float = 0.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.most = most
        self.lifetime = lifetime
        self._shelf = shelf
        self._seal = seal
        self._kind = kind
        self._form = form
        self._clock = clock
        self._purged = float("-inf")

    async def put(self, place: str, whose: Identity, id: str, record: T) -> int:
        """Store or replace it; how many of the oldest had to go for it. It is stored when this returns."""
        await self._purge_now_and_then()
        return await self._shelf.put(self._row(place, whose, id, record), most=self.most, lifetime=self.lifetime)

    async def get(self, place: str, id: str) -> T | None:
        found = await self._shelf.rows(self._kind, place, [id], self._since())
        return await self._opened(found[0]) if found else None

    async def newest(self, place: str) -> AsyncIterator[T]:
        """All at a place, the newest first, read as far as they are asked for."""
        await self._purge_now_and_then()
        ids = await self._shelf.ids(self._kind, place, self._since())
        for start in range(0, len(ids), AT_ONCE):
            for row in await self._shelf.rows(self._kind, place, ids[start : start + AT_ONCE], self._since()):
                yield await self._opened(row)

    async def update(self, place: str, whose: Identity, id: str, change: Callable[[T | None], T]) -> T:
        """Store what `change` makes of the record; it is asked again when another process wrote first."""
        for _ in range(TRIES):
            found = await self._shelf.rows(self._kind, place, [id], self._since())
            after = change(self._read(found[0])[0] if found else None)
            if await self._shelf.swap(self._row(place, whose, id, after), found[0].sealed if found else None):
                return after
            await asyncio.sleep(random.uniform(0, LONGEST_PAUSE))
        raise StoreBusy("Too many processes are writing to this record. Try again in a moment.")

    async def remove(self, place: str, id: str) -> int:
        return await self._shelf.remove(self._kind, place, id)

    async def all_of(self, subject: Subject) -> tuple[list[T], int]:
        """Everything of a person or tenant, the oldest first, and how many records do not open."""
        records: list[T] = []
        closed = 0
        for row in await self._shelf.rows_of(self._kind, whose_of(subject), self._since()):
            try:
                records.append(self._read(row)[0])
            except CannotOpen:
                closed += 1
        return records, closed

    async def erase(self, subject: Subject) -> int:
        return await self._shelf.erase(self._kind, whose_of(subject))

    def _since(self) -> float:
        return self._clock() - self.lifetime if self.lifetime else 0.0

    def _row(self, place: str, whose: Identity, id: str, record: T) -> Row:
        tenant, owner = digest_of(whose.tenant), digest_of(whose.tenant, whose.user)
        bare = Row(self._kind, place, id, tenant, owner, self._clock(), b"")
        return self._sealed(bare, record)

    def _sealed(self, row: Row, record: T) -> Row:
        plain = record.model_dump_json(by_alias=True, exclude_none=True).encode()
        return replace(row, sealed=self._seal.seal(plain, _identity(row)))

    def _read(self, row: Row) -> tuple[T, bool]:
        """The record, and whether it needs sealing anew."""
        opened = self._seal.open(row.sealed, _identity(row))
        return self._form.model_validate_json(opened.plain), opened.stale

    async def _opened(self, row: Row) -> T:
        record, stale = self._read(row)
        if stale:  # if another process wrote first, it did so with the new key
            await self._shelf.swap(self._sealed(row, record), row.sealed)
        return record

    async def _purge_now_and_then(self) -> None:
        if self.lifetime and time.monotonic() - self._purged >= PURGE_SECONDS:
            self._purged = time.monotonic()
            await self._shelf.purge(self._kind, self._since())


def own_place(who: Identity) -> str:
    """Where what concerns nobody but this person lies."""
    return digest_of(who.tenant, who.user)


def whose_of(subject: Subject) -> Whose:
    owner = None if subject.user is None else digest_of(subject.tenant, subject.user)
    return Whose(digest_of(subject.tenant), owner)


def _identity(row: Row) -> str:
    return json.dumps(["personal", row.kind, row.place, row.id, row.tenant, row.owner])
