"""What the imitated engines find: sources made from the words of the query."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import quote

SITES = ("alpha", "bravo", "charlie", "delta", "echo")
TOTAL = 25
SHARED = 3
NEWEST = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Source:
    """One thing that an engine found; `path` is on the loopback itself."""

    rank: int
    title: str
    path: str
    snippet: str
    published: datetime


def has_word(query: str, word: str) -> bool:
    return word in query.casefold().split()


def sources(query: str, engine: str, start: int, count: int) -> list[Source]:
    """Ranks `start` (from 0) onwards. The first three are the same for every engine, the others are its own."""
    if has_word(query, "nothing"):
        return []
    return [source(query, engine, rank) for rank in range(start, min(start + count, TOTAL))]


def source(query: str, engine: str, rank: int) -> Source:
    words = " ".join(query.split())[:60].strip()
    own = "" if rank < SHARED else f"-{engine}"
    slug = f"{words.replace(' ', '-')}{own}-{rank + 1}"
    number = stable_number(slug)
    return Source(
        rank=rank,
        title=title_of(slug),
        path=f"/site/{SITES[rank % len(SITES)]}/{quote(slug, safe='')}",
        snippet=f"Page {rank + 1} on {words}: {number % 97} findings from {number % 13 + 2} places.",
        published=NEWEST - timedelta(days=number % 900, hours=rank),
    )


def title_of(slug: str) -> str:
    return slug.replace("-", " ")


def stable_number(text: str) -> int:
    """The same number for the same text in every process."""
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big")
