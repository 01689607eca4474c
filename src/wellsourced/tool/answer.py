"""A finished answer, encoded once for all entry points: MCP, command line, Python API and web page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any

from wellsourced.late_dataclass import dataclass

LARGE_ANSWER = 2**18
PIECE = 2**17
COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class ResourceLink:
    """A resource the client may fetch instead of an inlined body."""

    uri: str
    name: str
    mime_type: str
    size: int

    def as_content(self) -> dict[str, Any]:
        return {
            "type": "resource_link",
            "uri": self.uri,
            "name": self.name,
            "mimeType": self.mime_type,
            "size": self.size,
        }


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """`body` is the answer as compact JSON; text and structured content are that same body.

    An error has `error_text` instead. Both forms are complete on their own, because clients show a model
    only one of them.
    """

    body: bytes = b""
    error_text: str | None = None
    error_kind: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    link: ResourceLink | None = None

    @property
    def is_error(self) -> bool:
        return self.error_text is not None

    @property
    def text(self) -> str:
        return self.error_text if self.error_text is not None else self.body.decode()

    def with_meta(self, more: dict[str, Any]) -> ToolAnswer:
        return ToolAnswer(self.body, self.error_text, self.error_kind, {**self.meta, **more}, self.link)

    def content(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = [{"type": "text", "text": self.text}]
        if self.link:
            items.append(self.link.as_content())
        return items

    def result(self) -> dict[str, Any]:
        """The `tools/call` result as plain data."""
        result: dict[str, Any] = {"content": self.content(), "isError": self.is_error}
        if not self.is_error:
            result["structuredContent"] = json.loads(self.body)
        if self.meta:
            result["_meta"] = self.meta
        return result

    @property
    def is_large(self) -> bool:
        return len(self.body) > LARGE_ANSWER

    async def encoded_result(self, extra_meta: dict[str, Any], result_type: str | None) -> bytes:
        """The same as JSON; a large one is encoded beside the event loop, so that others have their turn meanwhile."""
        if self.is_large:
            return await asyncio.to_thread(self.result_json, extra_meta, result_type)
        return self.result_json(extra_meta, result_type)

    def _content_json(self) -> bytes:
        text = encode_json(self.error_text) if self.error_text is not None else quoted_json(self.body)
        link = b"," + encode_json(self.link.as_content()) if self.link else b""
        return b'[{"type":"text","text":' + text + b"}" + link + b"]"

    def result_json(self, extra_meta: dict[str, Any], result_type: str | None) -> bytes:
        """The same result as JSON, built around the body instead of decoding and encoding it again."""
        parts = [
            b'"content":' + self._content_json(),
            b'"isError":true' if self.is_error else b'"isError":false',
        ]
        if not self.is_error:
            parts.append(b'"structuredContent":' + self.body)
        meta = {**self.meta, **extra_meta}
        if meta:
            parts.append(b'"_meta":' + encode_json(meta))
        if result_type:
            parts.append(b'"resultType":' + encode_json(result_type))
        return b"{" + b",".join(parts) + b"}"


def encode_json(value: object) -> bytes:
    """Compact JSON in UTF-8; a lone surrogate from a hostile page becomes a replacement character."""
    return COMPACT.encode(value).encode("utf-8", "replace")


def quoted_json(body: bytes) -> bytes:
    """Compact JSON as a JSON string: its control characters are escaped already, so that only two others are left."""
    parts = (body[start : start + PIECE] for start in range(0, len(body), PIECE))
    return b"".join((b'"', *(part.replace(b"\\", b"\\\\").replace(b'"', b'\\"') for part in parts), b'"'))


def encode_long_text(text: str) -> bytes:
    """A JSON string, in pieces: over megabytes the encoder would hold Python's lock for too long."""
    pieces = (encode_json(text[start : start + PIECE])[1:-1] for start in range(0, len(text), PIECE))
    return b"".join((b'"', *pieces, b'"'))


def shorten_lists(document: dict[str, Any], limit: int) -> dict[str, Any]:
    """The document in about so many bytes: the largest of its lists is cut to its first half until it fits."""
    document = dict(document)
    sizes = {name: len(encode_json(value)) for name, value in document.items() if isinstance(value, list) and value}
    over = len(encode_json(document)) - limit
    while over > 0 and sizes:
        largest = max(sizes, key=lambda name: sizes[name])
        document[largest] = document[largest][: len(document[largest]) // 2]
        size = len(encode_json(document[largest]))
        over -= sizes[largest] - size
        sizes[largest] = size
        if not document[largest]:
            del sizes[largest]
    return document


def with_notes(answer: ToolAnswer, notes: Iterable[str]) -> ToolAnswer:
    """The answer with these notes after its own; an error and an answer without a body stay as they are."""
    added = list(notes)
    if not added or answer.is_error or not answer.body:
        return answer
    content = json.loads(answer.body)
    content["notes"] = list(dict.fromkeys([*(content.get("notes") or ()), *added]))
    return replace(answer, body=encode_json(content))
