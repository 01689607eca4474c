"""The messages between the pool and its workers: length-prefixed frames.

A frame is an eight-byte big-endian length and that many bytes. A call goes to the worker as a pickle, for it comes from
this application. An answer never does: a worker that has met hostile bytes is itself not trusted, so what it says is
JSON, and is held against the type that the called function declares to return before anything is believed.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, get_type_hints

from wellsourced import errors
from wellsourced.documents.document import Unreadable
from wellsourced.errors import WellsourcedError

T = TypeVar("T")

PREFIX = 8
RESULT = b"="
"""Prefix of a result in an answer; without it the answer is a refusal."""


def frame(data: bytes) -> bytes:
    return len(data).to_bytes(PREFIX, "big") + data


def pack_call(function: Callable[..., object], arguments: Sequence[object], seconds: float) -> bytes:
    return frame(pickle.dumps((function, tuple(arguments), seconds), protocol=5))


def unpack_call(data: bytes) -> tuple[Callable[..., object], tuple[object, ...], float]:
    """Only a worker does this, with what its own parent sent."""
    function, arguments, seconds = pickle.loads(data)  # noqa: S301
    return function, arguments, seconds


def result_answer(function: Callable[..., object], value: object, peak: int) -> bytes:
    return peak.to_bytes(PREFIX, "big") + RESULT + _encode(_returned_type(function), value)


def refusal_answer(error: WellsourcedError, peak: int) -> bytes:
    fields = {"name": type(error).__name__, "sentence": error.sentence, "detail": error.detail}
    return peak.to_bytes(PREFIX, "big") + json.dumps(fields).encode()


def read_answer(function: Callable[..., T], data: bytes) -> tuple[T | WellsourcedError, int]:
    """What the function returned or refused, and the worker's peak memory in bytes. ValueError when it is neither."""
    peak, answer = int.from_bytes(data[:PREFIX], "big"), data[PREFIX:]
    if answer.startswith(RESULT):
        value: T = _returned_type(function).validate_json(memoryview(answer)[1:].tobytes())
        return value, peak
    fields = json.loads(answer)
    if not isinstance(fields, Mapping) or not isinstance(fields.get("sentence"), str):
        raise ValueError("neither result nor refusal")
    return _refusal(fields), peak


def _refusal(fields: Mapping[str, Any]) -> WellsourcedError:
    """The error of this name; what cannot be read, where the application has no such error."""
    kind = getattr(errors, str(fields.get("name")), Unreadable)
    is_error = isinstance(kind, type) and issubclass(kind, WellsourcedError)
    detail = fields.get("detail")
    return (kind if is_error else Unreadable)(fields["sentence"], detail=detail if isinstance(detail, str) else None)


@cache
def _returned_type(function: Callable[..., object]) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(get_type_hints(function)["return"])


def _encode(kind: Any, value: object) -> bytes:
    from pydantic_core import PydanticSerializationError

    try:
        encoded: bytes = kind.dump_json(value)
    except (PydanticSerializationError, UnicodeEncodeError):  # half a character, which UTF-8 cannot say
        return json.dumps(kind.dump_python(value, mode="json"), ensure_ascii=False).encode("utf-8", "replace")
    return encoded
