"""The same results and errors as the `json` package, which is not loaded for the handshake."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wellsourced.mcp import fast_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_values_are_written_and_read_as_json_does(value: object) -> None:
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert fast_json.dumps(value) == written
    for text in (written, json.dumps(value), json.dumps(value, indent=2), f"\n {written}\t\r\n"):
        assert fast_json.loads(text.encode()) == value


def outcome(read: Callable[[bytes], object], body: bytes) -> object:
    try:
        return read(body)
    except (ValueError, RecursionError) as refused:
        return type(refused), str(refused)


@example(b"NaN").via("no JSON")
@example(b"[Infinity]").via("no JSON")
@example(b"{} {}").via("two values")
@example(b"\xff").via("no text")
@example(b"\xef\xbb\xbf{}").via("a mark in front")
@example(b"9" * 5000).via("more digits than Python reads")
@example(b"[" * 100_000).via("deep nesting")
@given(st.text(alphabet='[]{}":,0123456789.eE+-\\u tfnrulase"N\n\ufeff').map(str.encode) | st.binary())
def test_what_is_no_json_is_refused_alike(body: bytes) -> None:
    standard = partial(json.loads, parse_constant=fast_json.refuse_constant)
    assert outcome(fast_json.loads, body) == outcome(standard, body)


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(TypeError):
        fast_json.dumps({"a": object()})
