"""How fast the library takes documents in and answers, and how large it grows.

    python bench/library.py --documents 50000 [--words 400] [--postgres postgresql://…]

Words are drawn from a Zipf-like vocabulary of 60,000, so that common and rare words are as common and as rare as in
real text. The file is encrypted, as always.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from itertools import accumulate, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from wellsourced.identity import Identity
from wellsourced.storage.database import Database
from wellsourced.storage.library.postgres import PostgresLibrary
from wellsourced.storage.library.query import build_queries
from wellsourced.storage.library.search import search
from wellsourced.storage.library.sqlite import SqliteLibrary
from wellsourced.storage.library.store import LibraryFilters, LibraryStore, NewDocument

VOCABULARY = 60_000
QUERIES = 500
BATCH = 512
READER = Identity()
SYLLABLES = [first + second for first in "bcdfghjklmnprstvwz" for second in ("a", "e", "i", "o", "u", "an", "er", "is")]


def vocabulary(chance: random.Random) -> list[str]:
    return ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(VOCABULARY)]


def documents(count: int, words: int, chance: random.Random, known: list[str]) -> Iterator[NewDocument]:
    weights = list(accumulate(1 / (rank + 10) for rank in range(len(known))))
    for number in range(count):
        text = chance.choices(known, cum_weights=weights, k=words)
        lines = ". ".join(" ".join(text[start : start + 14]) for start in range(0, words, 14))
        title = " ".join(chance.choices(known, cum_weights=weights, k=6))
        yield NewDocument(url=f"https://site{number % 500}.example/page/{number}", title=title, text=lines)


def calls(chance: random.Random, known: list[str]) -> list[str]:
    """Two to four words of every rarity but the hundred commonest, which stand for what a call leaves out."""
    return [
        " ".join(known[int(100 * (len(known) / 100) ** chance.random())] for _ in range(chance.randint(2, 4)))
        for _ in range(QUERIES)
    ]


async def measure(store: LibraryStore, count: int, words: int) -> None:
    chance = random.Random(7)
    known = vocabulary(chance)
    made = documents(count, words, chance, known)
    writing = 0.0
    done = 0
    while batch := list(islice(made, BATCH)):
        begin = time.perf_counter()
        await store.add(batch, durable=False)
        writing += time.perf_counter() - begin
        done += len(batch)
        if done % (BATCH * 20) == 0:
            print(f"  {done} documents, {done / writing:,.0f} a second", flush=True)
    times, found = [], 0
    for call in calls(chance, known):
        begin = time.perf_counter()
        found += len(await search(store, build_queries(call), READER, LibraryFilters(), 10))
        times.append((time.perf_counter() - begin) * 1000)
    times.sort()
    totals = await store.totals(READER)
    print(
        f"indexed {totals.documents:,} documents of {words} words in {writing:.1f} s: {count / writing:,.0f} a second"
    )
    middle, worst = statistics.median(times), times[-QUERIES // 100]
    print(f"{QUERIES} queries, {found} hits: median {middle:.1f} ms, p99 {worst:.1f} ms")
    print(f"size {totals.size / 2**20:,.1f} MiB for {totals.characters / 2**20:,.1f} MiB of text")


async def main(count: int, words: int, postgres: str) -> None:
    if postgres:
        store = PostgresLibrary(postgres)
        await measure(store, count, words)
        await store.close()
        return
    with TemporaryDirectory() as folder:
        database = Database(Path(folder) / "library.db", bytes(32))
        await measure(SqliteLibrary(database), count, words)
        await database.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--documents", type=int, default=50_000)
    options.add_argument("--words", type=int, default=400)
    options.add_argument("--postgres", default="")
    chosen = options.parse_args()
    asyncio.run(main(chosen.documents, chosen.words, chosen.postgres))
