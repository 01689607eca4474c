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
# Engines find most with few words: a whole sentence finds pages that look like the question.
LONGEST_QUERY = 120
SUBJECT_WORDS, GAP_WORDS, MOST_WORDS = 5, 7, 10
PUNCTUATION = "\"'“”‘’.,;:!?()[]…"
ASKING_WORDS = (
    "find out determine establish check whether understand learn know look research investigate compare explain"
    " missing unclear unknown need needs still more since information data evidence source sources about regarding"
    " latest recent"
)
ASKING = frozenset(ASKING_WORDS.split())
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
    subject = key_words(goal, SUBJECT_WORDS)
    found = [gap_query(subject, gap.description) for gap in gaps]
    if covered.dominant_domain:
        found.append(f"{subject} -site:{covered.dominant_domain}")
    if covered.only_type:
        found.append(f"{subject} {NUDGES.get(covered.only_type, OTHER_NUDGE)}")
    return list(dict.fromkeys(found))[:MOST_QUERIES]


def gap_query(subject: str, gap: str) -> str:
    """What is missing, in a few words, about the subject of the research; a year in the gap becomes a date limit."""
    year = YEAR.search(gap)
    missing = key_words(YEAR.sub(" ", gap), GAP_WORDS)
    known = comparison_keys(missing)
    about = [word for word in subject.split() if _adds(word, known)]
    query = cut_at_word(" ".join((*about[: MOST_WORDS - len(missing.split())], missing)).strip(), LONGEST_QUERY)
    return f"{query} after:{year[0]}" if year else query


def key_words(text: str, most: int) -> str:
    """The words that carry a text, in their order and each once, without those that only ask."""
    words = [word.strip(PUNCTUATION) for word in text.split()]
    telling = [word for word in words if word.casefold() not in ASKING and significant_terms(word)]
    return cut_at_word(" ".join(list(dict.fromkeys(telling or words))[:most]), LONGEST_QUERY // 2)


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
