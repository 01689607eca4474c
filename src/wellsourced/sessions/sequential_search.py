"""sequential_search: keep a research trail, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator

from wellsourced.sessions import view
from wellsourced.sessions.coverage import Coverage
from wellsourced.sessions.refinement import Refined, Searched, SearchOnce
from wellsourced.sessions.session_json import moment_text
from wellsourced.sessions.sessions import StepOutcome
from wellsourced.sessions.steps import StepInput
from wellsourced.text.moments import format_rfc3339
from wellsourced.tool.arguments import Trimmed, none_for_zero
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call, Trace
from wellsourced.upstreams.types.search import Hit, WebQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellsourced.projects.projects import Projects
    from wellsourced.search.searcher import Searcher
    from wellsourced.sessions.sessions import Sessions

LONG, SHORT = 10_000, 1_000
MOST_NOTES = 20
Note = Annotated[str, Field(max_length=SHORT)]
Items = list[dict[str, Any]]


class SequentialSearchInput(ToolInput):
    search_step: Trimmed = Field(alias="searchStep", min_length=1, max_length=LONG, description="What this step does.")
    step_number: int = Field(alias="stepNumber", ge=1, description="Counts from 1.")
    next_step_needed: bool = Field(alias="nextStepNeeded", description="False completes the session.")
    session_id: str | None = Field(None, alias="sessionId", description="Needed from step 2 on.")
    research_goal: str | None = Field(
        None, alias="researchGoal", max_length=SHORT, description="The question, on step 1."
    )
    reasoning: str | None = Field(None, max_length=LONG, description="Why this step.")
    confidence: Literal["high", "medium", "low"] | None = Field(None, description="In this step.")
    rejected_approaches: list[Note] | None = Field(
        None, alias="rejectedApproaches", max_length=MOST_NOTES, description="Considered and dropped."
    )
    session_summary: str | None = Field(
        None, alias="sessionSummary", max_length=20_000, description="Your summary so far, for recovery."
    )
    response_mode: Literal["auto", "full", "summary"] | None = Field(
        None, alias="responseMode", description="auto: full up to 8 steps, then summary."
    )
    total_steps_estimate: int | None = Field(None, alias="totalStepsEstimate", ge=0, description="Steps expected.")
    is_revision: bool = Field(False, alias="isRevision", description="Corrects revisesStep.")
    revises_step: int | None = Field(None, alias="revisesStep", description="The corrected step.")
    branch_from_step: int | None = Field(None, alias="branchFromStep", description="Where a branch begins.")
    branch_id: str | None = Field(None, alias="branchId", max_length=100, description="This step's branch.")
    knowledge_gap: str | None = Field(None, alias="knowledgeGap", max_length=SHORT, description="Still unknown.")
    resolved_gaps: list[Note] | None = Field(
        None, alias="resolvedGaps", max_length=MOST_NOTES, description="Gaps now closed, in their words."
    )
    depth: Literal["quick", "standard", "thorough"] = Field(
        "quick", description="standard adds coverage and queries; thorough also runs 3 of them."
    )

    project: str | None = Field(None, max_length=120, description="Lasting project it belongs to.")

    _left_out = field_validator("revises_step", "branch_from_step", mode="before")(none_for_zero)


class SourceCoverage(OutputPart):
    source_count: int
    unique_domains: int
    domain_spread: float
    dominant_domain: str | None = None
    source_types: dict[str, int]
    gaps: list[str]


class SequentialSearchOutput(ToolOutput):
    session_id: str
    response_mode: str
    research_goal: str
    current_step: int
    total_steps_estimate: int
    completed: bool = Field(alias="isComplete")
    started_at: str
    completed_at: str | None = None
    warning: str | None = None
    steps: Items | None = None
    summary_text: str | None = Field(default=None, alias="summary")
    step_index: Items | None = None
    last_steps: Items | None = None
    branches: Items | None = None
    gaps: Items
    sources: Items
    source_count: int = 0
    depth: str | None = None
    coverage: SourceCoverage | None = None
    refinement_queries: list[str] | None = None
    refinement_results: Items | None = None
    refinement_note: str | None = None
    refinement_warning: str | None = None
    trust: str


async def run(
    input: SequentialSearchInput,
    call: Call,
    sessions: Sessions,
    search: Searcher,
    get_projects: Callable[[], Projects],
) -> SequentialSearchOutput:
    outcome = await sessions.take_step(call.identity, step_input(input), search_for(call, search))
    session = outcome.session
    if session.project:
        await get_projects().keep_session(call.identity, session.project, session.id)
    is_full = view.response_mode(session, input.response_mode) == "full"
    return SequentialSearchOutput(
        session_id=session.id,
        response_mode="full" if is_full else "summary",
        research_goal=session.goal,
        current_step=input.step_number,
        total_steps_estimate=max(session.total_steps_estimate, len(session.steps)),
        isComplete=outcome.is_complete,
        started_at=moment_text(session.created_at),
        completed_at=moment_text(session.completed_at) if session.completed_at else None,
        warning=outcome.warning,
        steps=view.step_index(session) if is_full else None,
        summary=None if is_full else view.summary_text(session),
        step_index=None if is_full else view.step_index(session),
        last_steps=view.last_steps(session),
        branches=view.branch_tree(session) or None,
        gaps=view.open_gaps(session),
        sources=view.sources(session, view.LISTED_SOURCES),
        source_count=len(session.sources),
        **deeper(input, outcome),
        trust=UNTRUSTED,
    )


def step_input(input: SequentialSearchInput) -> StepInput:
    return StepInput(
        description=input.search_step,
        number=input.step_number,
        next_step_needed=input.next_step_needed,
        session_id=input.session_id or None,
        goal=input.research_goal,
        reasoning=input.reasoning or None,
        confidence=input.confidence,
        rejected_approaches=tuple(input.rejected_approaches or ()),
        summary=input.session_summary,
        total_steps_estimate=input.total_steps_estimate,
        is_revision=input.is_revision,
        revises_step=input.revises_step,
        branch_from_step=input.branch_from_step,
        branch_id=input.branch_id,
        knowledge_gap=input.knowledge_gap or None,
        resolved_gaps=tuple(input.resolved_gaps or ()),
        project=input.project or None,
        depth=input.depth,
    )


def search_for(call: Call, search: Searcher) -> SearchOnce:
    async def search_once(query: str, count: int) -> Searched:
        trace = Trace()
        found = await search.web(
            WebQuery(text=query, count=count), provider=None, lens=None, trace=trace, deadline=call.deadline
        )
        return Searched(found.items, trace.used)

    return search_once


def deeper(input: SequentialSearchInput, outcome: StepOutcome) -> dict[str, Any]:
    """What the greater depths add; nothing for the quick one."""
    if outcome.coverage is None:
        return {}
    return {
        "depth": input.depth,
        "coverage": covered(outcome.coverage),
        "refinement_queries": list(outcome.queries),
        "refinement_results": None if outcome.refined is None else [refined(item) for item in outcome.refined],
        "refinement_note": outcome.refinement_note,
        "refinement_warning": outcome.refinement_warning,
    }


def covered(found: Coverage) -> SourceCoverage:
    return SourceCoverage(
        source_count=found.source_count,
        unique_domains=found.unique_domains,
        domain_spread=found.domain_spread,
        dominant_domain=found.dominant_domain,
        source_types=found.source_types,
        gaps=list(found.gaps),
    )


def refined(item: Refined) -> dict[str, Any]:
    if item.error or item.found is None:
        return {"query": item.query, "error": item.error.sentence if item.error else ""}
    return {
        "query": item.query,
        "resultCount": len(item.found.hits),
        "results": [result(hit) for hit in item.found.hits],
    }


def result(hit: Hit) -> dict[str, Any]:
    fields = {"title": hit.title, "url": hit.url, "snippet": hit.snippet}
    return fields | ({"publishedAt": format_rfc3339(hit.published_at)} if hit.published_at else {})


TOOL = Tool(
    name="sequential_search",
    title="Research trail",
    description=(
        "Record multi-step research (steps, revisions, branches, gaps, sources) for recovery after context loss. "
        "Step 1 returns a sessionId: pass it on, also to other tools."
    ),
    input=SequentialSearchInput,
    output=SequentialSearchOutput,
    run=run,
    toolset="sessions",
    order=80,
    label="research step",
    idempotent=False,
    open_world=False,
)
