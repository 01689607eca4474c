"""What is kept of a person: consents, memories, contributions, memberships and counts of calls.

Each record is stored, exported and answered in the same form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from wellsourced.tool.base import OutputPart

Purpose: TypeAlias = Literal["memory", "analytics", "workspace", "monitoring"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)

USER_ASSERTED = "user-asserted-content"
RECENT_TOOLS = 10


@dataclass(frozen=True, slots=True)
class DataSubject:
    """One person, or everybody of a tenant where no user is named."""

    tenant: str
    user: str | None = None


class Consent(OutputPart):
    """What a person decided about one purpose, the last time."""

    tenant_id: str
    user_id: str
    purpose: Purpose
    granted: bool
    terms_version: str | None = None
    decided_at: str
    decided_from: str


class Memory(OutputPart):
    id: str
    tenant_id: str
    user_id: str
    topic: str | None = None
    note: str
    url: str | None = None
    tags: list[str] | None = None
    created_at: str


class Contribution(OutputPart):
    """A copy, with who shared it: never a link into what is private."""

    id: str
    workspace_id: str
    contributor_tenant: str
    contributor_user: str
    note: str
    url: str | None = None
    tags: list[str] | None = None
    created_at: str


class Membership(OutputPart):
    workspace_id: str
    tenant_id: str
    user_id: str
    added_at: str


class Usage(OutputPart):
    """How often a person called which tool; never with what words. `recent_tools` has the newest first."""

    tenant_id: str
    user_id: str
    total_calls: int
    tool_counts: dict[str, int]
    first_seen: str | None = None
    last_seen: str | None = None
    recent_tools: list[str] | None = None

    def plus(self, tools: list[str], first: str, last: str) -> Usage:
        """With these calls as well, given oldest first, and the moments of the first and the last of them."""
        counts = dict(self.tool_counts)
        for tool in tools:
            counts[tool] = counts.get(tool, 0) + 1
        return self.model_copy(
            update={
                "total_calls": self.total_calls + len(tools),
                "tool_counts": counts,
                "first_seen": self.first_seen or first,
                "last_seen": last,
                "recent_tools": [*reversed(tools), *(self.recent_tools or ())][:RECENT_TOOLS],
            }
        )
