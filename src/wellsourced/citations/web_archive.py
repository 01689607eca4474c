"""Copies in the Wayback Machine: the newest one there is, or a fresh one, within the time there is.

A capture that is not finished in time is no failure: the newest copy that exists is handed over, or the address at
which the fresh one will appear.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from wellsourced.errors import NetworkFailed, Refused, WellsourcedError
from wellsourced.net.guard import AddressGuard
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.text.urls import require_web_url
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstreams.types.archive import Capture, CaptureQuery, CaptureStatusQuery, Snapshot, SnapshotQuery

WAYBACK = "wayback"
CAPTURE_SECONDS = 25.0
COPY_SECONDS = 8.0
# Growing pauses between the questions whether the capture is finished.
PAUSES = (1.0, 2.0, 3.0, 4.0, 4.0, 4.0, 4.0)
# The calendar page of an address lists a copy as soon as it is there.
POLL = "https://web.archive.org/web/*/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveResult:
    """`captured` is true only when this very call had the copy made."""

    status: Literal["archived", "existing", "pending", "unavailable"]
    snapshot: Snapshot | None = None
    captured: bool = False
    reason: str | None = None
    http_status: int | None = None
    poll_url: str | None = None
    archived_at: datetime | None = None
    steps: tuple[str, ...] = ()


class WebArchive:
    def __init__(self, upstreams: UpstreamClient, guard: AddressGuard, *, pauses: tuple[float, ...] = PAUSES) -> None:
        self._upstreams = upstreams
        self._guard = guard
        self._pauses = pauses

    async def find_newest(self, url: str, deadline: float) -> LookupAnswer[Snapshot]:
        """The newest copy. A private address is never sent to the archive."""
        limit = min(deadline, time.monotonic() + COPY_SECONDS)
        try:
            await self._guard.check(url)
            await self._guard.check_shareable(url)
        except Refused as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        # A name that does not resolve any more is the usual reason to look into the archive.
        except WellsourcedError:
            pass
        try:
            snapshot: Snapshot | None = await self._upstreams.ask(
                WAYBACK, Kind.ARCHIVE, SnapshotQuery(url), deadline=limit
            )
        except WellsourcedError as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        return LookupAnswer(state="found" if snapshot else "none", value=snapshot, sources=(WAYBACK,))

    async def capture(self, url: str, deadline: float) -> ArchiveResult:
        """A fresh copy, else the newest there is, else where to look later; raises only for an address it refuses."""
        steps: list[str] = []
        target = await self._check_address(url, steps)
        limit = min(deadline, time.monotonic() + CAPTURE_SECONDS)
        try:
            outcome = await self._run_capture(target, limit, steps)
        except WellsourcedError as error:
            steps.append(f"Save Page Now: {error.sentence}")
            return await self._existing_copy(target, None, error.sentence, False, deadline, steps)
        if outcome.state == "made" and outcome.snapshot:
            fresh = not outcome.repeated
            return ArchiveResult(
                status="archived" if fresh else "existing",
                snapshot=outcome.snapshot,
                captured=fresh,
                reason=outcome.why if outcome.repeated else None,
                http_status=outcome.http_status,
                archived_at=outcome.snapshot.at if fresh else None,
                steps=tuple(steps),
            )
        why = outcome.why or "The capture is not finished yet."
        is_pending = outcome.state == "pending"
        return await self._existing_copy(target, outcome.http_status, why, is_pending, deadline, steps)

    async def _check_address(self, url: str, steps: list[str]) -> str:
        """The address; what has no server any more, or none seen from here, may still be in the archive."""
        try:
            target = await self._guard.check(url)
            await self._guard.check_shareable(url)
            return target.url
        except NetworkFailed as error:
            steps.append(error.sentence)
            return require_web_url(url).href

    async def _run_capture(self, url: str, limit: float, steps: list[str]) -> Capture:
        """The state of the job when it was done, was refused, or the time was up."""
        begun: Capture = await self._upstreams.ask(WAYBACK, Kind.ARCHIVE, CaptureQuery(url), deadline=limit)
        steps.append(f"Save Page Now: {begun.why or begun.state}")
        current = begun
        for pause in self._pauses:
            if current.state != "pending" or current.job is None or time.monotonic() + pause >= limit:
                break
            await asyncio.sleep(pause)
            current = await self._upstreams.ask(WAYBACK, Kind.ARCHIVE, CaptureStatusQuery(current.job), deadline=limit)
            steps.append(f"job {current.job or begun.job}: {current.state}")
        if not begun.repeated:
            return current
        return Capture(
            state=current.state,
            snapshot=current.snapshot,
            why=begun.why,
            repeated=True,
            http_status=current.http_status,
        )

    async def _existing_copy(
        self, url: str, http_status: int | None, why: str, pending: bool, deadline: float, steps: list[str]
    ) -> ArchiveResult:
        older = await self.find_newest(url, deadline)
        steps.append(f"existing copies: {older.why or older.state}")
        if older.value:
            return ArchiveResult(
                status="existing", snapshot=older.value, reason=why, http_status=http_status, steps=tuple(steps)
            )
        if pending:
            return ArchiveResult(
                status="pending", reason=why, http_status=http_status, poll_url=POLL + url, steps=tuple(steps)
            )
        return ArchiveResult(status="unavailable", reason=why, http_status=http_status, steps=tuple(steps))
