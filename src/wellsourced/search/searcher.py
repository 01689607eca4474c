"""Web, image and news search: the lens is applied, the query routed, the results filtered and de-duplicated.

A lens scopes the search to its domains. Engines take at most ten domains in one query, so a larger lens is
asked in several queries side by side and merged. Whatever the engine made of the operators, hits outside the
lens or `site`, and hits with excluded words, are dropped here; a filter nobody could apply is reported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any, Generic, TypeVar

from wellsourced.errors import WellsourcedError
from wellsourced.late_dataclass import dataclass
from wellsourced.search.fusion import unique_hits
from wellsourced.search.lenses import Lens, Lenses
from wellsourced.search.post_filters import (
    POST_FILTERED,
    apply_missing_filters,
    depends_on_dates,
    keep_to_days,
    matches_query,
    normalize_urls,
)
from wellsourced.search.router import SearchRouter
from wellsourced.tool.call import Trace
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Article, Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

Q = TypeVar("Q", bound=WebQuery)
T = TypeVar("T")

LENS_ENGINE = "google"
GOGGLE_ENGINE = "brave"
SITE_FILTERS = {Kind.WEB: "site", Kind.NEWS: "news_source"}
"""What the sites of a query are called by each tool; a lens takes their place, which is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults(Generic[T]):
    """The results of a search, and which filters could not be applied to them."""

    items: tuple[T, ...]
    filters_not_applied: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Searcher:
    def __init__(self, router: SearchRouter, lenses: Lenses) -> None:
        self._router = router
        self._lenses = lenses

    async def web(
        self, query: WebQuery, *, provider: str | None, lens: str | None, trace: Trace, deadline: float
    ) -> SearchResults[Hit]:
        return await self._search(Kind.WEB, query, provider, lens, trace, deadline)

    async def news(
        self, query: NewsQuery, *, provider: str | None, lens: str | None, trace: Trace, deadline: float
    ) -> SearchResults[Article]:
        return await self._search(Kind.NEWS, query, provider, lens, trace, deadline)

    async def images(
        self, query: ImageQuery, *, provider: str | None, lens: str | None, trace: Trace, deadline: float
    ) -> SearchResults[Image]:
        return await self._search(Kind.IMAGES, query, provider, lens, trace, deadline)

    async def _search(
        self, kind: Kind, query: Q, provider: str | None, lens: str | None, trace: Trace, deadline: float
    ) -> SearchResults[Any]:
        scope = self._lenses.get(lens) if lens else None
        if scope and scope.engine_id and not provider and LENS_ENGINE in self._router.providers.order(kind):
            provider = LENS_ENGINE
        found = await self._ask(kind, split_by_lens(query, scope, provider), provider, trace, deadline)
        trace.more_available = found.more_available
        sites = scope.domains if scope else query.sites
        by_phrase = "exact_terms" in found.not_applied
        fitting = (
            hit for hit in unique_hits(map(normalize_urls, found.items)) if matches_query(hit, query, sites, by_phrase)
        )
        # Where no date leaves any out or orders them, no more are looked at than are wanted.
        hits = list(fitting if depends_on_dates(query) else islice(fitting, query.count))
        hits, not_applied = apply_missing_filters(hits, query, found.not_applied - POST_FILTERED)
        hits, not_applied, by_date = keep_to_days(hits, query, not_applied)
        if scope and query.sites:
            not_applied |= {SITE_FILTERS[kind]}
        if scope and not is_within_lens(scope, kind, trace.used):
            not_applied |= {"lens"}
        return SearchResults(
            items=tuple(hits[: query.count]),
            filters_not_applied=tuple(sorted(not_applied)),
            notes=found.notes + by_date,
        )

    async def _ask(
        self, kind: Kind, queries: Sequence[Q], provider: str | None, trace: Trace, deadline: float
    ) -> ResultSet[Any]:
        if len(queries) == 1:
            return await self._router.route(kind, queries[0], provider, trace, deadline)
        traces = [Trace() for _ in queries]
        asked = (
            self._router.route(kind, part, provider, own, deadline) for part, own in zip(queries, traces, strict=True)
        )
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        trace.attempted, trace.used = traces[0].attempted, traces[0].used
        trace.fallback_reason = traces[0].fallback_reason
        return merge_parts(outcomes)


def is_within_lens(lens: Lens, kind: Kind, used: str | None) -> bool:
    """Whether results keep to a lens: domains are checked on the hits, the rest only its own engine understands."""
    goggle = None if kind is Kind.IMAGES else lens.goggle
    understood = {LENS_ENGINE: lens.engine_id, GOGGLE_ENGINE: goggle}
    return bool(lens.domains) or all(understood.get(name) for name in (used or "").split("+"))


def split_by_lens(query: Q, lens: Lens | None, provider: str | None) -> list[Q]:
    """The query, or one query for each ten domains of the lens where no engine of its own is asked."""
    if lens is None:
        return [query]
    query = replace(query, sites=(), goggle=lens.goggle, engine_id=lens.engine_id)
    if not lens.domains or (lens.engine_id and provider == LENS_ENGINE):
        return [query]
    return [replace(query, sites=batch) for batch in Lenses.batches(lens)]


def merge_parts(outcomes: Sequence[ResultSet[Any] | BaseException]) -> ResultSet[Any]:
    """The parts of one search, interleaved by rank; a part that failed is noted, unless all did."""
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for failure in failures:
        if not isinstance(failure, WellsourcedError) or len(failures) == len(outcomes):
            raise failure
    parts = [part for part in outcomes if isinstance(part, ResultSet)]
    by_rank = zip_longest(*(part.items for part in parts))
    problems = [f"Part of the lens was not searched: {failure}" for failure in failures]
    return ResultSet(
        tuple(hit for rank in by_rank for hit in rank if hit is not None),
        not_applied=frozenset().union(*(part.not_applied for part in parts)),
        more_available=any(part.more_available for part in parts) or None,
        notes=tuple(dict.fromkeys([note for part in parts for note in part.notes] + problems)),
    )
