"""get_my_analytics: how often the caller used which tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.people.consent import Caller, Refusal
from wellsourced.people.types import Usage
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.people import Personal


class Input(ToolInput):
    pass


class Output(ToolOutput):
    status: str
    reason: str | None = None
    analytics: Usage | None = None


async def run(input: Input, call: Call, personal: Personal) -> Output:
    found = await personal.counting.usage_of(Caller(call.identity, call.is_local))
    if isinstance(found, Refusal):
        return Output(status=found.status, reason=found.reason)
    if found is None:
        return Output(status="empty", reason="No call of yours has been counted yet; this one will be.")
    return Output(status="ok", analytics=found)


TOOL = Tool(
    name="get_my_analytics",
    title="My usage",
    description="This user's own use of the tools: counts, first and last call.",
    input=Input,
    output=Output,
    run=run,
    toolset="analytics",
    order=100,
    label="analytics",
    open_world=False,
    when=("USER_ANALYTICS_ENABLED",),
)
