"""Counts of calls, for the people who agreed to it: which tool and when, never with what words.

Counted in the background, half a second later, so that no call waits or fails for it and calls that come together are
written together.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import datetime

from wellsourced.identity import Identity
from wellsourced.people.consent import AccessRefusal, Caller, ConsentService, is_known_user, utc_now
from wellsourced.people.repositories import UsageRepository
from wellsourced.people.types import Usage
from wellsourced.text.moments import format_rfc3339

MOST_WAITING = 10_000
WRITE_AFTER = 0.5

logger = logging.getLogger("wellsourced")


class UsageService:
    def __init__(self, store: UsageRepository, consent: ConsentService, now: Callable[[], datetime] = utc_now) -> None:
        self._store = store
        self._consent = consent
        self._now = now
        self._waiting: dict[Caller, list[tuple[datetime, str]]] = {}
        self._calls = 0
        self._writer: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    def count_soon(self, who: Identity, tool: str, *, is_local: bool) -> None:
        """Beyond a great many that wait, what comes is not counted."""
        caller = Caller(who, is_local)
        if not is_known_user(who) or self._calls >= MOST_WAITING:
            return
        self._waiting.setdefault(caller, []).append((self._now(), tool))
        self._calls += 1
        if self._writer is None or self._writer.done():
            self._writer = asyncio.ensure_future(self._write())

    async def usage_of(self, caller: Caller) -> Usage | AccessRefusal | None:
        """What was counted up to now; None when nothing was yet."""
        await self.drain()
        if refusal := await self._consent.refusal(caller, "analytics"):
            return refusal
        return await self._store.get(caller.who)

    async def drain(self) -> None:
        """Wait until everything that waits is counted."""
        self._hurry.set()
        while self._writer is not None and not self._writer.done():
            await asyncio.wait({self._writer})
        self._hurry.clear()

    async def _write(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), WRITE_AFTER)
        while self._waiting:
            caller = next(iter(self._waiting))
            calls = self._waiting.pop(caller)
            self._calls -= len(calls)
            try:
                await self._add(caller, calls)
            except Exception as problem:  # noqa: BLE001 - usage must not disturb what is counted
                logger.warning("Calls were not counted: %s", problem)

    async def _add(self, caller: Caller, calls: list[tuple[datetime, str]]) -> None:
        """Those made since the caller agreed."""
        since = await self._consent.agreed_since(caller, "analytics")
        counted = [call for call in calls if since is not None and call[0] >= since]
        if counted:
            first, last = format_rfc3339(counted[0][0]), format_rfc3339(counted[-1][0])
            await self._store.add(caller.who, [tool for _, tool in counted], first, last)
