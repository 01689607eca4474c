"""JSON schemas of a tool's input and output, as small as they can be without saying less.

A model reads the whole list of tools before every conversation, so each member has to be worth its tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

STATE_LIMITS = "stateLimits"
"""A field with this in its `json_schema_extra` shows its limits on lengths to the model."""
TEXT_LIMITS = frozenset({"minLength", "maxLength"})
MOST_ITEMS_STATED = 500


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """What a caller may send, without what only the server has to know."""
    schema: dict[str, Any] = _without_limits(_compact_schema(model.model_json_schema(by_alias=True)))
    return schema


def output_schema(model: type[BaseModel]) -> dict[str, Any]:
    return _compact_schema(model.model_json_schema(by_alias=True, mode="serialization"))


def _compact_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without titles and null branches, with its references inlined."""
    definitions = schema.pop("$defs", {})
    compacted: dict[str, Any] = _compact(schema, definitions)
    compacted.pop("description", None)
    return compacted


def _without_limits(node: Any) -> Any:
    """Leaves out that other arguments are refused, and lengths: the server checks both and its refusal says why."""
    if isinstance(node, list):
        return [_without_limits(item) for item in node]
    if not isinstance(node, dict):
        return node
    states_limits = node.get(STATE_LIMITS, False)
    return {
        name: _without_limits(value)
        for name, value in node.items()
        if not (_is_for_server(name, value) or (name in TEXT_LIMITS and not states_limits))
    }


def _is_for_server(name: str, value: Any) -> bool:
    if name == "maxItems":
        return isinstance(value, int) and value > MOST_ITEMS_STATED
    return name == STATE_LIMITS or (name == "additionalProperties" and value is False)


def _compact(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_compact(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    node = _resolve(node, definitions)
    return {name: _compact_member(name, value, definitions) for name, value in _worth_keeping(node)}


def _compact_member(name: str, value: Any, definitions: dict[str, Any]) -> Any:
    # The names below "properties" are fields, not words of JSON schema: one of them may be called "title".
    if name == "properties":
        return {field: _compact(schema, definitions) for field, schema in value.items()}
    return _compact(value, definitions)


def _resolve(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
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


def _worth_keeping(node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in node.items():
        dropped = (name == "title" and isinstance(value, str)) or (name == "default" and value is None)
        if not dropped:
            yield name, value
