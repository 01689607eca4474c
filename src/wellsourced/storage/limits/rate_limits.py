"""How often somebody may call: rates, which can be saved up, and counts of a UTC day.

A rate is a token bucket kept as one moment, the one at which it will be full again: the generic cell rate algorithm
of ITU-T I.371. A full bucket needs no memory. Several limits are asked at once, and when one refuses none is charged.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from wellsourced.late_dataclass import dataclass
from wellsourced.settings import Settings
from wellsourced.storage.limits.daily_counts import DAY, DailyCounts
from wellsourced.text.amounts import format_seconds

SECOND, MINUTE = 1, 60
MICRO = 1_000_000
MOST_KEYS = 200_000
BUCKETS_CHECKED = 2


@dataclass(frozen=True, slots=True)
class RateLimit:
    """`most` in so many seconds; `what` goes on after the number: `calls a minute for one tenant`. 0 is no limit."""

    variable: str
    most: int
    seconds: int
    what: str

    @property
    def is_daily(self) -> bool:
        return self.seconds == DAY

    @property
    def interval(self) -> int:
        """Microseconds in which one call is regained; rounded up, so that never more than `most` are."""
        return -(-self.seconds * MICRO // self.most)

    def claim(self, who: str) -> LimitClaim:
        return LimitClaim(self, f"{self.variable}:{who}")


class LimitClaim(NamedTuple):
    limit: RateLimit
    key: str


@dataclass(frozen=True, slots=True)
class LimitRefusal:
    """`wait` is in seconds, after which the same request passes if nobody else calls; None when it never will."""

    limit: RateLimit
    wait: float | None

    @property
    def sentence(self) -> str:
        limit = f"{self.limit.most} {self.limit.what} ({self.limit.variable})"
        if self.wait is None:
            return f"This request makes more calls at once than the limit of {limit} allows. Send fewer in one request."
        return f"The limit of {limit} is reached. Try again in {format_seconds(math.ceil(self.wait))}."


@dataclass(frozen=True, slots=True)
class ConfiguredLimits:
    """Each limit with the variable that sets it. `user_day` holds everywhere, the others over HTTP."""

    address: RateLimit
    tenant: RateLimit
    tenant_day: RateLimit
    everybody: RateLimit
    user_day: RateLimit


class RateLimiter(Protocol):
    fallbacks: int
    """How many decisions were made by this instance alone although it shares a store with others."""

    async def take(self, claims: Sequence[LimitClaim], calls: int = 1) -> LimitRefusal | None: ...
    async def used(self, claim: LimitClaim) -> int: ...
    async def close(self) -> None: ...


class LocalRateLimiter:
    """One instance by itself. A day's counts outlive it when they have a file."""

    fallbacks = 0

    def __init__(self, counts: DailyCounts | None = None, clock: Callable[[], float] = time.time) -> None:
        self.counts = counts or DailyCounts()
        self._clock = clock
        self._full_at: dict[str, int] = {}

    async def take(self, claims: Sequence[LimitClaim], calls: int = 1) -> LimitRefusal | None:
        """Charge every claim, or none and say which limit makes wait longest."""
        if refusal := refuse_impossible(claims, calls):
            return refusal
        now = self._clock()
        for claim in claims:
            if claim.limit.is_daily:
                await self.counts.make_ready(claim.key, now)
        return self._decide(claims, calls, int(now * MICRO))

    async def used(self, claim: LimitClaim) -> int:
        """Calls of this day."""
        await self.counts.make_ready(claim.key, self._clock())
        return self.counts.used(claim.key)

    async def close(self) -> None:
        await self.counts.close()

    def _decide(self, claims: Sequence[LimitClaim], calls: int, now: int) -> LimitRefusal | None:
        refused, longest = None, 0
        for claim in claims:
            wait = self._wait(claim, calls, now)
            if wait > longest:
                refused, longest = claim.limit, wait
        if refused is not None:
            return LimitRefusal(refused, longest / MICRO)
        for claim in claims:
            self._charge(claim, calls, now)
        return None

    def _wait(self, claim: LimitClaim, calls: int, now: int) -> int:
        limit = claim.limit
        if limit.is_daily:
            return DAY * MICRO - now % (DAY * MICRO) if self.counts.used(claim.key) + calls > limit.most else 0
        return self._full_time(claim, now) + (calls - limit.most) * limit.interval - now

    def _charge(self, claim: LimitClaim, calls: int, now: int) -> None:
        if claim.limit.is_daily:
            self.counts.add(claim.key, calls)
            return
        full_at = self._full_time(claim, now) + calls * claim.limit.interval
        self._full_at.pop(claim.key, None)
        self._full_at[claim.key] = full_at
        self._drop_full_buckets(now)

    def _full_time(self, claim: LimitClaim, now: int) -> int:
        """When the bucket will be full; after the clock was set back, no later than if it were empty."""
        full_at = self._full_at.get(claim.key, 0)
        return min(full_at, now + claim.limit.most * claim.limit.interval) if full_at > now else now

    def _drop_full_buckets(self, now: int) -> None:
        """The buckets used longest ago come first; looking at more than one each time, this keeps up."""
        for _ in range(BUCKETS_CHECKED):
            oldest = next(iter(self._full_at))
            if self._full_at[oldest] > now and len(self._full_at) <= MOST_KEYS:
                return
            del self._full_at[oldest]
            if not self._full_at:
                return


def refuse_impossible(claims: Sequence[LimitClaim], calls: int) -> LimitRefusal | None:
    """The refusal of what no waiting would let through."""
    for claim in claims:
        if calls > claim.limit.most:
            return LimitRefusal(claim.limit, None)
    return None


def read_rate_limits(settings: Settings) -> ConfiguredLimits:
    def limit(variable: str, seconds: int, what: str) -> RateLimit:
        return RateLimit(variable, settings.count(variable), seconds, what)

    return ConfiguredLimits(
        address=limit("RATE_LIMIT_PER_IP", MINUTE, "requests a minute from one address"),
        tenant=limit("RATE_LIMIT_PER_TENANT", MINUTE, "calls a minute for one tenant"),
        tenant_day=limit("DAILY_QUOTA_PER_TENANT", DAY, "calls a day for one tenant"),
        everybody=limit("RATE_LIMIT_GLOBAL", SECOND, "calls a second over all tenants"),
        user_day=limit("MAX_CALLS_PER_DAY", DAY, "calls a day for one user"),
    )
