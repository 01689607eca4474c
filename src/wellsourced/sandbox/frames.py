"""The messages between the pool and its workers: length-prefixed frames, JSON inside, never pickle.

A frame is an eight-byte big-endian length and that many bytes. A call is two frames (JSON, then the document's
bytes); an answer is one frame of JSON, checked field by field before anything is believed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from typing import Any

from wellsourced.documents.document import Document, Unreadable
from wellsourced.errors import WellsourcedError
from wellsourced.pages.page import Page

PREFIX = 8


def frame(data: bytes) -> bytes:
    return len(data).to_bytes(PREFIX, "big") + data


def call_frames(body: bytes, seconds: float, **parameters: str | int) -> tuple[bytes, bytes]:
    """The call's description with its prefix, and the prefix of the body, which is sent as it is."""
    return frame(json.dumps({**parameters, "seconds": seconds}).encode()), len(body).to_bytes(PREFIX, "big")


def document_answer(document: Document, peak: int) -> bytes:
    fields = asdict(document) | {"date": document.date.isoformat() if document.date else None}
    return json.dumps({"document": fields, "peak": peak}).encode()


def page_answer(page: Page, peak: int) -> bytes:
    return json.dumps({"page": asdict(page), "peak": peak}, ensure_ascii=False).encode("utf-8", "replace")


def refusal_answer(sentence: str, detail: str | None, peak: int) -> bytes:
    return json.dumps({"refusal": sentence, "detail": detail, "peak": peak}).encode()


def read_answer(data: bytes) -> tuple[Document | Page | WellsourcedError, int]:
    """The document, the page or the refusal in an answer, and the worker's peak memory in bytes.

    ValueError when the answer is not one: a worker that parsed hostile bytes is itself not trusted.
    """
    answer = json.loads(data)
    if not isinstance(answer, dict):
        raise ValueError("not an answer")
    peak = answer.get("peak")
    peak = peak if isinstance(peak, int) else 0
    if isinstance(answer.get("refusal"), str):
        return Unreadable(answer["refusal"], detail=_text(answer.get("detail"))), peak
    if "page" in answer:
        return _page_adapter().validate_python(answer["page"], strict=False), peak
    fields = answer.get("document")
    if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
        raise ValueError("neither document nor refusal")
    return _document(fields), peak


@cache
def _page_adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Page)


def _document(fields: dict[str, Any]) -> Document:
    if not isinstance(fields.get("content_type"), str):
        raise ValueError("no content type")
    date, pages = _text(fields.get("date")), fields.get("pages")
    notes = fields.get("notes")
    return Document(
        text=fields["text"],
        content_type=fields["content_type"],
        title=_text(fields.get("title")),
        author=_text(fields.get("author")),
        date=datetime.fromisoformat(date).astimezone(UTC) if date else None,
        pages=pages if isinstance(pages, int) else None,
        notes=tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else (),
        truncated=fields.get("truncated") is True,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
