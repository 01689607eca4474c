"""Limits that several instances keep together, over Redis and by its clock.

One script looks at every limit of a request and charges all or none, in one round trip; Redis runs it whole, so what
passes is exact however many instances ask. Without Redis each instance counts by itself, from what it last heard.
Keys are keyed digests: nobody reads addresses or tenants off them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from wellsourced.data import read_data
from wellsourced.storage.limits.daily_counts import DAY
from wellsourced.storage.limits.rate_limits import MICRO, LimitClaim, LimitRefusal, LocalRateLimiter, refuse_impossible
from wellsourced.storage.redis_client import CANNOT_SHARE, OptionalRedisClient

PREFIX = "wellsourced:limit:"

TAKE = read_data("redis_limits.lua")


class RedisRateLimiter:
    def __init__(self, redis: OptionalRedisClient, digest: Callable[[str], str], local: LocalRateLimiter) -> None:
        self.fallbacks = 0
        self._redis = redis
        self._digest = digest
        self._local = local

    async def take(self, claims: Sequence[LimitClaim], calls: int = 1) -> LimitRefusal | None:
        """Charge every claim, or none and say which limit makes wait longest."""
        if not claims:
            return None
        if refusal := refuse_impossible(claims, calls):
            return refusal
        values = chain.from_iterable(self._values(claim) for claim in claims)
        try:
            keys = [self._key(claim) for claim in claims]
            refused, wait, today, counts = await self._redis.run_script(TAKE, keys, [calls, *values])
        except CANNOT_SHARE:
            self.fallbacks += 1
            return await self._local.take(claims, calls)
        await self._learn(claims, today, counts)
        return LimitRefusal(claims[refused - 1].limit, wait / MICRO) if refused else None

    async def used(self, claim: LimitClaim) -> int:
        """Calls of this day."""
        try:
            return int(await self._redis.execute("GET", self._key(claim)) or 0)
        except CANNOT_SHARE:
            return await self._local.used(claim)

    async def close(self) -> None:
        await self._local.close()

    def _key(self, claim: LimitClaim) -> str:
        return PREFIX + self._digest(claim.key)

    def _values(self, claim: LimitClaim) -> tuple[int, int, int, int]:
        limit, counts = claim.limit, self._local.counts
        return (0 if limit.is_daily else limit.interval, limit.most, counts.used(claim.key), counts.day)

    async def _learn(self, claims: Sequence[LimitClaim], today: int, counts: Sequence[int]) -> None:
        for claim, used in zip(claims, counts, strict=True):
            if claim.limit.is_daily:
                await self._local.counts.make_ready(claim.key, today * DAY)
                self._local.counts.learn(claim.key, today, used)
