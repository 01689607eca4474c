"""search_and_scrape: from a question to ranked, de-duplicated, quotable sources in one call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.evidence.standing import Standing
from wellsourced.pages.work_details import own_doi
from wellsourced.search.ranked_answer import source_result, write_answer
from wellsourced.search.scrape_output import (
    FailureInfo,
    FoundHit,
    FoundPart,
    ScrapeSummary,
    SearchAndScrapeOutput,
    measure_size,
)
from wellsourced.search.source_assessment import RankedSource, ReadSource, SourceQuestion, order_sources, whole_question
from wellsourced.search.source_reader import FailedSource, SearchedSources
from wellsourced.text.budget import BYTES_PER_TOKEN
from wellsourced.tool.arguments import Query, SessionId
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput
from wellsourced.tool.call import Call, no_parts
from wellsourced.tool.search_tool import make_routed_hints
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Hit, WebQuery

if TYPE_CHECKING:
    from wellsourced.app.services import Features
    from wellsourced.evidence.reputation import ReputationTable
    from wellsourced.library.library import Library
    from wellsourced.scholarly.papers import Papers
    from wellsourced.search.source_reader import SourceReader
    from wellsourced.upstream_client.provider_choice import ProviderChoice

DEFAULT_TOKENS = 6_000
NO_LIMIT = 1 << 40
SMALLEST_WITH_LINK = 8_000
INTEGRITY_SECONDS = 5.0
# The search and the pages are kept longer; this spares weighing the same pages for the same question again.
ANSWER_SECONDS = 600.0
HOW_TO_READ_ON = (
    "Sources marked truncated are excerpts, […] where something is left out. To read on: scrape_page with the url and "
    "offset=nextOffset (or a passage's end), or a larger max_tokens here."
)


class SearchAndScrapeInput(ToolInput):
    # A link beside the text takes room in it, so an answer without one is another.
    unkeyed = frozenset({"session_id"})

    query: Query
    num_results: int = Field(3, ge=1, le=10, description="Sources to read.")
    include_sources: bool = Field(True, description="Each source's text too.")
    deduplicate: bool = Field(True, description="Shared paragraphs once.")
    max_length_per_source: int = Field(50000, ge=1, description="Most bytes per source.")
    total_max_length: int = Field(300000, ge=1, description="Most bytes of combinedContent; given, it is filled.")
    max_tokens: int | None = Field(
        None, ge=200, description="Most tokens of the answer; 6000 unless a length is given."
    )
    filter_by_query: bool = Field(False, description="Drop sources off the query.")
    provider: str | None = Field(None, description="Search engine.")
    inline: bool = Field(False, description="No resource link.")
    links_only: bool = Field(False, description="A link instead of text.")
    session_id: SessionId = None
    claim: str | None = Field(None, description="Adds each source's sentences nearest to it.")
    quote: str | None = Field(None, max_length=2000, description="Words to find.")

    @property
    def is_personal(self) -> bool:
        """What is read goes into the reader's own library, which an answer kept for another would pass by."""
        return True

    @property
    def may_be_shortened(self) -> bool:
        """It keeps to its own size."""
        return False

    @property
    def answer_bytes(self) -> int:
        """The most bytes of the whole answer: a length that was given takes the place of the usual budget."""
        if self.max_tokens is None and self.model_fields_set & {"max_length_per_source", "total_max_length"}:
            return NO_LIMIT
        return (self.max_tokens or DEFAULT_TOKENS) * BYTES_PER_TOKEN

    @property
    def may_have_link(self) -> bool:
        """A small answer has better use for its room than a link to the whole."""
        return not self.inline and self.answer_bytes >= SMALLEST_WITH_LINK

    @property
    def wants_combined(self) -> bool:
        """Whether the texts are wanted in one: asked for, or where they stand nowhere else."""
        asked = "total_max_length" in self.model_fields_set and self.max_tokens is None
        return asked or not self.include_sources

    @property
    def question(self) -> str:
        return whole_question(self.claim, self.quote, self.query)


async def run(
    input: SearchAndScrapeInput,
    call: Call,
    source_reader: SourceReader,
    reputation: ReputationTable,
    library: Library,
    features: Features,
    providers: ProviderChoice,
    get_papers: Callable[[], Papers],
) -> SearchAndScrapeOutput:
    searched = await source_reader.search_and_read(
        WebQuery(text=input.query, count=input.num_results),
        SourceQuestion(input.query, input.claim, reputation, input.quote),
        provider=input.provider,
        trace=call.trace,
        tenant=call.identity.tenant,
        deadline=call.deadline,
        progress=call.progress,
        on_found=lambda hits: call.on_part("found", found_part(hits)),
        on_read=lambda outcome: hand_over(outcome, call),
    )
    sources = order_sources(searched.read, relevant_only=input.filter_by_query)
    notices = await asyncio.gather(*(find_notice(each, call, get_papers) for each in sources))
    frame = compose(input, call, searched, bool(sources))
    if not searched.results.items:
        frame = frame.model_copy(update={"hints": make_routed_hints(call, providers, Kind.WEB, {})})
    extras = (features.recommendations, features.components)
    call.not_kept, (output, call.whole) = await asyncio.gather(
        library.remember(call.identity, *(each.reading for each in searched.read)),
        source_reader.workers.run(write_answer, frame, sources, notices, input, *extras),
    )
    return output


def found_part(hits: Sequence[Hit]) -> FoundPart:
    return FoundPart(sources=[FoundHit(url=hit.url, title=hit.title) for hit in hits])


def hand_over(outcome: ReadSource | FailedSource, call: Call) -> None:
    """Tell whoever watches of one source, before it is known how it stands beside the others."""
    if call.on_part is no_parts:
        return
    if isinstance(outcome, FailedSource):
        call.on_part("failure", failure_info(outcome))
    else:
        call.on_part("source", source_result(RankedSource(source=outcome, spans=())))


def compose(
    input: SearchAndScrapeInput, call: Call, searched: SearchedSources, has_sources: bool
) -> SearchAndScrapeOutput:
    """The answer without its sources."""
    return SearchAndScrapeOutput(
        query=input.query,
        status=scrape_status(searched),
        sources=[],
        combined_content="",
        trust=UNTRUSTED,
        summary=ScrapeSummary(
            urls_searched=len(searched.results.items),
            urls_scraped=len(searched.read),
            urls_failed=len(searched.failed),
            processing_time_ms=call.latency_ms,
            independent_sources=0,
        ),
        size_metadata=measure_size("", ()),
        scrape_failures=[failure_info(each) for each in searched.failed] or None,
        note=scrape_note(searched),
        more=HOW_TO_READ_ON if has_sources else None,
        notes=list(searched.results.notes) or None,
        filters_not_applied=list(searched.results.filters_not_applied) or None,
    )


async def find_notice(each: ReadSource, call: Call, get_papers: Callable[[], Papers]) -> Standing | None:
    """What was published against a work, as far as somebody could tell in time."""
    doi = own_doi(each.reading.page) if each.kind.source_type == "peer_reviewed" else None
    if not doi:
        return None
    until = min(call.deadline, time.monotonic() + INTEGRITY_SECONDS)
    notice = (await get_papers().doi_services.find_notice(doi, until)).value
    if notice is None or notice.kind == "correction":
        return None
    words = "Retracted" if notice.retracted else "There is an expression of concern"
    when = f" on {notice.date}" if notice.date else ""
    about = f"https://doi.org/{notice.notice_doi}" if notice.notice_doi else None
    return Standing("retracted" if notice.retracted else "concern", f"{words}{when}, says {notice.source}.", about)


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


TOOL = Tool(
    name="search_and_scrape",
    title="Search and read",
    description=(
        "Search and read the hits in one call: ranked, scored sources with their passages on the query, repeated text "
        "once, copies marked. With claim, each source's nearest sentences: evidence, no verdict."
    ),
    input=SearchAndScrapeInput,
    output=SearchAndScrapeOutput,
    run=run,
    toolset="core",
    order=30,
    label="search",
    links_large_answers=True,
    keeps_whole=True,
    cache=ANSWER_SECONDS,
    routed=True,
)
