"""Filters that are applied to the results themselves, whatever the engine made of the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from wellsourced.text.urls import canonical_url, escape_url, is_within_site
from wellsourced.upstreams.helpers.search_operators import contains_excluded, matches_exact, split_excluded
from wellsourced.upstreams.types.search import Image, WebQuery

POST_FILTERED = frozenset({"site", "exclude_terms", "exact_terms"})
"""Filters that hold after `matches_query`, so that they are not reported as not applied."""

LONG_AGO = datetime.min.replace(tzinfo=UTC)


def normalize_urls(hit: Any) -> Any:
    """Addresses without tracking; of pictures as they are, since every parameter may be part of the file's name."""
    if not isinstance(hit, Image):
        return hit if (url := canonical_url(hit.url)) == hit.url else replace(hit, url=url)
    link, thumbnail, page = (url and escape_url(url) for url in (hit.link, hit.thumbnail_link, hit.context_link))
    return replace(hit, link=link or "", thumbnail_link=thumbnail, context_link=page)


def matches_query(hit: Any, query: WebQuery, sites: Sequence[str], by_phrase: bool) -> bool:
    """Whether a hit lies within the sites and keeps to the words; the phrase is checked where the engine did not."""
    if sites and not any(is_within_site(page_of(hit), site) for site in sites):
        return False
    if not query.exclude_terms and not (by_phrase and query.exact_terms):
        return True
    texts = (hit.title, getattr(hit, "snippet", ""), *getattr(hit, "extra_snippets", ()))
    if query.exclude_terms and contains_excluded(split_excluded(query.exclude_terms), *texts):
        return False
    return not (by_phrase and query.exact_terms) or matches_exact(query.exact_terms, *texts)


def page_of(hit: Any) -> str:
    """The page a hit stands on; for a picture, the page rather than the file on some image host."""
    if isinstance(hit, Image):
        return hit.context_link or hit.link
    return str(hit.url)


def apply_missing_filters(
    hits: list[Any], query: WebQuery, not_applied: frozenset[str]
) -> tuple[list[Any], frozenset[str]]:
    """Apply what the engine could not: keep to the time range and sort by date, as far as dates are known."""
    if "time_range" in not_applied and query.time_range:
        from wellsourced.text.dates import range_start

        earliest = range_start(query.time_range, datetime.now(UTC))
        recent = [hit for hit in hits if not is_older(hit.published_at, earliest)]
        if hits and all(is_exact(hit.published_at) for hit in recent):
            not_applied -= {"time_range"}
        hits = recent
    if getattr(query, "sort_by", None) == "date":
        return newest_first(hits, not_applied)
    return hits, not_applied


def depends_on_dates(query: WebQuery) -> bool:
    return bool(query.time_range or query.days_unsent or getattr(query, "sort_by", None))


def newest_first(hits: list[Any], not_applied: frozenset[str]) -> tuple[list[Any], frozenset[str]]:
    """Sorted by date wherever dates are known, whatever the engine says; what has none comes last, in its order."""
    all_dated = all(hit.published_at for hit in hits)
    hits = sorted(hits, key=lambda hit: hit.published_at or LONG_AGO, reverse=True)
    return hits, not_applied - {"sort_by"} if all_dated else not_applied


def keep_to_days(
    hits: list[Any], query: WebQuery, not_applied: frozenset[str]
) -> tuple[list[Any], frozenset[str], tuple[str, ...]]:
    """Hits of the days asked for. One without a date stays: where the engine had no such filter the filters are named
    as not applied, else a note says how many days rest on the engine's word."""
    if not query.days_unsent:
        return hits, not_applied, ()
    moments = [(hit, getattr(hit, "published_at", None)) for hit in hits]
    kept = [hit for hit, moment in moments if is_within_days(moment, query.date_from, query.date_to)]
    undated = sum(moment is None for _, moment in moments)
    if query.days_unsent & not_applied:
        return kept, not_applied if undated else not_applied - query.days_unsent, ()
    note = f"{undated} of the results carry no date: that they are of these days is the engine's word."
    return kept, not_applied, (note,) if undated else ()


def is_within_days(moment: datetime | None, first: date | None, last: date | None) -> bool:
    return moment is None or (first or moment.date()) <= moment.date() <= (last or moment.date())


def is_older(moment: datetime | None, earliest: datetime) -> bool:
    """Whether something is known to be older; a bare date stands for its whole day."""
    if moment is None:
        return False
    return (moment if is_exact(moment) else moment + timedelta(days=1)) < earliest


def is_exact(moment: datetime | None) -> bool:
    """Midnight is how a bare date looks, which says nothing of the hour."""
    return moment is not None and (moment.hour, moment.minute, moment.second) != (0, 0, 0)
