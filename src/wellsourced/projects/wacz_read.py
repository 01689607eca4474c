"""A WACZ file as it is read: its project and captures, whoever wrote it, without the network."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from wellsourced.errors import BadInput, NotFound
from wellsourced.http_exchange import Reply
from wellsourced.pages.attempts import Reading
from wellsourced.projects.capture_records import reading_in, reply_in, reply_of
from wellsourced.projects.captures import newest_of
from wellsourced.projects.project import PageCapture, ProjectItem
from wellsourced.projects.receipts import Receipt
from wellsourced.projects.wacz_write import INDEXED, PACKAGE, PROJECT, RECEIPTS
from wellsourced.text.urls import is_web_url

LOCAL_HEADER = struct.Struct("<26xHH")
"""Of a file in the container: the lengths of its name and of what else stands before its bytes."""
MOST_READ = 512 * 1024 * 1024


class WaczFile:
    """`with WaczFile.open(path) as wacz`. Files in it are stored as they are, so that their bytes can be had even where
    the container around them is damaged."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.name = name
        self.file = file
        try:
            self.container = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, ValueError, OSError, RuntimeError, struct.error) as problem:
            raise BadInput(f"{name} is not a WACZ file, or the list of contents at its end is damaged.") from problem

    @classmethod
    def open(cls, path: Path) -> WaczFile:
        try:
            file = path.open("rb")
        except OSError as problem:
            raise BadInput(f"{path} cannot be read: {problem.strerror or problem}.") from None
        try:
            return cls(file, path.name)
        except BadInput:
            file.close()
            raise

    def __enter__(self) -> WaczFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.container.close()
        self.file.close()

    def names(self) -> list[str]:
        return self.container.namelist()

    def content(self, name: str) -> bytes:
        """The bytes of a file in it, unchecked."""
        try:
            about = self.container.getinfo(name)
        except KeyError:
            raise BadInput(f"{self.name} has no {name}.") from None
        if about.file_size > MOST_READ and name != self.archives[0]:
            raise BadInput(f"{name} in {self.name} is larger than what is read.")
        if about.compress_type != zipfile.ZIP_STORED:
            return self.container.read(name)
        return self.part(name, 0, about.file_size)

    def part(self, name: str, offset: int, length: int) -> bytes:
        """Bytes of a file that is stored as it is."""
        start = self.container.getinfo(name).header_offset
        self.file.seek(start)
        head = self.file.read(LOCAL_HEADER.size)
        if len(head) < LOCAL_HEADER.size:
            return b""
        self.file.seek(start + LOCAL_HEADER.size + sum(LOCAL_HEADER.unpack(head)) + offset)
        return self.file.read(length)

    @cached_property
    def archives(self) -> list[str]:
        return [name for name in self.names() if name.startswith("archive/") and ".warc" in name] or [""]

    @cached_property
    def project(self) -> dict[str, Any] | None:
        """The project as it was exported; None where another tool wrote the file."""
        if PROJECT not in self.names():
            return None
        return self._json(PROJECT)

    @cached_property
    def package(self) -> dict[str, Any]:
        return self._json(PACKAGE)

    @cached_property
    def receipts(self) -> list[Receipt]:
        if RECEIPTS not in self.names():
            return []
        try:
            return [json.loads(line) for line in self.content(RECEIPTS).splitlines() if line.strip()]
        except ValueError:
            raise BadInput(f"{RECEIPTS} in {self.name} is damaged: a line of it is not JSON.") from None

    @cached_property
    def captures(self) -> dict[int, PageCapture]:
        """By number: those of the project, else what can be shown of another tool's file."""
        try:
            if self.project is not None:
                listed = [PageCapture.model_validate(each) for each in self.project["captures"]]
                return {capture.capture: capture for capture in listed}
        except (LookupError, ValidationError) as problem:
            raise BadInput(f"{PROJECT} in {self.name} is damaged: it does not list its captures.") from problem
        return dict(enumerate(self._foreign_captures(), start=1))

    @cached_property
    def items(self) -> list[ProjectItem]:
        return [ProjectItem.model_validate(each) for each in (self.project or {}).get("items", [])]

    @cached_property
    def places(self) -> dict[int, tuple[int, int, str]]:
        """Where the records of each capture lie in the archive, and their digest."""
        return {number: (offset, length, digest) for number, offset, length, digest in (self.project or {})["records"]}

    def find(self, url: str) -> PageCapture:
        capture = newest_of(list(self.captures.values()), url)
        if capture is None:
            raise NotFound(f"{self.name} has no capture of {url}.")
        return capture

    def records(self, capture: PageCapture) -> bytes:
        """The WARC records of a capture."""
        if self.project is None:
            name, _, start = capture.record.rpartition("@")
            return self.content(name)[int(start) :]
        offset, length, _ = self.places[capture.capture]
        return self.part(self.archives[0], offset, length)

    def reading(self, capture: PageCapture) -> Reading | None:
        """What was read of it then; None where another tool made the capture."""
        return reading_in(self.records(capture)) if self.project is not None else None

    def reply(self, capture: PageCapture) -> Reply:
        """The bytes as they came."""
        if self.project is None:
            from warcio.archiveiterator import ArchiveIterator

            return reply_of(next(iter(ArchiveIterator(io.BytesIO(self.records(capture))))))
        whole = self.captures[capture.same_as] if capture.same_as else capture
        return reply_in(self.records(whole), whole.record)

    def _json(self, name: str) -> dict[str, Any]:
        try:
            value = json.loads(self.content(name))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise BadInput(f"{name} in {self.name} is damaged: it is not a JSON object.")
        return value

    def _foreign_captures(self) -> Iterator[PageCapture]:
        from warcio.archiveiterator import ArchiveIterator

        for name in filter(None, self.archives):
            records = ArchiveIterator(io.BytesIO(self.content(name)))
            for record in records:
                about = record.rec_headers
                url, status = about.get_header("WARC-Target-URI") or "", "200"
                if record.http_headers:
                    status = record.http_headers.get_statuscode()
                if record.rec_type not in INDEXED - {"revisit"} or status != "200" or not is_web_url(url):
                    continue
                yield PageCapture(
                    capture=0,
                    url=url,
                    final_url=url,
                    captured_at=about.get_header("WARC-Date"),
                    status=200,
                    content_type=(record.http_headers or about).get_header("Content-Type") or "",
                    bytes=0,
                    stored=0,
                    digest=about.get_header("WARC-Payload-Digest") or "",
                    text_digest="",
                    record=f"{name}@{records.get_record_offset()}",
                    way=record.rec_type,
                )
