"""What may be shown beside the sources of an answer: the best of them, cards and a table, parts from what it holds."""

from __future__ import annotations

from collections.abc import Sequence

from wellsourced.evidence.source_quality import QualityScore
from wellsourced.search.source_assessment import RankedSource
from wellsourced.text.sentences import cut_text
from wellsourced.tool.base import OutputPart

RECOMMENDED = 0.6
MOST_RECOMMENDED = 3
CARD_SNIPPET = 200
REASONS = {
    "authority": "high authority",
    "relevance": "strong relevance",
    "freshness": "recent",
    "content_quality": "substantial content",
}


class RecommendedSource(OutputPart):
    url: str
    title: str | None = None
    score: float
    reason: str


class Card(OutputPart):
    title: str
    url: str
    snippet: str


class Table(OutputPart):
    columns: list[str]
    rows: list[list[str | float]]


class Component(OutputPart):
    type: str
    auto_formatted: bool = True
    label: str = "mcp-auto-formatted"
    title: str | None = None
    source_refs: list[str]
    card: Card | None = None
    table: Table | None = None


def recommend_sources(ranked: Sequence[RankedSource]) -> list[RecommendedSource]:
    """Advisory: the best of what is already there, and why. The order of the sources does not change."""
    good = [each for each in ranked if each.spans and each.scores.overall >= RECOMMENDED]
    return [
        RecommendedSource(
            url=each.source.reading.page.url,
            title=each.source.reading.page.title or None,
            score=each.scores.overall,
            reason=f"{strongest_reason(each.scores)} (content-based; advisory only)",
        )
        for each in good[:MOST_RECOMMENDED]
    ]


def strongest_reason(scores: QualityScore) -> str:
    return REASONS[max(REASONS, key=lambda name: float(getattr(scores, name)))]


def make_components(ranked: Sequence[RankedSource]) -> list[Component]:
    """Cards and a table for clients that show such things; parts from what is in the answer already."""
    parts = [source_card(each) for each in ranked]
    if len(ranked) > 1:
        columns = ["source", "overall", "authority", "relevance", "freshness"]
        rows: list[list[str | float]] = [
            [each.source.reading.page.url, *(getattr(each.scores, name) for name in columns[1:])] for each in ranked
        ]
        urls = [each.source.reading.page.url for each in ranked]
        parts.append(Component(type="table", source_refs=urls, table=Table(columns=columns, rows=rows)))
    return parts


def source_card(each: RankedSource) -> Component:
    page = each.source.reading.page
    snippet = cut_text(page.plain or page.markdown, CARD_SNIPPET)
    title = page.title or each.source.hit.title
    return Component(type="card", source_refs=[page.url], card=Card(title=title, url=page.url, snippet=snippet))
