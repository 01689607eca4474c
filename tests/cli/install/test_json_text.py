"""Whatever a JSON file holds, an entry that is set and removed leaves no trace, and nothing else changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.cli.install.json_text import NotEditable, parse, remove_entry, set_entry

NAMES = st.text(min_size=1, max_size=6).filter(lambda name: name not in ("ours", "servers"))
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
DATA = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3))


@given(
    beside=st.dictionaries(NAMES, DATA, max_size=3),
    servers=st.dictionaries(NAMES, DATA, min_size=1, max_size=3),
    indent=st.sampled_from([None, 2, 4, "\t"]),
)
def test_set_and_removed(beside: dict[str, Any], servers: dict[str, Any], indent: Any) -> None:
    data = {**beside, "servers": servers}
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    commented = text.replace("{", '{ // { " comment\n', 1)
    for before in (text, commented):
        after = set_entry(before, ("servers",), "ours", {"command": "x", "args": ["a,b", "}"]})
        assert parse(after) == {**data, "servers": {**servers, "ours": {"command": "x", "args": ["a,b", "}"]}}}
        assert remove_entry(after, ("servers",), "ours") == before


@pytest.mark.parametrize("text", ["[]", "{", '{"a": 1,, }', "{'a': 1}", "[" * 200, '{"a" 1}', "{} {}", '{"a": tru}'])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(NotEditable):
        set_entry(text, ("servers",), "ours", {})


def test_the_first_of_several_goes_with_its_comma() -> None:
    text = '{"servers": {"ours": {}, "b": 1}}'
    assert parse(remove_entry(text, ("servers",), "ours")) == {"servers": {"b": 1}}
