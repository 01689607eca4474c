"""A project, or one session of it, as a WACZ file (version 1.1.1): WARC, CDXJ index, pages, and a datapackage that has
the digest of every file and is signed itself. The project and its receipts lie beside them.

The container is written the same way every time (stored, one date, one order), so that a reader can write it again
from its contents and find any byte that differs.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from wellsourced.projects.capture_records import CaptureWriter
from wellsourced.projects.project import PageCapture, Project, whole_json
from wellsourced.projects.receipts import TOOL, SigningKey, canonical_json

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

WACZ_VERSION = "1.1.1"
ARCHIVE, INDEX, SECONDARY, PAGES = (
    "archive/data.warc.gz",
    "indexes/index.cdx.gz",
    "indexes/index.idx",
    "pages/pages.jsonl",
)
PROJECT, RECEIPTS = "wellsourced/project.json", "wellsourced/receipts.jsonl"
PACKAGE, PACKAGE_DIGEST = "datapackage.json", "datapackage-digest.json"
INDEXED = frozenset({"response", "revisit", "resource"})
EARLIEST = (1980, 1, 1, 0, 0, 0)
LINES_IN_BLOCK = 1024
IN_MEMORY = 32 * 1024 * 1024
CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class StoredRecords:
    """Where the records of a capture lie in the archive, with their digest."""

    capture: int
    offset: int
    length: int
    digest: str


class WaczWriter:
    """Takes the records of capture after capture, then writes the file."""

    def __init__(self, project: Project, key: SigningKey, at: str, session_id: str = "") -> None:
        self._project = project
        self._key = key
        self._at = at
        self._session_id = session_id
        self._archive: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed by `write`
        self._stored: list[StoredRecords] = []
        self._pages: list[dict[str, Any]] = []
        info = CaptureWriter(at)
        info.write_info({"software": TOOL, "format": "WARC File Format 1.1", "isPartOf": project.head.name})
        self._archive.write(info.blob)

    def add(self, capture: PageCapture, blob: bytes, text: str) -> None:
        place = StoredRecords(capture.capture, self._archive.tell(), len(blob), hashlib.sha256(blob).hexdigest())
        self._stored.append(place)
        self._archive.write(blob)
        if capture.final_url.startswith("http"):
            title = capture.title or capture.final_url
            page = {"id": str(capture.capture), "url": capture.final_url, "ts": capture.captured_at, "title": title}
            self._pages.append({**page, "text": text})

    def write(self, out: IO[bytes]) -> None:
        with self._archive as archive:
            archive.seek(0)
            compressed, secondary = compress_index(sorted(index_lines(archive)))
            files: dict[str, bytes | IO[bytes]] = {
                ARCHIVE: archive,
                INDEX: compressed,
                SECONDARY: secondary,
                PAGES: json_lines([{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}, *self._pages]),
                PROJECT: canonical_json(self._contents()),
                RECEIPTS: b"".join(canonical_json(receipt) + b"\n" for receipt in self._project.receipts.values()),
            }
            files[PACKAGE] = self._package(files)
            files[PACKAGE_DIGEST] = self._signed(files[PACKAGE])
            write_container(out, files)

    def _contents(self) -> dict[str, Any]:
        records = [[each.capture, each.offset, each.length, each.digest] for each in self._stored]
        part = {"partOf": self._session_id} if self._session_id else {}
        return {**whole_json(self._project), **part, "records": records}

    def _package(self, files: Mapping[str, bytes | IO[bytes]]) -> bytes:
        resources = []
        for path, content in files.items():
            size, digest = measure(content)
            name = path.rpartition("/")[2]
            resources.append({"name": name, "path": path, "hash": f"sha256:{digest}", "bytes": size})
        head = self._project.head
        about = {
            "profile": "data-package",
            "wacz_version": WACZ_VERSION,
            "created": self._at,
            "modified": self._at,
            "software": TOOL,
            "title": head.name,
            **({"description": head.question} if head.question else {}),
        }
        return json.dumps({**about, "resources": resources}, ensure_ascii=False, indent=1).encode("utf-8", "replace")

    def _signed(self, package: bytes | IO[bytes]) -> bytes:
        _, digest = measure(package)
        return canonical_json(
            self._key.sign({"path": PACKAGE, "hash": f"sha256:{digest}", "created": self._at, "software": TOOL})
        )


def measure(content: bytes | IO[bytes]) -> tuple[int, str]:
    """Size and SHA-256 of what is written."""
    digest, size = hashlib.sha256(), 0
    for chunk in chunks(content):
        digest.update(chunk)
        size += len(chunk)
    return size, digest.hexdigest()


def chunks(content: bytes | IO[bytes]) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    content.seek(0)
    while chunk := content.read(CHUNK):
        yield chunk


def write_container(out: IO[bytes], files: Mapping[str, bytes | IO[bytes]]) -> None:
    """The ZIP file, the same for the same files."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as container:
        for path, content in files.items():
            about = zipfile.ZipInfo(path, EARLIEST)
            about.create_system, about.external_attr, about.file_size = 3, 0o644 << 16, measure(content)[0]
            with container.open(about, "w") as entry:
                for chunk in chunks(content):
                    entry.write(chunk)


def json_lines(values: Sequence[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for value in values)


def index_lines(archive: IO[bytes]) -> Iterator[str]:
    """A CDXJ line for each record that can be replayed."""
    from warcio.archiveiterator import ArchiveIterator

    records = ArchiveIterator(archive)
    for record in records:
        if record.rec_type not in INDEXED:
            continue
        line = _index_fields(record)  # before the stream is read past
        where = {"length": str(records.get_record_length()), "offset": str(records.get_record_offset())}
        url, moment = line["url"], "".join(c for c in record.rec_headers.get_header("WARC-Date") if c.isdigit())[:14]
        yield f"{search_key(url)} {moment} {json.dumps({**line, **where, 'filename': 'data.warc.gz'})}"


def _index_fields(record: ArcWarcRecord) -> dict[str, str]:
    about, http = record.rec_headers, record.http_headers
    kind = (http.get_header("content-type") if http else None) or about.get_header("Content-Type") or ""
    return {
        "url": about.get_header("WARC-Target-URI"),
        "mime": "warc/revisit" if record.rec_type == "revisit" else kind.split(";")[0].strip(),
        "status": http.get_statuscode() if http else "200",
        "digest": about.get_header("WARC-Payload-Digest"),
    }


def search_key(url: str) -> str:
    """The address in the order by which indexes are searched (SURT): org,example)/path?query."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return url.lower()
    host = ",".join(reversed(parts.hostname.removeprefix("www.").split(".")))
    port = f":{parts.port}" if parts.port not in {None, 80, 443} else ""
    query = f"?{'&'.join(sorted(parts.query.split('&')))}" if parts.query else ""
    return f"{host}{port}){unquote(parts.path) or '/'}{query}".lower().replace(" ", "%20")


def compress_index(lines: Sequence[str]) -> tuple[bytes, bytes]:
    """The index in blocks that can be read alone, and the list of their first lines (ZipNum)."""
    out = io.BytesIO()
    listed = ['!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}']
    for start in range(0, len(lines), LINES_IN_BLOCK):
        block = gzip.compress("".join(f"{line}\n" for line in lines[start : start + LINES_IN_BLOCK]).encode(), mtime=0)
        key = " ".join(lines[start].split(" ", 2)[:2])
        about = {"offset": out.tell(), "length": len(block), "digest": f"sha256:{hashlib.sha256(block).hexdigest()}"}
        listed.append(f"{key} {json.dumps({**about, 'filename': 'index.cdx.gz'})}")
        out.write(block)
    return out.getvalue(), "".join(f"{line}\n" for line in listed).encode()
