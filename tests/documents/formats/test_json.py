"""JSON as a block of code."""

from __future__ import annotations

import json

from wellsourced.documents.document import Document, ReadOptions
from wellsourced.documents.formats.json import read


def test_json_is_indented_and_bounded() -> None:
    found = read('{"é":[1,{"a":null}]}'.encode(), ReadOptions(max_chars=1000))
    assert json.loads(found.text.removeprefix("```json\n").removesuffix("\n```")) == {"é": [1, {"a": None}]}
    lines = '{"a":1}\n\n{"b":"\\n"}'
    assert read(lines.encode(), ReadOptions(max_chars=99)) == Document(
        text=f"```json\n{lines}\n```", content_type="json"
    )
    assert read(b'{"n":\n' + b"9" * 5_000 + b"}", ReadOptions(max_chars=9_999)).notes == ()
    assert read(b'["\\ud83d"]', ReadOptions(max_chars=99)).text.encode().decode() == '```json\n[\n  "\ufffd"\n]\n```'
    deep = read(b"[" * 100_000, ReadOptions(max_chars=10**6))
    assert "not valid" in deep.notes[0]
