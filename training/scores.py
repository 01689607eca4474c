"""How well extracted text matches known content: shingles of four words, and bags of words."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

WORD = re.compile(r"\w+")
Scores = dict[str, Any]


def page_scores(truth: str, text: str) -> Scores:
    """Precision and recall over shingles (None where there are none), exactness, F1 over words."""
    known, given = WORD.findall(truth), WORD.findall(text)
    known_shingles, given_shingles = shingles(known), shingles(given)
    both = (known_shingles & given_shingles).total()
    words = f1(Counter(w.lower() for w in known), Counter(w.lower() for w in given))
    return {
        "precision": both / given_shingles.total() if given else None,
        "recall": both / known_shingles.total() if known else None,
        "exact": known == given,
        "words": words,
    }


def shingles(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    if len(words) <= 4:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[i:] for i in range(4)), strict=False))


def f1(known: Counter[Any], given: Counter[Any]) -> float:
    if not known and not given:
        return 1.0
    both = (known & given).total()
    return 2 * both / (known.total() + given.total())


def summarise_scores(pages: Sequence[Scores]) -> str:
    precision = statistics.fmean(p["precision"] for p in pages if p["precision"] is not None)
    recall = statistics.fmean(p["recall"] for p in pages if p["recall"] is not None)
    exact = statistics.fmean(p["exact"] for p in pages)
    words = statistics.fmean(p["words"] for p in pages)
    shingle = 2 * precision * recall / (precision + recall)
    return f"shingle F1 {shingle:.4f} (P {precision:.4f} R {recall:.4f})  exact {exact:.3f}  word F1 {words:.4f}"
