"""The answer of search_and_scrape."""

from __future__ import annotations

from collections.abc import Sequence

from wellsourced.evidence.difference_part import DifferencePart
from wellsourced.evidence.standing import StandingPart
from wellsourced.search.result_components import Component, RecommendedSource
from wellsourced.text.budget import BYTES_PER_TOKEN, byte_length, size_category
from wellsourced.tool.base import OutputPart, ToolOutput
from wellsourced.tool.search_tool import Hints
from wellsourced.tool.sources import FoundSource, SourceEvidence, WorkDetails

NOTICES = {"retracted": "retraction", "concern": "expression_of_concern"}
"""What a session calls them."""


class Scores(OutputPart):
    overall: float
    relevance: float
    freshness: float
    authority: float
    content_quality: float


class KeySentence(OutputPart):
    """`key_sentence` is its place in `keySentences`, counted from 0, where `text` is left out to stand once."""

    text: str | None = None
    key_sentence: int | None = None
    start: int
    end: int
    link: str
    stance: str | None = None
    differences: list[DifferencePart] | None = None


class PassagePlace(OutputPart):
    """Where a passage of `content` stands: characters of the page as scrape_page counts them."""

    start: int
    end: int
    link: str


class SourceResult(OutputPart):
    url: str
    content: str
    content_type: str
    trust: str
    title: str | None = None
    author: str | None = None
    published_at: str | None = None
    scores: Scores | None = None
    source_type: str | None = None
    authority_tier: str | None = None
    domain_category: str | None = None
    claim_signal: str | None = None
    claim_coverage: str | None = None
    contrast_signal: bool | None = None
    differences: list[DifferencePart] | None = None
    quotation: str | None = None
    claim_note: str | None = None
    key_sentences: list[str] | None = None
    evidence: list[KeySentence] | None = None
    doi: str | None = None
    work: dict[str, str] | None = None
    same_text_as: str | None = None
    same_publisher_as: str | None = None
    standing: list[StandingPart] | None = None
    passages: list[PassagePlace] | None = None
    truncated: bool | None = None
    characters_left: int | None = None
    next_offset: int | None = None


class FoundHit(OutputPart):
    url: str
    title: str


class FoundPart(OutputPart):
    """What will be read, for whoever watches."""

    sources: list[FoundHit]


class FailureInfo(OutputPart):
    url: str
    kind: str
    reason: str
    retryable: bool
    suggested_action: str


class ScrapeSummary(OutputPart):
    urls_searched: int
    urls_scraped: int
    urls_failed: int
    processing_time_ms: int
    independent_sources: int


class SizeMetadata(OutputPart):
    total_length: int
    estimated_tokens: int
    size_category: str


class CitedWorkPart(OutputPart):
    """A work that several of the sources link to."""

    url: str
    cited_by: list[str]


class SearchAndScrapeOutput(ToolOutput):
    query: str
    status: str
    sources: list[SourceResult]
    combined_content: str
    trust: str
    summary: ScrapeSummary
    size_metadata: SizeMetadata
    scrape_failures: list[FailureInfo] | None = None
    primary_sources: list[CitedWorkPart] | None = None
    note: str | None = None
    more: str | None = None
    notes: list[str] | None = None
    filters_not_applied: list[str] | None = None
    recommendations: list[RecommendedSource] | None = None
    components: list[Component] | None = None
    hints: Hints | None = None

    @property
    def is_complete(self) -> bool:
        return self.status == "complete"

    def without_large_fields(self) -> ToolOutput:
        bare = [source.model_copy(update={"content": "", "passages": None}) for source in self.sources]
        return self.model_copy(update={"combined_content": "", "sources": bare})

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=s.url,
                title=s.title or "",
                type="scraped",
                author=s.author,
                date=s.published_at,
                doi=s.doi,
                work=WorkDetails(**(s.work or {})),
                retraction=next((NOTICES[each.kind] for each in s.standing or () if each.kind in NOTICES), None),
                standing=tuple(each.note for each in s.standing or () if each.kind not in NOTICES),
                evidence=tuple(recorded_evidence(near, s.key_sentences or []) for near in s.evidence or ()),
            )
            for s in self.sources
        ]


def recorded_evidence(near: KeySentence, listed: Sequence[str]) -> SourceEvidence:
    quote = near.text or (listed[near.key_sentence] if near.key_sentence is not None else "")
    differs = "; ".join(f"{each.kind}: “{each.claim}” / “{each.source}”" for each in near.differences or ())
    return SourceEvidence(quote=quote, link=near.link, stance=near.stance or "", differs=differs)


def measure_size(combined: str, sources: Sequence[SourceResult]) -> SizeMetadata:
    """The size of the text in the answer."""
    length = byte_length(combined) or sum(byte_length(each.content) for each in sources)
    return SizeMetadata(
        total_length=length, estimated_tokens=length // BYTES_PER_TOKEN, size_category=size_category(length)
    )
