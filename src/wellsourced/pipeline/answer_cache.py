"""Answers are cached and shared. The key is the whole validated input by construction: no argument can be forgotten."""

from __future__ import annotations

import hashlib
import math
import time
from functools import lru_cache

from wellsourced.pipeline.middleware import Handler
from wellsourced.storage.artifacts import Artifacts
from wellsourced.storage.cache.cache import Cache, freshness
from wellsourced.storage.cache.partition import SHARED, partition
from wellsourced.storage.single_flight import SingleFlight
from wellsourced.tool.answer import ToolAnswer, encode_json
from wellsourced.tool.call import Call

WHOLE = ":whole"


class AnswerCache:
    """Answers from the cache where it can; identical calls in flight share one run.

    Callers share entries, because public search results are the same for everyone, unless `tenants_apart` is set: then
    all that a call stores or reads, pages too, is its tenant's. A personal answer is its owner's alone. What was stored
    in a person's call is deleted when the person is erased, or the whole tenant.
    """

    def __init__(self, cache: Cache, artifacts: Artifacts, *, tenants_apart: bool = False) -> None:
        self._cache = cache
        self._artifacts = artifacts
        self._tenants_apart = tenants_apart
        self._flights = SingleFlight()

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        who = call.identity
        part = f"tenant {who.tenant}" if self._tenants_apart else SHARED
        oldest = time.time() if call.tool.asks_anew else float("-inf")
        with partition(part, owner=who.owner, since=oldest):
            return await self._answer(call, next_handler)

    async def _answer(self, call: Call, next_handler: Handler) -> ToolAnswer:
        if call.tool.cache is None:
            return await next_handler(call)
        key = cache_key(call)
        entry = await self._cache.get(key)
        if entry is not None:
            call.cached = True
            await self._find_whole(key, call)
            return ToolAnswer(entry.value, meta=freshness_meta(entry.age, entry.ttl))
        answer = await self._flights.run(key, lambda: self._run_and_store(key, call, next_handler))
        await self._find_whole(key, call)
        return answer

    async def _find_whole(self, key: str, call: Call) -> None:
        """What a link beside the answer leads to, where another call made it."""
        if call.whole is None and call.tool.keeps_whole:
            kept = await self._cache.get(key + WHOLE)
            call.whole = await self._artifacts.fetch(kept.value.decode(), call.identity.owner) if kept else None

    async def _run_and_store(self, key: str, call: Call, next_handler: Handler) -> ToolAnswer:
        answer = await next_handler(call)
        ttl = call.output.lifetime(call.tool.cache or 0) if call.output else 0
        if page := call.made_of:
            ttl = min(ttl, page.ttl - page.age)
        if ttl > 0 and call.keeps_answer and not call.not_kept:
            await self._cache.put(key, answer.body, ttl, personal_owner(call))
            if call.whole and (id := await self._artifacts.keep(call.whole, call.identity.owner)):
                call.whole_id = id  # kept once, for the link and for whoever asks again
                await self._cache.put(key + WHOLE, id.encode(), ttl, personal_owner(call))
        # Whether another has read it is nobody's business.
        if page and page.is_own:
            return answer.with_meta(freshness_meta(page.age, page.ttl))
        if not call.tool.states_freshness:
            return answer
        fresh = {"cached": False, "ageSeconds": 0, "maxAgeSeconds": math.ceil(ttl), "freshness": "fresh"}
        return answer.with_meta(fresh)


def personal_owner(call: Call) -> str | None:
    return call.identity.owner if call.input is not None and call.input.is_personal else None


def cache_key(call: Call) -> str:
    assert call.input is not None
    owner = personal_owner(call) or ""
    arguments = call.input.__pydantic_serializer__.to_json(call.input, exclude=set(call.input.unkeyed))
    material = key_material(call.tool.name, call.tool.version, owner)
    return f"{call.tool.name}:{hashlib.sha256(material + arguments).hexdigest()}"


@lru_cache(maxsize=1024)
def key_material(name: str, version: int, owner: str) -> bytes:
    return encode_json([name, version, owner])


def freshness_meta(age: float, ttl: float) -> dict[str, object]:
    return {
        "cached": True,
        "ageSeconds": int(age),
        "maxAgeSeconds": math.ceil(ttl),
        "freshness": freshness(age, ttl),
    }
