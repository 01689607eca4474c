"""BM25 over weighted fields for the store in PostgreSQL, with the constants of `postings`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wellsourced.storage.library.postings import TITLE_WEIGHT
from wellsourced.storage.library.scoring import K1, LEAST_RARITY, B
from wellsourced.storage.library.query import IndexQuery, SearchTerm

ENOUGH = 500


@dataclass(frozen=True, slots=True)
class IndexStatistics:
    """`holding` counts the texts with each thing sought, in order."""

    texts: int
    average_words: float
    holding: tuple[int, ...]


def rarest(match: IndexQuery, statistics: IndexStatistics) -> IndexQuery:
    """Of things of which any will do, the rarest that bring enough: common ones add work and hardly any score."""
    counted = sorted(
        zip(statistics.holding[len(match.required) :], match.any_of, strict=True), key=lambda each: each[0]
    )
    kept: list[SearchTerm] = []
    total = 0
    for holding, sought in counted:
        if total >= ENOUGH:
            break
        kept.append(sought)
        total += holding
    return replace(match, any_of=tuple(kept))


def frequencies(found: Iterable[Sequence[Any]]) -> dict[int, dict[str, float]]:
    """Rows of text, word and the weights of its places, as weighted counts by text and word."""
    counts: dict[int, dict[str, float]] = {}
    for body, word, weights in found:
        counts.setdefault(body, {})[word] = sum(TITLE_WEIGHT if weight == "A" else 1.0 for weight in weights)
    return counts


def scored(counts: Mapping[str, float], words: int, wanted: Sequence[SearchTerm], statistics: IndexStatistics) -> float:
    length = 1 - B + B * words / max(statistics.average_words, 1.0)
    score = 0.0
    for sought, holding in zip(wanted, statistics.holding, strict=True):
        often = _occurrences(counts, sought)
        rarity = max(LEAST_RARITY, math.log((statistics.texts - holding + 0.5) / (holding + 0.5)))
        score += rarity * often * (K1 + 1) / (often + K1 * length)
    return score


def _occurrences(counts: Mapping[str, float], sought: SearchTerm) -> float:
    """Of a phrase at most as often as its rarest word; of a beginning every word that begins so."""
    *first, last = sought.words
    ends = sum(count for word, count in counts.items() if word.startswith(last)) if sought.is_beginning else 0.0
    return min([*(counts.get(word, 0.0) for word in first), ends or counts.get(last, 0.0)])
