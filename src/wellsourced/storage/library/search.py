"""One question to a store of the library: ever wider ways of asking, copies shown once, a passage for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library import rows
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.passage import passage
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.ranking import Ranking, VisibleDocuments, read_texts
from wellsourced.storage.library.segments import Conversation
from wellsourced.storage.library.store import LibraryDocument, LibraryFilters, LibraryStore, RankedDocument
from wellsourced.text.sketches import are_sketches_alike, read_sketch

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
        parts = (ranked.about.id, ranked.body.to_bytes(8), *read_sketch(ranked.sketch))
        if not self.known.isdisjoint(parts) and self._is_taken(ranked):
            return
        if len(self.chosen) < self.limit:
            self.known.update(parts)
            self.chosen.append((ranked, []))

    def _is_taken(self, ranked: RankedDocument) -> bool:
        """Add its address to the one whose copy it is. A reader's own version goes before the shared one."""
        for number, (earlier, copies) in enumerate(self.chosen):
            if earlier.about.id == ranked.about.id:
                if ranked.about.private and not earlier.about.private:
                    self.chosen[number] = (replace(ranked, score=earlier.score), copies)
                    self.known.update((ranked.body.to_bytes(8), *read_sketch(ranked.sketch)))
                return True
            if earlier.body == ranked.body or are_sketches_alike(earlier.sketch, ranked.sketch):
                if ranked.about.url not in copies:
                    copies.append(ranked.about.url)
                return True
        return False


async def search(
    store: LibraryStore, ways: list[IndexQuery], reader: Identity, filters: LibraryFilters, limit: int
) -> list[LibraryResult]:
    return await store.converse(lambda index: answer(index, ways, reader, filters, limit)) if ways else []


def answer(
    index: IndexReader, ways: list[IndexQuery], reader: Identity, filters: LibraryFilters, limit: int
) -> Conversation[list[LibraryResult]]:
    """The documents to show with their passages, which are made in the same thread."""
    chosen, texts = yield from choose(index, ways, reader, filters, limit)
    return [result(ranked, copies, texts[ranked.body], ways) for ranked, copies in chosen]


def choose(
    index: IndexReader, ways: Sequence[IndexQuery], reader: Identity, filters: LibraryFilters, limit: int
) -> Conversation[tuple[list[tuple[RankedDocument, list[str]]], Mapping[int, bytes]]]:
    """The documents to show, and their texts as they are kept."""
    snapshot = yield from index.look(ways)
    visible = VisibleDocuments(reader, filters, index.hint)
    ranking, choice = Ranking(snapshot, ways, visible, limit, limit * MORE + SPARE), Choice(limit)
    for number, way in enumerate(ways):
        found = yield from ranking.documents(number)
        for ranked in (yield from _likeliest_first(found, ways[0])) if way.any_of else found:
            if rows.belongs(ranked.about, filters):
                choice.take(ranked)
        if len(choice.chosen) >= limit:
            break
    return choice.chosen, (yield from read_texts({ranked.body: ranked.packed for ranked, _ in choice.chosen}))


def _likeliest_first(found: list[RankedDocument], strictest: IndexQuery) -> Conversation[list[RankedDocument]]:
    """Where any of the words will do, the order is looked at again."""
    from wellsourced.storage.library.feedback import reorder  # not before the library is searched

    asked = frozenset(word for sought in strictest.wanted for word in sought.words)
    texts = yield from read_texts({ranked.body: ranked.packed for ranked in found}, rows.BEGINNING)
    return reorder(found, texts, asked)


def result(ranked: RankedDocument, copies: list[str], packed: bytes, ways: list[IndexQuery]) -> LibraryResult:
    wanted = [sought for way in ways for sought in way.wanted]
    text = passage(rows.unpacked(packed), wanted)
    return LibraryResult(about=ranked.about, passage=text, score=ranked.score, copies=tuple(copies))
