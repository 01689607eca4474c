"""Several engines' answers as one: reciprocal rank fusion over comparable addresses.

A hit's score is the sum of 1 / (60 + rank) over the engines that found it (Cormack, Clarke, Büttcher 2009),
so what two engines agree on rises above what one of them likes best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from wellsourced.text.urls import url_comparison_key
from wellsourced.upstreams.types.search import ResultSet

RANK_DAMPING = 60


def fuse(answers: Mapping[str, ResultSet[Any]]) -> ResultSet[Any]:
    """Merge by rank; each hit says which engines found it, best-informed copy first."""
    scores: dict[str, float] = {}
    kept: dict[str, Any] = {}
    engines: dict[str, list[str]] = {}
    for engine, found in answers.items():
        for rank, hit in enumerate(found.items, start=1):
            key = identity_of(hit)
            scores[key] = scores.get(key, 0.0) + 1 / (RANK_DAMPING + rank)
            kept[key] = more_informative(kept.get(key), hit)
            if engine not in engines.setdefault(key, []):
                engines[key].append(engine)
    ranked = sorted(kept, key=lambda key: -scores[key])
    items = tuple(replace(kept[key], engines=tuple(engines[key])) for key in ranked)
    return ResultSet(
        items,
        not_applied=frozenset().union(*(found.not_applied for found in answers.values())),
        more_available=any(found.more_available for found in answers.values()) or None,
        notes=tuple(note for found in answers.values() for note in found.notes),
    )


def identity_of(hit: Any) -> str:
    """What makes two hits the same: the page's address, or the picture's."""
    return url_comparison_key(getattr(hit, "url", None) or hit.link)


def more_informative(first: Any | None, second: Any) -> Any:
    """The copy that says more: a date first, then the longer snippet."""
    if first is None:
        return second
    return second if weight(second) > weight(first) else first


def weight(hit: Any) -> tuple[bool, int]:
    return getattr(hit, "published_at", None) is not None, len(getattr(hit, "snippet", ""))


def unique_hits(items: Iterable[Any]) -> Iterator[Any]:
    """One engine's list without repeated addresses, in order."""
    seen: set[str] = set()
    for hit in items:
        if (identity := identity_of(hit)) not in seen:
            seen.add(identity)
            yield hit
