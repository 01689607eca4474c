"""Answers are kept and shared. The key is the whole validated input by construction: no argument can be forgotten."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace

from wellsourced.pipeline.middleware import GoOn
from wellsourced.storage.cache.cache import Cache, CacheEntry
from wellsourced.storage.cache.partition import SHARED, partition
from wellsourced.storage.single_flight import SingleFlight
from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer, encode


class CacheLayer:
    """Memory, then what is behind it; identical calls in flight share one run.

    Callers share what is kept, because public search results are the same for everyone, unless tenants are to be kept
    apart: then all that a call keeps or finds, pages too, is its tenant's. A personal answer is its owner's alone. What
    was kept in a person's call goes when the person is erased, or the whole tenant.
    """

    def __init__(self, cache: Cache, *, tenants_apart: bool = False) -> None:
        self._cache = cache
        self._tenants_apart = tenants_apart
        self._flights = SingleFlight()

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        who = call.identity
        part = f"tenant {who.tenant}" if self._tenants_apart else SHARED
        with partition(part, keeper=who.owner):
            return await self._answer(call, go_on)

    async def _answer(self, call: Call, go_on: GoOn) -> Answer:
        if call.tool.cache is None:
            return await go_on(call)
        key = cache_key(call)
        kept = await self._cache.get(key)
        if kept is not None:
            call.cached = True
            return Answer(kept.value, meta=freshness_of(kept))
        return await self._flights.run(key, lambda: self._run_and_keep(key, call, go_on))

    async def _run_and_keep(self, key: str, call: Call, go_on: GoOn) -> Answer:
        answer = await go_on(call)
        ttl = call.output.lifetime(call.tool.cache or 0) if call.output else 0
        if ttl > 0:
            await self._cache.put(key, answer.body, ttl, owner_of(call), wait=True)
        if not call.tool.tells_freshness:
            return answer
        fresh = {"cached": False, "ageSeconds": 0, "maxAgeSeconds": math.ceil(ttl), "freshness": "fresh"}
        return replace(answer, meta={**answer.meta, **fresh})


def owner_of(call: Call) -> str | None:
    return call.identity.owner if call.input is not None and call.input.is_personal else None


def cache_key(call: Call) -> str:
    assert call.input is not None
    owner = owner_of(call) or ""
    arguments = call.input.model_dump(mode="json", exclude=set(call.input.unkeyed))
    material = encode([call.tool.name, call.tool.version, owner, arguments])
    return f"{call.tool.name}:{hashlib.sha256(material).hexdigest()}"


def freshness_of(entry: CacheEntry) -> dict[str, object]:
    return {
        "cached": True,
        "ageSeconds": int(entry.age),
        "maxAgeSeconds": math.ceil(entry.ttl),
        "freshness": entry.freshness,
    }
