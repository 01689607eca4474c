"""One question to a store of the library: ever wider ways of asking, copies shown once, a passage for each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import field, replace

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library import rows
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.passage import passage
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.ranking import VisibleDocuments
from wellsourced.storage.library.segments import Conversation, Statement, marks, padded
from wellsourced.storage.library.store import LibraryDocument, LibraryFilters, LibraryStore, RankedDocument
from wellsourced.text.index_words import are_sketches_alike, sketch_numbers

MORE = 3
SPARE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryResult:
    """`copies` are the addresses of documents with the same text, or nearly the same."""

    about: LibraryDocument
    passage: str
    score: float
    copies: tuple[str, ...] = ()


@dataclass(slots=True)
class Choice:
    """The documents that are shown, each with the addresses of its copies."""

    limit: int
    chosen: list[tuple[RankedDocument, list[str]]] = field(default_factory=list)
    known: set[object] = field(default_factory=set)
    """Ids, texts and parts of texts: what shares none of them is no copy."""

    def take(self, ranked: RankedDocument) -> None:
        parts = {ranked.about.id, ranked.body.to_bytes(8), *sketch_numbers(ranked.sketch)}
        if not self.known.isdisjoint(parts) and self._is_taken(ranked):
            return
        if len(self.chosen) < self.limit:
            self.known |= parts
            self.chosen.append((ranked, []))

    def _is_taken(self, ranked: RankedDocument) -> bool:
        """Add its address to the one whose copy it is. A reader's own version goes before the shared one."""
        for number, (earlier, copies) in enumerate(self.chosen):
            if earlier.about.id == ranked.about.id:
                if ranked.about.private and not earlier.about.private:
                    self.chosen[number] = (replace(ranked, score=earlier.score), copies)
                    self.known.update((ranked.body.to_bytes(8), *sketch_numbers(ranked.sketch)))
                return True
            if earlier.body == ranked.body or are_sketches_alike(earlier.sketch, ranked.sketch):
                if ranked.about.url not in copies:
                    copies.append(ranked.about.url)
                return True
        return False


async def search(
    store: LibraryStore, ways: list[IndexQuery], reader: Identity, filters: LibraryFilters, limit: int
) -> list[LibraryResult]:
    chosen, texts = await store.converse(lambda index: choose(index, ways, reader, filters, limit))
    return await asyncio.to_thread(lambda: [result(r, copies, texts.get(r.body), ways) for r, copies in chosen])


def choose(
    index: IndexReader, ways: Sequence[IndexQuery], reader: Identity, filters: LibraryFilters, limit: int
) -> Conversation[tuple[list[tuple[RankedDocument, list[str]]], dict[int, bytes]]]:
    """The documents to show, and their texts as they are kept."""
    from wellsourced.storage.library.feedback import reorder  # not before the library is searched

    snapshot = yield from index.look(ways)
    visible = VisibleDocuments(reader, filters, index.hint)
    asked = frozenset(word for way in ways[:1] for sought in way.wanted for word in sought.words)
    choice, packed = Choice(limit), dict[int, bytes]()
    for way in ways:
        found = yield from visible.rank(snapshot, way, limit * MORE + SPARE)
        for ranked in reorder(found, asked) if way.any_of else found:
            if rows.belongs(ranked.about, filters):
                choice.take(ranked)
        packed |= {each.body: each.packed for each in found if rows.is_whole(each.packed)}
        if len(choice.chosen) >= limit:
            break
    return choice.chosen, packed | (yield from _texts([r.body for r, _ in choice.chosen if r.body not in packed]))


def _texts(bodies: Sequence[int]) -> Conversation[dict[int, bytes]]:
    if not bodies:
        return {}
    asked = padded(bodies)
    sql = f"SELECT key, packed FROM library_text WHERE key IN ({marks(asked)})"  # noqa: S608
    return {key: packed for key, packed in (yield Statement(sql, tuple(asked)))}


def result(ranked: RankedDocument, copies: list[str], packed: bytes | None, ways: list[IndexQuery]) -> LibraryResult:
    wanted = [sought for way in ways for sought in way.wanted]
    text = passage(rows.unpacked(packed), wanted) if packed else ""
    return LibraryResult(about=ranked.about, passage=text, score=ranked.score, copies=tuple(copies))
