"""How good a source is for a question: a weighted sum of relevance, freshness, authority and content quality.

Weights and bands are the contract's. Relevance counts whole words in any script, freshness needs a real date (an
unknown one is worth the middle), authority is the host's, and content quality looks at words, paragraphs and
sentences of any language. Advisory: nothing is hidden or re-ordered by it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import islice

from wellsourced.evidence.authority import score_authority
from wellsourced.evidence.quantities import plain_numbers
from wellsourced.evidence.reputation import ReputationTable
from wellsourced.pages.page import UNSPACED_CHARACTER, count_words
from wellsourced.text.moments import to_utc
from wellsourced.text.terms import comparison_keys, significant_terms, term_keys

# Weights of the contract; they add up to one.
RELEVANCE, FRESHNESS, AUTHORITY, CONTENT = 0.35, 0.20, 0.25, 0.20
IN_TITLE, IN_TEXT = 0.4, 0.6
NEUTRAL = 0.5
TEXT_LENGTH = 20_000
RELEVANCE_LENGTH = 6_000
QUERY_LENGTH = 2000
SAMPLE_LENGTH = 1000

AGES = ((timedelta(days=1), 1.0), (timedelta(days=7), 0.9), (timedelta(days=30), 0.7), (timedelta(days=365), 0.5))
OLDER = 0.3
# Time zones and clocks; a later date is a mistake and says nothing.
FUTURE_TOLERANCE = timedelta(days=1)

WORD_BANDS = ((500, 0.3), (200, 0.2), (50, 0.1))
MANY_WORDS = 6_000
"""Characters in which most texts have more words than are asked for."""
PARAGRAPHS, SENTENCES = 3, 5
SHORTEST_WORD, LONGEST_WORD = 2.5, 14.0
UNSPACED_WORD = 1.5

PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
SENTENCE_END = re.compile(r"[.!?…](?=[\s\"'”’»)\]]|$)|[。！？｡؟۔।॥։።။។]")
LINK_MARKS = ("](", "http://", "https://")


@dataclass(frozen=True, slots=True)
class QualityScore:
    overall: float
    relevance: float
    freshness: float
    authority: float
    content_quality: float


def score_quality(
    query: str,
    title: str,
    text: str,
    url: str,
    published: datetime | None,
    now: datetime,
    reputation: ReputationTable | None = None,
) -> QualityScore:
    parts = (
        score_relevance(query, title, text),
        score_freshness(published, now),
        score_authority(url, reputation),
        score_content(text),
    )
    weights = (RELEVANCE, FRESHNESS, AUTHORITY, CONTENT)
    overall = sum(part * weight for part, weight in zip(parts, weights, strict=True))
    return QualityScore(*(round(figure, 2) for figure in (overall, *parts)))


def score_relevance(query: str, title: str, text: str) -> float:
    """The share of the question's terms in title (0.4) and text (0.6); long terms count for more."""
    wanted = _wanted_terms(query[:QUERY_LENGTH])
    if not wanted:
        return NEUTRAL
    total = sum(len(term) for term in wanted)
    of_numbers = any(not term.isalpha() for term in wanted)
    return sum(
        weight * sum(len(term) for term, forms in wanted.items() if not forms.isdisjoint(present)) / total
        for weight, present in ((IN_TITLE, _keys(title, of_numbers)), (IN_TEXT, _keys(text, of_numbers)))
    )


@lru_cache(maxsize=16)
def _wanted_terms(query: str) -> dict[str, frozenset[str]]:
    """The terms of a question, which is put to several sources, with what each is compared by."""
    return {term: term_keys(term) for term in significant_terms(plain_numbers(query, every_reading=False))}


def score_freshness(published: datetime | None, now: datetime) -> float:
    if published is None:
        return NEUTRAL
    age = to_utc(now) - to_utc(published)
    if age < -FUTURE_TOLERANCE:
        return NEUTRAL
    return next((worth for limit, worth in AGES if age < limit), OLDER)


def score_content(text: str) -> float:
    """Length, paragraphs, words of a usual length, links to elsewhere, whole sentences."""
    text = text[:TEXT_LENGTH]
    words = count_words(text[:MANY_WORDS])
    words = words if words > WORD_BANDS[0][0] else count_words(text)
    worth = next((worth for least, worth in WORD_BANDS if words > least), 0.0)
    worth += 0.2 if _has_more(PARAGRAPH, text.strip(), PARAGRAPHS - 1) else 0.0
    worth += 0.2 if words and SHORTEST_WORD <= _word_length(text[:SAMPLE_LENGTH]) <= LONGEST_WORD else 0.0
    worth += 0.1 if any(mark in text for mark in LINK_MARKS) else 0.0
    worth += 0.2 if _has_more(SENTENCE_END, text, SENTENCES) else 0.0
    return min(1.0, worth)


def _has_more(pattern: re.Pattern[str], text: str, than: int) -> bool:
    """Looks no further than it must."""
    return next(islice(pattern.finditer(text), than, None), None) is not None


def _word_length(text: str) -> float:
    """Letters per word; a character of a script without spaces is reckoned as a usual word."""
    unspaced = len(UNSPACED_CHARACTER.findall(text))
    letters = sum(map(str.isalpha, text)) - unspaced
    return (letters + unspaced * 2 * UNSPACED_WORD) / max(1, count_words(text))


def _keys(text: str, of_numbers: bool) -> frozenset[str]:
    """By what a term is found; a page that says nothing of the question in its first part is hardly about it."""
    start = text[:RELEVANCE_LENGTH]
    return comparison_keys(plain_numbers(start) if of_numbers else start)
