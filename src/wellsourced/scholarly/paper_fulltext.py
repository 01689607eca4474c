"""paper_fulltext: read the whole text of a paper from a free copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import AliasChoices, Field

from wellsourced.pages.excerpt import Excerpt, take_excerpt
from wellsourced.scholarly.full_text import FullText
from wellsourced.scholarly.paper_output import PaperPart, paper_part, papers_as_sources
from wellsourced.text.budget import byte_length, estimate_tokens
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.sandbox.pool import WorkerPool
    from wellsourced.scholarly.papers import Papers

KNOWN = (
    *("doi", "authors", "journal", "year", "abstract"),
    *("citation_count", "open_access", "pdf_url", "tldr", "source"),
)


class PaperFulltextInput(ToolInput):
    identifier: str = Field(
        min_length=1,
        max_length=2000,
        validation_alias=AliasChoices("identifier", "paper"),
        description="DOI, arXiv id, PMID, PMC id, Semantic Scholar id, or address.",
    )
    max_length: int = Field(24_000, ge=1000, le=1_000_000, description="Most bytes.")
    query: str | None = Field(None, max_length=500, description="Only the passages on this, best first.")
    section: str | None = Field(None, max_length=200, description="From this heading on.")
    offset: int = Field(0, ge=0, description="Start at this character (nextOffset).")
    inline: bool = Field(False, description="No resource link.")
    links_only: bool = Field(False, description="A link instead of text.")
    session_id: SessionId = None

    @property
    def may_be_shortened(self) -> bool:
        """max_length bounds it, and offset reads on."""
        return False


class TriedCopyPart(OutputPart):
    url: str
    outcome: str


class PaperFulltextOutput(ToolOutput):
    """What is known of the paper stands beside its text, and whole in `paper`."""

    identifier: str
    title: str
    url: str
    content: str
    content_type: str
    content_length: int
    estimated_tokens: int
    truncated: bool
    title_checked: bool
    trust: str
    next_offset: int | None = None
    word_count: int | None = None
    pages: int | None = None
    doi: str | None = None
    authors: list[str] | None = None
    journal: str | None = None
    year: int | None = None
    abstract: str | None = None
    citation_count: int | None = None
    open_access: bool | None = None
    pdf_url: str | None = None
    tldr: str | None = None
    source: str | None = None
    resolved_url: str
    paper: PaperPart | None = None
    tried: list[TriedCopyPart] | None = None
    notes: list[str] | None = None

    long_text: ClassVar[str] = "content"

    def link_summary(self) -> str:
        return f"{self.content_length} bytes of “{self.title}” from {self.url}"

    def found_sources(self) -> list[FoundSource]:
        if self.paper:
            return papers_as_sources([self.paper])
        return [FoundSource(url=self.url, title=self.title, type="academic")]


async def run(input: PaperFulltextInput, call: Call, papers: Papers, workers: WorkerPool) -> PaperFulltextOutput:
    full_text = await papers.full_text(input.identifier, tenant=call.identity.tenant, deadline=call.deadline)
    part = await workers.run(take_excerpt, full_text.page, input.max_length, input.offset, input.section, input.query)
    return make_output(input.identifier, full_text, part)


def make_output(identifier: str, full_text: FullText, part: Excerpt) -> PaperFulltextOutput:
    page = full_text.page
    paper = paper_part(full_text.paper) if full_text.paper else None
    return PaperFulltextOutput(
        identifier=identifier,
        title=full_text.title,
        url=page.url,
        resolved_url=page.url,
        content=part.text,
        content_type=page.content_type,
        content_length=byte_length(part.text),
        estimated_tokens=estimate_tokens(part.text),
        truncated=part.truncated,
        title_checked=full_text.is_checked,
        trust=UNTRUSTED,
        next_offset=part.next_offset,
        word_count=page.word_count,
        pages=page.pages or None,
        paper=paper,
        **known_fields(paper),
        tried=[TriedCopyPart(url=copy.url, outcome=copy.outcome) for copy in full_text.tried] or None,
        notes=[*page.notes, *part.notes] or None,
    )


def known_fields(paper: PaperPart | None) -> dict[str, Any]:
    return {name: getattr(paper, name) for name in KNOWN} if paper else {}


TOOL = Tool(
    name="paper_fulltext",
    title="Read a paper",
    description=(
        "Read a paper's whole text from a free copy, checked by its title. Without one it is an error, never a guess."
    ),
    input=PaperFulltextInput,
    output=PaperFulltextOutput,
    run=run,
    toolset="academic",
    order=180,
    label="paper full text",
    cache=3600,
    version=2,
    links_large_answers=True,
)
