"""One tool call: who calls, with what, until when, and what has become of it."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import Any, NamedTuple, TypeAlias

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.tool.base import OutputPart, Tool, ToolInput, ToolOutput

Progress: TypeAlias = Callable[[float, float | None, str], Awaitable[None]]
PartHandler: TypeAlias = Callable[[str, OutputPart], None]


def new_request_id() -> str:
    """Tells requests apart in logs. It is no secret, so the system need not be asked for randomness."""
    return f"{random.getrandbits(128):032x}"


async def no_progress(done: float, total: float | None, message: str) -> None:
    """For callers that did not ask for progress."""


def no_parts(name: str, part: OutputPart) -> None:
    """For callers that wait for the whole answer."""


@dataclass(slots=True)
class Trace:
    """Which providers served a routed call: for operators, never part of the content."""

    attempted: list[str] = field(default_factory=list)
    used: str | None = None
    fallback_reason: str | None = None
    more_available: bool | None = None

    def as_meta(self, latency_ms: int) -> dict[str, Any]:
        meta: dict[str, Any] = {"cache_hit": False, "latency_ms": latency_ms}
        if self.used:
            meta["provider_used"] = self.used
        if self.attempted:
            meta["providers_attempted"] = list(dict.fromkeys(self.attempted))
        if self.fallback_reason:
            meta |= {"fallback": True, "fallback_reason": self.fallback_reason}
        return meta


class KeptPage(NamedTuple):
    """For how many seconds it has been kept, and is kept in all; whether it was for this caller."""

    age: float
    ttl: float
    is_own: bool


@dataclass(slots=True, kw_only=True)
class Call:
    """The request context that a tool's `run` gets beside its input; the middleware keeps its notes here too."""

    tool: Tool
    arguments: Mapping[str, Any]
    identity: Identity = field(default_factory=Identity)
    progress: Progress = no_progress
    on_part: PartHandler = no_parts
    """Called with what is known of the answer before the whole of it is, by a name and as the answer will have it."""
    inline: bool = False
    most_bytes: int = 0
    """What the way to the caller takes in one message, where it takes less than anything that may be asked for."""
    links: bool = False
    """The host reads resource links, so that it may be handed one beside the text."""
    request_id: str = ""
    source_ip: str = ""
    is_local: bool = False
    """There is no sign-in: the caller is on stdio, at the command line or in Python."""
    started: float = field(default_factory=time.monotonic)
    deadline: float = float("inf")
    input: ToolInput | None = None
    output: ToolOutput | None = None
    whole: bytes | None = None
    """The same answer in full, where the tool gave a part of it."""
    whole_id: str = ""
    """The artifact in which it was kept."""
    cached: bool = False
    made_of: KeptPage | None = None
    """Where the answer was made of a page that was kept before."""
    keeps_answer: bool = True
    """Off where an answer is soon made again of the page that is kept: most are asked for once."""
    not_kept: str | None = None
    """Why something could not be kept; empty where it was, None where there was nothing to keep."""
    trace: Trace = field(default_factory=Trace)

    @property
    def latency_ms(self) -> int:
        return round((time.monotonic() - self.started) * 1000)
