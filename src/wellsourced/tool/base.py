"""What a tool is: its input, its output and what is declared of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from wellsourced.sessions.session import Source
from wellsourced.tool.schema import input_schema, output_schema

UNTRUSTED = "untrusted-external-content"
EMPTY_ANSWER_TTL = 60.0


class ToolInput(BaseModel):
    """Arguments of a tool. Fields named in `unkeyed` do not change the result and stay out of the cache key."""

    model_config = ConfigDict(extra="forbid", validate_by_name=True, validate_by_alias=True, frozen=True)
    unkeyed: ClassVar[frozenset[str]] = frozenset({"session_id", "inline"})

    @property
    def is_personal(self) -> bool:
        """Whether the answer may hold what only this caller may see, so that it is kept for nobody else."""
        return False

    @property
    def may_be_linked(self) -> bool:
        """Whether a large answer may be handed over as a link instead of its body."""
        return True


class OutputPart(BaseModel):
    """A nested part of an answer: camelCase on the wire."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, frozen=True)


class ToolOutput(OutputPart):
    """A whole answer. Fields without a default are always present; an optional one is left out when None.

    `empty_lifetime` is how many seconds an answer that found nothing may be kept.
    """

    empty_lifetime: ClassVar[float] = EMPTY_ANSWER_TTL

    @property
    def is_empty(self) -> bool:
        """Found nothing: such an answer is kept only briefly."""
        return False

    @property
    def is_complete(self) -> bool:
        """A partial answer is never kept."""
        return True

    def lifetime(self, ttl: float) -> float:
        """How long the answer may be kept, given the tool's own time."""
        if not self.is_complete:
            return 0.0
        return min(ttl, self.empty_lifetime) if self.is_empty else ttl

    def link_summary(self) -> str:
        """One line that stands for the answer when its body is handed over as a link."""
        return "The full answer is in the linked resource."

    def without_bulk(self) -> ToolOutput:
        """The same answer with its heavy fields emptied, for when the body is handed over as a link."""
        return self

    def found_sources(self) -> list[Source]:
        """What a research session keeps of the answer."""
        return []

    def to_json(self) -> bytes:
        return self.__pydantic_serializer__.to_json(self, by_alias=True, exclude_none=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A use-case as assistants see it.

    `run` is handed the input, the call, and the services that it names as further parameters.
    `when` names environment variables of which one must be set for the tool to be offered; `cache` is its
    time to live in seconds; `links_bulk` lets a large answer become a resource link; `tells_freshness` puts
    the cache block on fresh answers too; `order` is its place in the list, lowest first; `routed` tools choose
    among providers and tell which in `_meta`.
    """

    name: str
    title: str
    description: str
    input: type[ToolInput]
    output: type[ToolOutput]
    run: Callable[..., Awaitable[ToolOutput]]
    toolset: str
    order: int = 1000
    label: str = ""
    version: int = 1
    read_only: bool = True
    idempotent: bool = True
    open_world: bool = True
    cache: float | None = None
    when: tuple[str, ...] = ()
    links_bulk: bool = False
    tells_freshness: bool = False
    routed: bool = False

    def annotations(self) -> dict[str, bool]:
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": False,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }

    def declaration(self) -> dict[str, Any]:
        """The tool as `tools/list` shows it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.input),
            "outputSchema": output_schema(self.output),
            "annotations": self.annotations(),
        }
