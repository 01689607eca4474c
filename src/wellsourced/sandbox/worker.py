"""Inside a worker process: limits on, then one document after the other until the input ends.

Limits: setrlimit(2) for address space, CPU time, files and core dumps; an interval timer for wall time, so that a
worker ends by itself even where nobody is left to end it; prctl(2) PR_SET_PDEATHSIG where Linux has it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from wellsourced.documents.document import Document, ReadOptions, Unreadable
from wellsourced.documents.formats import read_document
from wellsourced.errors import WellsourcedError
from wellsourced.pages.page import Page
from wellsourced.sandbox.frames import PREFIX, document_answer, frame, page_answer, refusal_answer
from wellsourced.text.plain_text import visible

PR_SET_PDEATHSIG = 1
LARGEST_BODY = 256 * 2**20
LARGEST_CALL = 4096
SPARE_SECONDS = 2.0
DAMAGED = "The document is damaged in a way that its reader does not understand."
UNSEEN = "The document shows no text: what is written in it is in characters that nobody can see."
TOO_LARGE = "The document needs more memory than a reader may use, so it was not read."


def serve(memory_bytes: int, parent: int) -> None:
    """Answer calls on standard input until it ends."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _point_standard_streams_nowhere()
    _die_with(parent)
    _limit(memory_bytes)
    while _serve_one(source, sink):
        pass


def _point_standard_streams_nowhere() -> None:
    """Libraries that print must not write into an answer."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if hasattr(os, "getppid") and os.getppid() != parent:
        sys.exit(0)


def _limit(memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:
        return
    for name, amount in (("RLIMIT_AS", memory_bytes), ("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", 0), ("RLIMIT_NOFILE", 64)):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            resource.setrlimit(getattr(resource, name), (amount, amount))


def _serve_one(source: BinaryIO, sink: BinaryIO) -> bool:
    import json

    call = _frame_from(source, LARGEST_CALL)
    body = _frame_from(source, LARGEST_BODY) if call is not None else None
    if call is None or body is None:
        return False
    told = json.loads(call)
    _allow(float(told["seconds"]))
    answer, healthy = _answer(told, body)
    _allow(0)
    sink.write(frame(answer))
    sink.flush()
    return healthy


def _frame_from(source: BinaryIO, largest: int) -> bytes | None:
    prefix = source.read(PREFIX)
    length = int.from_bytes(prefix, "big")
    if len(prefix) < PREFIX or length > largest:
        return None
    data = source.read(length)
    return data if len(data) == length else None


def _allow(seconds: float) -> None:
    """Wall and CPU time for the next document; zero takes the wall limit away while waiting."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds + SPARE_SECONDS if seconds else 0)
    if not seconds:
        return
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime + seconds + SPARE_SECONDS), hard))


def _answer(told: dict[str, Any], body: bytes) -> tuple[bytes, bool]:
    """The answer, and whether this process is fit for another document."""
    try:
        if told["kind"] == "html":
            return page_answer(extract(body, str(told["url"]), str(told["content_type"])), _peak()), True
        kind, charset = str(told["kind"]), str(told.get("charset", ""))
        limits = int(told["max_chars"]), float(told["seconds"])
        document = read(kind, body, max_chars=limits[0], seconds=limits[1], charset=charset)
        return document_answer(document, _peak()), True
    except WellsourcedError as refusal:
        return refusal_answer(refusal.sentence, refusal.detail, _peak()), True
    except MemoryError:
        return refusal_answer(TOO_LARGE, None, _peak()), False
    except Exception as problem:  # noqa: BLE001 - whatever a parser throws at hostile bytes must become a sentence
        return refusal_answer(DAMAGED, f"{type(problem).__name__}: {problem}"[:300], _peak()), False


def extract(body: bytes, url: str, content_type: str) -> Page:
    from wellsourced.pages.html import extract as html

    return html.extract(body, url, content_type)


def read(kind: str, body: bytes, *, max_chars: int, seconds: float = 20.0, charset: str = "") -> Document:
    """Read a document in this process; only workers and tests do."""
    return _as_seen(read_document(kind, body, ReadOptions(max_chars=max_chars, seconds=seconds, charset=charset)))


def _as_seen(document: Document) -> Document:
    """Without characters that have no shape, in which instructions to machines are hidden."""
    text = visible(document.text)
    if document.text.strip() and not text.strip():
        raise Unreadable(UNSEEN)
    title, author = (told and visible(told) for told in (document.title, document.author))
    return replace(document, text=text, title=title, author=author)


def _peak() -> int:
    """Peak resident memory in bytes, zero where unknown. getrusage(2) would carry over the parent's own peak."""
    try:
        with Path("/proc/self/status").open() as lines:
            return max((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), default=0)
    except OSError:
        return 0


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
