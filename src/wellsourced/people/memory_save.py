"""memory_save: have a finding remembered for later sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.people.consent import AccessRefusal, Caller
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.service import PeopleService


class MemorySaveInput(ToolInput):
    note: str = Field(description="The finding (up to 64 KB).")
    topic: str | None = Field(None, description="Label.")
    url: str | None = Field(None, description="Its source.")
    tags: list[str] | None = Field(None, description="Tags.")


class MemorySaveOutput(ToolOutput):
    status: str
    reason: str | None = None
    id: str | None = None
    created_at: str | None = None


async def run(input: MemorySaveInput, call: Call, people: PeopleService) -> MemorySaveOutput:
    memory = people.memory
    caller = Caller(call.identity, call.is_local)
    saved = await memory.save(caller, input.note, topic=input.topic, url=input.url, tags=input.tags)
    if isinstance(saved, AccessRefusal):
        return MemorySaveOutput(status=saved.status, reason=saved.reason)
    kept, dropped = saved
    reason = f"Your memory was full, so the oldest {dropped} went." if dropped else None
    return MemorySaveOutput(status="ok", reason=reason, id=kept.id, created_at=kept.created_at)


TOOL = Tool(
    name="memory_save",
    title="Save to memory",
    description="Remember a finding for this user across sessions.",
    input=MemorySaveInput,
    output=MemorySaveOutput,
    run=run,
    toolset="memory",
    order=110,
    label="memory",
    read_only=False,
    idempotent=False,
    open_world=False,
    when=("MEMORY_ENABLED",),
)
