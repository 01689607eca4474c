"""The library: every page and document that is read is stored, and can be searched.

What somebody read is theirs alone, unless the operator lets the people of a tenant share it (LIBRARY_SHARING); then it
is kept without the secrets in its addresses. What the operator adds may be for everybody of the tenant. A page is kept
when its answer is given; where it cannot be kept, the answer is given all the same and says so.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from wellsourced.errors import BadInput, ProviderNotConfigured, WellsourcedError
from wellsourced.identity import DEFAULT_TENANT, Identity, anonymous_prefix
from wellsourced.pages.attempts import Reading
from wellsourced.pages.page import Page
from wellsourced.settings import Settings
from wellsourced.storage.database import Database
from wellsourced.storage.library.query import build_queries
from wellsourced.storage.library.search import LibraryResult, search
from wellsourced.storage.library.store import (
    SHARED,
    DocumentKind,
    DocumentWithText,
    LibraryDocument,
    LibraryFilters,
    LibraryStore,
    LibraryTotals,
    NewDocument,
    RunBeside,
    document_id,
)
from wellsourced.storage.library.write_behind import WriteBehindQueue
from wellsourced.storage.single_flight import SingleFlight
from wellsourced.text.dates import parse_moment, range_start
from wellsourced.text.urls import host_of
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

T = TypeVar("T")

PROVIDER_NAME = "library"
MOST_RESULTS = 100
MOST_SITES = 10
LISTED_AT_ONCE = 500
REMEMBERED_ADDRESSES = 10_000
PURGE_SECONDS = 3600.0
KEPT_WITH_TAGS = ("url", "title", "author", "date", "site", "kind", "language")
PATIENCE = 2.0
"""How long an answer waits at most until its page is kept."""
SESSION_READER_SECONDS = 86_400.0
"""Who is known by an MCP session alone cannot come back after it, and nobody else may see what was read in it."""
DAY = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
PAGES = frozenset({"html", "markdown", ""})

logger = logging.getLogger("wellsourced")


class Library:
    """`store` is None where the library is turned off or nothing can be kept."""

    def __init__(
        self,
        store: LibraryStore | None,
        *,
        retention: float = 0.0,
        is_shared: bool = False,
        sole_reader: Identity | None = None,
    ) -> None:
        """With `is_shared` a tenant's people find what any of them read. `sole_reader` is the only person here."""
        self._store = store
        self.is_shared = is_shared
        self._sole_reader = sole_reader
        self._is_assigned = not (is_shared or sole_reader)
        self._queue = WriteBehindQueue(store, logger.warning) if store else None
        self._retention = retention
        self._purged = float("-inf")
        self._addresses: OrderedDict[tuple[Identity, str], str] = OrderedDict()
        self._questions = SingleFlight()
        self._changes = 0

    @classmethod
    def open(
        cls,
        settings: Settings,
        database: Database | None,
        sole_reader: Identity | None = None,
        run: RunBeside = asyncio.to_thread,
    ) -> Library:
        """PostgreSQL where LIBRARY_URL names one, else the encrypted file, else none."""
        if not settings.flag("LIBRARY_ENABLED"):
            return cls(None)
        return cls(
            _make_store(settings, database, run),
            retention=settings.seconds("LIBRARY_RETENTION"),
            is_shared=settings.text("LIBRARY_SHARING") == "tenant",
            sole_reader=sole_reader,
        )

    @property
    def is_open(self) -> bool:
        return self._store is not None

    async def remember(self, identity: Identity, *readings: Reading) -> str | None:
        """Keep pages that were read. Why they could not be kept; empty where they were, None where nothing was to keep.
        Never raises: the answer they were read for matters more."""
        pages = [read.page for read in readings if (read.page.plain or read.page.markdown).strip()]
        if self._queue is None or not pages or not identity.is_recognised:
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                entries = [page_document(page, identity, private=not self.is_shared) for page in pages]
                await self._change(self._queue.put(entries))
        except WellsourcedError as problem:
            return problem.sentence
        except TimeoutError:
            return "The library is busy: it is not known whether this page is kept."
        except Exception as problem:  # noqa: BLE001
            logger.warning("A page was not kept in the library: %s", type(problem).__name__)
            return "The library could not keep this page because of a mistake in Wellsourced. Please report it."
        return ""

    async def add(self, entries: Sequence[NewDocument]) -> int:
        """Keep documents; they are on the disk on return. How many texts were new."""
        return await self._change(self._required_store().add(entries))

    async def search(
        self,
        text: str,
        identity: Identity,
        filters: LibraryFilters | None = None,
        limit: int = 10,
        *,
        exact: str | None = None,
        exclude: str | None = None,
    ) -> list[LibraryResult]:
        ways = build_queries(text, exact, exclude)
        if not ways:
            raise BadInput("The question holds no word to look for; give at least one.")
        for name, day in (("since", filters.since), ("until", filters.until)) if filters else ():
            if day and not DAY.fullmatch(day):
                raise BadInput(f"{name} is a day such as 2026-01-31, a month or a year, not {day[:40]!r}.")
        await self._flush_and_purge()
        asked = (identity, filters or LibraryFilters(), min(limit, MOST_RESULTS))
        ask = partial(search, self._required_store(), ways, *asked)
        # Who asks after something was kept or removed gets an answer that knows of it.
        return list(await self._questions.run((text, exact, exclude, asked, self._changes), ask))

    async def ask(self, query: WebQuery, identity: Identity) -> ResultSet[Hit]:
        """The library as one of the engines of `web_search`."""
        earliest = range_start(query.time_range, datetime.now(UTC)).date().isoformat() if query.time_range else ""
        language = (query.language or "").lower()
        hits: dict[str, Hit] = {}
        for site in query.sites[:MOST_SITES] or ("",):
            filters = LibraryFilters(site=site, since=earliest, language=language)
            for result in await self.search(
                query.text, identity, filters, query.count, exact=query.exact_terms, exclude=query.exclude_terms
            ):
                hits.setdefault(result.about.id, result_hit(result))
        not_applied = query.days_unsent | ({"country"} if query.country else set())
        not_applied |= {"safe"} if query.safe != "medium" else set()
        return ResultSet(tuple(hits.values())[: query.count], frozenset(not_applied))

    async def fetch(self, id: str, identity: Identity) -> DocumentWithText | None:
        await self._flush_and_purge()
        return await self._store.fetch(id, identity) if self._store else None

    async def list_documents(
        self, identity: Identity, filters: LibraryFilters, limit: int, offset: int = 0
    ) -> list[LibraryDocument]:
        await self._flush_and_purge()
        return await self._required_store().list_documents(identity, filters, limit, offset)

    async def retag(self, id: str, tags: tuple[str, ...], identity: Identity) -> LibraryDocument | None:
        """Give a document of one's own these tags instead of those it has; None where there is no such document."""
        if (whole := await self.fetch(id, identity)) is None:
            return None
        if not whole.about.private:
            raise BadInput("This document belongs to everybody of the tenant; only the operator can tag it.")
        kept = {name: getattr(whole.about, name) for name in KEPT_WITH_TAGS}
        own = NewDocument(**kept, text=whole.text, tags=tags, tenant=identity.tenant, user=identity.user, private=True)
        await self.add([own])
        return replace(whole.about, tags=tags)

    async def remove(self, id: str, identity: Identity) -> int:
        await self._flush_and_purge()
        return await self._change(self._required_store().remove(id, identity))

    async def totals(self, identity: Identity) -> LibraryTotals:
        await self._flush_and_purge()
        return await self._required_store().totals(identity)

    async def owners(self, tenant: str) -> list[str]:
        """Who of a tenant has private documents."""
        await self._flush_and_purge()
        return await self._store.owners(tenant) if self._store else []

    async def private_of(self, identity: Identity) -> list[DocumentWithText]:
        """A person's private documents with their texts, the newest first."""
        found: list[DocumentWithText] = []
        offset, listed = 0, await self.list_documents(identity, LibraryFilters(), LISTED_AT_ONCE) if self._store else []
        while listed:
            wholes = [await self.fetch(kept.id, identity) for kept in listed if kept.private]
            found += [whole for whole in wholes if whole]
            offset += LISTED_AT_ONCE
            listed = await self.list_documents(identity, LibraryFilters(), LISTED_AT_ONCE, offset)
        return found

    async def erase_user(self, identity: Identity) -> int:
        await self._flush_and_purge()
        return await self._change(self._store.erase_user(identity.tenant, identity.user)) if self._store else 0

    async def erase_tenant(self, tenant: str) -> int:
        await self._flush_and_purge()
        return await self._change(self._store.erase_tenant(tenant)) if self._store else 0

    async def remember_addresses(self, urls: Sequence[str], identity: Identity) -> list[str]:
        """Ids for addresses, which lead back to them after a restart too."""
        ids = [document_id(url) for url in urls]
        for id, url in zip(ids, urls, strict=True):
            self._addresses[identity, id] = url
        while len(self._addresses) > REMEMBERED_ADDRESSES:
            self._addresses.popitem(last=False)
        if self._store and urls:
            try:
                await self._store.note_addresses(identity, urls)
            except WellsourcedError as problem:  # they are still known until the next start
                logger.warning("Ids of search results were not kept: %s", problem.sentence)
        return ids

    async def address_of(self, id: str, identity: Identity) -> str | None:
        known = self._addresses.get((identity, id))
        if known or self._store is None:
            return known
        await self._assign_unowned(self._store)
        return await self._store.address_of(identity, id)

    async def close(self) -> None:
        if self._queue and self._store:
            await self._queue.close()
            await self._store.close()

    async def _change(self, work: Awaitable[T]) -> T:
        """Wait for what changes the library."""
        try:
            return await work
        finally:
            self._changes += 1

    async def _flush_and_purge(self) -> None:
        """Write what still waits, so that it is found; from time to time, delete what is older than the retention."""
        if self._queue is None or self._store is None:
            return
        await self._queue.flush()
        await self._assign_unowned(self._store)
        if time.monotonic() - self._purged < PURGE_SECONDS:
            return
        self._purged = time.monotonic()
        if self._retention:
            await self._store.purge(time.time() - self._retention)
        await self._store.purge(time.time() - SESSION_READER_SECONDS, DEFAULT_TENANT, anonymous_prefix("session"))

    async def _assign_unowned(self, store: LibraryStore) -> None:
        """Once, what was kept before readers were: to everybody of its tenant, or to the only person there is."""
        if self._is_assigned:
            return
        self._is_assigned = True
        if self.is_shared:
            await store.assign_unowned(None, SHARED)
        elif self._sole_reader:
            await store.assign_unowned(self._sole_reader.tenant, self._sole_reader.user)

    def _required_store(self) -> LibraryStore:
        if self._store is None:
            raise ProviderNotConfigured(
                "The library is off: LIBRARY_ENABLED is false, or nothing can be kept in CACHE_DIR.",
                provider=PROVIDER_NAME,
            )
        return self._store


def page_document(page: Page, identity: Identity, *, tags: tuple[str, ...] = (), private: bool = False) -> NewDocument:
    """A page as a document: under its final address, with its plain text."""
    return NewDocument(
        url=page.url,
        text=page.markdown or page.plain,
        title=page.title,
        author=page.author,
        date=page.date,
        site=page.site or host_of(page.url),
        kind=document_kind(page),
        tags=tags,
        language=page.language,
        tenant=identity.tenant,
        user=identity.user,
        private=private,
    )


def document_kind(page: Page) -> DocumentKind:
    if page.url.startswith("file:"):
        return "file"
    if page.structured.citation:
        return "paper"
    return "page" if page.content_type in PAGES else "document"


def result_hit(result: LibraryResult) -> Hit:
    about = result.about
    return Hit(
        title=about.title or about.url,
        url=about.url,
        snippet=result.passage,
        published_at=parse_moment(about.date, datetime.now(UTC)) if about.date else None,
        engines=(PROVIDER_NAME,),
    )


def _make_store(settings: Settings, database: Database | None, run: RunBeside) -> LibraryStore | None:
    if settings.is_set("LIBRARY_URL"):
        from wellsourced.storage.library.postgres import PostgresLibrary

        return PostgresLibrary(settings.text("LIBRARY_URL"), run=run)
    if database is None:
        return None
    from wellsourced.storage.library.sqlite import SqliteLibrary

    return SqliteLibrary(database, run=run)
