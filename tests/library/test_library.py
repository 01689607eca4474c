"""The library as the application uses it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from wellsourced.errors import BadInput, ProviderNotConfigured
from wellsourced.identity import Identity, anonymous_caller
from wellsourced.library.library import Library
from wellsourced.pages.attempts import Reading
from wellsourced.pages.page import Page, StructuredData
from wellsourced.settings import Settings
from wellsourced.storage.database import Database
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.segments import Conversation
from wellsourced.storage.library.sqlite import SqliteLibrary
from wellsourced.storage.library.store import LibraryFilters, document_id
from wellsourced.upstreams.types.search import WebQuery

T = TypeVar("T")
KEY = bytes(range(32))
ANNA, BEN, EVE = Identity("acme", "anna"), Identity("acme", "ben"), Identity("elsewhere", "eve")
Script = Callable[[Library], Awaitable[T]]


def with_library(folder: Path, script: Script[T], **environment: str) -> T:
    async def run() -> T:
        database = Database(folder / "library.db", KEY)
        library = Library.open(Settings(environment), database)
        try:
            return await script(library)
        finally:
            await library.close()
            await database.close()

    return asyncio.run(run())


def reading(path: str, text: str, **about: object) -> Reading:
    fields: dict[str, object] = {"title": "A page", "plain": text, "date": "2026-05-06", **about}
    return Reading(page=Page(url=f"https://example.org/{path}", markdown=text, **fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(("sharing", "found_by"), [("private", (ANNA,)), ("tenant", (ANNA, BEN))])
def test_what_was_read_is_found_at_once_and_by_those_alone_who_may(
    tmp_path: Path, sharing: str, found_by: tuple[Identity, ...]
) -> None:
    async def script(library: Library) -> None:
        await library.remember(ANNA, reading("tides", "The tide tables of the harbour for the month of May."))
        for reader, count in ((reader, int(reader in found_by)) for reader in (ANNA, BEN, EVE)):
            found = await library.ask(WebQuery(text="tide tables"), reader)
            assert len(found.items) == count
        (hit,) = (await library.ask(WebQuery(text="tide tables"), ANNA)).items
        assert (hit.title, hit.url, hit.engines) == ("A page", "https://example.org/tides", ("library",))
        assert "tide tables of the harbour" in hit.snippet
        assert hit.published_at is not None and hit.published_at.year == 2026

    with_library(tmp_path, script, LIBRARY_SHARING=sharing)


class GatedLibrary(SqliteLibrary):
    """Counts what is asked of it, and answers when all who were announced have asked."""

    expected = flushes = asked = 0

    async def index_held(self, limit: int) -> int:
        held = await super().index_held(limit)
        self.flushes += not held
        return held

    async def converse(self, ask: Callable[[IndexReader], Conversation[T]]) -> T:
        found = await super().converse(ask)
        self.asked += 1
        while self.flushes < self.expected:  # noqa: ASYNC110
            await asyncio.sleep(0)
        for _ in range(100):  # behind its flush a question waits for nothing before it is shared
            await asyncio.sleep(0)
        return found


def test_equal_questions_at_once_are_asked_once_and_none_misses_what_was_kept_before_it(tmp_path: Path) -> None:
    async def run() -> None:
        database = Database(tmp_path / "library.db", KEY)
        store = GatedLibrary(database)
        library = Library(store)
        await library.remember(ANNA, reading("tides", "The tide tables of the harbour."))
        await library.search("tide tables", ANNA)
        store.asked, store.expected = 0, store.flushes + 9
        *annas, bens = await asyncio.gather(*(library.search("tide tables", who) for who in [ANNA] * 8 + [BEN]))
        assert (store.asked, bens, [len(found) for found in annas]) == (2, [], [1] * 8)
        store.expected = store.flushes + 2
        early = asyncio.create_task(library.search("tide tables", ANNA))
        while store.asked < 3:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await library.remember(ANNA, reading("moon", "The moon and its tide tables."))
        assert len(await library.search("tide tables", ANNA)) == 2
        await early
        await library.close()
        await database.close()

    asyncio.run(run())


def test_nothing_is_kept_for_a_reader_who_cannot_come_back(tmp_path: Path) -> None:
    async def script(library: Library) -> None:
        nobody = anonymous_caller("once", "1")
        await library.remember(nobody, reading("tides", "The tide tables of the harbour."))
        assert await library.list_documents(nobody, LibraryFilters(), 10) == []

    with_library(tmp_path, script)


def test_it_survives_the_process(tmp_path: Path) -> None:
    async def write(library: Library) -> None:
        await library.remember(ANNA, reading("tides", "The tide tables of the harbour."))

    async def read(library: Library) -> str:
        whole = await library.fetch(document_id("https://example.org/tides"), ANNA)
        assert whole is not None
        return whole.text

    with_library(tmp_path, write)
    assert with_library(tmp_path, read) == "The tide tables of the harbour."


def test_filters_of_web_search_hold(tmp_path: Path) -> None:
    async def script(library: Library) -> None:
        await library.remember(ANNA, reading("a", "herring in the north sea", language="en", date="2001-01-01"))
        await library.remember(ANNA, reading("b", "herring and cod in the north sea", language="de", date=""))
        elsewhere = Page(url="https://www.fish.net/x", markdown="herring in the south sea", title="X")
        await library.remember(ANNA, Reading(page=elsewhere))

        async def urls(**more: object) -> list[str]:
            found = await library.ask(WebQuery(text="herring", **more), ANNA)  # type: ignore[arg-type]
            return sorted(hit.url.rsplit("/", 1)[1] for hit in found.items)

        assert await urls() == ["a", "b", "x"]
        assert await urls(sites=("fish.net",)) == ["x"]
        assert await urls(sites=("fish.net", "example.org/b")) == ["b", "x"]
        assert await urls(language="de") == ["b"]
        assert await urls(time_range="year") == []
        assert await urls(exact_terms="north sea") == ["a", "b"]
        assert await urls(exclude_terms="cod") == ["a", "x"]
        assert await urls(count=1) != []
        unheard = WebQuery(text="herring", country="NO", safe="high")
        assert (await library.ask(unheard, ANNA)).not_applied == {"country", "safe"}
        with pytest.raises(BadInput, match="at least one"):
            await library.ask(WebQuery(text="?!"), ANNA)

    with_library(tmp_path, script)


def test_kinds_follow_from_what_was_read(tmp_path: Path) -> None:
    paper = StructuredData(citation={"citation_doi": "10.1000/1"})

    async def script(library: Library) -> dict[str, str]:
        await library.remember(ANNA, reading("paper", "heron one", structured=paper))
        await library.remember(ANNA, reading("book.pdf", "heron two", content_type="pdf"))
        await library.remember(ANNA, reading("page", "heron three"))
        await library.remember(ANNA, reading("empty", "  "))
        kept = await library.list_documents(ANNA, LibraryFilters(), 10)
        return {each.url.rsplit("/", 1)[1]: each.kind for each in kept}

    assert with_library(tmp_path, script) == {"paper": "paper", "book.pdf": "document", "page": "page"}


def test_turned_off_it_keeps_nothing_and_says_so(tmp_path: Path) -> None:
    async def script(library: Library) -> None:
        await library.remember(ANNA, reading("tides", "The tide tables."))
        assert not library.is_open
        assert await library.fetch(document_id("https://example.org/tides"), ANNA) is None
        with pytest.raises(ProviderNotConfigured, match="LIBRARY_ENABLED"):
            await library.ask(WebQuery(text="tide"), ANNA)
        (id,) = await library.remember_addresses(["https://example.org/x"], ANNA)
        assert await library.address_of(id, ANNA) == "https://example.org/x"

    with_library(tmp_path, script, LIBRARY_ENABLED="false")
    assert not (tmp_path / "library.db").exists()


def test_retention_and_erasure(tmp_path: Path) -> None:
    async def write(library: Library) -> None:
        await library.remember(ANNA, reading("old", "an old heron"))

    async def later(library: Library) -> int:
        await asyncio.sleep(0.05)
        return len((await library.ask(WebQuery(text="heron"), ANNA)).items)

    async def erase(library: Library) -> int:
        await library.remember(EVE, reading("new", "a new heron"))
        return await library.erase_tenant(EVE.tenant)

    with_library(tmp_path, write)
    assert with_library(tmp_path, later, LIBRARY_RETENTION="1h") == 1
    assert with_library(tmp_path, later, LIBRARY_RETENTION="10ms") == 0
    assert with_library(tmp_path, erase) == 1


def test_a_store_that_fails_never_fails_the_answer(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"damaged" * 2000)

    async def script(library: Library) -> None:
        problem = await library.remember(ANNA, reading("tides", "The tide tables."))
        assert problem and "library.db" in problem
        ids = await library.remember_addresses(["https://example.org/x"], ANNA)
        assert await library.address_of(ids[0], ANNA) == "https://example.org/x"

    with_library(tmp_path, script)
