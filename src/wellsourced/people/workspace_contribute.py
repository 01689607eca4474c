"""workspace_contribute: share a finding with the members of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.people.consent import AccessRefusal, Caller
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.service import PeopleService


class WorkspaceContributeInput(ToolInput):
    workspace_id: str = Field(description="Workspace.")
    note: str = Field(description="The finding (up to 64 KB).")
    url: str | None = Field(None, description="Its source.")
    tags: list[str] | None = Field(None, description="Tags.")


class WorkspaceContributeOutput(ToolOutput):
    status: str
    reason: str | None = None
    id: str | None = None


async def run(input: WorkspaceContributeInput, call: Call, people: PeopleService) -> WorkspaceContributeOutput:
    workspaces = people.workspaces
    caller = Caller(call.identity, call.is_local)
    shared = await workspaces.contribute(caller, input.workspace_id, input.note, url=input.url, tags=input.tags)
    if isinstance(shared, AccessRefusal):
        return WorkspaceContributeOutput(status=shared.status, reason=shared.reason)
    kept, dropped = shared
    reason = f"The workspace was full, so its oldest {dropped} went." if dropped else None
    return WorkspaceContributeOutput(status="ok", reason=reason, id=kept.id)


TOOL = Tool(
    name="workspace_contribute",
    title="Contribute to a workspace",
    description="Share a finding, under this user's name, with a workspace.",
    input=WorkspaceContributeInput,
    output=WorkspaceContributeOutput,
    run=run,
    toolset="workspace",
    order=130,
    label="workspace",
    read_only=False,
    idempotent=False,
    open_world=False,
    when=("WORKSPACES_ENABLED",),
)
