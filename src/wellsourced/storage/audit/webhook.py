"""Copies of the audit lines, sent to an address of the operator's as they are written.

A thread with an event loop of its own sends at most 16 at a time, so that neither calls nor the log wait for it. A
line that cannot be sent is counted and not tried again; the log on the disk is the record, and `seq` in each line
shows the receiver what is missing.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

Post: TypeAlias = Callable[[bytes], Awaitable[bool]]
"""Sends one line; whether it was taken."""

AT_ONCE = 16
MOST_WAITING = 5000
CLOSE_SECONDS = 6.0

logger = logging.getLogger(__name__)


class AuditWebhook:
    def __init__(self, post: Post) -> None:
        self.failures = 0
        self._post = post
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="audit webhook", daemon=True)
        self._is_started = False

    def deliver(self, lines: Sequence[bytes]) -> None:
        if not self._is_started:
            self._is_started = True
            self._thread.start()
        self._loop.call_soon_threadsafe(self._take, lines)

    def close(self) -> None:
        """Wait a little for what is under way; what then still waits counts as failed."""
        if not self._is_started:
            self._loop.close()
            return
        self._loop.call_soon_threadsafe(self._end)
        self._thread.join(CLOSE_SECONDS)
        self.failures += sum(1 for _ in range(self._lines.qsize()) if self._lines.get_nowait() is not None)

    def _take(self, lines: Sequence[bytes]) -> None:
        free = max(0, MOST_WAITING - self._lines.qsize())
        for line in lines[:free]:
            self._lines.put_nowait(line)
        self.failures += max(0, len(lines) - free)

    def _end(self) -> None:
        for _ in range(AT_ONCE):
            self._lines.put_nowait(None)

    def _run(self) -> None:
        self._loop.run_until_complete(self._send_all())
        self._loop.close()

    async def _send_all(self) -> None:
        async with asyncio.TaskGroup() as senders:
            for _ in range(AT_ONCE):
                senders.create_task(self._send())

    async def _send(self) -> None:
        while (line := await self._lines.get()) is not None:
            try:
                taken = await self._post(line.rstrip(b"\n"))
            except Exception as problem:  # whatever the receiver does, the next line is sent
                logger.debug("An audit line could not be sent.", exc_info=problem)
                taken = False
            self.failures += not taken
