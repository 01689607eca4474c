"""The documents behind the best texts of the library's index, as far as a reader may see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library import rows
from wellsourced.storage.library.index_reader import IndexSnapshot
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.scoring import holds_phrase, phrases_of
from wellsourced.storage.library.segments import Conversation, Statement, marks, padded
from wellsourced.storage.library.store import LibraryFilters, RankedDocument
from wellsourced.text.index_words import index_words

POOLS = (400, 4000, 1_000_000_000)
"""How many of the best are looked at, where the reader may not see, or does not want, those before."""
MOST_VALUES = 2000
PHRASED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class VisibleDocuments:
    """What a reader may see and wants. With `hint`, the store is told which index to use."""

    reader: Identity
    filters: LibraryFilters
    hint: str = ""

    def rank(self, snapshot: IndexSnapshot, match: IndexQuery, limit: int) -> Conversation[list[RankedDocument]]:
        """Of the best texts, and of all where that is not enough. Where any word will do, the texts begin to be read:
        their order is looked at again."""
        question = snapshot.question(match)
        found: list[RankedDocument] = []
        seen: set[int] = set()
        for most in (limit, *POOLS):
            best = question.best(most)
            scores = {key: score for key, score in zip(*best, strict=True) if key not in seen}
            for bodies in _chunks(list(scores), MOST_VALUES):
                found += yield from self._find(bodies, scores, match)
                if len(found) >= limit:
                    return found[:limit]
            if len(best.keys) < most:
                break
            seen.update(scores)
        return found

    def _find(
        self, bodies: Sequence[int], scores: Mapping[int, float], match: IndexQuery
    ) -> Conversation[list[RankedDocument]]:
        where, values = rows.conditions(self.reader, self.filters)
        packed = f", {rows.BEGINNING}" if match.any_of else ""
        asked = padded(bodies)
        sql = (
            f"SELECT {rows.COLUMNS}{packed} FROM library_document d {self.hint} "  # noqa: S608
            "JOIN library_text t ON t.key = d.body "
            f"WHERE d.body IN ({marks(asked)}) AND {where} ORDER BY d.key"
        )
        found = yield Statement(sql, (*asked, *values))
        wanted = yield from _with_phrases({row[12] for row in found}, match)
        ranked = [_ranked(row, scores[row[12]]) for row in found if row[12] in wanted]
        return sorted(ranked, key=lambda each: -each.score)


def _ranked(row: Sequence[Any], score: float) -> RankedDocument:
    return RankedDocument(about=rows.kept(row), body=row[12], sketch=row[13], score=score, packed=row[14] if row[14:] else b"")


def _with_phrases(bodies: set[int], match: IndexQuery) -> Conversation[set[int]]:
    """Those in which the words of phrases stand in a row, or of excluded ones do not."""
    sought, unwanted = phrases_of(match)
    if not sought and not unwanted:
        return bodies
    kept = set()
    for chunk in _chunks(sorted(bodies), PHRASED_AT_ONCE):
        asked = padded(chunk)
        sql = (
            "SELECT t.key, d.title, t.packed FROM library_text t JOIN library_document d ON d.body = t.key "  # noqa: S608
            f"WHERE t.key IN ({marks(asked)})"
        )
        for body, title, packed in (yield Statement(sql, tuple(asked))):
            texts = [f" {' '.join(index_words(text))} " for text in (title, rows.unpacked(packed))]
            is_wanted = all(holds_phrase(texts, each) for each in sought)
            if is_wanted and not any(holds_phrase(texts, each) for each in unwanted):
                kept.add(body)
    return kept


def _chunks(bodies: list[int], size: int) -> Iterator[list[int]]:
    yield from (bodies[start : start + size] for start in range(0, len(bodies), size))
