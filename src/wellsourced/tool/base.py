"""What a tool is: its input, its output and what is declared of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from wellsourced.late_dataclass import dataclass
from wellsourced.text.budget import byte_length, truncate_text
from wellsourced.tool.schema import input_schema, output_schema
from wellsourced.tool.sources import FoundSource

UNTRUSTED = "untrusted-external-content"
EMPTY_ANSWER_TTL = 60.0
LARGE_TEXT = 2**18


_SHARED_FIELDS: dict[tuple[type, type], list[str]] = {}
"""The names that a part of an answer has in common with a kind of record."""


class ToolInput(BaseModel):
    """Arguments of a tool. Fields named in `unkeyed` do not change the result and stay out of the cache key."""

    model_config = ConfigDict(extra="forbid", validate_by_name=True, validate_by_alias=True, frozen=True)
    unkeyed: ClassVar[frozenset[str]] = frozenset({"session_id", "inline"})

    @property
    def is_personal(self) -> bool:
        """Whether only this caller may see the answer, so that the cache serves it to nobody else."""
        return False

    @property
    def may_be_shortened(self) -> bool:
        """Whether a large answer may be cut, with a link to the whole: not where the input itself sets its size."""
        return True


class OutputPart(BaseModel):
    """A nested part of an answer: camelCase on the wire."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, frozen=True)

    @classmethod
    def from_record(cls, record: object, /, **more: Any) -> Self:
        """Copy the fields of the same name and add those given; an empty tuple counts as unknown."""
        shared = _SHARED_FIELDS.get((cls, type(record)))
        if shared is None:
            shared = _SHARED_FIELDS[cls, type(record)] = [name for name in cls.model_fields if hasattr(record, name)]
        names = [name for name in shared if name not in more]
        return cls(**{name: value for name in names if (value := getattr(record, name)) != ()}, **more)

    def to_json(self) -> bytes:
        return self.__pydantic_serializer__.to_json(self, by_alias=True, exclude_none=True)


class ToolOutput(OutputPart):
    """A whole answer. Fields without a default are always present; an optional one is left out when None.

    `empty_lifetime` is how many seconds an answer without results may be cached; `long_text` names the field that makes
    an answer large.
    """

    empty_lifetime: ClassVar[float] = EMPTY_ANSWER_TTL
    long_text: ClassVar[str] = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found: such an answer is cached only briefly."""
        return False

    @property
    def is_complete(self) -> bool:
        """A partial answer is never cached."""
        return True

    @property
    def is_large(self) -> bool:
        """Whether to encode it takes so long that others should have their turn meanwhile."""
        text = getattr(self, self.long_text) if self.long_text else None
        return isinstance(text, str) and len(text) > LARGE_TEXT

    def lifetime(self, ttl: float) -> float:
        """How long the answer may be cached, given the tool's own time to live."""
        if not self.is_complete:
            return 0.0
        return min(ttl, self.empty_lifetime) if self.is_empty else ttl

    def link_summary(self) -> str:
        """One line about the whole answer, for when a link leads to it."""
        return "The full answer is in the linked resource."

    def without_large_fields(self) -> ToolOutput:
        """The same answer with its large fields emptied, for a caller who asked for links alone."""
        return self.model_copy(update={self.long_text: ""}) if self.long_text else self

    def shortened(self, limit: int) -> ToolOutput:
        """The same answer in about so many bytes: its long text is cut where a reader would cut it."""
        text = getattr(self, self.long_text) if self.long_text else ""
        if not isinstance(text, str) or not text:
            return self
        rest, whole = len(self.without_large_fields().to_json()), len(self.to_json())
        share = (limit - rest) * byte_length(text) // max(1, whole - rest)
        cut = {self.long_text: truncate_text(text, max_bytes=max(0, share))[0]}
        return self.model_copy(update=cut | ({"truncated": True} if "truncated" in type(self).model_fields else {}))

    def found_sources(self) -> list[FoundSource]:
        """The sources that a research session records of the answer."""
        return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A use-case as assistants see it.

    `run` gets the input, the call, and the services of `app/services.py` that it names as further parameters.
    `when` names environment variables of which one must be set for the tool to be offered; `cache` is its
    time to live in seconds; `links_large_answers` gives a large answer a link to the whole of it, which a tool that
    `keeps_whole` hands over itself (`Call.whole`); `states_freshness` puts the cache block on fresh answers too;
    `asks_anew` lets nothing count that was kept before the call; `order` is its place in the list, lowest first;
    `routed` tools choose among providers and name them in `_meta`.
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
    links_large_answers: bool = False
    keeps_whole: bool = False
    states_freshness: bool = False
    routed: bool = False
    asks_anew: bool = False

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
