"""A worker process: takes on its limits, then reads one document after the other until its input ends."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import Any, BinaryIO

from wellsourced.documents.document import Document, ReadOptions, Unreadable
from wellsourced.documents.formats import read_document
from wellsourced.errors import WellsourcedError
from wellsourced.pages.page import Page
from wellsourced.sandbox.frames import PREFIX, document_answer, frame, page_answer, refusal_answer
from wellsourced.sandbox.limits import end_with_parent, limit_resources, limit_time, peak_memory
from wellsourced.text.plain_text import strip_invisible

LARGEST_BODY = 256 * 2**20
LARGEST_CALL = 4096
DAMAGED = "The document is damaged in a way that its reader does not understand."
UNSEEN = "The document shows no text: what is written in it is in characters that nobody can see."
TOO_LARGE = "The document needs more memory than a reader may use, so it was not read."


def serve(memory_bytes: int, parent: int) -> None:
    """Answer calls on standard input until it ends."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _detach_standard_streams()
    end_with_parent(parent)
    limit_resources(memory_bytes)
    while _serve_call(source, sink):
        pass


def _detach_standard_streams() -> None:
    """Libraries that print must not write into an answer."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(null, stream)
    os.close(null)


def _serve_call(source: BinaryIO, sink: BinaryIO) -> bool:
    """Answer one call; False when there are no more, or this process is not fit for another."""
    import json

    header = _read_frame(source, LARGEST_CALL)
    body = _read_frame(source, LARGEST_BODY) if header is not None else None
    if header is None or body is None:
        return False
    call = json.loads(header)
    limit_time(float(call["seconds"]))
    answer, is_fit = _answer_call(call, body)
    limit_time(0)
    sink.write(frame(answer))
    sink.flush()
    return is_fit


def _read_frame(source: BinaryIO, largest: int) -> bytes | None:
    prefix = source.read(PREFIX)
    length = int.from_bytes(prefix, "big")
    if len(prefix) < PREFIX or length > largest:
        return None
    data = source.read(length)
    return data if len(data) == length else None


def _answer_call(call: dict[str, Any], body: bytes) -> tuple[bytes, bool]:
    """The answer, and whether this process is fit for another document."""
    try:
        kind = str(call["kind"])
        if kind == "html":
            return page_answer(_extract_page(body, str(call["url"]), str(call["content_type"])), peak_memory()), True
        charset, max_chars, seconds = str(call.get("charset", "")), int(call["max_chars"]), float(call["seconds"])
        document = parse_document(kind, body, max_chars=max_chars, seconds=seconds, charset=charset)
        return document_answer(document, peak_memory()), True
    except WellsourcedError as refusal:
        return refusal_answer(refusal.sentence, refusal.detail, peak_memory()), True
    except MemoryError:
        return refusal_answer(TOO_LARGE, None, peak_memory()), False
    except Exception as problem:  # noqa: BLE001 - whatever a parser throws at hostile bytes must become a sentence
        return refusal_answer(DAMAGED, f"{type(problem).__name__}: {problem}"[:300], peak_memory()), False


def _extract_page(body: bytes, url: str, content_type: str) -> Page:
    from wellsourced.pages.html import extract as html

    return html.extract(body, url, content_type)


def parse_document(kind: str, body: bytes, *, max_chars: int, seconds: float = 20.0, charset: str = "") -> Document:
    """Read a document in this process; only workers and tests do.

    Characters that have no shape, in which instructions to machines are hidden, are left out.
    """
    document = read_document(kind, body, ReadOptions(max_chars=max_chars, seconds=seconds, charset=charset))
    text = strip_invisible(document.text)
    if document.text.strip() and not text.strip():
        raise Unreadable(UNSEEN)
    title, author = (field and strip_invisible(field) for field in (document.title, document.author))
    return replace(document, text=text, title=title, author=author)


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
