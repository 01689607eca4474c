"""Adds notes to a finished answer: what only this caller has to know, so that a cached answer stays as it is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from wellsourced.tool.answer import ToolAnswer, encode_json


def with_notes(answer: ToolAnswer, notes: Iterable[str]) -> ToolAnswer:
    """The answer with these notes after its own; an error and an answer without a body stay as they are."""
    added = list(notes)
    if not added or answer.is_error or not answer.body:
        return answer
    content = json.loads(answer.body)
    content["notes"] = list(dict.fromkeys([*(content.get("notes") or ()), *added]))
    return replace(answer, body=encode_json(content))
