"""Captures: pages are read for a project, kept as they came, and read again from what was kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from urllib.parse import quote

from wellsourced.errors import BadInput, NotFound
from wellsourced.http_exchange import Reply
from wellsourced.identity import Identity
from wellsourced.pages.attempts import FetchedReading, FetchedReply, Reading
from wellsourced.pages.reader import Reader
from wellsourced.projects.capture_records import (
    EarlierCapture,
    WrittenCapture,
    body_of,
    digest_of_bytes,
    reading_in,
    reply_in,
    write_capture,
)
from wellsourced.projects.project import PageCapture, Project
from wellsourced.projects.project_store import ProjectChange, ProjectStore
from wellsourced.sandbox.pool import beside_loop
from wellsourced.sessions.session_json import moment_text
from wellsourced.storage.records.store import StoredRecord
from wellsourced.text.amounts import format_bytes
from wellsourced.text.urls import host_of, url_comparison_key

ALMOST_FULL = 0.9
FILE = "file"
STEPS = 4
"""So often is a body gone through, with the text that was read of it: digests, compression, sealing."""


address_key = lru_cache(maxsize=65536)(url_comparison_key)
"""By which two addresses are the same; a project asks it of all its own again and again."""


class QuotaReached(BadInput):
    """A person's captures take all the room they may."""


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """A page as it was read, and what was kept of it. `fresh` says that it was read just now."""

    project: Project
    capture: PageCapture
    reading: Reading
    fresh: bool = True


class Captures:
    """`quota` is how many bytes the captures of one person may take; 0 means without limit."""

    def __init__(self, store: ProjectStore, get_reader: Callable[[], Reader], quota: int) -> None:
        self.quota = quota
        self._store = store
        self._reader = get_reader
        self._used: dict[Identity, int] = {}

    async def fetch(self, project: Project, url: str, deadline: float) -> FetchedReading:
        """Read an address now, where there is room to keep what comes."""
        await self.check_room(project.owner)
        return await self._reader().fetch(url, tenant=project.owner.tenant, deadline=deadline)

    async def capture(self, project: Project, url: str, deadline: float, session_id: str | None = None) -> CapturedPage:
        """Read an address now and keep what came; it is on the disk when this returns."""
        return await self.keep(project, url, await self.fetch(project, url, deadline), session_id)

    async def read_uncaptured(self, project: Project, url: str, deadline: float) -> Reading:
        return await self._reader().read(url, tenant=project.owner.tenant, deadline=deadline)

    async def capture_file(self, project: Project, name: str, content: bytes, content_type: str) -> CapturedPage:
        """Keep a document that was handed over; its address is its digest."""
        await self.check_room(project.owner)
        address = f"urn:{digest_of_bytes(content)}/{quote(name)}"
        reply = Reply(200, {"content-type": content_type}, content, address)
        reading = await self._reader().read_body(reply)
        kept = FetchedReply("browser", {}, reply)  # a resource: no server sent it
        return await self.keep(project, address, FetchedReading(reading, (kept,)), title=name, way=FILE)

    async def keep(
        self,
        project: Project,
        url: str,
        fetched: FetchedReading,
        session_id: str | None = None,
        *,
        title: str = "",
        way: str = "",
        also: Callable[[Project, ProjectChange], ProjectChange] = lambda project, change: change,
    ) -> CapturedPage:
        """The records and the part of the project that names them, in one write. `also` adds to the change of the
        project what belongs to the capture."""
        at = moment_text(datetime.now(UTC).replace(microsecond=0))
        written, same, sealed = await beside_loop(
            STEPS * len(body_of(fetched)), self._written, project, url, fetched, at
        )
        about = _described(url, fetched, written, at).model_copy(
            update={"session_id": session_id, "same_as": same.number if same else None}
            | ({"title": title} if title else {})
            | ({"way": way} if way else {})
        )
        after = await self._store.update(
            project.owner,
            project.id,
            lambda known: also(known, _with_capture(known, about, at)),
            beside=sealed,
        )
        self._used[project.owner] = self._used.get(project.owner, 0) + len(written.blob)
        return CapturedPage(after, after.captures[after.head.captures], fetched.reading)

    def _written(
        self, project: Project, url: str, fetched: FetchedReading, at: str
    ) -> tuple[WrittenCapture, EarlierCapture | None, StoredRecord]:
        """The records of a capture, whose body they refer to where it is kept already, and these sealed: all that
        takes time, in one go."""
        digest = digest_of_bytes(body_of(fetched))
        same = find_same(project, digest)
        written = write_capture(url, fetched, at, digest, same)
        return written, same, self._store.seal_blob(project.owner, project.id, written.record, written.blob)

    async def read(self, project: Project, capture: PageCapture) -> Reading:
        """What was read when the capture was made, without the network."""
        blob = await self._store.get_blob(project.owner, project.id, capture.record)
        reading = await asyncio.to_thread(reading_in, blob)
        return reading or await self._reader().read_body(await self.reply(project, capture))

    async def reply(self, project: Project, capture: PageCapture) -> Reply:
        """The bytes as they came; of a capture whose body was kept before, those."""
        whole = project.captures[capture.same_as] if capture.same_as else capture
        blob = await self._store.get_blob(project.owner, project.id, whole.record)
        return await asyncio.to_thread(reply_in, blob, whole.record)

    async def read_again(self, project: Project, url: str) -> CapturedPage:
        """The newest capture of an address; raises NotFound where there is none."""
        capture = newest_capture(project, url)
        if capture is None:
            raise NotFound(f"The project has no capture of {url}. Read it for the project first.")
        return CapturedPage(project, capture, await self.read(project, capture), fresh=False)

    async def used(self, owner: Identity) -> int:
        """The bytes that a person's captures take."""
        self._used[owner] = sum(head.capture_bytes for head in await self._store.heads(owner))
        return self._used[owner]

    def room_note(self, owner: Identity) -> str:
        """Said once little room is left."""
        used = self._used.get(owner, 0)
        if not self.quota or used < ALMOST_FULL * self.quota:
            return ""
        return f"Captures take {format_bytes(used)} of the {format_bytes(self.quota)} you may use (CAPTURE_MAX_MB)."

    async def check_room(self, owner: Identity) -> None:
        if not self.quota or self._used.get(owner, self.quota) < self.quota or await self.used(owner) < self.quota:
            return
        raise QuotaReached(
            f"Nothing more is captured: your captures take the {format_bytes(self.quota)} that you may use "
            "(CAPTURE_MAX_MB). Export and delete a project, or have the limit raised."
        )


def newest_capture(project: Project, url: str) -> PageCapture | None:
    return newest_of(list(project.captures.values()), url)


def newest_of(captures: Sequence[PageCapture], url: str) -> PageCapture | None:
    """The last of them that was made of an address, or led there from it."""
    key, host = address_key(url), host_of(url).removeprefix("www.")
    for capture in reversed(captures):
        addresses = [address for address in (capture.url, capture.final_url) if host in address]
        if any(address == url or address_key(address) == key for address in addresses):
            return capture
    return None


def find_same(project: Project, digest: str) -> EarlierCapture | None:
    """The first capture with the same body."""
    for capture in project.captures.values():
        if capture.digest == digest and capture.same_as is None:
            return EarlierCapture(capture.capture, capture.final_url, capture.captured_at)
    return None


def _described(url: str, fetched: FetchedReading, written: WrittenCapture, at: str) -> PageCapture:
    reply = fetched.fetched[-1].reply if fetched.fetched else None
    headers = reply.headers if reply else {}
    return PageCapture(
        capture=0,
        url=url,
        final_url=reply.url if reply else fetched.reading.page.url or url,
        captured_at=at,
        status=written.status,
        content_type=written.content_type,
        bytes=written.body_bytes,
        stored=len(written.blob),
        digest=written.digest,
        text_digest=written.text_digest,
        record=written.record,
        way=fetched.fetched[-1].tier if fetched.fetched else fetched.reading.extracted_by,
        title=fetched.reading.page.title,
        etag=headers.get("etag"),
        last_modified=headers.get("last-modified"),
    )


def _with_capture(project: Project, capture: PageCapture, at: str) -> ProjectChange:
    number = project.head.captures + 1
    head = project.head.model_copy(
        update={
            "captures": number,
            "capture_bytes": project.head.capture_bytes + capture.stored,
            "changed_at": at,
        }
    )
    return ProjectChange(head, captures=[capture.model_copy(update={"capture": number})])
