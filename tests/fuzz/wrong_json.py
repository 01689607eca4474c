"""Values that are almost right: a good message with something in it replaced, as hypothesis strategies."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**40, -0.5, 1e308, "", " ", "\ud800", "\0", "a" * 5000, "潮汐", "../..",
    "http://[", "{}",    [], [[]], {}, {"": ""}, ["x"] * 50, "2024-13-45", "https://site.example/", "nothing",
)  # fmt: skip
VALUES = st.sampled_from(ODD) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value, as the way to it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [before, *(place for key, part in inside for place in places(part, (*before, key)))]


@st.composite
def almost(draw: st.DrawFn, good: Any) -> Any:
    """The good value with one or two of its parts replaced by something else."""
    value = copy.deepcopy(good)
    for _ in range(draw(st.integers(1, 2))):
        *way, last = draw(st.sampled_from(places(value)[1:] or [("x",)]))
        holder = value
        for key in way:
            holder = holder[key]
        holder[last] = copy.deepcopy(draw(VALUES))
    return value


def bodies(good: Any) -> st.SearchStrategy[bytes]:
    """Almost right JSON, any JSON, JSON cut short, and bytes."""
    right = st.one_of(almost(good), VALUES).map(lambda value: json.dumps(value).encode())
    cut = st.builds(lambda body, share: body[: int(len(body) * share)], right, st.floats(0, 1))
    return right | cut | st.binary(max_size=60) | st.sampled_from([b"[" * 50_000, b'{"a":' * 50_000, b"\xff\xfe{}"])
