"""get_my_analytics: how often the caller used which tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.people.consent import AccessRefusal, Caller
from wellsourced.people.types import Usage
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.service import PeopleService


class GetMyAnalyticsInput(ToolInput):
    pass


class GetMyAnalyticsOutput(ToolOutput):
    status: str
    reason: str | None = None
    analytics: Usage | None = None


async def run(input: GetMyAnalyticsInput, call: Call, people: PeopleService) -> GetMyAnalyticsOutput:
    found = await people.usage.usage_of(Caller(call.identity, call.is_local))
    if isinstance(found, AccessRefusal):
        return GetMyAnalyticsOutput(status=found.status, reason=found.reason)
    if found is None:
        return GetMyAnalyticsOutput(status="empty", reason="No call of yours has been counted yet; this one will be.")
    return GetMyAnalyticsOutput(status="ok", analytics=found)


TOOL = Tool(
    name="get_my_analytics",
    title="My usage",
    description="This user's own use of the tools: counts, first and last call.",
    input=GetMyAnalyticsInput,
    output=GetMyAnalyticsOutput,
    run=run,
    toolset="analytics",
    order=100,
    label="analytics",
    open_world=False,
    when=("USER_ANALYTICS_ENABLED",),
)
