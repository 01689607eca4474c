"""Whether a cited thing exists, on the wire: true, false, or null where nobody could tell.

Fields without a value are left out of answers; this one is always there, so "nobody could tell" travels as a word
inside and as null outside. It is never false for want of an answer.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

UNKNOWN: Literal["unknown"] = "unknown"

Existence: TypeAlias = Annotated[
    bool | Literal["unknown"],
    BeforeValidator(lambda value: UNKNOWN if value is None else value),
    PlainSerializer(lambda value: None if value == UNKNOWN else value),
    WithJsonSchema({"type": ["boolean", "null"]}),
]


def existence(exists: bool | None) -> bool | Literal["unknown"]:
    return UNKNOWN if exists is None else exists
