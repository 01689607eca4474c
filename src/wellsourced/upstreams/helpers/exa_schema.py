"""JSON schemas that an extractor of single fields can follow: an object of plain values and lists of them.

Checked before anything is paid for, so that a schema the extractor would refuse, or quietly ignore, costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput

MOST_PROPERTIES = 10
LARGEST = 20_000
PRIMITIVES = frozenset({"string", "number", "integer", "boolean", "null"})
COMPOSED = ("$ref", "anyOf", "oneOf", "allOf", "not", "properties", "patternProperties")


def check_flat_schema(schema: Mapping[str, Any]) -> None:
    """BadInput with what is wrong and what would be right, or nothing."""
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise BadInput('The schema must be an object: {"type": "object", "properties": {...}}.')
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not 1 <= len(properties) <= MOST_PROPERTIES:
        raise BadInput(f"The schema must have 1 to {MOST_PROPERTIES} properties.")
    if len(repr(schema)) > LARGEST:
        raise BadInput(f"The schema is longer than {LARGEST} characters; shorten its descriptions.")
    for name, property_ in properties.items():
        _check_property(str(name), property_)


def _check_property(name: str, property_: Any) -> None:
    if not isinstance(property_, Mapping):
        raise BadInput(f'The property {name!r} of the schema must be an object such as {{"type": "string"}}.')
    types = _types(property_)
    if "object" in types or any(word in property_ for word in COMPOSED):
        raise BadInput(f"The property {name!r} of the schema is nested; use plain values, or lists of them.")
    if "array" in types:
        _check_items(name, property_.get("items"))
    elif not types and "enum" not in property_ and "const" not in property_:
        raise BadInput(f"The property {name!r} of the schema has no type; give string, number, integer or boolean.")
    if unknown := types - PRIMITIVES - {"array"}:
        raise BadInput(f"The property {name!r} of the schema has the unknown type {min(unknown)!r}.")


def _check_items(name: str, items: Any) -> None:
    types = _types(items) if isinstance(items, Mapping) else set()
    if not types or types - PRIMITIVES or any(word in items for word in COMPOSED):
        raise BadInput(f"The list {name!r} of the schema must hold plain values: strings, numbers or truth values.")


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types of a schema; several may be given as a list (`["string", "null"]`)."""
    stated = schema.get("type", ())
    return {str(one) for one in ([stated] if isinstance(stated, str) else stated if isinstance(stated, list) else ())}
