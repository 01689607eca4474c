"""What can be said of each source that was read: how good, of what kind, how near to a claim, whether a copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from wellsourced.research.pages.gathering import Gathered
from wellsourced.text.dates import published_at
from wellsourced.text.evidence.claims import Evidence, evidence
from wellsourced.text.evidence.classify import Classification, classify
from wellsourced.text.evidence.dedupe import Deduplicated, Text, deduplicate
from wellsourced.text.evidence.quality import QualityScore, score
from wellsourced.text.reputation import Reputation

LEAST_RELEVANCE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """`content` is what is left of the source once what others say in the same words is taken out."""

    gathered: Gathered
    scores: QualityScore
    kind: Classification
    evidence: Evidence | None
    content: str
    same_text_as: str | None = None
    same_publisher_as: str | None = None

    @property
    def is_independent(self) -> bool:
        return self.same_text_as is None and self.same_publisher_as is None


def judge_sources(
    read: Sequence[Gathered],
    query: str,
    *,
    claim: str | None,
    reputation: Reputation,
    without_repeats: bool,
    relevant_only: bool,
) -> list[Judged]:
    """Best first. Copies are found among what is kept, so that the best copy is the one that keeps its text."""
    scored = sorted(((quality_of(each, query, reputation), each) for each in read), key=lambda pair: -pair[0].overall)
    kept = [(scores, each) for scores, each in scored if not relevant_only or scores.relevance >= LEAST_RELEVANCE]
    marks = deduplicate([Text(each.reading.page.url, each.reading.page.markdown) for _, each in kept])
    return [
        judged(each, scores, mark, claim, reputation, without_repeats)
        for (scores, each), mark in zip(kept, marks, strict=True)
    ]


def quality_of(each: Gathered, query: str, reputation: Reputation) -> QualityScore:
    page, now = each.reading.page, datetime.now(UTC)
    published = published_at(page.date, now) or each.hit.published_at
    title = page.title or each.hit.title
    return score(query, title, page.plain or page.markdown, page.url, published, now, reputation)


def judged(
    each: Gathered,
    scores: QualityScore,
    mark: Deduplicated,
    claim: str | None,
    reputation: Reputation,
    without_repeats: bool,
) -> Judged:
    page = each.reading.page
    return Judged(
        gathered=each,
        scores=scores,
        kind=classify(page.url, page.structured, reputation=reputation),
        evidence=evidence(claim, page.plain or page.markdown) if claim else None,
        content=mark.content if without_repeats else page.markdown,
        same_text_as=mark.same_text_as,
        same_publisher_as=mark.same_publisher_as,
    )
