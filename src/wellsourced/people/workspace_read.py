"""workspace_read: what the members of a workspace shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.people.consent import Caller, Refusal
from wellsourced.people.types import Contribution
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.people import Personal


class Input(ToolInput):
    workspace_id: str = Field(description="Workspace.")


class Output(ToolOutput):
    status: str
    reason: str | None = None
    count: int
    contributions: list[Contribution]
    trust: str


async def run(input: Input, call: Call, personal: Personal) -> Output:
    found = await personal.workspaces.read(Caller(call.identity, call.is_local), input.workspace_id)
    if isinstance(found, Refusal):
        return Output(status=found.status, reason=found.reason, count=0, contributions=[], trust=UNTRUSTED)
    entries = found.entries
    return Output(status="ok", reason=found.reason, count=len(entries), contributions=entries, trust=UNTRUSTED)


TOOL = Tool(
    name="workspace_read",
    title="Read a workspace",
    description="Read what a workspace's members shared, and who did.",
    input=Input,
    output=Output,
    run=run,
    toolset="workspace",
    order=140,
    label="workspace",
    open_world=False,
    when=("WORKSPACES_ENABLED",),
)
