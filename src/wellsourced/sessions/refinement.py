"""Queries that could close what is open, and running the first of them side by side."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from wellsourced.errors import WellsourcedError
from wellsourced.sessions.coverage import Coverage
from wellsourced.sessions.session import Gap
from wellsourced.text.terms import comparison_keys, significant_terms, term_keys
from wellsourced.upstreams.helpers.search_operators import cut_at_word
from wellsourced.upstreams.types.search import Hit

MOST_QUERIES = 6
RUN_QUERIES = 3
RESULTS_EACH = 5
LONGEST_QUERY = 300
LONGEST_PHRASE_WORDS = 6
LONGEST_WORD = 12
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
NUDGES = {"academic": "latest news", "news": "research paper"}
OTHER_NUDGE = "peer-reviewed study"


@dataclass(frozen=True, slots=True)
class Searched:
    """What one query brought; `provider` is who answered it."""

    hits: Sequence[Hit]
    provider: str | None = None


@dataclass(frozen=True, slots=True)
class Refined:
    query: str
    found: Searched | None = None
    error: WellsourcedError | None = None


SearchOnce: TypeAlias = Callable[[str, int], Awaitable[Searched]]


def refinement_queries(goal: str, gaps: Sequence[Gap], covered: Coverage) -> list[str]:
    """One for each open gap, one away from the site that dominates, one towards another type of source."""
    goal = " ".join(goal.split())
    found = [gap_query(goal, gap.description) for gap in gaps]
    if covered.dominant_domain:
        found.append(f"{_short(goal)} -site:{covered.dominant_domain}")
    if covered.only_type:
        found.append(f"{_short(goal)} {NUDGES.get(covered.only_type, OTHER_NUDGE)}")
    return list(dict.fromkeys(found))[:MOST_QUERIES]


def gap_query(goal: str, gap: str) -> str:
    """The goal, a short one as a phrase, with what the gap adds to it; a year in the gap becomes a date limit."""
    year = YEAR.search(gap)
    known = comparison_keys(goal)
    words = [word for word in YEAR.sub(" ", gap).split() if _adds(word, known)]
    if not words and not year:
        return f"{_short(goal)} latest"
    query = cut_at_word(" ".join((_phrase(goal), *words)), LONGEST_QUERY)
    return f"{query} after:{year[0]}" if year else query


async def run_queries(queries: Sequence[str], search: SearchOnce) -> list[Refined]:
    """The first few at once. A query that fails tells so and takes no other with it."""
    return list(await asyncio.gather(*(_run(query, search) for query in queries[:RUN_QUERIES])))


async def _run(query: str, search: SearchOnce) -> Refined:
    try:
        return Refined(query, await search(query, RESULTS_EACH))
    except WellsourcedError as error:
        return Refined(query, error=error)


def _adds(word: str, known: frozenset[str]) -> bool:
    return any(not term_keys(term) <= known for term in significant_terms(word))


def _phrase(goal: str) -> str:
    """Quoted when it is short enough to be found word for word; a long word may be a sentence without spaces."""
    words = _short(goal).replace('"', "").split()
    is_short = len(words) <= LONGEST_PHRASE_WORDS and all(len(word) <= LONGEST_WORD for word in words)
    return f'"{" ".join(words)}"' if is_short else " ".join(words)


def _short(goal: str) -> str:
    return cut_at_word(goal, LONGEST_QUERY // 2)
