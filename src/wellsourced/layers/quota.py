"""MAX_CALLS_PER_DAY: so many calls a user and UTC day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from wellsourced.errors import RateLimited
from wellsourced.layers.pipeline import GoOn
from wellsourced.model.answer import Answer
from wellsourced.model.identity import Identity
from wellsourced.research.call import Call


def utc_now() -> datetime:
    return datetime.now(UTC)


class DailyQuota:
    def __init__(self, limit: int, now: Callable[[], datetime] = utc_now) -> None:
        self.limit = limit
        self._now = now
        self._day: date | None = None
        self._used: Counter[Identity] = Counter()

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        if self.limit:
            self._count(call.identity)
        return await go_on(call)

    def used(self, identity: Identity) -> int:
        return self._used[identity] if self._day == self._now().date() else 0

    def resets_at(self) -> datetime:
        tomorrow = self._now().date() + timedelta(days=1)
        return datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=UTC)

    def _count(self, identity: Identity) -> None:
        today = self._now().date()
        if today != self._day:
            self._day = today
            self._used.clear()
        if self._used[identity] >= self.limit:
            wait = (self.resets_at() - self._now()).total_seconds()
            raise RateLimited(
                f"daily call limit reached: {self.limit} calls a day (MAX_CALLS_PER_DAY). It starts anew at "
                f"{self.resets_at():%Y-%m-%d %H:%M} UTC.",
                retry_after=wait,
            )
        self._used[identity] += 1
