"""The best texts of the library's index that a reader may see: a conversation with either store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library import rows
from wellsourced.storage.library.postings import EVERY_TEXT
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.scoring import (
    FoundBlock,
    IndexedTexts,
    Question,
    WordSought,
    WordTexts,
    count_texts,
    holds_phrase,
    phrases_of,
    words_sought,
)
from wellsourced.storage.library.segments import Conversation, Statement, read_blocks, read_segments
from wellsourced.storage.library.store import LibraryFilters, RankedDocument
from wellsourced.text.index_words import index_words

POOLS = (200, 4000, 1_000_000_000)
"""How many of the best are looked at, where the reader may not see, or does not want, those before."""
MOST_VALUES = 2000


@dataclass(slots=True)
class IndexSnapshot:
    """Segments in use, the blocks with the lengths of their texts, and the words that were asked for last."""

    segments: list[tuple[int, int]] = field(default_factory=list)
    lengths: dict[int, FoundBlock] = field(default_factory=dict)
    texts: IndexedTexts = field(default_factory=lambda: IndexedTexts([]))
    words: dict[WordSought, WordTexts] = field(default_factory=dict)

    def look_up(self, words: Sequence[WordSought]) -> Conversation[dict[WordSought, WordTexts]]:
        known = self.words
        new = [word for word in words if word not in known]
        blocks = yield from read_blocks(new)
        found = {word: count_texts(self.texts, held, word) for word, held in zip(new, blocks, strict=True)}
        self.words = {word: found.get(word) or known[word] for word in words}
        return self.words


class IndexReader:
    """Asks for the best texts, and keeps what the next question needs again: a segment in use never changes."""

    def __init__(self, hint: str = "") -> None:
        self._hint = hint
        self._snapshot: IndexSnapshot | None = None  # made with the first question: it needs numpy

    def rank(
        self, match: IndexQuery, reader: Identity, filters: LibraryFilters, limit: int
    ) -> Conversation[list[RankedDocument]]:
        """What the reader may see of the best, and of all where that is not enough."""
        snapshot = yield from self._look(self._snapshot or IndexSnapshot())
        question = Question(match, snapshot.texts, (yield from snapshot.look_up(words_sought(match))))
        found: list[RankedDocument] = []
        seen: set[int] = set()
        for most in POOLS:
            best = question.best(most)
            scores = {key: score for key, score in zip(*best, strict=True) if key not in seen}
            for bodies in _chunks(list(scores), limit if most == POOLS[0] else MOST_VALUES):
                found += yield from self._visible(bodies, scores, match, reader, filters)
                if len(found) >= limit:
                    return found[:limit]
            if len(best.keys) < most:
                break
            seen.update(scores)
        return found

    def _look(self, known: IndexSnapshot) -> Conversation[IndexSnapshot]:
        segments = yield from read_segments()
        if segments == known.segments:
            return known
        lengths = {number: known.lengths[number] for number, _ in segments if number in known.lengths}
        for segment in segments:
            if segment[0] not in lengths:
                ((lengths[segment[0]],),) = yield from read_blocks([(EVERY_TEXT, False)], segment[0])
        self._snapshot = IndexSnapshot(segments, lengths, IndexedTexts(list(lengths.values())))
        return self._snapshot

    def _visible(
        self,
        bodies: Sequence[int],
        scores: Mapping[int, float],
        match: IndexQuery,
        reader: Identity,
        filters: LibraryFilters,
    ) -> Conversation[list[RankedDocument]]:
        where, values = rows.conditions(reader, filters)
        sql = (
            f"SELECT {rows.COLUMNS} FROM library_document d {self._hint} "  # noqa: S608
            "JOIN library_text t ON t.key = d.body "
            f"WHERE d.body IN ({', '.join('?' * len(bodies))}) AND {where} ORDER BY d.key"
        )
        found = yield Statement(sql, (*bodies, *values))
        wanted = yield from _with_phrases({row[12] for row in found}, match)
        ranked = [
            RankedDocument(about=rows.kept(row), body=row[12], sketch=row[13], score=scores[row[12]])
            for row in found
            if row[12] in wanted
        ]
        return sorted(ranked, key=lambda each: -each.score)


def _with_phrases(bodies: set[int], match: IndexQuery) -> Conversation[set[int]]:
    """Those in which the words of phrases stand in a row, or of excluded ones do not."""
    sought, unwanted = phrases_of(match)
    if not sought and not unwanted:
        return bodies
    sql = (
        "SELECT d.title, t.packed FROM library_text t JOIN library_document d ON d.body = t.key WHERE t.key = ? LIMIT 1"
    )
    kept = set()
    for body in bodies:
        ((title, packed),) = yield Statement(sql, (body,))
        spaced = [f" {' '.join(index_words(text))} " for text in (title, rows.unpacked(packed))]
        if all(holds_phrase(spaced, each) for each in sought) and not any(holds_phrase(spaced, e) for e in unwanted):
            kept.add(body)
    return kept


def _chunks(bodies: list[int], size: int) -> Iterator[list[int]]:
    yield from (bodies[start : start + size] for start in range(0, len(bodies), size))
