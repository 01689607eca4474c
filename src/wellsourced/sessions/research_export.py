"""research_export: a research trail as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from wellsourced.sessions.export import export
from wellsourced.sessions.session_json import moment_text
from wellsourced.text.amounts import format_count
from wellsourced.tool.answer import shorten_lists
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellsourced.projects.projects import Projects
    from wellsourced.sessions.sessions import Sessions

PROJECT = "project:"


class ResearchExportInput(ToolInput):
    session_id: str = Field(alias="sessionId", min_length=1, description="The session, or project:NAME.")
    format: Literal["markdown", "json", "html"] = Field(
        "markdown", description="html: one page to keep, print or send."
    )
    verify_links: bool = Field(False, description="Check links; of a project, what changed. Slow.")
    inline: bool = Field(False, description="All of it, however long.")
    links_only: bool = Field(False, description="A link instead of text.")


class ResearchExportOutput(ToolOutput):
    session_id: str
    format: str
    research_goal: str
    step_count: int
    source_count: int
    started_at: str
    exported_at: str
    tenant_id: str
    document: str | dict[str, Any]
    drift: dict[str, Any] | None = None
    truncated: bool | None = None
    notes: list[str] | None = None
    trust: str

    long_text: ClassVar[str] = "document"

    def link_summary(self) -> str:
        size = f"{format_count(self.step_count, 'step')} and {format_count(self.source_count, 'source')}"
        return f"The {self.format} export has {size}; the whole of it is in the linked resource."

    def shortened(self, limit: int) -> ToolOutput:
        """Cut as a text; of a JSON document the longest list gives way, and the counts beside it say how much."""
        if isinstance(self.document, str):
            return super().shortened(limit)
        rest = len(self.without_large_fields().to_json())
        return self.model_copy(update={"document": shorten_lists(self.document, limit - rest), "truncated": True})


async def run(
    input: ResearchExportInput, call: Call, sessions: Sessions, get_projects: Callable[[], Projects]
) -> ResearchExportOutput:
    if input.session_id.startswith(PROJECT):
        return await export_of_project(input, call, get_projects())
    session = await sessions.fetch(call.identity, input.session_id)
    exported = await export(session, input.format, sessions.check_links if input.verify_links else None)
    notes = (
        ["Links were not checked: no link checker is available."]
        if input.verify_links and not sessions.check_links
        else None
    )
    return ResearchExportOutput(
        session_id=session.id,
        format=input.format,
        research_goal=session.goal,
        step_count=len(session.steps),
        source_count=len(session.sources),
        started_at=moment_text(session.created_at),
        exported_at=moment_text(exported.at),
        tenant_id=session.owner.tenant,
        document=exported.document,
        notes=notes,
        trust=UNTRUSTED,
    )


async def export_of_project(input: ResearchExportInput, call: Call, projects: Projects) -> ResearchExportOutput:
    """A project's report; with `verify_links` after its pages were read again."""
    exported = await projects.report(
        call.identity,
        input.session_id.removeprefix(PROJECT),
        input.format,
        watch_until=call.deadline if input.verify_links else None,
    )
    head = exported.project.head
    return ResearchExportOutput(
        session_id=head.project_id,
        format=input.format,
        research_goal=head.question or head.name,
        step_count=0,
        source_count=head.counts.get("source", 0),
        started_at=head.created_at,
        exported_at=exported.at,
        tenant_id=call.identity.tenant,
        document=exported.document,
        drift=exported.drift,
        trust=UNTRUSTED,
    )


TOOL = Tool(
    name="research_export",
    title="Export research trail",
    description=("Export a sequential_search session as a report: steps, open questions, sources with their evidence."),
    input=ResearchExportInput,
    output=ResearchExportOutput,
    run=run,
    toolset="sessions",
    order=190,
    label="research export",
    open_world=False,
    links_large_answers=True,
)
