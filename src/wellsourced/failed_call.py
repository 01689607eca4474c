"""A call that failed, as the command line and Python programs meet it: the sentence, and the fields to branch on.

The tree of failures inside the house is in `errors.py`; what leaves it is an answer with a sentence and, unless the
arguments were at fault, one line of JSON. This reads that answer back.
"""

from __future__ import annotations

import json
from typing import Any

from wellsourced.errors import WellsourcedError
from wellsourced.tool.answer import ToolAnswer


class ToolFailed(WellsourcedError):
    """`kind` is one of those in `errors.py`; `retry_after` is in seconds, None where waiting does not help."""

    def __init__(self, sentence: str, *, tool: str, kind: str, fields: dict[str, Any]) -> None:
        super().__init__(
            sentence,
            provider=fields.get("provider"),
            retry_after=fields.get("retryAfterSeconds"),
            alternatives=fields.get("alternatives") or (),
            detail=fields.get("detail"),
        )
        self.tool = tool
        self.kind = kind
        self.retryable = fields.get("retryable") is True
        self.action = str(fields.get("suggestedAction") or "inform_user")
        self.fields = fields


def failure(tool: str, answer: ToolAnswer) -> ToolFailed:
    """The failure that an error answer tells of."""
    sentence, fields = parts(answer.error_text or "")
    kind = str(fields.get("kind") or answer.error_kind or "upstream_unavailable")
    return ToolFailed(sentence, tool=tool, kind=kind, fields={"kind": kind, **fields})


def parts(text: str) -> tuple[str, dict[str, Any]]:
    """The sentence and the fields of the JSON line after it, if there is one."""
    sentence, _, tail = text.rpartition("\n\n")
    try:
        told = json.loads(tail)
    except ValueError:
        return text, {}
    fields = told.get("error") if isinstance(told, dict) else None
    return (sentence, fields) if isinstance(fields, dict) else (text, {})
