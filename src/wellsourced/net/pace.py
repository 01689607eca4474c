"""Keeps to a provider's rate limit: calls queue, first come first served, and replies correct what is known of it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping

from wellsourced.errors import RateLimited
from wellsourced.net import rate_limit_headers
from wellsourced.text.amounts import format_roughly
from wellsourced.upstream import Pace

LONGEST_PAUSE_WAITED = 10.0
CLOCK_TOLERANCE = 1e-4
LONGEST_SLEEP = 0.125
# A reply that announces more requests a window than this is not believed.
MOST_REQUESTS = 1000


class Pacer:
    """One provider's queue. `deadline` is a moment on the pacer's clock, which is `time.monotonic` by default."""

    def __init__(
        self,
        pace: Pace | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        unix_clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._unix_clock = unix_clock
        self._pace = pace
        self._starts: deque[float] = deque(maxlen=pace.requests if pace else 1)
        self._paused_until = float("-inf")
        self._waiting = 0
        self._queue = asyncio.Lock()

    async def wait_for_turn(self, deadline: float = float("inf")) -> None:
        """Return when a request may start. RateLimited, at once, when that will not be before the deadline."""
        if self._pace is None and not self._waiting and self._paused_until <= (now := self._clock()):
            self._starts.append(now)
            return
        self._refuse_if_late(self._waiting, deadline)
        self._waiting += 1
        try:
            # Only the head of the queue sleeps, and a turn is noted when it is taken. A caller that gives up
            # while waiting has therefore used nothing up, and the next one moves forward. It sleeps in
            # short steps, because a reply may meanwhile have announced a faster pace.
            async with self._queue:
                while (wait := self._wait(0)) > CLOCK_TOLERANCE:
                    self._refuse_if_late(0, deadline)
                    await self._sleep(min(wait, LONGEST_SLEEP))
                self._starts.append(self._clock())
        finally:
            self._waiting -= 1

    def learn_from(self, headers: Mapping[str, str], status: int) -> None:
        """Adopt the pace and the waiting times that a reply announces. Header names are lower-case."""
        if status < 400 and not rate_limit_headers.NAMES & headers.keys():
            return
        now = self._unix_clock()
        windows = rate_limit_headers.parse_quota_windows(headers, now)
        wait = max((window.wait for window in windows), default=0.0)
        requested = rate_limit_headers.parse_retry_after(headers, now) if status >= 400 else None
        if status == 429 and requested is None and not wait:
            requested = self._pace.seconds if self._pace else 1.0
        self.pause_for(max(wait, requested or 0.0))
        announced = (rate_limit_headers.parse_announced_pace(headers), *(window.pace for window in windows))
        self._adopt(next((pace for pace in announced if pace is not None), None))

    def pause_for(self, seconds: float) -> None:
        if seconds > 0:
            self._paused_until = max(self._paused_until, self._clock() + seconds)

    def _adopt(self, pace: Pace | None) -> None:
        if pace is None or pace == self._pace or pace.requests > MOST_REQUESTS:
            return
        self._pace = pace
        self._starts = deque(self._starts, maxlen=pace.requests)

    def _refuse_if_late(self, ahead: int, deadline: float) -> None:
        """A long pause, such as a day's quota, is reported instead of waited for, whatever the deadline."""
        now = self._clock()
        paused_for = self._paused_until - now
        wait = self._wait(ahead)
        if paused_for > LONGEST_PAUSE_WAITED or (wait > 0 and now + wait > deadline):
            raise RateLimited(f"No further request may be sent for {format_roughly(wait)}.", retry_after=wait)

    def _wait(self, ahead: int) -> float:
        """Seconds until a call with so many others ahead of it may start."""
        now = self._clock()
        ready = max(now, self._paused_until)
        if self._pace is None:
            return ready - now
        rounds, place = divmod(ahead, self._pace.requests)
        # The place-th next start is free once the start a whole window of requests earlier has left the window.
        before = place - (self._pace.requests - len(self._starts))
        if before >= 0:
            ready = max(ready, self._starts[before] + self._pace.seconds)
        return ready + rounds * self._pace.seconds - now
