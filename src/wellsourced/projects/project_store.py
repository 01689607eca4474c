"""Projects in the record store: a head, and parts that are added to it; captures beside them, a record each.

Everything is sealed with its identity (owner, project, kind, number), so that nothing can be put in another's place.
A write is acknowledged when it is stored. The last few projects are remembered, and only what was written since is
read, so that a capture costs the same however many there are.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from wellsourced.errors import NotFound
from wellsourced.identity import Identity, digest_of
from wellsourced.projects.project import DriftReport, PageCapture, Project, ProjectHead, ProjectItem
from wellsourced.sandbox.limits import without_garbage_collection
from wellsourced.storage.encrypted_file import StoreBusy
from wellsourced.storage.records.sealed import place_of_person, scope_of
from wellsourced.storage.records.store import RecordKey, RecordPart, RecordStore, StoredRecord, WriteResult
from wellsourced.storage.sealer import Sealer
from wellsourced.tool.base import OutputPart

KIND, WATCHED = "project", "watched_project"
ITEM, CAPTURE, RECEIPT, DRIFT = "item", "capture", "receipt", "drift"
MODELS: dict[str, TypeAdapter[Any]] = {
    ITEM: TypeAdapter(list[ProjectItem]),
    CAPTURE: TypeAdapter(list[PageCapture]),
    RECEIPT: TypeAdapter(list[dict[str, Any]]),
    DRIFT: TypeAdapter(list[DriftReport]),
}
REMEMBERED = 8
TRIES = 60
LONGEST_PAUSE = 0.02
FOREVER = 0.0


@dataclass(frozen=True, slots=True)
class ProjectChange:
    """A project's new head, and the parts that are new or replaced."""

    head: ProjectHead
    items: Sequence[ProjectItem] = ()
    captures: Sequence[PageCapture] = ()
    receipts: Mapping[int, dict[str, Any]] | None = None
    drift: DriftReport | None = None

    def parts(self) -> Iterable[tuple[str, int, bytes]]:
        yield from ((ITEM, item.item, _json(item)) for item in self.items)
        yield from ((CAPTURE, capture.capture, _json(capture)) for capture in self.captures)
        yield from ((RECEIPT, number, json.dumps(value).encode()) for number, value in (self.receipts or {}).items())
        if self.drift:
            yield DRIFT, 0, _json(self.drift)


class ProjectStore:
    def __init__(self, records: RecordStore, sealer: Sealer, clock: Callable[[], float] = time.time) -> None:
        self._records = records
        self._sealer = sealer
        self._clock = clock
        self._recent: OrderedDict[tuple[Identity, str], Project] = OrderedDict()

    async def create(self, owner: Identity, head: ProjectHead) -> Project:
        project = Project(owner=owner, head=head, revision=1)
        await self._records.put(self._record(project, ()), limit=0, lifetime=FOREVER)
        return self._remember(project)

    async def load(self, owner: Identity, id: str) -> Project:
        """The project as it is now; raises NotFound."""
        copy = self._recent.get((owner, id)) or Project(owner=owner, head=_no_head(id))
        stored = await self._records.read(_key(owner, id), FOREVER, after=copy.revision)
        if stored is None:
            self._recent.pop((owner, id), None)
            raise _not_found()
        if stored.revision == copy.revision:
            return self._remember(copy)
        if stored.revision < copy.revision:  # an older file was put back
            del self._recent[owner, id]
            return await self.load(owner, id)
        project, stale = await asyncio.to_thread(self._opened, stored, copy)
        return self._remember(await self._seal_anew(project) if stale else project)

    def remembered(self, owner: Identity, id: str) -> Project | None:
        """The project as it was last read or written here; another process may have gone on since."""
        return self._recent.get((owner, id))

    async def update(
        self,
        owner: Identity,
        id: str,
        change: Callable[[Project], ProjectChange],
        beside: StoredRecord | None = None,
    ) -> Project:
        """Store what `change` says; it is called again where another process wrote first, and may raise to refuse.
        `beside` are the sealed records of a capture that it names: on the disk in the same write."""
        for attempt in range(TRIES):
            # What is remembered is most often the newest; the store says so where it is not.
            known = self.remembered(owner, id) if attempt == 0 else None
            before = known or await self.load(owner, id)
            wanted = change(before)
            after = _changed(before, wanted)
            record = self._record(after, wanted.parts())
            written = await self._records.update(
                record, before.revision, since=FOREVER, lifetime=FOREVER, beside=beside
            )
            if written is WriteResult.GONE:
                self._recent.pop((owner, id), None)
                raise _not_found()
            if written is WriteResult.STORED:
                return self._remember(after)
            await asyncio.sleep(random.uniform(0, LONGEST_PAUSE) if attempt else 0)
        raise StoreBusy("Too many processes are writing to this project. Try again in a moment.")

    async def heads(self, owner: Identity) -> list[ProjectHead]:
        """The owner's projects without their parts, the last changed first."""
        place = place_of_person(owner)
        ids = await self._records.list_ids(KIND, place, FOREVER)
        return [self._head(stored, owner) for stored in await self._records.read_many(KIND, place, ids, FOREVER)]

    async def owners(self, tenant: str) -> list[Identity]:
        """Everybody of a tenant who has a project."""
        stored = await self._records.read_scope(KIND, scope_of(tenant), FOREVER)
        names = {record.owner: record.owner_name for record in stored}
        return [Identity(tenant, self._open_name(tenant, name)) for name in names.values()]

    async def delete(self, owner: Identity, id: str) -> int:
        """How many captures went with it. The head goes first: what is left without it is nobody's to read."""
        self._recent.pop((owner, id), None)
        if not await self._records.delete(_key(owner, id)):
            raise _not_found()
        return await self._records.erase(_blob_kind(id), None)

    async def erase(self, tenant: str, user: str | None = None) -> int:
        """Every project of a person or tenant, with its captures."""
        scope = scope_of(tenant, user)
        ids = [stored.key.id for stored in await self._records.read_scope(KIND, scope, FOREVER)]
        self._recent.clear()
        gone = await self._records.erase(KIND, scope)
        await self._records.erase(WATCHED, scope)
        for id in ids:
            await self._records.erase(_blob_kind(id), None)
        return gone

    async def put_blob(self, owner: Identity, id: str, record: str, blob: bytes) -> None:
        """The WARC records of one capture, by the id of the one that counts; on the disk when this returns."""
        await self._records.put(self.seal_blob(owner, id, record, blob), limit=0, lifetime=FOREVER)

    def seal_blob(self, owner: Identity, id: str, record: str, blob: bytes) -> StoredRecord:
        """For `update`; takes a while for a large one, so not on the event loop."""
        sealed = self._sealer.seal(blob, _blob_identity(owner, id, record))
        key = RecordKey(_blob_kind(id), place_of_person(owner), record)
        whose = digest_of(owner.tenant), digest_of(owner.tenant, owner.user)
        return StoredRecord(key, *whose, self._clock(), sealed)

    async def get_blob(self, owner: Identity, id: str, record: str) -> bytes:
        stored = await self._records.read(RecordKey(_blob_kind(id), place_of_person(owner), record), FOREVER)
        if stored is None:
            raise NotFound("The records of this capture are not kept here any more.")
        identity = _blob_identity(owner, id, record)
        return (await asyncio.to_thread(self._sealer.open, stored.sealed, identity)).plain

    async def close(self) -> None:
        self._recent.clear()
        await self._records.close()

    def _record(self, project: Project, parts: Iterable[tuple[str, int, bytes]]) -> StoredRecord:
        owner, id = project.owner, project.id
        return StoredRecord(
            key=_key(owner, id),
            tenant=digest_of(owner.tenant),
            owner=digest_of(owner.tenant, owner.user),
            time=self._clock(),
            sealed=self._sealer.seal(_json(project.head), _identity(owner, id, "head", 0)),
            revision=project.revision,
            owner_name=self._sealer.seal(owner.user.encode("utf-8", "surrogatepass"), _name_identity(owner.tenant)),
            parts=[
                RecordPart(kind, number, self._sealer.seal(plain, _identity(owner, id, kind, number)))
                for kind, number, plain in parts
            ],
        )

    def _opened(self, stored: StoredRecord, copy: Project) -> tuple[Project, bool]:
        """The project, and whether the key was changed since it was sealed."""
        owner, id = copy.owner, copy.id
        head = self._sealer.open(stored.sealed, _identity(owner, id, "head", 0))
        start = _identity_start(owner, id)
        with without_garbage_collection():
            found = {kind: self._parts(kind, stored.parts, start) for kind in MODELS}
        project = replace(
            copy,
            head=ProjectHead.model_validate_json(head.plain),
            items=_merged(copy.items, found[ITEM]),
            captures=_merged(copy.captures, found[CAPTURE]),
            receipts=_merged(copy.receipts, found[RECEIPT]),
            drift=found[DRIFT].get(0, copy.drift),
            revision=stored.revision,
        )
        return project, head.stale

    def _parts(self, kind: str, parts: Sequence[RecordPart], start: str) -> dict[int, Any]:
        """Those of a kind, all in one go, which takes half the time of one after the other."""
        wanted = [part for part in parts if part.kind == kind]
        plain = self._sealer.open_all([(part.sealed, f'{start}, "{kind}", {part.number}]') for part in wanted])
        values = MODELS[kind].validate_json(b"[" + b",".join(plain) + b"]")
        return dict(zip((part.number for part in wanted), values, strict=True))

    async def _seal_anew(self, project: Project) -> Project:
        """After a change of keys. Captures go first: once the head is sealed anew, nobody looks for stale ones."""
        for capture in project.captures.values():
            where = project.owner, project.id, capture.record
            await self.put_blob(*where, await self.get_blob(*where))
        anew = replace(project, revision=project.revision + 1)
        whole = ProjectChange(
            anew.head, list(anew.items.values()), list(anew.captures.values()), anew.receipts, anew.drift
        )
        record = self._record(anew, whole.parts())
        written = await self._records.update(record, project.revision, since=FOREVER, lifetime=FOREVER)
        return anew if written is WriteResult.STORED else project

    def _head(self, stored: StoredRecord, owner: Identity) -> ProjectHead:
        plain = self._sealer.open(stored.sealed, _identity(owner, stored.key.id, "head", 0)).plain
        return ProjectHead.model_validate_json(plain)

    def _open_name(self, tenant: str, sealed: bytes) -> str:
        return self._sealer.open(sealed, _name_identity(tenant)).plain.decode("utf-8", "surrogatepass")

    def _remember(self, project: Project) -> Project:
        key = project.owner, project.id
        self._recent[key] = project
        self._recent.move_to_end(key)
        if len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)
        return project


def _changed(before: Project, wanted: ProjectChange) -> Project:
    return replace(
        before,
        head=wanted.head,
        items=_merged(before.items, {item.item: item for item in wanted.items}),
        captures=_merged(before.captures, {capture.capture: capture for capture in wanted.captures}),
        receipts=_merged(before.receipts, wanted.receipts or {}),
        drift=wanted.drift or before.drift,
        revision=before.revision + 1,
    )


def _merged(known: Mapping[int, Any], new: Mapping[int, Any]) -> Mapping[int, Any]:
    """In the order of their numbers."""
    if not new:
        return known
    merged = {**known, **new}
    return merged if known and min(new) > next(reversed(known)) else dict(sorted(merged.items()))


def _json(part: OutputPart) -> bytes:
    return part.model_dump_json(by_alias=True, exclude_none=True, exclude_defaults=True).encode("utf-8", "replace")


def _no_head(id: str) -> ProjectHead:
    return ProjectHead(project_id=id, name="", created_at="", changed_at="")


def _key(owner: Identity, id: str) -> RecordKey:
    return RecordKey(KIND, place_of_person(owner), id)


def _blob_kind(id: str) -> str:
    """A kind for each project, so that all its captures can be erased together."""
    return f"capture-{id}"


def _identity(owner: Identity, id: str, kind: str, number: int) -> str:
    return f'{_identity_start(owner, id)}, "{kind}", {number}]'


@lru_cache(maxsize=64)
def _identity_start(owner: Identity, id: str) -> str:
    return json.dumps(["project", owner.tenant, owner.user, id])[:-1]


def _blob_identity(owner: Identity, id: str, record: str) -> str:
    return json.dumps(["project", owner.tenant, owner.user, id, "blob", record])


def _name_identity(tenant: str) -> str:
    return json.dumps([tenant, "project owner"])


def _not_found() -> NotFound:
    return NotFound("There is no such project. List yours with: wellsourced project list")
