"""The best texts of the library's index that a reader may see, from SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from wellsourced.identity import Identity
from wellsourced.storage.library import rows
from wellsourced.storage.library.postings import holds_phrase, phrases_of, score_texts
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.segments import read_postings
from wellsourced.storage.library.store import LibraryFilters, RankedDocument
from wellsourced.text.index_words import index_words

if TYPE_CHECKING:
    from sqlite3 import Connection

FIRST_POOL = 200
"""How many of the best are looked at before all, where the reader may not see, or does not want, these."""
MOST_TEXTS = 1_000_000_000
MOST_VALUES = 5000
TEXTS_READ = 100
"""How many texts are read for a phrase before it is looked whether these are enough."""


def rank_visible(
    connection: Connection, match: IndexQuery, reader: Identity, filters: LibraryFilters, limit: int
) -> list[RankedDocument]:
    """What the reader may see of the best, and of all where that is not enough."""
    postings = list(read_postings(connection, match))
    found: list[RankedDocument] = []
    seen: set[int] = set()
    for most in (FIRST_POOL, MOST_TEXTS):
        best = score_texts(match, postings, most)
        scores = {key: score for key, score in zip(*best, strict=True) if key not in seen}
        for bodies in _chunks(list(scores), TEXTS_READ if any(phrases_of(match)) else MOST_VALUES):
            found += _visible(connection, bodies, scores, match, reader, filters)
            if len(found) >= limit:
                return found[:limit]
        if len(best.keys) < most:
            break
        seen.update(scores)
    return found


def _visible(
    connection: Connection,
    bodies: Sequence[int],
    scores: Mapping[int, float],
    match: IndexQuery,
    reader: Identity,
    filters: LibraryFilters,
) -> list[RankedDocument]:
    where, values = rows.conditions(reader, filters)
    sql = (
        f"SELECT {rows.COLUMNS} FROM library_document d INDEXED BY library_document_body "  # noqa: S608
        "JOIN library_text t ON t.key = d.body "
        f"WHERE d.body IN ({', '.join('?' * len(bodies))}) AND {where} ORDER BY d.key"
    )
    found = connection.execute(sql, (*bodies, *values)).fetchall()
    wanted = _with_phrases(connection, {row[12] for row in found}, match)
    ranked = [
        RankedDocument(about=rows.kept(row), body=row[12], sketch=row[13], score=scores[row[12]])
        for row in found
        if row[12] in wanted
    ]
    return sorted(ranked, key=lambda each: -each.score)


def _with_phrases(connection: Connection, bodies: set[int], match: IndexQuery) -> set[int]:
    """Those in which the words of phrases stand in a row, or of excluded ones do not."""
    sought, unwanted = phrases_of(match)
    if not sought and not unwanted:
        return bodies
    sql = (
        "SELECT d.title, t.packed FROM library_text t JOIN library_document d ON d.body = t.key WHERE t.key = ? LIMIT 1"
    )
    kept = set()
    for body in bodies:
        title, packed = connection.execute(sql, (body,)).fetchone()
        spaced = [f" {' '.join(index_words(text))} " for text in (title, rows.unpacked(packed))]
        if all(holds_phrase(spaced, each) for each in sought) and not any(holds_phrase(spaced, e) for e in unwanted):
            kept.add(body)
    return kept


def _chunks(bodies: list[int], size: int) -> Iterator[list[int]]:
    yield from (bodies[start : start + size] for start in range(0, len(bodies), size))
