"""Words and questions as PostgreSQL writes them: `tsvector` and `tsquery` literals, made without its parser."""

from __future__ import annotations

from collections.abc import Iterable

from wellsourced.storage.library.query import LONGEST_WORD, IndexQuery, SearchTerm
from wellsourced.text.index_words import TOKEN

MOST_BYTES = 900_000
MOST_POSITIONS = 250
LAST_POSITION = 16_383
POSITION_BYTES = 2
WORD_BYTES = 8


def vector(title: str, body: str) -> tuple[int, str]:
    """How many words there are, and the vector: the title's words first, marked A. A huge text is cut at the limit."""
    title_words, body_words = TOKEN.findall(title), TOKEN.findall(body)
    places: dict[str, list[str]] = {}
    bytes_left = MOST_BYTES
    for position, (word, mark) in enumerate(_with_weights(title_words, body_words), start=1):
        known = places.get(word)
        if known is None:
            known = places[word] = []
            bytes_left -= len(word.encode()) + WORD_BYTES
        if len(known) < MOST_POSITIONS:
            known.append(f"{min(position, LAST_POSITION)}{mark}")
            bytes_left -= POSITION_BYTES
        if bytes_left < 0:
            break
    return len(body_words), " ".join(f"'{word}':{','.join(at)}" for word, at in places.items())


def expression(match: IndexQuery) -> str:
    parts = [_written(sought) for sought in match.required]
    if match.any_of:
        parts.append(f"({' | '.join(_written(sought) for sought in match.any_of)})")
    parts += [f"!{_written(sought)}" for sought in match.excluded]
    return " & ".join(parts)


def _with_weights(title_words: Iterable[str], body_words: Iterable[str]) -> Iterable[tuple[str, str]]:
    yield from ((word[:LONGEST_WORD], "A") for word in title_words)
    yield from ((word[:LONGEST_WORD], "B") for word in body_words)


def _written(sought: SearchTerm) -> str:
    *first, last = (f"'{word}'" for word in sought.words)
    return f"({' <-> '.join([*first, last + (':*' if sought.is_beginning else '')])})"
