"""Whether two titles are the same title: a search service's best match need not be what was asked for."""

from __future__ import annotations

import unicodedata
from collections import Counter
from itertools import pairwise

LONGEST_TITLE = 1000
ALIKE = 0.9


def same_title(one: str, other: str) -> bool:
    """Compared by pairs of neighbouring characters, so that it works for every script and forgives a typing error."""
    first, second = _bare(one), _bare(other)
    if not first or not second:
        return False
    return first == second or _likeness(first, second) >= ALIKE


def _bare(title: str) -> str:
    """Letters and digits alone, without case and accents."""
    split = unicodedata.normalize("NFKD", title[:LONGEST_TITLE]).casefold()
    return "".join(character for character in split if character.isalnum())


def _likeness(first: str, second: str) -> float:
    """Dice's coefficient: twice the shared pairs by all pairs."""
    pairs, others = Counter(pairwise(first)), Counter(pairwise(second))
    return 2 * (pairs & others).total() / max(1, pairs.total() + others.total())
