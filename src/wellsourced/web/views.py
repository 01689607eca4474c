"""Answers, sessions and documents in the form the page is given them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from wellsourced.sessions.session_json import moment_text
from wellsourced.storage.library.store import LibraryDocument
from wellsourced.tool.answer import ToolAnswer, encode_json


def outcome(answer: ToolAnswer) -> bytes:
    """`content` is the tool's answer; or `error` has the sentence and its fields, so that kinds stay apart."""
    if answer.error_text is None:
        return b'{"content":' + answer.body + b"}"
    return encode_json({"error": failure(answer.error_text, answer.error_kind)})


def failure(text: str, kind: str | None) -> dict[str, Any]:
    """The sentence, and what the line of JSON behind it says; plain words are about the input."""
    sentence, _, line = text.rpartition("\n\n")
    try:
        fields = json.loads(line)["error"] if sentence else {}
    except (ValueError, LookupError, TypeError):
        sentence, fields = text, {}
    return {"kind": kind, **fields, "sentence": sentence or text}


def kept_json(kept: LibraryDocument, passage: str | None = None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": kept.id,
        "url": kept.url,
        "title": kept.title or kept.url,
        "author": kept.author,
        "date": kept.date,
        "site": kept.site,
        "kind": kept.kind,
        "tags": list(kept.tags),
        "language": kept.language,
        "length": kept.length,
        "readAt": moment_text(datetime.fromtimestamp(kept.added, UTC).replace(microsecond=0)),
    }
    return told | ({"passage": passage} if passage is not None else {})
