"""MAX_CALLS_PER_DAY: so many calls a user and UTC day, counted where all limits are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from wellsourced.errors import RateLimited
from wellsourced.identity import Identity
from wellsourced.pipeline.middleware import Handler
from wellsourced.storage.limits.rate_limits import RateLimit, RateLimiter
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call


def utc_now() -> datetime:
    return datetime.now(UTC)


class DailyQuota:
    def __init__(self, limiter: RateLimiter, limit: RateLimit, now: Callable[[], datetime] = utc_now) -> None:
        self.limit = limit.most
        self._limiter = limiter
        self._limit = limit
        self._now = now

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        if self.limit:
            await self._count(call.identity)
        return await next_handler(call)

    async def used(self, identity: Identity) -> int:
        return await self._limiter.used(self._limit.claim(counted_owner(identity))) if self.limit else 0

    def resets_at(self) -> datetime:
        tomorrow = self._now().date() + timedelta(days=1)
        return datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=UTC)

    async def _count(self, identity: Identity) -> None:
        refusal = await self._limiter.take([self._limit.claim(counted_owner(identity))])
        if refusal is not None:
            raise RateLimited(
                f"daily call limit reached: {self.limit} calls a day (MAX_CALLS_PER_DAY). It starts anew at "
                f"{self.resets_at():%Y-%m-%d %H:%M} UTC.",
                retry_after=refusal.wait,
            )


def counted_owner(identity: Identity) -> str:
    """All who are anonymous count together: else whoever opens a new session would have a new day's calls."""
    return (Identity(identity.tenant) if identity.is_anonymous else identity).owner
