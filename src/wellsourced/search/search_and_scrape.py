"""search_and_scrape: from a question to ranked, de-duplicated, quotable sources in one call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from wellsourced.evidence.difference_part import DifferencePart, difference_parts
from wellsourced.search.result_components import Component, RecommendedSource, make_components, recommend_sources
from wellsourced.search.source_assessment import RankedSource, SourceQuestion, rank_sources
from wellsourced.search.source_reader import FailedSource, SearchedSources
from wellsourced.text.budget import byte_length, estimate_tokens, size_category, truncate_text
from wellsourced.text.text_fragments import passage_link
from wellsourced.tool.answer import encode_json
from wellsourced.tool.arguments import Query, SessionId
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import Hints, make_routed_hints
from wellsourced.tool.sources import FoundSource, SourceEvidence
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import WebQuery

if TYPE_CHECKING:
    from wellsourced.app.services import Features
    from wellsourced.evidence.reputation import ReputationTable
    from wellsourced.library.library import Library
    from wellsourced.search.source_reader import SourceReader
    from wellsourced.upstream_client.provider_choice import ProviderChoice

BYTES_PER_TOKEN = 4
SHRINKING = (0.98, 0.95, 0.9, 0.8, 0.5, 0.0)
RULE = "\n\n---\n\n"


class SearchAndScrapeInput(ToolInput):
    query: Query
    num_results: int = Field(3, ge=1, le=10, description="Sources to read.")
    include_sources: bool = Field(True, description="Each source's text too.")
    deduplicate: bool = Field(True, description="Shared paragraphs once.")
    max_length_per_source: int = Field(50000, ge=1, description="Bytes per source.")
    total_max_length: int = Field(300000, ge=1, description="Bytes of the combined text.")
    max_tokens: int | None = Field(None, ge=200, description="Most tokens in all.")
    filter_by_query: bool = Field(False, description="Drop sources off the query.")
    provider: str | None = Field(None, description="Search engine.")
    inline: bool = Field(False, description="No resource link.")
    session_id: SessionId = None
    claim: str | None = Field(None, description="Adds each source's sentences nearest to it.")

    @property
    def is_personal(self) -> bool:
        """What is read goes into the reader's own library, which an answer kept for another would pass by."""
        return True


class Scores(OutputPart):
    overall: float
    relevance: float
    freshness: float
    authority: float
    content_quality: float


class KeySentence(OutputPart):
    text: str
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
    key_sentences: list[str] | None = None
    evidence: list[KeySentence] | None = None
    same_text_as: str | None = None
    same_publisher_as: str | None = None
    truncated: bool | None = None


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


class SearchAndScrapeOutput(ToolOutput):
    query: str
    status: str
    sources: list[SourceResult]
    combined_content: str
    trust: str
    summary: ScrapeSummary
    size_metadata: SizeMetadata
    scrape_failures: list[FailureInfo] | None = None
    note: str | None = None
    notes: list[str] | None = None
    filters_not_applied: list[str] | None = None
    recommendations: list[RecommendedSource] | None = None
    components: list[Component] | None = None
    hints: Hints | None = None

    def without_large_fields(self) -> ToolOutput:
        bare = [source.model_copy(update={"content": ""}) for source in self.sources]
        return self.model_copy(update={"combined_content": "", "sources": bare})

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=s.url,
                title=s.title or "",
                type="scraped",
                author=s.author,
                date=s.published_at,
                evidence=tuple(SourceEvidence(quote=near.text, link=near.link) for near in s.evidence or ()),
            )
            for s in self.sources
        ]


async def run(
    input: SearchAndScrapeInput,
    call: Call,
    source_reader: SourceReader,
    reputation: ReputationTable,
    library: Library,
    features: Features,
    providers: ProviderChoice,
) -> SearchAndScrapeOutput:
    searched = await source_reader.search_and_read(
        WebQuery(text=input.query, count=input.num_results),
        SourceQuestion(input.query, input.claim, reputation),
        provider=input.provider,
        trace=call.trace,
        tenant=call.identity.tenant,
        deadline=call.deadline,
        progress=call.progress,
    )
    call.not_kept = await library.remember(call.identity, *(each.reading for each in searched.read))
    ranked = await asyncio.to_thread(
        rank_sources, searched.read, drop_repeats=input.deduplicate, relevant_only=input.filter_by_query
    )
    output = compose(input, call, searched, ranked, features)
    if not searched.results.items:
        output = output.model_copy(update={"hints": make_routed_hints(call, providers, Kind.WEB, {})})
    fit = fit_to_size(output, input.max_tokens * BYTES_PER_TOKEN) if input.max_tokens else output
    return fit.model_copy(update={"size_metadata": measure_size(fit.combined_content, fit.sources)})


def compose(
    input: SearchAndScrapeInput,
    call: Call,
    searched: SearchedSources,
    ranked: Sequence[RankedSource],
    features: Features,
) -> SearchAndScrapeOutput:
    """With a token budget no text appears twice: it stands with its source, or combined where sources are left out."""
    sources = [source_result(each, input) for each in ranked]
    twice = input.include_sources and input.max_tokens is None
    combined = join_texts(sources, input.deduplicate) if twice or not input.include_sources else ""
    combined, _ = truncate_text(combined, max_bytes=input.total_max_length)
    listed = sources if input.include_sources else [each.model_copy(update={"content": ""}) for each in sources]
    return SearchAndScrapeOutput(
        query=input.query,
        status=scrape_status(searched),
        sources=listed,
        combined_content=combined,
        trust=UNTRUSTED,
        summary=ScrapeSummary(
            urls_searched=len(searched.results.items),
            urls_scraped=len(searched.read),
            urls_failed=len(searched.failed),
            processing_time_ms=call.latency_ms,
            independent_sources=sum(each.is_independent for each in ranked),
        ),
        size_metadata=measure_size(combined, listed),
        scrape_failures=[failure_info(each) for each in searched.failed] or None,
        note=scrape_note(searched),
        notes=list(searched.results.notes) or None,
        filters_not_applied=list(searched.results.filters_not_applied) or None,
        recommendations=(recommend_sources(ranked) or None) if features.recommendations else None,
        components=make_components(ranked) if features.components and ranked else None,
    )


def measure_size(combined: str, sources: Sequence[SourceResult]) -> SizeMetadata:
    """The size of the text in the answer."""
    total = combined or "".join(each.content for each in sources)
    return SizeMetadata(
        total_length=byte_length(total), estimated_tokens=estimate_tokens(total), size_category=size_category(total)
    )


def join_texts(sources: Sequence[SourceResult], once: bool) -> str:
    """All texts in one; a copy of another source's text is left out where repeats are."""
    return RULE.join(each.content for each in sources if each.content and not (once and each.same_text_as))


def source_result(each: RankedSource, input: SearchAndScrapeInput) -> SourceResult:
    page = each.source.reading.page
    content, cut = truncate_text(each.content, max_bytes=input.max_length_per_source)
    return SourceResult(
        url=page.url,
        title=page.title or each.source.hit.title or None,
        author=page.author or None,
        published_at=page.date or None,
        content=content,
        content_type=page.content_type,
        trust=UNTRUSTED,
        scores=Scores(**{name: getattr(each.scores, name) for name in Scores.model_fields}),
        source_type=each.source.kind.source_type,
        authority_tier=each.source.kind.authority_tier,
        domain_category=each.source.kind.domain_category,
        same_text_as=each.same_text_as,
        same_publisher_as=each.same_publisher_as,
        truncated=cut or None,
        **claim_fields(each),
    )


def claim_fields(each: RankedSource) -> dict[str, Any]:
    """What the source says near the claim, word for word, with a link to each place."""
    evidence, page = each.source.evidence, each.source.reading.page
    if evidence is None:
        return {}
    text = page.plain or page.markdown
    near = [found.sentence for found in evidence.key_sentences]
    return {
        "claim_signal": evidence.signal,
        "claim_coverage": evidence.coverage,
        "contrast_signal": evidence.contrast,
        "differences": difference_parts(evidence.differences),
        "quotation": evidence.quotation.status if evidence.quotation else None,
        "key_sentences": [sentence.text for sentence in near],
        "evidence": [
            KeySentence(
                text=sentence.text,
                start=sentence.start,
                end=sentence.end,
                link=passage_link(page.url, text, sentence.start, sentence.end),
            )
            for sentence in near
        ],
    }


def failure_info(failed: FailedSource) -> FailureInfo:
    return FailureInfo(
        url=failed.hit.url,
        kind=failed.error.kind,
        reason=failed.error.sentence,
        retryable=failed.error.retryable,
        suggested_action=failed.error.action,
    )


def scrape_status(searched: SearchedSources) -> str:
    if searched.results.items and not searched.read:
        return "failed"
    return "partial" if searched.failed or not searched.is_complete else "complete"


def scrape_note(searched: SearchedSources) -> str | None:
    if searched.results.items and not searched.read:
        return "Sources were found, but none could be read; scrapeFailures says why. Try another query or provider."
    return None if searched.is_complete else "The time was up before every source was read; ask again for the rest."


def fit_to_size(output: SearchAndScrapeOutput, limit: int) -> SearchAndScrapeOutput:
    """The same answer within so many bytes: texts shrink alike until it fits; what is said of them stays."""
    for share in SHRINKING:
        size = len(output.to_json())
        if size <= limit:
            return output
        output = shrink_texts(output, max(0.0, share * (1 - (size - limit) / max(1, text_bytes(output)))))
    return without_text(output, limit)


def text_bytes(output: SearchAndScrapeOutput) -> int:
    """What the texts take up in the answer's JSON."""
    texts = [output.combined_content, *(each.content for each in output.sources)]
    return sum(len(encode_json(text)) for text in texts)


def shrink_texts(output: SearchAndScrapeOutput, share: float) -> SearchAndScrapeOutput:
    def smaller(text: str) -> str:
        return truncate_text(text, max_bytes=int(byte_length(text) * share))[0]

    sources = [each.model_copy(update={"content": smaller(each.content), "truncated": True}) for each in output.sources]
    return output.model_copy(update={"combined_content": smaller(output.combined_content), "sources": sources})


def without_text(output: SearchAndScrapeOutput, limit: int) -> SearchAndScrapeOutput:
    """Not even what is said of the sources fits: the last ones go, then everything that is not required."""
    bare = output.model_copy(
        update={"combined_content": "", "recommendations": None, "components": None, "notes": None, "hints": None}
    )
    sources = [
        SourceResult(url=each.url, content="", content_type=each.content_type, trust=each.trust, truncated=True)
        for each in output.sources
    ]
    while len((bare := bare.model_copy(update={"sources": sources})).to_json()) > limit and sources:
        sources = sources[:-1]
    return bare if len(bare.to_json()) <= limit else bare.model_copy(update={"scrape_failures": None})


TOOL = Tool(
    name="search_and_scrape",
    title="Search and read",
    description=(
        "Search and read the hits in one call: ranked, scored sources, repeated text once, copies marked. With "
        "claim, each source's nearest sentences: evidence, no verdict."
    ),
    input=SearchAndScrapeInput,
    output=SearchAndScrapeOutput,
    run=run,
    toolset="core",
    order=30,
    label="search",
    links_large_answers=True,
    routed=True,
)
