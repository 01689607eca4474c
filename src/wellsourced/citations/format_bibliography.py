"""format_bibliography: sources as a bibliography in one style."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.citations.formats.extra_fields import page_range
from wellsourced.citations.paper_reference import reference_from_paper
from wellsourced.citations.reference import Reference
from wellsourced.citations.styles.bibliography import Style, distinct_references, format_bibliography
from wellsourced.citations.webpage_citation import page_reference, reference_from_source
from wellsourced.errors import BadInput
from wellsourced.text.partial_dates import parse_partial_date
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.upstreams.types.paper import Paper, PaperId

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellsourced.scholarly.papers import Papers
    from wellsourced.sessions.sessions import Sessions

# Of the kinds that registries name.
NOT_FOUND = "No record was found for {}; its entry has only what was given."


class SourceInput(ToolInput):
    url: str | None = Field(None, description="Needed without doi or title.")
    title: str | None = None
    author: str | None = Field(None, description="Separated by ';'.")
    site: str | None = Field(None, description="Journal or site.")
    date: str | None = None
    doi: str | None = Field(None, description="Alone: looked up.")
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None


class FormatBibliographyInput(ToolInput):
    style: Style = Field("apa", description="Citation style.")
    session_id: str | None = Field(None, alias="sessionId", description="Session to take sources from.")
    sources: list[SourceInput] | None = Field(None, max_length=2000, description="Works to write out.")


class FormatBibliographyOutput(ToolOutput):
    style: str
    entry_count: int
    bibliography: str
    notes: list[str] | None = None
    session_id: str | None = None
    trust: str


async def run(
    input: FormatBibliographyInput, call: Call, sessions: Sessions, get_papers: Callable[[], Papers]
) -> FormatBibliographyOutput:
    references = await gather_references(input, call, sessions)
    references, notes = await look_up_bare_dois(references, get_papers, call.deadline)
    works = distinct_references(references)
    if not works:
        raise BadInput("None of the sources can be cited: each needs at least a url, a doi or a title.")
    return FormatBibliographyOutput(
        style=input.style,
        entry_count=len(works),
        bibliography=format_bibliography(works, input.style),
        notes=notes or None,
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


def typed_reference(paper: Paper) -> Reference:
    """With the kind of work that the registry names, and the name of its book or site in place of a journal."""
    date = parse_partial_date(paper.date or "")
    return replace(reference_from_paper(paper), date=date)


async def look_up_bare_dois(
    references: list[Reference], get_papers: Callable[[], Papers], deadline: float
) -> tuple[list[Reference], list[str]]:
    """Works that are nothing but a DOI, as their registry describes them; and a sentence for each that it does not."""
    bare = {work.doi for work in references if work.doi and not (work.title or work.authors)}
    if not bare:
        return references, []
    services = get_papers().doi_services
    dois = sorted(bare)
    works = [PaperId("doi", doi) for doi in dois]
    await services.prefetch(works, deadline)
    answers = await asyncio.gather(*(services.find_record(work, deadline) for work in works))
    found = {doi: typed_reference(answer.value) for doi, answer in zip(dois, answers, strict=True) if answer.value}
    completed = [found.get(work.doi or "", work) if work.doi in bare else work for work in references]
    return completed, [NOT_FOUND.format(doi) for doi in dois if doi not in found]


def reference_from_input(given: SourceInput) -> Reference:
    reference = page_reference(
        given.url or "", given.title or "", given.author or "", given.site or "", given.date or "", given.doi or ""
    )
    reference = replace(
        reference, volume=given.volume or None, issue=given.issue or None, pages=page_range(given.pages or "") or None
    )
    if reference.volume or reference.issue or reference.doi:
        return replace(reference, type="article-journal")
    return reference if reference.url else replace(reference, type="document")


TOOL = Tool(
    name="format_bibliography",
    title="Format a bibliography",
    description=("Write a session's sources, or given ones, as a bibliography. audit_bibliography checks them."),
    input=FormatBibliographyInput,
    output=FormatBibliographyOutput,
    run=run,
    toolset="trust",
    order=200,
    open_world=False,
    label="bibliography",
)
