"""A failed tool call as the command line and Python programs see it: the sentence, and the fields to branch on.

Errors inside the application are those in `errors.py`. A client gets an answer with a sentence and one
line of JSON; this parses such an answer.
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


def failure_from_answer(tool: str, answer: ToolAnswer) -> ToolFailed:
    """Return the exception for an error answer."""
    sentence, fields = split_error_text(answer.error_text or "")
    kind = str(fields.get("kind") or answer.error_kind or "upstream_unavailable")
    return ToolFailed(sentence, tool=tool, kind=kind, fields={"kind": kind, **fields})


def split_error_text(text: str) -> tuple[str, dict[str, Any]]:
    """Return the sentence and the fields of the JSON line after it, if there is one."""
    sentence, _, tail = text.rpartition("\n\n")
    try:
        payload = json.loads(tail)
    except ValueError:
        return text, {}
    fields = payload.get("error") if isinstance(payload, dict) else None
    return (sentence, fields) if isinstance(fields, dict) else (text, {})
