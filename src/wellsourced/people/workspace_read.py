"""workspace_read: what the members of a workspace shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.people.consent import AccessRefusal, Caller
from wellsourced.people.types import Contribution
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.service import PeopleService


class WorkspaceReadInput(ToolInput):
    workspace_id: str = Field(description="Workspace.")


class WorkspaceReadOutput(ToolOutput):
    status: str
    reason: str | None = None
    count: int
    contributions: list[Contribution]
    trust: str


async def run(input: WorkspaceReadInput, call: Call, people: PeopleService) -> WorkspaceReadOutput:
    found = await people.workspaces.read(Caller(call.identity, call.is_local), input.workspace_id)
    if isinstance(found, AccessRefusal):
        return WorkspaceReadOutput(status=found.status, reason=found.reason, count=0, contributions=[], trust=UNTRUSTED)
    entries = found.entries
    return WorkspaceReadOutput(
        status="ok", reason=found.reason, count=len(entries), contributions=entries, trust=UNTRUSTED
    )


TOOL = Tool(
    name="workspace_read",
    title="Read a workspace",
    description="Read what a workspace's members shared, and who did.",
    input=WorkspaceReadInput,
    output=WorkspaceReadOutput,
    run=run,
    toolset="workspace",
    order=140,
    label="workspace",
    open_world=False,
    when=("WORKSPACES_ENABLED",),
)
