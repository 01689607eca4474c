"""The documents behind the best texts of the library's index, as far as a reader may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library import rows
from wellsourced.storage.library.index_reader import IndexSnapshot
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.scoring import Question, ScoredTexts, holds_phrase, phrases_of
from wellsourced.storage.library.segments import Conversation, Statement, marks, padded
from wellsourced.storage.library.store import LibraryFilters, RankedDocument
from wellsourced.text.index_words import index_words

POOLS = (400, 4000, 1_000_000_000)
"""How many of the best are looked at, where the reader may not see, or does not want, those before."""
MOST_VALUES = 2000
TEXTS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class VisibleDocuments:
    """What a reader may see and wants, by text. With `hint`, it names the index that the store is to use."""

    reader: Identity
    filters: LibraryFilters
    hint: str
    found: dict[int, list[Sequence[Any]]] = field(default_factory=dict)

    def read(self, bodies: Iterable[int]) -> Conversation[None]:
        """Those of these texts that were not read before."""
        where, values = rows.conditions(self.reader, self.filters)
        new = [body for body in dict.fromkeys(bodies) if body not in self.found]
        for chunk in _chunks(new, MOST_VALUES):
            asked = padded(chunk)
            sql = (
                f"SELECT {rows.COLUMNS}, {rows.SHORT_TEXT} FROM library_document d {self.hint} "  # noqa: S608
                f"JOIN library_text t ON t.key = d.body WHERE d.body IN ({marks(asked)}) AND {where} ORDER BY d.key"
            )
            self.found.update((body, []) for body in chunk)
            for row in (yield Statement(sql, (*asked, *values))):
                self.found[row[12]].append(row)


class Ranking:
    """The best documents of each way of asking."""

    def __init__(
        self, snapshot: IndexSnapshot, ways: Sequence[IndexQuery], visible: VisibleDocuments, limit: int, most: int
    ) -> None:
        """`most` are wanted of a way; where one has fewer than `limit` texts, the next one is asked for certain."""
        self._snapshot = snapshot
        self._ways = ways
        self._visible = visible
        self._limit = limit
        self._most = most
        self._asked: dict[int, tuple[Question, ScoredTexts]] = {}

    def documents(self, way: int) -> Conversation[list[RankedDocument]]:
        yield from self._visible.read(self._wanted(way))
        question, best = self._ask(way)
        found = yield from self._seen(best, self._ways[way])
        for before, pool in zip((self._most, *POOLS), POOLS, strict=False):
            if len(found) >= self._most or len(best.keys) < before:
                break
            best = question.best(pool)
            found = yield from self._seen(best, self._ways[way])
        return found[: self._most]

    def _wanted(self, way: int) -> Iterator[int]:
        """The best texts of a way, and of those after it that are asked for certain."""
        for number in range(way, len(self._ways)):
            best = self._ask(number)[1]
            yield from best.keys
            if len(best.keys) >= self._limit:
                break

    def _ask(self, way: int) -> tuple[Question, ScoredTexts]:
        if way not in self._asked:
            question = self._snapshot.question(self._ways[way])
            self._asked[way] = question, question.best(self._most)
        return self._asked[way]

    def _seen(self, best: ScoredTexts, match: IndexQuery) -> Conversation[list[RankedDocument]]:
        """Until there are enough of them."""
        found: list[RankedDocument] = []
        scores = dict(zip(*best, strict=True))
        for bodies in _chunks(best.keys, MOST_VALUES):
            yield from self._visible.read(bodies)
            seen = [row for body in bodies for row in self._visible.found[body]]
            for row in (yield from _with_phrases(seen, match)):
                found.append(
                    RankedDocument(
                        about=rows.kept(row), body=row[12], sketch=row[13], score=scores[row[12]], packed=row[14] or b""
                    )
                )
            if len(found) >= self._most:
                break
        return found


def _with_phrases(found: list[Sequence[Any]], match: IndexQuery) -> Conversation[list[Sequence[Any]]]:
    """Those in which the words of phrases stand in a row, or of excluded ones do not."""
    sought, unwanted = phrases_of(match)
    if not sought and not unwanted:
        return found
    kept = []
    for chunk in _chunks(found, TEXTS_AT_ONCE):
        packed = yield from read_texts({row[12]: row[14] for row in chunk})
        for row in chunk:
            texts = [f" {' '.join(index_words(text))} " for text in (row[2], rows.unpacked(packed[row[12]]))]
            is_wanted = all(holds_phrase(texts, each) for each in sought)
            if is_wanted and not any(holds_phrase(texts, each) for each in unwanted):
                kept.append(row)
    return kept


def read_texts(known: Mapping[int, bytes | None], column: str = "packed") -> Conversation[defaultdict[int, bytes]]:
    """Texts as they are kept, those that are not known from the store."""
    texts = defaultdict(bytes, {body: packed for body, packed in known.items() if packed})
    new = [body for body in known if body not in texts]
    if new:
        asked = padded(new)
        sql = f"SELECT key, {column} FROM library_text t WHERE key IN ({marks(asked)})"  # noqa: S608
        texts.update(dict((yield Statement(sql, tuple(asked)))))
    return texts


def _chunks(values: list[Any], size: int) -> Iterator[list[Any]]:
    yield from (values[start : start + size] for start in range(0, len(values), size))
