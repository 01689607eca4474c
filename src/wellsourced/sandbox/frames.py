"""The messages between the pool and its workers.

A message has parts: a head that says what it is about, and each long text by itself, as plain UTF-8. Whoever reads or
writes one deals with a long text at the speed of copying, and lets others have their turn between two of them: a JSON
parser would hold Python's lock over megabytes. On the wire the number of parts and the length of each come first.

A call goes to the worker as a pickle, for it comes from this application. An answer never does: a worker that has met
hostile bytes is itself not trusted, so what it says is JSON, and is held against the type that the called function
declares to return before anything is believed.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import accumulate, pairwise
from types import SimpleNamespace
from typing import Any, TypeVar, get_type_hints

from wellsourced import errors
from wellsourced.documents.document import Unreadable
from wellsourced.errors import WellsourcedError

T = TypeVar("T")

PREFIX = 8
LONG = 2**12
"""A text from this length on is a part of its own: 11,000 characters take 30 µs longer as JSON."""
MOST_PARTS = 40_000
"""More texts of that length would be longer than any answer may be."""
WRITTEN_AT_ONCE = 2**18
RESULT = b"="
"""Prefix of a result in an answer; without it the answer is a refusal."""

Part = bytes | str
Path = list[str | int]


def frame_head(parts: Sequence[bytes]) -> bytes:
    """What goes before the parts."""
    numbers = (len(parts), *map(len, parts))
    return b"".join(number.to_bytes(PREFIX, "big") for number in numbers)


def in_pieces(parts: Sequence[bytes]) -> Iterator[bytes | memoryview]:
    """A message as it is written: a short one at once, so that its reader wakes up once; of a long one no second copy
    is made, and none of all of it waits to be read."""
    whole = (frame_head(parts), *parts)
    if sum(map(len, whole)) <= WRITTEN_AT_ONCE:
        yield b"".join(whole)
        return
    for part in whole:
        yield from (memoryview(part)[start : start + WRITTEN_AT_ONCE] for start in range(0, len(part), WRITTEN_AT_ONCE))


def part_lengths(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + PREFIX], "big") for at in range(0, len(data), PREFIX)]


def join_parts(parts: Sequence[bytes]) -> bytes:
    """All of a message in one."""
    return b"".join((frame_head(parts), *parts))


def split_parts(message: bytes) -> list[bytes]:
    (count,) = part_lengths(message[:PREFIX])
    start = PREFIX * (count + 1)
    ends = list(accumulate(part_lengths(message[PREFIX:start]), initial=start))
    return [message[one:other] for one, other in pairwise(ends)]


class _CallPickler(pickle.Pickler):
    """Puts long texts and bytes aside."""

    def __init__(self, head: io.BytesIO) -> None:
        super().__init__(head, protocol=5)
        self.parts: list[bytes] = []

    def persistent_id(self, value: object) -> tuple[bool, int] | None:
        if not isinstance(value, (str, bytes)) or len(value) < LONG or len(self.parts) >= MOST_PARTS:
            return None
        is_text = isinstance(value, str)
        self.parts.append(value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value)
        return is_text, len(self.parts) - 1


class _CallUnpickler(pickle.Unpickler):
    def __init__(self, head: bytes, parts: Sequence[bytes]) -> None:
        super().__init__(io.BytesIO(head))
        self._parts = parts

    def persistent_load(self, id: tuple[bool, int]) -> Part:
        is_text, number = id
        return self._parts[number].decode("utf-8", "surrogatepass") if is_text else self._parts[number]


def pack_call(function: Callable[..., object], arguments: Sequence[object], seconds: float) -> list[bytes]:
    head = io.BytesIO()
    pickler = _CallPickler(head)
    pickler.dump((function, tuple(arguments), seconds))
    return [head.getvalue(), *pickler.parts]


def unpack_call(parts: Sequence[bytes]) -> tuple[Callable[..., object], tuple[object, ...], float]:
    """Only a worker does this, with what its own parent sent."""
    function, arguments, seconds = _CallUnpickler(parts[0], parts[1:]).load()
    return function, arguments, seconds


def result_answer(value: object, held: int) -> list[bytes]:
    head, *texts = pack_value(value)
    return [held.to_bytes(PREFIX, "big") + RESULT + head, *texts]


def refusal_answer(error: WellsourcedError, held: int) -> list[bytes]:
    fields = {"name": type(error).__name__, "sentence": error.sentence, "detail": error.detail}
    return [held.to_bytes(PREFIX, "big") + json.dumps(fields).encode()]


def read_answer(function: Callable[..., T], parts: Sequence[bytes]) -> tuple[T | WellsourcedError, int]:
    """What the function returned or refused, and the worker's memory in bytes. ValueError when it is neither."""
    held, answer = int.from_bytes(parts[0][:PREFIX], "big"), parts[0][PREFIX:]
    if answer.startswith(RESULT):
        value: T = unpack_value(returned_type(function), [answer[len(RESULT) :], *parts[1:]])
        return value, held
    fields = json.loads(answer)
    if not isinstance(fields, Mapping) or not isinstance(fields.get("sentence"), str):
        raise ValueError("neither result nor refusal")
    return _refusal(fields), held


def _refusal(fields: Mapping[str, Any]) -> WellsourcedError:
    """The error of this name; what cannot be read, where the application has no such error."""
    kind = getattr(errors, str(fields.get("name")), Unreadable)
    is_error = isinstance(kind, type) and issubclass(kind, WellsourcedError)
    detail = fields.get("detail")
    return (kind if is_error else Unreadable)(fields["sentence"], detail=detail if isinstance(detail, str) else None)


@cache
def returned_type(function: Callable[..., object]) -> Any:
    from pydantic import TypeAdapter

    # The return alone: what is named beside the arguments is not always there when the program runs.
    declared = SimpleNamespace(__annotations__={"return": function.__annotations__["return"]})
    return TypeAdapter(get_type_hints(declared, getattr(function, "__globals__", {}))["return"])


def pack_value(value: object) -> list[bytes]:
    """A value in parts: JSON with the places of long texts, and those. Does without pydantic, which would take a
    worker longer to load than all it needs for its first page."""
    places: list[tuple[bool, Path]] = []
    texts: list[bytes] = []
    tree = [_set_aside(value, [0], places, texts)]
    written = json.dumps([places, tree], ensure_ascii=False, separators=(",", ":"), default=_plain)
    return [written.encode("utf-8", "replace"), *texts]


def _plain(value: Any) -> object:
    return value.isoformat() if hasattr(value, "isoformat") else getattr(value, "value", str(value))


def unpack_value(kind: Any, parts: Sequence[bytes]) -> Any:
    """The value of a type (as pydantic's TypeAdapter) again; ValueError when it is not of that type."""
    from pydantic_core import from_json

    try:
        places, tree = from_json(parts[0])
        for (is_text, path), part in zip(places, parts[1:], strict=True):
            _put_back(tree, path, part.decode() if is_text else part)
        return kind.validate_python(tree[0])
    except (LookupError, TypeError) as problem:
        raise ValueError("an answer in another form") from problem


def _set_aside(value: Any, path: Path, places: list[tuple[bool, Path]], texts: list[bytes]) -> object:
    """The value with nothing in place of what goes by itself: bytes, and texts that are long."""
    if isinstance(value, bytes) or (isinstance(value, str) and len(value) >= LONG):
        places.append((isinstance(value, str), path))
        texts.append(value.encode("utf-8", "replace") if isinstance(value, str) else value)
        return None
    if value is None or isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "__dataclass_fields__"):
        return {
            name: _set_aside(getattr(value, name), [*path, name], places, texts)
            for name in field_names(value.__class__)
        }
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    if isinstance(value, Mapping):
        return {key: _set_aside(each, [*path, key], places, texts) for key, each in value.items()}
    if isinstance(value, Iterable):
        return [_set_aside(each, [*path, number], places, texts) for number, each in enumerate(value)]
    return value


@cache
def field_names(kind: Any) -> list[str]:
    return [field.name for field in fields(kind)]


def _put_back(tree: Any, path: Path, part: Part) -> None:
    for step in path[:-1]:
        tree = tree[step]
    tree[path[-1]] = part
