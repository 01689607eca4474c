"""From a question to pages: one search, then every hit read and weighed side by side, until the time is up.

What was found and read is kept for its own time, so the same question again asks nobody.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import TypeAdapter

from wellsourced.errors import TimeLimit, WellsourcedError
from wellsourced.pages.reader import Reader
from wellsourced.search.searcher import Outcome, Search
from wellsourced.search.source_assessment import Gathered, Question, weigh
from wellsourced.storage.cache.cache import Cache
from wellsourced.text.amounts import format_count
from wellsourced.tool.trace import Trace
from wellsourced.upstreams.types.search import Hit, WebQuery

SEARCH_SECONDS = 1800.0
TIME_TO_ANSWER = 1.5
AT_ONCE = 5
FOUND = TypeAdapter(Outcome[Hit])

Told: TypeAlias = Callable[[float, float | None, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Failed:
    hit: Hit
    error: WellsourcedError


@dataclass(slots=True, kw_only=True)
class Haul:
    """`is_whole` is False when the time was up before everything was read."""

    found: Outcome[Hit]
    read: list[Gathered] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    is_whole: bool = True


class Gathering:
    def __init__(self, search: Search, reader: Reader, cache: Cache) -> None:
        self._search = search
        self._reader = reader
        self._cache = cache

    async def gather(
        self,
        query: WebQuery,
        question: Question,
        *,
        provider: str | None,
        trace: Trace,
        tenant: str,
        deadline: float,
        tell: Told,
    ) -> Haul:
        found = await self._found(query, provider, trace, deadline)
        haul = Haul(found=found)
        await tell(1, len(found.items) + 1, f"{format_count(len(found.items), 'source')} found")
        await self._read_all(haul, question, tenant, deadline, tell)
        return haul

    async def _found(self, query: WebQuery, provider: str | None, trace: Trace, deadline: float) -> Outcome[Hit]:
        key = f"found:{hashlib.sha256(repr((query, provider)).encode()).hexdigest()}"
        if kept := await self._cache.get(key):
            return FOUND.validate_json(kept.value)
        found = await self._search.web(query, provider=provider, lens=None, trace=trace, deadline=deadline)
        if found.items:
            await self._cache.put(key, FOUND.dump_json(found), SEARCH_SECONDS)
        return found

    async def _read_all(self, haul: Haul, question: Question, tenant: str, deadline: float, tell: Told) -> None:
        """Results in the order of the search, whichever comes in first."""
        places = asyncio.Semaphore(AT_ONCE)
        outcomes: dict[int, Gathered | Failed] = {}

        async def read(number: int, hit: Hit) -> None:
            async with places:
                outcomes[number] = await self._read(hit, question, tenant, deadline)
            await tell(len(outcomes) + 1, len(haul.found.items) + 1, hit.url)

        tasks = [asyncio.create_task(read(number, hit)) for number, hit in enumerate(haul.found.items)]
        await finished_or_stopped(tasks, deadline - TIME_TO_ANSWER)
        for number, hit in enumerate(haul.found.items):
            outcome = outcomes.get(number) or Failed(hit, TimeLimit("It was not read before the time was up."))
            haul.is_whole = haul.is_whole and number in outcomes
            if isinstance(outcome, Gathered):
                haul.read.append(outcome)
            else:
                haul.failed.append(outcome)

    async def _read(self, hit: Hit, question: Question, tenant: str, deadline: float) -> Gathered | Failed:
        try:
            reading = await self._reader.read(hit.url, tenant=tenant, deadline=deadline)
        except WellsourcedError as error:
            return Failed(hit, error)
        return await asyncio.to_thread(weigh, hit, reading, question)


async def finished_or_stopped(tasks: Sequence[asyncio.Task[None]], until: float) -> None:
    """Wait for all, but no longer than that; what is still running is stopped."""
    if not tasks:
        return
    try:
        await asyncio.wait(tasks, timeout=max(0.0, until - time.monotonic()))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
