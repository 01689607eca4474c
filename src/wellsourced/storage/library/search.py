"""One question to a store of the library: ever wider ways of asking, copies shown once, a passage for each."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library.passage import passage
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.rows import belongs
from wellsourced.storage.library.store import LibraryDocument, LibraryFilters, LibraryStore, RankedDocument
from wellsourced.text.index_words import are_sketches_alike

MORE = 3
SPARE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryResult:
    """`copies` are the addresses of documents with the same text, or nearly the same."""

    about: LibraryDocument
    passage: str
    score: float
    copies: tuple[str, ...] = ()


async def search(
    store: LibraryStore, ways: list[IndexQuery], reader: Identity, filters: LibraryFilters, limit: int
) -> list[LibraryResult]:
    chosen: list[tuple[RankedDocument, list[str]]] = []
    for way in ways:
        found = await store.rank_documents(way, reader, filters, limit * MORE + SPARE)
        for ranked in await likeliest_first(store, way, found, ways[0]):
            if belongs(ranked.about, filters):
                take(ranked, chosen, limit)
        if len(chosen) >= limit:
            break
    texts = await store.texts([ranked.body for ranked, _ in chosen]) if chosen else {}
    return await asyncio.to_thread(lambda: [result(r, copies, texts.get(r.body, ""), ways) for r, copies in chosen])


async def likeliest_first(
    store: LibraryStore, way: IndexQuery, found: list[RankedDocument], strictest: IndexQuery
) -> list[RankedDocument]:
    """Where any of the words will do, the order is looked at again."""
    from wellsourced.storage.library.feedback import FEWEST, reorder  # not before the library is searched

    if not way.any_of or len(found) < FEWEST:
        return found
    texts = await store.texts([ranked.body for ranked in found])
    asked = frozenset(word for sought in strictest.wanted for word in sought.words)
    return await asyncio.to_thread(reorder, found, texts, asked)


def take(ranked: RankedDocument, chosen: list[tuple[RankedDocument, list[str]]], most: int) -> None:
    """Add a document, or its address to the one whose copy it is. A reader's own version goes before the shared one."""
    for number, (earlier, copies) in enumerate(chosen):
        if earlier.about.id == ranked.about.id:
            if ranked.about.private and not earlier.about.private:
                chosen[number] = (replace(ranked, score=earlier.score), copies)
            return
        if earlier.body == ranked.body or are_sketches_alike(earlier.sketch, ranked.sketch):
            if ranked.about.url not in copies:
                copies.append(ranked.about.url)
            return
    if len(chosen) < most:
        chosen.append((ranked, []))


def result(ranked: RankedDocument, copies: list[str], text: str, ways: list[IndexQuery]) -> LibraryResult:
    wanted = [sought for way in ways for sought in way.wanted]
    return LibraryResult(about=ranked.about, passage=passage(text, wanted), score=ranked.score, copies=tuple(copies))
