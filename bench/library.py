"""How fast the library takes documents in and answers, alone and while others ask and write, and how large it grows.

    python bench/library.py --documents 500000 [--words 400] [--readers 16] [--keep FOLDER] [--postgres postgresql://…]

Words are drawn from a Zipf-like vocabulary of 60,000, so that common and rare words are as common and as rare as in
real text. The file is encrypted, as always. Of PostgreSQL, readers and the writer are processes of their own, as
instances that share a library are; "own" as its address starts a server for this run. A library that was filled before,
in the folder to keep or at the address, is only asked, and filled up where it has fewer documents. Beside the time that
a question takes its processor time is given, of this process and of a PostgreSQL on the same machine, for one reader
alone: with many readers on few cores the time is mostly the machine's, whose load is given as well.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import Event, get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from wellsourced.identity import Identity
from wellsourced.process import serve_many
from wellsourced.storage.database import Database
from wellsourced.storage.library.postgres import PostgresLibrary
from wellsourced.storage.library.query import build_queries
from wellsourced.storage.library.search import search
from wellsourced.storage.library.sqlite import SqliteLibrary
from wellsourced.storage.library.store import LibraryFilters, LibraryStore, NewDocument

VOCABULARY = 60_000
TITLE = 6  # words
QUERIES = 500
BATCH = 512
WRITTEN_BESIDE = 32  # documents that the writer adds at a time while others ask
PROCESSES = 2
READER = Identity()
SYLLABLES = [first + second for first in "bcdfghjklmnprstvwz" for second in ("a", "e", "i", "o", "u", "an", "er", "is")]
DONE = Event()
SHARED_BUFFERS = "shared_buffers=2GB"  # of a server for this run: the blocks of a million texts take half of it


class Asked(NamedTuple):
    """The milliseconds each question took, and how many documents were written meanwhile a second."""

    times: list[float]
    written: float = 0.0


def vocabulary(chance: random.Random) -> list[str]:
    return ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(VOCABULARY)]


def documents(first: int, words: int, known: list[str]) -> Iterator[NewDocument]:
    weights = np.cumsum(1 / (np.arange(len(known)) + 10))
    chance, number = np.random.default_rng(first), first
    while True:
        drawn = np.searchsorted(weights, chance.random(words + TITLE) * weights[-1]).tolist()
        title, *text = [" ".join(known[word] for word in drawn[at : at + 14]) for at in (0, *range(TITLE, words, 14))]
        title, lines = " ".join(title.split()[:TITLE]), ". ".join(text)
        yield NewDocument(url=f"https://site{number % 500}.example/page/{number}", title=title, text=lines)
        number += 1


def calls(seed: int, count: int) -> list[str]:
    """Two to four words of every rarity but the hundred commonest, which stand for what a call leaves out."""
    known, chance = vocabulary(random.Random(7)), random.Random(seed)
    return [
        " ".join(known[int(100 * (len(known) / 100) ** chance.random())] for _ in range(chance.randint(2, 4)))
        for _ in range(count)
    ]


async def write(store: LibraryStore, first: int, count: int, words: int) -> float:
    """Documents a second. Two batches at a time: one is prepared while the other is written."""
    made = islice(documents(first, words, vocabulary(random.Random(7))), max(0, count - first))
    begin, done = time.perf_counter(), 0

    async def fill() -> None:
        nonlocal done
        while batch := list(islice(made, BATCH)):
            await store.add(batch, durable=False)
            done += len(batch)
            if done % (BATCH * 50) == 0:
                print(f"  {done:,} documents, {done / (time.perf_counter() - begin):,.0f} a second", flush=True)

    await asyncio.gather(fill(), fill())
    return done / (time.perf_counter() - begin)


async def ask(store: LibraryStore, questions: list[str]) -> list[float]:
    times = []
    for question in questions:
        begin = time.perf_counter()
        await search(store, build_queries(question), READER, LibraryFilters(), 10)
        times.append((time.perf_counter() - begin) * 1000)
    return times


async def ask_at_once(store: LibraryStore, readers: int, seed: int) -> list[float]:
    questions = calls(seed, QUERIES)
    parts = await asyncio.gather(*(ask(store, questions[number::readers]) for number in range(readers)))
    return [each for part in parts for each in part]


async def write_until(store: LibraryStore, first: int, words: int, is_done: Callable[[], bool]) -> float:
    made = documents(first, words, vocabulary(random.Random(7)))
    begin, written = time.perf_counter(), 0
    while not is_done():
        await store.add(list(islice(made, WRITTEN_BESIDE)), durable=False)
        written += WRITTEN_BESIDE
    return written / (time.perf_counter() - begin)


async def ask_in_file(store: LibraryStore, count: int, words: int, readers: int, writing: bool) -> Asked:
    asking = asyncio.ensure_future(ask_at_once(store, readers, seed=count + writing))
    written = await write_until(store, count, words, asking.done) if writing else 0.0
    return Asked(await asking, written)


async def ask_server(url: str, count: int, words: int, readers: int, writing: bool) -> Asked:
    """Readers and writer in processes of their own."""
    DONE.clear()
    loop = asyncio.get_running_loop()
    processes = min(PROCESSES, readers)
    with ProcessPoolExecutor(processes + 1, get_context("fork")) as pool:
        written = loop.run_in_executor(pool, _write_beside, url, count, words) if writing else None
        shares = [len(range(number, readers, processes)) for number in range(processes)]
        asked = [loop.run_in_executor(pool, _ask_beside, url, share, count + n) for n, share in enumerate(shares)]
        times = [each for part in await asyncio.gather(*asked) for each in part]
        DONE.set()
        return Asked(times, await written if written else 0.0)


def _ask_beside(url: str, readers: int, seed: int) -> list[float]:
    async def run() -> list[float]:
        async with opened(url) as store:
            await ask(store, calls(0, 5))
            return await ask_at_once(store, readers, seed)

    return asyncio.run(run())


def _write_beside(url: str, first: int, words: int) -> float:
    async def run() -> float:
        async with opened(url) as store:
            return await write_until(store, first, words, DONE.is_set)

    return asyncio.run(run())


@contextlib.asynccontextmanager
async def opened(place: str) -> AsyncIterator[LibraryStore]:
    """The store at an address, or in a file."""
    if place.startswith("postgres"):
        store = PostgresLibrary(place)
        yield store
        await store.close()
    else:
        database, loop = Database(Path(place), bytes(32)), asyncio.get_running_loop()
        with ProcessPoolExecutor(1, get_context("spawn")) as worker:  # texts are prepared in a worker, as by the server
            yield SqliteLibrary(database, run=partial(loop.run_in_executor, worker))
            await database.close()


def server_seconds() -> float:
    """The processor time that processes of PostgreSQL on this machine have taken so far, as far as they still run."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            lines.append(path.read_text())
    taken = [line.rsplit(")", 1)[1].split()[11:13] for line in lines if "(postgres)" in line]
    return sum(int(ticks) for both in taken for ticks in both) / os.sysconf("SC_CLK_TCK")


async def measure(place: str, count: int, words: int, readers: int) -> None:
    async with opened(place) as store:
        pace = await write(store, (await store.totals(READER)).documents, count, words)
        totals = await store.totals(READER)
        print(f"{totals.documents:,} documents of {words} words, {QUERIES} questions\n")
        print(f"| written | {pace:,.0f} a second |\n|---|--:|" if pace else "| kept from before | |\n|---|--:|")
        print(f"| size on disk | {totals.size / totals.characters:.2f} of the text, {totals.size / 2**20:,.0f} MiB |")
        begin, server = time.process_time(), server_seconds()
        await ask(store, calls(count, QUERIES))
        print(f"| processor time of a question here | {(time.process_time() - begin) * 1000 / QUERIES:.1f} ms |")
        print(f"| processor time of the server | {(server_seconds() - server) * 1000 / QUERIES:.1f} ms |")
        for many, writing in ((1, False), (1, True), (readers, True)):
            if place.startswith("postgres"):
                asked = await ask_server(place, count, words, many, writing)
            else:
                asked = await ask_in_file(store, count, words, many, writing)
            times = sorted(asked.times)
            beside = f" and a writer ({asked.written:,.0f} a second)" if writing else ""
            middle, late = times[len(times) // 2], times[-len(times) // 100]
            load = f"load {os.getloadavg()[0]:.1f}"
            print(f"| {many} reader(s){beside} | median {middle:.0f} ms, p99 {late:.0f} ms, {load} |", flush=True)
            count += 1_000_000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--documents", type=int, default=50_000)
    options.add_argument("--words", type=int, default=400)
    options.add_argument("--readers", type=int, default=16)
    options.add_argument("--keep", type=Path, help="a folder for the file, which is kept and asked again the next time")
    options.add_argument("--postgres", default="", help="the address of a database, or 'own'")
    chosen = options.parse_args()
    serve_many()
    with contextlib.ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        place = chosen.postgres or str(folder / "library.db")
        if place == "own":
            from tests.storage.postgres_server import postgres

            place = stack.enter_context(postgres(SHARED_BUFFERS))
        asyncio.run(measure(place, chosen.documents, chosen.words, chosen.readers))


if __name__ == "__main__":
    main()
