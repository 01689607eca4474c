"""scrape_page: read one page or document."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from wellsourced.evidence.page_quotation import QuotationPart, locate_quotation, quotation_part
from wellsourced.evidence.source_type import classify_source
from wellsourced.pages.artifact_page import is_own_address, open_artifact
from wellsourced.pages.attempts import Reading
from wellsourced.pages.excerpt import Excerpt, take_excerpt
from wellsourced.pages.page import Page, declared_doi
from wellsourced.pages.page_parts import (
    ForumSignalsPart,
    HeadingPart,
    PageCitation,
    PageMetadata,
    StructuredDataPart,
    citation_part,
    left_out_note,
    metadata_part,
    outline_part,
    structured_fields,
)
from wellsourced.pages.sections import Heading, outline_headings
from wellsourced.pages.work_details import work_from_tags
from wellsourced.sandbox.pool import beside_loop
from wellsourced.scholarly.retraction_output import RetractionStatus, retraction_status
from wellsourced.text.budget import BYTES_PER_TOKEN, byte_length, size_category
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import LARGE_TEXT, UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call, KeptPage
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wellsourced.evidence.reputation import ReputationTable
    from wellsourced.http_exchange import Reply
    from wellsourced.library.library import Library
    from wellsourced.pages.reader import Reader
    from wellsourced.projects.projects import ProjectReading, Projects
    from wellsourced.sandbox.pool import WorkerPool
    from wellsourced.scholarly.papers import Papers
    from wellsourced.storage.artifacts import Artifacts

PEER_REVIEWED = "peer_reviewed"
PREVIEW_BYTES = 5000
MOST_BYTES = 5_000_000
INTEGRITY_SECONDS = 5.0
DEFAULT_TOKENS = 6_000


class ScrapePageInput(ToolInput):
    url: str = Field(min_length=1, description="Address; research:// too.")
    mode: Literal["full", "preview", "raw"] = Field("full", description="preview: first 5,000 bytes; raw: as served.")
    max_length: int = Field(50000, ge=1, le=MOST_BYTES, description="Most bytes.")
    max_tokens: int | None = Field(None, ge=1, description="Most tokens; 6000 unless a length is given.")
    query: str | None = Field(None, description="Only the passages on this, best first.")
    quote: str | None = Field(None, max_length=2000, description="Words to find in it.")
    section: str | None = Field(None, description="That section alone: title, Item 1A, para 12, pages 3-5.")
    offset: int = Field(0, ge=0, description="Start at this character (nextOffset).")
    outline: bool = Field(False, description="Add headings with offsets.")
    inline: bool = Field(False, description="No resource link.")
    links_only: bool = Field(False, description="A link instead of text.")
    anonymous: bool = Field(False, description="Always so.")
    project: str | None = Field(None, description="Capture it for this project; @name reads the capture.")
    session_id: SessionId = None

    @field_validator("max_length", mode="before")
    @classmethod
    def capped(cls, value: object) -> object:
        """Whoever asks for more than there can be wants all there is."""
        return min(value, MOST_BYTES) if isinstance(value, int) else value

    @model_validator(mode="before")
    @classmethod
    def with_usual_budget(cls, given: object) -> object:
        """The usual budget holds where no length was given; as an argument, so that it is part of the cache's key."""
        if not isinstance(given, dict) or given.keys() & {"max_length", "max_tokens"} or given.get("mode") == "raw":
            return given
        return {**given, "max_tokens": DEFAULT_TOKENS}

    @property
    def is_personal(self) -> bool:
        """What is read goes into the reader's own library, which an answer kept for another would pass by."""
        return True

    @property
    def may_be_shortened(self) -> bool:
        """Clean text is bounded by what was asked for, and offset reads on."""
        return self.mode == "raw"


class PassagePart(OutputPart):
    text: str
    link: str


class ProjectCapturePart(OutputPart):
    """What a project keeps of the page; `receipt` is that of the quotation."""

    project: str
    capture: int
    captured_at: str
    digest: str
    receipt: int | None = None


class ScrapePageOutput(ToolOutput):
    url: str
    content: str
    content_type: str
    trust: str
    content_length: int
    truncated: bool
    estimated_tokens: int
    size_category: str
    citation: PageCitation
    source_type: str
    authority_tier: str
    domain_category: str
    final_url: str | None = None
    raw: bool | None = None
    extracted_by: str | None = None
    extraction_quality: str | None = None
    metadata: PageMetadata | None = None
    structured_data: StructuredDataPart | None = None
    forum_signals: ForumSignalsPart | None = None
    detected_doi: str | None = None
    retraction_status: RetractionStatus | None = None
    quotation: QuotationPart | None = None
    word_count: int | None = None
    pages: int | None = None
    outline: list[HeadingPart] | None = None
    passages: list[PassagePart] | None = None
    next_offset: int | None = None
    hidden_removed: int | None = None
    refused_requests: list[str] | None = None
    project_capture: ProjectCapturePart | None = None
    notes: list[str] | None = None

    long_text: ClassVar[str] = "content"

    def link_summary(self) -> str:
        return f"{self.content_length} bytes of {self.content_type or 'unknown type'} from {self.url}"

    def found_sources(self) -> list[FoundSource]:
        if is_own_address(self.url):
            return []
        cited = self.citation.metadata
        return [
            FoundSource(
                url=self.final_url or self.url,
                title=cited.title,
                type="scraped",
                author=cited.author or None,
                date=cited.date or None,
                doi=self.detected_doi,
                work=work_from_tags((self.structured_data and self.structured_data.citation) or {}, cited.site),
                retraction=self.retraction_status.kind if self.retraction_status else None,
            )
        ]


async def run(
    input: ScrapePageInput,
    call: Call,
    reader: Reader,
    library: Library,
    reputation: ReputationTable,
    get_papers: Callable[[], Papers],
    artifacts: Artifacts,
    get_projects: Callable[[], Projects],
) -> ScrapePageOutput:
    if is_own_address(input.url):
        page = await open_artifact(artifacts, input.url, call.identity.owner)
        return await describe_page(input, Reading(page=page), reader.workers, reputation)
    if input.mode == "raw":
        return await read_raw(input, call, reader, reputation)
    kept = await read_for_project(input, call, get_projects()) if input.project else None
    reading = (
        kept.reading if kept else await reader.read(input.url, tenant=call.identity.tenant, deadline=call.deadline)
    )
    if found := reading.found:
        call.made_of = KeptPage(found.age, found.ttl, found.is_of(call.identity.owner))
    call.keeps_answer = bool(found or not reading.is_kept or is_sought_in(input))
    # Described while the library takes it.
    call.not_kept, answer = await asyncio.gather(
        library.remember(call.identity, reading), describe_page(input, reading, reader.workers, reputation)
    )
    if kept:
        answer = answer.model_copy(update={"project_capture": capture_part(kept)})
    if answer.source_type == PEER_REVIEWED and (doi := declared_doi(reading.page)):
        answer = answer.model_copy(
            update={"detected_doi": doi, "retraction_status": await find_retraction(doi, call, get_papers())}
        )
    return answer


def is_sought_in(input: ScrapePageInput) -> bool:
    """Whether the answer takes longer than cutting the page."""
    return bool(input.query or input.section or input.quote or input.outline)


async def read_for_project(input: ScrapePageInput, call: Call, projects: Projects) -> ProjectReading:
    """The page as it is now, captured; or, where the name has an @ before it, as it was captured."""
    return await projects.read_page(
        call.identity,
        input.project or "",
        input.url,
        deadline=call.deadline,
        quote=input.quote or "",
        session_id=input.session_id or None,
    )


def capture_part(kept: ProjectReading) -> ProjectCapturePart | None:
    if kept.capture is None:
        return None
    about = kept.capture
    return ProjectCapturePart(
        project=kept.name,
        capture=about.capture,
        captured_at=about.captured_at,
        digest=about.digest,
        receipt=kept.receipt,
    )


async def describe_page(
    input: ScrapePageInput, reading: Reading, workers: WorkerPool, reputation: ReputationTable
) -> ScrapePageOutput:
    """The part of the page that was asked for, with what is known of the page."""
    page = reading.page
    # Passages on a query stand twice: as content, and each with its link.
    limit = max(1, byte_limit(input) // 2) if input.query and input.max_tokens else byte_limit(input)
    if input.query or input.section:
        part = await workers.run(take_excerpt, page, limit, input.offset, input.section, input.query)
    else:  # no more than cutting
        part = await beside_loop(len(page.markdown), take_excerpt, page, limit, input.offset)
    outline = await workers.run(outline_headings, page.markdown) if input.outline else None
    if len(part.text) <= LARGE_TEXT:
        output = build_output(input, reading, part, outline, reputation)
    else:
        output = await asyncio.to_thread(build_output, input, reading, part, outline, reputation)
    if not input.quote:
        return output
    found = await workers.run(locate_quotation, input.quote, page)
    return output.model_copy(update={"quotation": quotation_part(found)})


def byte_limit(input: ScrapePageInput) -> int:
    """The most bytes of content that were asked for."""
    most = PREVIEW_BYTES if input.mode == "preview" else input.max_length
    return min(most, input.max_tokens * BYTES_PER_TOKEN) if input.max_tokens else most


async def read_raw(input: ScrapePageInput, call: Call, reader: Reader, reputation: ReputationTable) -> ScrapePageOutput:
    reply = await reader.raw(
        input.url, max_bytes=byte_limit(input), tenant=call.identity.tenant, deadline=call.deadline
    )
    return await asyncio.to_thread(describe_raw, input, reply, await reader.decoded(reply), reputation)


def describe_raw(input: ScrapePageInput, reply: Reply, content: str, reputation: ReputationTable) -> ScrapePageOutput:
    page = Page(url=reply.url, markdown="", content_type=reply.headers.get("content-type", ""))
    return ScrapePageOutput(
        **content_fields(content, page),
        **source_fields(page, reputation),
        url=input.url,
        final_url=page.url if page.url != input.url else None,
        trust=UNTRUSTED,
        truncated="x-truncated" in reply.headers,
        citation=citation_part(page),
        raw=True,
        notes=ignored_arguments(input) or None,
    )


def ignored_arguments(input: ScrapePageInput) -> list[str]:
    """Which arguments have no meaning for bytes as they are served."""
    named = [name for name in ("query", "section", "offset", "outline", "project") if getattr(input, name)]
    return [f"Not applied in raw mode: {', '.join(named)}."] if named else []


def build_output(
    input: ScrapePageInput,
    reading: Reading,
    part: Excerpt,
    outline: Sequence[Heading] | None,
    reputation: ReputationTable,
) -> ScrapePageOutput:
    page = reading.page
    return ScrapePageOutput(
        **content_fields(part.text, page),
        **source_fields(page, reputation),
        **structured_fields(page),
        url=input.url,
        final_url=page.url if page.url != input.url else None,
        trust=UNTRUSTED,
        truncated=part.truncated,
        citation=citation_part(page),
        extracted_by=reading.extracted_by or None,
        extraction_quality=reading.quality,
        metadata=metadata_part(page) if page.title else None,
        word_count=page.word_count,
        pages=page.pages or None,
        outline=None if outline is None else outline_part(outline),
        passages=[PassagePart(text=each.text, link=each.link) for each in part.passages] or None,
        next_offset=part.next_offset,
        hidden_removed=page.hidden_removed or None,
        refused_requests=list(reading.refused) or None,
        notes=[*page.notes, *reading.notes, *part.notes, *left_out_note(page)] or None,
    )


def content_fields(content: str, page: Page) -> dict[str, Any]:
    length = byte_length(content)
    return {
        "content": content,
        "content_type": page.content_type,
        "content_length": length,
        "estimated_tokens": length // BYTES_PER_TOKEN,
        "size_category": size_category(length),
    }


def source_fields(page: Page, reputation: ReputationTable) -> dict[str, Any]:
    source = classify_source(page.url, page.structured, reputation=reputation)
    return {
        "source_type": source.source_type,
        "authority_tier": source.authority_tier,
        "domain_category": source.domain_category,
    }


async def find_retraction(doi: str, call: Call, papers: Papers) -> RetractionStatus | None:
    """What the record says of the page's DOI; nothing where it says nothing or could not be asked in time."""
    notice = await papers.doi_services.find_notice(doi, min(call.deadline, time.monotonic() + INTEGRITY_SECONDS))
    return retraction_status(notice.value) if notice.is_found else None


TOOL = Tool(
    name="scrape_page",
    title="Read a page",
    description=(
        "Read a web page, PDF, Office document, video transcript or thread as markdown with author, date and "
        "citation. Long pages: query picks passages, offset reads on. Walls, logins and missing pages are errors."
    ),
    input=ScrapePageInput,
    output=ScrapePageOutput,
    run=run,
    toolset="core",
    order=20,
    label="scrape",
    cache=3600,
    links_large_answers=True,
)
