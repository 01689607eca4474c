"""One search, then every hit is read and assessed concurrently, until the time is up.

Search results and pages are cached, so that the same question again sends no request.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from wellsourced.errors import TimeLimit, WellsourcedError
from wellsourced.pages.reader import Reader
from wellsourced.search.searcher import Searcher, SearchResults
from wellsourced.search.source_assessment import (
    ReadSource,
    SourceQuestion,
    assess_source,
    find_linked_evidence,
)
from wellsourced.storage.cache.cache import Cache
from wellsourced.text.amounts import format_count
from wellsourced.tool.call import Progress, Trace
from wellsourced.upstreams.types.search import Hit, WebQuery

SEARCH_SECONDS = 1800.0
TIME_TO_ANSWER = 1.5  # seconds before the deadline that are left for ranking and encoding
CONCURRENT_READS = 5
RESULTS_JSON = TypeAdapter(SearchResults[Hit])


@dataclass(frozen=True, slots=True)
class FailedSource:
    hit: Hit
    error: WellsourcedError


@dataclass(slots=True, kw_only=True)
class SearchedSources:
    """`is_complete` is False when the time was up before everything was read."""

    results: SearchResults[Hit]
    read: list[ReadSource] = field(default_factory=list)
    failed: list[FailedSource] = field(default_factory=list)
    is_complete: bool = True


class SourceReader:
    def __init__(self, search: Searcher, reader: Reader, cache: Cache) -> None:
        self._search = search
        self._reader = reader
        self.workers = reader.workers
        self._cache = cache

    async def search_and_read(
        self,
        query: WebQuery,
        question: SourceQuestion,
        *,
        provider: str | None,
        trace: Trace,
        tenant: str,
        deadline: float,
        progress: Progress,
        on_found: Callable[[Sequence[Hit]], None],
        on_read: Callable[[ReadSource | FailedSource], None],
    ) -> SearchedSources:
        results = await self._search_cached(query, provider, trace, deadline)
        searched = SearchedSources(results=results)
        on_found(results.items)
        await progress(1, len(results.items) + 1, f"{format_count(len(results.items), 'source')} found")
        await self._read_all(searched, question, tenant, deadline, progress, on_read)
        return searched

    async def _search_cached(
        self, query: WebQuery, provider: str | None, trace: Trace, deadline: float
    ) -> SearchResults[Hit]:
        key = f"found:{hashlib.sha256(repr((query, provider)).encode()).hexdigest()}"
        if entry := await self._cache.get(key):
            return RESULTS_JSON.validate_json(entry.value)
        results = await self._search.web(query, provider=provider, lens=None, trace=trace, deadline=deadline)
        if results.items:
            await self._cache.put(key, RESULTS_JSON.dump_json(results), SEARCH_SECONDS)
        return results

    async def _read_all(
        self,
        searched: SearchedSources,
        question: SourceQuestion,
        tenant: str,
        deadline: float,
        progress: Progress,
        on_read: Callable[[ReadSource | FailedSource], None],
    ) -> None:
        """Results in the order of the search, whichever comes in first."""
        slots = asyncio.Semaphore(CONCURRENT_READS)
        outcomes: dict[int, ReadSource | FailedSource] = {}

        async def read(number: int, hit: Hit) -> None:
            async with slots:
                outcomes[number] = await self._read(hit, question, tenant, deadline)
            on_read(outcomes[number])
            await progress(len(outcomes) + 1, len(searched.results.items) + 1, hit.url)

        tasks = [asyncio.create_task(read(number, hit)) for number, hit in enumerate(searched.results.items)]
        await wait_or_cancel(tasks, deadline - TIME_TO_ANSWER)
        for number, hit in enumerate(searched.results.items):
            outcome = outcomes.get(number) or FailedSource(hit, TimeLimit("It was not read before the time was up."))
            searched.is_complete = searched.is_complete and number in outcomes
            if isinstance(outcome, ReadSource):
                searched.read.append(outcome)
            else:
                searched.failed.append(outcome)

    async def _read(
        self, hit: Hit, question: SourceQuestion, tenant: str, deadline: float
    ) -> ReadSource | FailedSource:
        try:
            reading = await self._reader.read(hit.url, tenant=tenant, deadline=deadline)
            run = self.workers.run
            claim, quote = question.claim or "", question.quote or ""
            evidence = await run(find_linked_evidence, claim, reading.page, quote) if claim or quote else None
        except WellsourcedError as error:
            return FailedSource(hit, error)
        return await self.workers.run_here(assess_source, hit, reading, question, evidence)


async def wait_or_cancel(tasks: Sequence[asyncio.Task[None]], until: float) -> None:
    """Wait for all, but no longer than that; what is still running is stopped."""
    if not tasks:
        return
    try:
        await asyncio.wait(tasks, timeout=max(0.0, until - time.monotonic()))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
