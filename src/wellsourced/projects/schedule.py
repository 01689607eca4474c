"""Watching on a schedule, where the operator turned it on: a project that was watched once is watched again."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from wellsourced.errors import NotFound, WellsourcedError
from wellsourced.identity import Identity, digest_of
from wellsourced.projects.project import DriftReport
from wellsourced.storage.records.sealed import SealedRecords
from wellsourced.tool.base import OutputPart

PLACE = digest_of("watched projects")
LONGEST_PAUSE = 300.0
PROJECT_SECONDS = 1800.0

logger = logging.getLogger(__name__)


class WatchedProject(OutputPart):
    """Whose project it is and when it was last watched, in seconds since 1970."""

    tenant: str
    user: str
    project_id: str
    watched: float


class WatchList:
    """The projects that were watched, of everybody; each record is its owner's and erased with the person."""

    def __init__(self, records: SealedRecords[WatchedProject]) -> None:
        self.records = records

    async def note(self, owner: Identity, project_id: str) -> None:
        entry = WatchedProject(tenant=owner.tenant, user=owner.user, project_id=project_id, watched=time.time())
        await self.records.put(PLACE, owner, project_id, entry)

    async def drop(self, project_id: str) -> None:
        await self.records.remove(PLACE, project_id)

    async def due(self, before: float) -> list[WatchedProject]:
        return [entry async for entry in self.records.iterate_newest(PLACE) if entry.watched <= before]


class WatchSchedule:
    """Runs until it is cancelled. `watch` watches one project; it raises NotFound where that is gone or put away."""

    def __init__(
        self,
        watched: WatchList,
        watch: Callable[[Identity, str, float], Awaitable[DriftReport]],
        every: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._watched = watched
        self._watch = watch
        self._every = every
        self._clock = clock

    async def run(self) -> None:
        while True:
            try:
                await self.run_once()
            except WellsourcedError as problem:
                logger.warning("Projects could not be watched: %s", problem)
            await asyncio.sleep(min(self._every, LONGEST_PAUSE))

    async def run_once(self) -> int:
        """Watch what is due, one project after the other; how many there were."""
        due = await self._watched.due(self._clock() - self._every)
        for entry in due:
            owner = Identity(entry.tenant, entry.user)
            await self._watched.note(owner, entry.project_id)  # first, so that another instance leaves it alone
            try:
                report = await self._watch(owner, entry.project_id, time.monotonic() + PROJECT_SECONDS)
                logger.info("Watched a project: %s", report.counts)
            except NotFound:
                await self._watched.drop(entry.project_id)
            except WellsourcedError as problem:
                logger.warning("A project could not be watched at %s: %s", datetime.now(UTC), problem)
        return len(due)
