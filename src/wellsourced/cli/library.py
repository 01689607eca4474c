"""`wellsourced library`: documents of one's own, and everything that was read, searchable on this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wellsourced.cli import options
from wellsourced.cli.output import ListEntry, open_screen, print_message, show_progress, write_json
from wellsourced.cli.run_tool import FAILED, NOTHING_FOUND, OK, with_app
from wellsourced.text.amounts import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellsourced.app import Application
    from wellsourced.library.collector import CollectedDocument, Collector, WatchedFolder
    from wellsourced.storage.library.search import LibraryResult
    from wellsourced.storage.library.store import LibraryDocument, NewDocument

# A batch is one transaction: large enough to be quick, small enough to report progress and to fit into memory.
BATCH = 32
BATCH_CHARACTERS = 2_000_000
KINDS = ("page", "paper", "document", "file")


@click.group()
def command() -> None:
    """Keep documents in a searchable library."""


@command.command()
@click.argument("sources", nargs=-1, required=True)
@click.option("--tag", "tags", multiple=True, help="Label for what is added; may be given several times.")
@click.option("--private", is_flag=True, help="Only for this user, not for others of the same server.")
@click.option("--watch", is_flag=True, help="Go on looking for changed, new and removed files until interrupted.")
@click.option("--every", type=click.FloatRange(0.1), default=2.0, show_default=True, help="Seconds between looks.")
@click.option("--most", type=click.IntRange(1, 50_000), default=1000, show_default=True, help="Pages of a sitemap.")
@options.as_json
def add(
    sources: tuple[str, ...], tags: tuple[str, ...], private: bool, watch: bool, every: float, most: int, as_json: bool
) -> int:
    """Add files, folders, pages or whole sitemaps (an address that ends in .xml).

    What was reported as added is on the disk.
    """
    if watch and any(source.lower().startswith(("http://", "https://")) for source in sources):
        raise click.UsageError("--watch looks at files and folders; an address is read once.")

    paths = [Path(source).expanduser() for source in sources]

    async def script(app: Application) -> int:
        from wellsourced.library.collector import WatchedFolder

        adding = LibraryImport(app, as_json)
        watched = WatchedFolder(paths) if watch else None
        async with adding.collector(tags, private, most) as collector:
            status = await adding.add_sources(collector, sources)
            if watched:
                await adding.watch_changes(collector, watched, every)
        return status

    return with_app(script)


@command.command()
@click.argument("query")
@click.option("--site", default="", help="Only this domain.")
@click.option("--since", default="", help="Only documents dated from this day on (2026-01-31).")
@click.option("--until", default="", help="Only documents dated up to this day.")
@click.option("--kind", type=click.Choice(KINDS), help="Only this kind.")
@click.option("--tag", default="", help="Only with this label.")
@click.option("-n", "--num", type=click.IntRange(1, 100), default=10, show_default=True, help="How many results.")
@options.as_json
def search(query: str, site: str, since: str, until: str, kind: str | None, tag: str, num: int, as_json: bool) -> int:
    """Search the library."""

    async def script(app: Application) -> int:
        from wellsourced.storage.library.store import LibraryFilters

        filters = LibraryFilters(site=site, since=since, until=until, kind=kind or "", tag=tag)
        return show_results(await app.services.library.search(query, app.local_user, filters, num), as_json)

    return with_app(script)


@command.command("list")
@click.option("--site", default="", help="Only this domain.")
@click.option("--kind", type=click.Choice(KINDS), help="Only this kind.")
@click.option("--tag", default="", help="Only with this label.")
@click.option("-n", "--num", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many.")
@options.as_json
def list_documents(site: str, kind: str | None, tag: str, num: int, as_json: bool) -> int:
    """List documents, the newest first."""

    async def script(app: Application) -> int:
        from wellsourced.storage.library.store import LibraryFilters

        filters = LibraryFilters(site=site, kind=kind or "", tag=tag)
        return show_list(await app.services.library.list_documents(app.local_user, filters, num), as_json)

    return with_app(script)


@command.command()
@click.argument("documents", nargs=-1, required=True)
@options.as_json
def remove(documents: tuple[str, ...], as_json: bool) -> int:
    """Remove documents by id, address or path."""

    async def script(app: Application) -> int:
        counts = {name: await app.services.library.remove(document_id_from(name), app.local_user) for name in documents}
        missing = [name for name, count in counts.items() if not count]
        if as_json:
            write_json({"removed": sum(counts.values()), "notFound": missing})
        for name in missing:
            print_message(f"Not in the library: {name}")
        return NOTHING_FOUND if missing else OK

    return with_app(script)


@command.command()
@options.as_json
def stats(as_json: bool) -> int:
    """Say how much the library holds."""

    async def script(app: Application) -> int:
        held = await app.services.library.totals(app.local_user)
        texts = format_count(held.texts, "different text")
        if as_json:
            write_json(
                {"documents": held.documents, "texts": held.texts, "characters": held.characters, "bytes": held.size}
            )
        else:
            open_screen().line(
                f"{format_count(held.documents, 'document')} with {texts} "
                f"of {format_count(held.characters, 'character')}; "
                f"{held.size / 2**20:,.1f} MB on disk, caches and sessions included"
            )
        return OK

    return with_app(script)


class LibraryImport:
    """Adds collected documents to the library, a batch at a time, and reports each."""

    def __init__(self, app: Application, as_json: bool) -> None:
        self._app = app
        self._as_json = as_json
        self._waiting: list[CollectedDocument] = []
        self._size = 0
        self.added: list[dict[str, str]] = []
        self.failed: list[dict[str, str]] = []

    def collector(self, tags: tuple[str, ...], private: bool, most: int) -> Any:
        from contextlib import asynccontextmanager

        from wellsourced.library.collector import Collector
        from wellsourced.sandbox.pool import WorkerPool

        @asynccontextmanager
        async def opened() -> Any:
            async with WorkerPool() as workers:
                yield Collector(
                    reader=self._app.services.reader,
                    workers=workers,
                    identity=self._app.local_user,
                    tags=tags,
                    private=private,
                    largest=self._app.settings.count("MAX_DOCUMENT_BYTES"),
                    most=most,
                )

        return opened()

    async def add_sources(self, collector: Collector, sources: Sequence[str]) -> int:
        with show_progress("Reading …") as update:
            for source in sources:
                async for collected in collector.collect(source):
                    await self._put(collected)
                    update(f"{len(self.added)} added, {len(self.failed)} left out: {collected.source}")
            await self._write()
        return self._report()

    async def watch_changes(self, collector: Collector, watched: WatchedFolder, every: float) -> None:
        print_message("Watching for changes; interrupt to end.")
        while True:
            await asyncio.sleep(every)
            changed, gone = watched.changes()
            for path in changed:
                await self._put(await collector.file(path))
            await self._write()
            for path in gone:
                await self._app.services.library.remove(document_id_from(str(path)), collector.identity)
                print_message(f"Removed: {path}")

    async def _put(self, collected: CollectedDocument) -> None:
        if collected.entry is None:
            self.failed.append({"source": collected.source, "error": collected.problem})
            print_message(f"Left out: {collected.source}: {collected.problem}")
            return
        self._waiting.append(collected)
        self._size += len(collected.entry.text)
        if len(self._waiting) >= BATCH or self._size >= BATCH_CHARACTERS:
            await self._write()

    async def _write(self) -> None:
        """Write the batch; only what the library has acknowledged is reported as added."""
        batch, self._waiting, self._size = self._waiting, [], 0
        entries: list[NewDocument] = [collected.entry for collected in batch if collected.entry]
        if entries:
            await self._app.services.library.add(entries)
        for entry in entries:
            self.added.append({"id": entry.id, "url": entry.url, "title": entry.title})
            print_message(f"Added: {entry.title or entry.url} ({entry.id})")

    def _report(self) -> int:
        if self._as_json:
            write_json({"added": self.added, "leftOut": self.failed})
        if self.added:
            return OK
        if not self.failed:
            print_message("There was nothing to add: no file, page or document was found there.")
        return FAILED if self.failed else NOTHING_FOUND


def document_id_from(name: str) -> str:
    """The id of a document that is named by its id, its address or its path."""
    from wellsourced.storage.library.store import document_id

    if "://" in name:
        return document_id(name)
    path = Path(name).expanduser()
    is_path = path.exists() or "/" in name or "\\" in name or "." in name
    return document_id(path.resolve().as_uri()) if is_path else name


def show_results(results: list[LibraryResult], as_json: bool) -> int:
    if as_json:
        write_json({"results": [result_data(result) for result in results]})
    elif results:
        open_screen().entries(
            ListEntry(
                result.about.title or result.about.url,
                result.about.url,
                describe_document(result.about),
                result.passage,
            )
            for result in results
        )
    else:
        print_message("Nothing was found in the library.")
    return OK if results else NOTHING_FOUND


def show_list(kept: list[LibraryDocument], as_json: bool) -> int:
    if as_json:
        write_json({"documents": [document_data(each) for each in kept]})
    elif kept:
        rows = [(each.id, each.kind, each.date, each.title or each.url, ", ".join(each.tags)) for each in kept]
        open_screen().table(("id", "kind", "date", "title", "tags"), rows)
    else:
        print_message("The library holds no such documents.")
    return OK if kept else NOTHING_FOUND


def describe_document(about: LibraryDocument) -> str:
    return " · ".join(part for part in (about.id, about.kind, about.date, about.site, ", ".join(about.tags)) if part)


def document_data(about: LibraryDocument) -> dict[str, Any]:
    from dataclasses import asdict
    from datetime import UTC, datetime

    data = {name: value for name, value in asdict(about).items() if value not in ("", ())}
    data["added"] = datetime.fromtimestamp(about.added, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return data


def result_data(result: LibraryResult) -> dict[str, Any]:
    data = {**document_data(result.about), "snippet": result.passage, "score": round(result.score, 3)}
    if result.copies:
        data["copies"] = list(result.copies)
    return data
