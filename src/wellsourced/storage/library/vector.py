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
    titled, told = TOKEN.findall(title), TOKEN.findall(body)
    places: dict[str, list[str]] = {}
    room = MOST_BYTES
    for position, (word, mark) in enumerate(_marked(titled, told), start=1):
        known = places.get(word)
        if known is None:
            known = places[word] = []
            room -= len(word.encode()) + WORD_BYTES
        if len(known) < MOST_POSITIONS:
            known.append(f"{min(position, LAST_POSITION)}{mark}")
            room -= POSITION_BYTES
        if room < 0:
            break
    return len(told), " ".join(f"'{word}':{','.join(at)}" for word, at in places.items())


def expression(match: IndexQuery) -> str:
    parts = [_written(sought) for sought in match.required]
    if match.any_of:
        parts.append(f"({' | '.join(_written(sought) for sought in match.any_of)})")
    parts += [f"!{_written(sought)}" for sought in match.excluded]
    return " & ".join(parts)


def _marked(titled: Iterable[str], told: Iterable[str]) -> Iterable[tuple[str, str]]:
    yield from ((word[:LONGEST_WORD], "A") for word in titled)
    yield from ((word[:LONGEST_WORD], "B") for word in told)


def _written(sought: SearchTerm) -> str:
    *first, last = (f"'{word}'" for word in sought.words)
    return f"({' <-> '.join([*first, last + (':*' if sought.is_beginning else '')])})"
