"""format_bibliography: sources as a bibliography in one style."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from wellsourced.citations.reference import Reference
from wellsourced.citations.styles import distinct_references, format_bibliography
from wellsourced.citations.webpage_citation import page_reference, reference_from_source
from wellsourced.errors import BadInput
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.sessions.sessions import Sessions

Style = Literal["apa", "mla", "bibtex", "ris", "csl-json", "chicago", "ieee", "vancouver"]


class SourceInput(ToolInput):
    url: str | None = Field(None, description="Needed without doi or title.")
    title: str | None = None
    author: str | None = Field(None, description="Separated by ';' or 'and'.")
    site: str | None = Field(None, description="Journal or site.")
    date: str | None = None
    doi: str | None = None


class FormatBibliographyInput(ToolInput):
    style: Style = Field("apa", description="bibtex, ris, csl-json: for reference managers.")
    session_id: str | None = Field(None, alias="sessionId", description="Session to take sources from.")
    sources: list[SourceInput] | None = Field(None, max_length=2000, description="If not from a session.")


class FormatBibliographyOutput(ToolOutput):
    style: str
    entry_count: int
    bibliography: str
    session_id: str | None = None
    trust: str


async def run(input: FormatBibliographyInput, call: Call, sessions: Sessions) -> FormatBibliographyOutput:
    references = await gather_references(input, call, sessions)
    works = distinct_references(references)
    if not works:
        raise BadInput("None of the sources can be cited: each needs at least a url, a doi or a title.")
    return FormatBibliographyOutput(
        style=input.style,
        entry_count=len(works),
        bibliography=format_bibliography(works, input.style),
        session_id=None if input.sources else input.session_id,
        trust=UNTRUSTED,
    )


async def gather_references(input: FormatBibliographyInput, call: Call, sessions: Sessions) -> list[Reference]:
    """The list that was given counts before the session."""
    if input.sources:
        return [reference_from_input(given) for given in input.sources]
    if input.session_id:
        session = await sessions.fetch(call.identity, input.session_id)
        if not session.sources:
            raise BadInput("The session has no sources yet; search or read something with its sessionId first.")
        return [reference_from_source(source) for source in session.sources if not source.rejected]
    raise BadInput("Give sources (a list of objects with url, title, author, site, date, doi) or a sessionId.")


def reference_from_input(given: SourceInput) -> Reference:
    reference = page_reference(
        given.url or "", given.title or "", given.author or "", given.site or "", given.date or "", given.doi or ""
    )
    return reference if reference.url or reference.doi else replace(reference, type="document")


TOOL = Tool(
    name="format_bibliography",
    title="Format a bibliography",
    description=("Write a session's sources, or given ones, as a bibliography. audit_bibliography checks them."),
    input=FormatBibliographyInput,
    output=FormatBibliographyOutput,
    run=run,
    toolset="trust",
    order=200,
    label="bibliography",
    open_world=False,
)
