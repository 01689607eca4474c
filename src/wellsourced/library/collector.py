"""Documents for the library: a file, a folder, a page, or all pages of a sitemap.

Sitemaps as sitemaps.org describes them: `urlset` lists pages, `sitemapindex` lists sitemaps, either may be gzipped.
Only pages of the sitemap's own domain are read. What cannot be read is reported and left out.
"""

from __future__ import annotations

import asyncio
import os
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from wellsourced.documents import content_kind
from wellsourced.errors import BadInput, ContentEmpty, WellsourcedError
from wellsourced.identity import Identity
from wellsourced.library.library import page_document
from wellsourced.pages.page import Page
from wellsourced.pages.read_reply import DOCUMENT_CHARACTERS, page_from_document
from wellsourced.pages.reader import Reader
from wellsourced.sandbox.pool import WorkerPool
from wellsourced.storage.library.store import NewDocument
from wellsourced.text.urls import host_of, registrable_domain
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at

MOST_FILES = 100_000
MOST_SITEMAPS = 100
SITEMAP_BYTES = 50 * 1024 * 1024
CONCURRENT_READS = 4
PAGE_SECONDS = 60.0
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
SITEMAP_ENDINGS = (".xml", ".xml.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedDocument:
    """What came of one file or page: a document, or why there is none."""

    source: str
    entry: NewDocument | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file as it is on disk; `day` is when it was last written."""

    name: str
    url: str
    day: str
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Collector:
    """`largest` is the most bytes of a file; `most` the most pages of a sitemap."""

    reader: Reader
    workers: WorkerPool
    identity: Identity
    tags: tuple[str, ...] = ()
    private: bool = False
    largest: int = 50 * 1024 * 1024
    most: int = 1000

    async def collect(self, source: str) -> AsyncIterator[CollectedDocument]:
        """Everything behind one argument of the command, as it is read."""
        if source.lower().startswith(("http://", "https://")):
            pages = await self._pages(source)
            async for collected in read_concurrently(pages, self._page):
                yield collected
            return
        async for collected in read_concurrently(await asyncio.to_thread(files_matching, source), self._file):
            yield collected

    async def file(self, path: Path) -> CollectedDocument:
        return await self._file(str(path))

    async def _page(self, url: str) -> CollectedDocument:
        try:
            reading = await self.reader.read(url, tenant=self.identity.tenant, deadline=time.monotonic() + PAGE_SECONDS)
        except WellsourcedError as problem:
            return CollectedDocument(source=url, problem=problem.sentence)
        return self._collected(url, reading.page)

    async def _file(self, name: str) -> CollectedDocument:
        try:
            page = await self._read_file(name)
        except WellsourcedError as problem:
            return CollectedDocument(source=name, problem=problem.sentence)
        except OSError as problem:
            return CollectedDocument(source=name, problem=f"It cannot be read: {problem.strerror or problem}.")
        return self._collected(name, page)

    async def upload(self, name: str, body: bytes) -> CollectedDocument:
        """A file that was sent; the same name with other content is another document."""
        url = f"file:///{sha256(body).hexdigest()[:16]}/{quote(name)}"
        file = SourceFile(name=name, url=url, day="", body=body)
        try:
            return self._collected(name, await self._read_source(file))
        except WellsourcedError as problem:
            return CollectedDocument(source=name, problem=problem.sentence)

    async def _read_file(self, name: str) -> Page:
        return await self._read_source(await asyncio.to_thread(open_file, name, self.largest))

    async def _read_source(self, file: SourceFile) -> Page:
        kind = content_kind.kind_of(file.body, "", file.name)
        if kind is None:
            page = await self.workers.extract_page(file.body, file.url)
        else:
            page = page_from_document(
                await self.workers.read_document(kind, file.body, max_chars=DOCUMENT_CHARACTERS), file.url
            )
        if not page.markdown.strip():
            raise ContentEmpty("It holds no text that can be read.")
        return replace(page, url=file.url, title=page.title or file.name, date=page.date or file.day)

    def _collected(self, source: str, page: Page) -> CollectedDocument:
        entry = page_document(page, self.identity, tags=self.tags, private=self.private)
        return CollectedDocument(source=source, entry=entry)

    async def _pages(self, url: str) -> list[str]:
        """The address itself, or the pages of the sitemap that it is."""
        if not url.split("?", 1)[0].lower().endswith(SITEMAP_ENDINGS):
            return [url]
        domain = registrable_domain(host_of(url))
        waiting, seen, pages = [url], {url}, dict[str, None]()
        while waiting and len(seen) <= MOST_SITEMAPS and len(pages) < self.most:
            kind, places = await self._sitemap(waiting.pop(0))
            if kind == "":
                return [url]
            own = [place for place in places if registrable_domain(host_of(place)) == domain]
            if kind == "sitemapindex":
                waiting += [place for place in own if place not in seen]
                seen.update(own)
            else:
                pages.update(dict.fromkeys(own))
        if not pages:
            raise ContentEmpty(f"The sitemap {url} lists no pages of {domain}.")
        return list(pages)[: self.most]

    async def _sitemap(self, url: str) -> tuple[str, list[str]]:
        """What kind of sitemap it is and what it lists; "" for XML of another kind."""
        reply = await self.reader.raw(
            url, max_bytes=SITEMAP_BYTES, tenant=self.identity.tenant, deadline=time.monotonic() + PAGE_SECONDS
        )
        root = await asyncio.to_thread(parse_xml, decompress(reply.body))
        if root.tag not in {"urlset", "sitemapindex"}:
            return "", []
        return root.tag, [place for child in root if (place := text_at(child, "loc")).startswith("http")]


async def read_concurrently(
    sources: Sequence[str], read: Callable[[str], Awaitable[CollectedDocument]]
) -> AsyncIterator[CollectedDocument]:
    """A few at a time, in order."""
    waiting: list[asyncio.Future[CollectedDocument]] = []
    try:
        for source in sources:
            waiting.append(asyncio.ensure_future(read(source)))
            if len(waiting) >= CONCURRENT_READS:
                yield await waiting.pop(0)
        while waiting:
            yield await waiting.pop(0)
    finally:
        for task in waiting:
            task.cancel()


def open_file(name: str, largest: int) -> SourceFile:
    path = Path(name)
    about = path.stat()
    if about.st_size > largest:
        raise BadInput(f"It has {about.st_size:,} bytes; MAX_DOCUMENT_BYTES allows {largest:,}.")
    day = datetime.fromtimestamp(about.st_mtime, UTC).date().isoformat()
    return SourceFile(name=path.name, url=path.resolve().as_uri(), day=day, body=path.read_bytes())


def files_matching(source: str) -> list[str]:
    path = Path(source).expanduser()
    if not path.exists():
        raise BadInput(f"{source} is neither a file or folder here nor an http(s) address.")
    return [str(file) for file in files_below(path)]


def files_below(path: Path) -> Iterator[Path]:
    """The file itself, or all files below a folder but hidden ones; links to elsewhere are not followed."""
    if path.is_file():
        yield path
        return
    count = 0
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS)
        for name in sorted(names):
            file = Path(folder) / name
            if not name.startswith(".") and file.is_file() and not file.is_symlink():
                count += 1
                if count > MOST_FILES:
                    return
                yield file


def decompress(body: bytes) -> bytes:
    """A gzipped sitemap unpacked, up to the size that is read."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, SITEMAP_BYTES)
    except zlib.error as problem:
        raise ContentEmpty(f"The sitemap is damaged: {problem}.") from None


class WatchedFolder:
    """Files and folders that are scanned again and again for changes."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._known = self._scan()

    def changes(self) -> tuple[list[Path], list[Path]]:
        """What is new or other than at the last scan, and what is gone."""
        now = self._scan()
        changed = [path for path, stamp in now.items() if self._known.get(path) != stamp]
        gone = [path for path in self._known if path not in now]
        self._known = now
        return changed, gone

    def _scan(self) -> dict[Path, tuple[int, int]]:
        stamps: dict[Path, tuple[int, int]] = {}
        for path in self._paths:
            for file in files_below(path):
                try:
                    about = file.stat()
                except OSError:
                    continue
                stamps[file] = (about.st_mtime_ns, about.st_size)
        return stamps
