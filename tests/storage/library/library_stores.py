"""What the tests of the library's stores share: entries, questions, and a store in a file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from wellsourced.identity import Identity
from wellsourced.storage.database import Database
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.query import IndexQuery, build_queries
from wellsourced.storage.library.ranking import Ranking, VisibleDocuments
from wellsourced.storage.library.search import LibraryResult, search
from wellsourced.storage.library.segments import Conversation
from wellsourced.storage.library.sqlite import SqliteLibrary
from wellsourced.storage.library.store import LibraryFilters, LibraryStore, NewDocument, RankedDocument

T = TypeVar("T")
Script = Callable[[LibraryStore], Awaitable[T]]

KEY = bytes(range(32))
ANNA, BEN, EVE = Identity("acme", "anna"), Identity("acme", "ben"), Identity("elsewhere", "eve")


async def in_file(path: Path, script: Script[T]) -> T:
    database = Database(path, KEY)
    try:
        return await script(SqliteLibrary(database))
    finally:
        await database.close()


def entry(name: str, text: str, title: str = "", **more: object) -> NewDocument:
    fields: dict[str, object] = {"tenant": ANNA.tenant, "user": ANNA.user, "title": title, **more}
    return NewDocument(url=f"https://example.org/{name}", text=text, **fields)  # type: ignore[arg-type]


async def find(
    store: LibraryStore, question: str, reader: Identity = ANNA, limit: int = 10, **filters: str
) -> list[LibraryResult]:
    return await search(store, build_queries(question), reader, LibraryFilters(**filters), limit)


async def ranked(store: LibraryStore, match: IndexQuery, limit: int = 10_000) -> list[RankedDocument]:
    """What one way of asking finds for Anna."""

    def ask(index: IndexReader) -> Conversation[list[RankedDocument]]:
        snapshot = yield from index.look([match])
        visible = VisibleDocuments(ANNA, LibraryFilters(), index.hint)
        return (yield from Ranking(snapshot, [match], visible, limit, limit).documents(0))

    return await store.converse(ask)


def names(results: list[LibraryResult]) -> list[str]:
    return [result.about.url.rsplit("/", 1)[1] for result in results]
