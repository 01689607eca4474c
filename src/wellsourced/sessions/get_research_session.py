"""get_research_session: recover a research trail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field, field_validator

from wellsourced.errors import BadInput
from wellsourced.sessions import view
from wellsourced.sessions.session import Session, Step
from wellsourced.sessions.session_json import moment_text
from wellsourced.sessions.steps import MAIN_NAME
from wellsourced.tool.answer import shorten_lists
from wellsourced.tool.arguments import none_for_zero
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.sessions.sessions import Sessions

Items = list[dict[str, Any]]
SHORTENED = ("step_index", "sources", "gaps", "error_patterns", "branches")
MORE = "Only the newest steps and sources are listed; research_export has all, stepId shows one step in full."


class GetResearchSessionInput(ToolInput):
    session_id: str = Field(alias="sessionId", min_length=1, description="The session.")
    step_id: int | None = Field(None, alias="stepId", description="Step to show in full.")
    branch_id: str | None = Field(None, alias="branchId", description="Its branch, if several count alike.")

    _left_out = field_validator("step_id", mode="before")(none_for_zero)


class GetResearchSessionOutput(ToolOutput):
    session_id: str
    response_mode: str
    research_goal: str | None = None
    step: dict[str, Any] | None = None
    summary_text: str | None = Field(default=None, alias="summary")
    step_count: int | None = None
    step_index: Items | None = None
    last_steps: Items | None = None
    branches: Items | None = None
    gaps: Items | None = None
    sources: Items | None = None
    source_count: int | None = None
    error_patterns: Items | None = None
    provider_stats: dict[str, dict[str, int]] | None = None
    completed: bool | None = Field(default=None, alias="isComplete")
    started_at: str | None = None
    more: str | None = None
    trust: str

    def link_summary(self) -> str:
        return f"The whole session has {self.step_count or 1} steps and {self.source_count or 0} sources."

    def shortened(self, limit: int) -> ToolOutput:
        """The newest of each list; the counts say how many there are."""
        lists = {name: getattr(self, name) for name in SHORTENED}
        rest = len(self.model_copy(update=dict.fromkeys(SHORTENED)).to_json())
        newest_first = {name: value[::-1] for name, value in lists.items() if value}
        kept = {name: value[::-1] for name, value in shorten_lists(newest_first, limit - rest).items()}
        return self.model_copy(update={**kept, "more": MORE})


async def run(input: GetResearchSessionInput, call: Call, sessions: Sessions) -> GetResearchSessionOutput:
    session = await sessions.fetch(call.identity, input.session_id)
    if input.step_id is None:
        return overview(session)
    step = wanted(session, input.step_id, input.branch_id)
    return GetResearchSessionOutput(
        session_id=session.id,
        response_mode="step",
        research_goal=session.goal,
        step=view.full_step(session, step),
        trust=UNTRUSTED,
    )


def overview(session: Session) -> GetResearchSessionOutput:
    return GetResearchSessionOutput(
        session_id=session.id,
        response_mode="summary",
        research_goal=session.goal,
        summary=view.summary_text(session),
        step_count=len(session.steps),
        step_index=view.step_index(session),
        last_steps=view.last_steps(session),
        branches=view.branch_tree(session) or None,
        gaps=view.open_gaps(session),
        sources=view.sources(session, view.RECOVERED_SOURCES),
        source_count=len(session.sources),
        error_patterns=view.error_patterns(session.outcomes) or None,
        provider_stats=view.provider_stats(session.outcomes) or None,
        isComplete=session.completed_at is not None,
        started_at=moment_text(session.created_at),
        trust=UNTRUSTED,
    )


def wanted(session: Session, number: int, branch: str | None) -> Step:
    names = [name or MAIN_NAME for name in session.branches]
    branch = (branch or "").strip()
    if branch and branch not in names:
        raise BadInput(f"branchId {branch[:100]!r} is no branch of this session; it has {', '.join(names)}.")
    found = session.find(number, branch)
    if found is None:
        last = max((step.number for step in session.steps), default=0)
        raise BadInput(f"Step {number} is not in this session; it has steps 1 to {last}.")
    return found


TOOL = Tool(
    name="get_research_session",
    title="Recover research trail",
    description=(
        "Recover a sequential_search session: goal, summary, index of steps, the last three in full, gaps, "
        "sources, recurring errors. With stepId: one step in full."
    ),
    input=GetResearchSessionInput,
    output=GetResearchSessionOutput,
    run=run,
    toolset="sessions",
    order=90,
    label="research session",
    open_world=False,
    links_large_answers=True,
)
