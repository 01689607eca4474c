"""What a tool is: its input, its output and what is declared of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from wellsourced.sessions.session import Source

UNTRUSTED = "untrusted-external-content"
EMPTY_ANSWER_TTL = 60.0
TOLD_LIMIT = 500


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
            "inputSchema": without_limits(compact_schema(self.input.model_json_schema(by_alias=True))),
            "outputSchema": compact_schema(self.output.model_json_schema(by_alias=True, mode="serialization")),
            "annotations": self.annotations(),
        }


def compact_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema as small as it can be without saying less: no titles, no null branches, references inlined."""
    definitions = schema.pop("$defs", {})
    compacted: dict[str, Any] = _compact(schema, definitions)
    compacted.pop("description", None)
    return compacted


def without_limits(node: Any) -> Any:
    """An input schema without what only the server has to know: that other arguments are refused, and generous
    limits on lengths. A model reads the whole list before every conversation."""
    if isinstance(node, list):
        return [without_limits(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {name: without_limits(value) for name, value in node.items() if not _is_generous(name, value)}


def _is_generous(name: str, value: Any) -> bool:
    if name in {"maxLength", "maxItems"}:
        return isinstance(value, int) and value > TOLD_LIMIT
    return name == "additionalProperties" and value is False


def _compact(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_compact(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    node = _resolved(node, definitions)
    return {name: _compact_member(name, value, definitions) for name, value in _kept(node)}


def _compact_member(name: str, value: Any, definitions: dict[str, Any]) -> Any:
    if name == "properties":
        return {field: _compact(schema, definitions) for field, schema in value.items()}
    return _compact(value, definitions)


def _resolved(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference and drop the null branch of an optional, until neither is left."""
    while True:
        if "$ref" in node:
            target = dict(definitions[node["$ref"].rsplit("/", 1)[1]])
            target.pop("description", None)
            node = {**target, **{k: v for k, v in node.items() if k != "$ref"}}
            continue
        branches = [branch for branch in node.get("anyOf", ()) if branch.get("type") != "null"]
        if len(branches) != 1:
            return node
        node = {**branches[0], **{k: v for k, v in node.items() if k != "anyOf"}}


def _kept(node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in node.items():
        dropped = (name == "title" and isinstance(value, str)) or (name == "default" and value is None)
        if not dropped:
            yield name, value
