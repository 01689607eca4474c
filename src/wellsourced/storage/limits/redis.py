"""Limits that several instances keep together, over Redis and by its clock.

One script looks at every limit of a request and charges all or none, in one round trip; Redis runs it whole, so what
passes is exact however many instances ask. Without Redis each instance counts by itself, from what it last heard.
Keys are keyed digests: nobody reads addresses or tenants off them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from wellsourced.storage.limits.daily_counts import DAY
from wellsourced.storage.limits.rate_limits import MICRO, LimitClaim, LimitRefusal, LocalRateLimiter, refuse_impossible
from wellsourced.storage.redis_client import OptionalRedisClient, SharedStoreUnavailable

PREFIX = "wellsourced:limit:"

# KEYS: one a limit. ARGV: calls, then for each limit: interval (0 for a day's), most, count known here, day it is of.
# Known counts matter after Redis was away or has lost its own. Answer: which refused, wait, day, counts.
TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local today = math.floor(time[1] / 86400)
local calls = tonumber(ARGV[1])
local refused, longest, after, counts = 0, 0, {}, {}
for i, key in ipairs(KEYS) do
  local interval, most = tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1])
  local kept, wait = tonumber(redis.call('GET', key) or 0), 0
  if interval > 0 then
    local begin = math.max(now, math.min(kept, now + most * interval))
    after[i], counts[i] = begin + calls * interval, 0
    wait = after[i] - now - most * interval
  else
    if tonumber(ARGV[4 * i + 1]) == today then kept = math.max(kept, tonumber(ARGV[4 * i])) end
    after[i], counts[i] = kept + calls, kept
    if after[i] > most then wait = (today + 1) * 86400000000 - now end
  end
  if wait > longest then refused, longest = i, wait end
end
if refused == 0 then
  for i, key in ipairs(KEYS) do
    local ends = (today + 1) * 86400000
    if tonumber(ARGV[4 * i - 2]) > 0 then ends = math.ceil(after[i] / 1000) else counts[i] = after[i] end
    redis.call('SET', key, string.format('%.0f', after[i]))
    redis.call('PEXPIREAT', key, string.format('%.0f', ends))
  end
end
return {refused, longest, today, counts}
"""


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
        keys = [self._key(claim) for claim in claims]
        values = chain.from_iterable(self._values(claim) for claim in claims)
        try:
            refused, wait, today, counts = await self._redis.run_script(TAKE, keys, [calls, *values])
        except SharedStoreUnavailable:
            self.fallbacks += 1
            return await self._local.take(claims, calls)
        await self._learn(claims, today, counts)
        return LimitRefusal(claims[refused - 1].limit, wait / MICRO) if refused else None

    async def used(self, claim: LimitClaim) -> int:
        """Calls of this day."""
        try:
            return int(await self._redis.execute("GET", self._key(claim)) or 0)
        except SharedStoreUnavailable:
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
