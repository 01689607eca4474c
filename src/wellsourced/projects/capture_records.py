"""What was read, as WARC records (ISO 28500:2017): requests, redirects, the answer, the page as a browser showed it.

The body is the one that was read, after decompression, so headers that speak of its transfer keep their value under
`x-orig-`, as other archiving tools do. The reading that was made of it goes along as a `conversion` record: places in
a quotation are places in that text, whichever version reads the capture. Each record is a gzip member of its own.
"""

from __future__ import annotations

import hashlib
import io
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from isal import isal_zlib
from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from wellsourced.errors import NotFound
from wellsourced.http_exchange import Reply
from wellsourced.pages.attempts import FetchedReading, FetchedReply, Reading

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

READING = TypeAdapter(Reading)
READING_TYPE = "application/json; profile=wellsourced-reading"
TRANSFER_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection"})
FAST, GZIP = 1, 31
BROWSER = "browser"
VERSION = "WARC/1.1"


@dataclass(frozen=True, slots=True)
class EarlierCapture:
    """A body that is kept already: where and when it came from, and the number of its capture."""

    number: int
    url: str
    captured_at: str


@dataclass(frozen=True, slots=True)
class WrittenCapture:
    """The records of one capture, and what names the one that counts."""

    blob: bytes
    record: str
    digest: str
    text_digest: str
    body_bytes: int
    status: int
    content_type: str


def digest_of_bytes(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def text_digest(reading: Reading) -> str:
    return digest_of_bytes(reading.page.markdown.encode("utf-8", "replace"))


def body_of(fetched: FetchedReading) -> bytes:
    """The bytes that were read; of a site's own interface, the text that it gave."""
    return (
        fetched.fetched[-1].reply.body if fetched.fetched else fetched.reading.page.markdown.encode("utf-8", "replace")
    )


class CaptureWriter:
    """Writes the records of one capture, all with the moment at which it was made.

    By hand: a record is a few lines of headers, and `warcio`, which reads them, takes ten times as long to write one.
    """

    def __init__(self, at: str) -> None:
        self._at = at
        self._members: list[bytes] = []

    @property
    def blob(self) -> bytes:
        return b"".join(self._members)

    def write(self, kind: str, uri: str, body: bytes, http: bytes = b"", **more: str) -> str:
        """One record; its id. `http` is what stands before the body, `more` are headers of the record."""
        id, block = f"<urn:uuid:{uuid.uuid4()}>", http + body if http else body
        if http:
            more.setdefault(
                "Content_Type", f"application/http; msgtype={'request' if kind == 'request' else 'response'}"
            )
            more["WARC_Payload_Digest"] = more.get("WARC_Payload_Digest") or digest_of_bytes(body)
        headers = {
            "WARC-Type": kind,
            "WARC-Record-ID": id,
            "WARC-Target-URI": uri,
            "WARC-Date": self._at,
            "WARC-Block-Digest": digest_of_bytes(block),
            **{name.replace("_", "-"): value for name, value in more.items()},
            "Content-Length": str(len(block)),
        }
        record = b"".join((_head(VERSION, [each for each in headers.items() if each[1]]), block, b"\r\n\r\n"))
        self._members.append(isal_zlib.compress(record, FAST, GZIP))
        return id

    def write_info(self, fields: Mapping[str, str]) -> None:
        """What the file is, as its first record."""
        body = "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in fields.items() if value).encode()
        self.write("warcinfo", "", body, Content_Type="application/warc-fields")


def _head(first: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """Lines of headers; a value that came with line ends of its own is put on one line."""
    lines = (f"{name}: {' '.join(value.split())}\r\n" for name, value in headers)
    return f"{first}\r\n{''.join(lines)}\r\n".encode("utf-8", "replace")


def write_capture(
    url: str, fetched: FetchedReading, at: str, digest: str, same: EarlierCapture | None = None
) -> WrittenCapture:
    """The records of what was read from an address; `digest` is of the body. With `same`, it is only referred to."""
    writer = CaptureWriter(at)
    body = body_of(fetched)
    for earlier in fetched.fetched[:-1]:
        _write_exchange(writer, earlier, None)
    if fetched.fetched:
        record = _write_exchange(writer, fetched.fetched[-1], same, digest)
        reply = fetched.fetched[-1].reply
    else:
        reply = Reply(200, {"content-type": "text/markdown; charset=utf-8"}, body, fetched.reading.page.url or url)
        record = _write_resource(writer, reply, same, digest)
    writer.write("conversion", reply.url, _packed(fetched.reading), WARC_Refers_To=record, Content_Type=READING_TYPE)
    return WrittenCapture(
        blob=writer.blob,
        record=record.strip("<>"),
        digest=digest,
        text_digest=text_digest(fetched.reading),
        body_bytes=len(body),
        status=reply.status,
        content_type=reply.headers.get("content-type", ""),
    )


def _packed(reading: Reading) -> bytes:
    try:
        return READING.dump_json(reading)
    except PydanticSerializationError:  # half a character of a hostile page
        plain = READING.dump_python(reading, mode="python")
        return json.dumps(plain, ensure_ascii=False, default=vars).encode("utf-8", "replace")


def _write_exchange(writer: CaptureWriter, fetched: FetchedReply, same: EarlierCapture | None, digest: str = "") -> str:
    reply = fetched.reply
    if fetched.tier == BROWSER:
        return _write_resource(writer, reply, same, digest)
    for hop in reply.redirects:
        writer.write("response", hop.url, b"", _head(_status(hop.status), _header_list(hop.headers)))
    answered = _head(_status(reply.status), _header_list(reply.headers, len(reply.body)))
    if same:
        record = writer.write("revisit", reply.url, b"", answered, **_revisit_headers(same, digest))
    else:
        record = writer.write("response", reply.url, reply.body, answered, WARC_Payload_Digest=digest)
    parts = urlsplit(reply.url)
    line = f"GET {parts.path or '/'}{'?' + parts.query if parts.query else ''} HTTP/1.1"
    asked = _head(line, [("host", parts.netloc), *fetched.headers.items()])
    writer.write("request", reply.url, b"", asked, WARC_Concurrent_To=record)
    return record


def _write_resource(writer: CaptureWriter, reply: Reply, same: EarlierCapture | None, digest: str) -> str:
    """What no server sent in these bytes: a page as a browser showed it, a file, the text of a site's interface."""
    kind = reply.headers.get("content-type", "application/octet-stream")
    if not same:
        return writer.write("resource", reply.url, reply.body, Content_Type=kind, WARC_Payload_Digest=digest)
    shown = _head("HTTP/1.1 200 OK", [("content-type", kind)])
    return writer.write("revisit", reply.url, b"", shown, **_revisit_headers(same, digest))


def _revisit_headers(same: EarlierCapture, digest: str) -> dict[str, str]:
    return {
        "WARC_Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
        "WARC_Refers_To_Target_URI": same.url,
        "WARC_Refers_To_Date": same.captured_at,
        "WARC_Payload_Digest": digest,
    }


def _status(status: int) -> str:
    from http import HTTPStatus

    known = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
    return f"HTTP/1.1 {status} {known}"


def _header_list(headers: Mapping[str, str], length: int = 0) -> list[tuple[str, str]]:
    named = [(f"x-orig-{name}" if name in TRANSFER_HEADERS else name, value) for name, value in headers.items()]
    return [*named, ("content-length", str(length))]


def iterate_records(data: io.BufferedIOBase | io.BytesIO) -> Iterator[ArcWarcRecord]:
    from warcio.archiveiterator import ArchiveIterator

    yield from ArchiveIterator(data, check_digests="raise")


def reading_in(blob: bytes) -> Reading | None:
    """The reading that was made of a capture; None where the capture is another tool's."""
    for record in iterate_records(io.BytesIO(blob)):
        if record.rec_type == "conversion" and record.rec_headers.get_header("Content-Type") == READING_TYPE:
            return READING.validate_json(record.content_stream().read())
    return None


def reply_in(blob: bytes, id: str) -> Reply:
    """The answer that was kept under a record's id, as it was read."""
    for record in iterate_records(io.BytesIO(blob)):
        if record.rec_headers.get_header("WARC-Record-ID", "").strip("<>") == id:
            return reply_of(record)
    raise NotFound("The capture does not hold the record that it names.")


def reply_of(record: ArcWarcRecord) -> Reply:
    uri, body = record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()
    if record.http_headers is None:
        return Reply(200, {"content-type": record.rec_headers.get_header("Content-Type", "")}, body, uri)
    headers: dict[str, Any] = {name.lower(): value for name, value in record.http_headers.headers}
    return Reply(int(record.http_headers.get_statuscode()), headers, body, uri)
