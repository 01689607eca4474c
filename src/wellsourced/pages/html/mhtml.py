"""Saved web pages (MHTML, RFC 2557): the page itself, out of the parts it was saved with.

Taken apart here rather than by the `email` package, whose parser goes as deep as the parts are nested; only the few
lines at the head of a part are left to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wellsourced.late_pattern import late_pattern

if TYPE_CHECKING:
    from email.message import Message

LONGEST_HEAD = 16 * 1024
MOST_PARTS = 200
DEEPEST = 3
PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})
HEAD_END = late_pattern(rb"\r?\n\r?\n")
HEADER_LINE = re.compile(rb"\s{0,10}[A-Za-z][A-Za-z-]{1,40}:")
RELATED = late_pattern(rb"^content-type:\s{0,20}multipart/related\b", re.I | re.M)


def is_saved_page(body: bytes) -> bool:
    """Whether the body begins with the head of a message that is made of related parts."""
    return HEADER_LINE.match(body) is not None and RELATED.search(_halves(body)[0]) is not None


def unwrap_saved_page(body: bytes, content_type: str) -> tuple[bytes, str]:
    """The bytes of the page and the content type they were saved with; what is no saved page is given back as it is."""
    if content_type.lower().startswith("multipart/related") and body.lstrip().startswith(b"--"):
        return _page_in(b"Content-Type: %s\n\n%s" % (content_type.encode(), body), 0) or (body, content_type)
    return (_page_in(body.lstrip(), 0) if is_saved_page(body) else None) or (body, content_type)


def _page_in(part: bytes, depth: int) -> tuple[bytes, str] | None:
    from email.parser import BytesHeaderParser

    head, content = _halves(part)
    message = BytesHeaderParser().parsebytes(head)
    if message.get_content_type() in PAGE_TYPES:
        return _decoded(message, content), str(message["content-type"])
    boundary = message.get_boundary()
    if not boundary or depth >= DEEPEST:
        return None
    pages = (_page_in(inner, depth + 1) for inner in _parts(content, b"--" + boundary.encode("latin-1", "replace")))
    return next(filter(None, pages), None)


def _halves(part: bytes) -> tuple[bytes, bytes]:
    end = HEAD_END.search(part, 0, LONGEST_HEAD)
    return (part[: end.start()], part[end.end() :]) if end else (part[:LONGEST_HEAD], b"")


def _parts(content: bytes, mark: bytes) -> Iterator[bytes]:
    start = content.find(mark)
    for _ in range(MOST_PARTS):
        if start < 0:
            return
        end = content.find(b"\n" + mark, start + len(mark))
        yield content[start + len(mark) : end if end >= 0 else len(content)].lstrip()
        start = end + 1 if end >= 0 else -1


def _decoded(message: Message, content: bytes) -> bytes:
    message.set_payload(content.decode("ascii", "surrogateescape"))
    payload = message.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else content
