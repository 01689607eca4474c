"""The index of the library against one that counts every word of every text, through additions, removals and merges."""

from __future__ import annotations

import asyncio
import math
import random
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.storage.library.library_stores import ANNA, KEY, entry, ranked
from tests.storage.postgres_server import postgres
from wellsourced.storage.database import Database, Schema
from wellsourced.storage.library import postings, rows, segments, sqlite
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.postgres import PostgresLibrary
from wellsourced.storage.library.postings import FoundTexts
from wellsourced.storage.library.query import IndexQuery, SearchTerm, build_queries
from wellsourced.storage.library.scoring import IndexedTexts, Question, holds_phrase
from wellsourced.storage.library.sqlite import SqliteLibrary
from wellsourced.storage.library.store import LibraryFilters, LibraryStore
from wellsourced.storage.library.word_texts import FlaggedTexts, Lengths, WordTexts
from wellsourced.storage.postgres import driver
from wellsourced.text.index_words import index_words

WORDS = ["alpha", "alphabet", "beta", "beta2", "gamma", "delta", "dell", "epsilon", "日本語の本", "straße"]
Texts = dict[str, tuple[str, str]]


def sentence(chance: random.Random, longest: int) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, longest)))


def occurrences(text: str, sought: SearchTerm) -> int:
    """How often a phrase, or a word or its beginning, occurs; of a phrase once, which is all that is compared."""
    words = index_words(text)
    if len(sought.words) > 1:
        return int(holds_phrase([f" {' '.join(words)} "], sought))
    word = sought.words[0]
    return sum(each.startswith(word) if sought.is_beginning else each == word for each in words)


def expected(texts: Texts, match: IndexQuery) -> dict[str, float]:
    """BM25 by the book, for questions without phrases."""
    lengths = {name: len(index_words(title)) + len(index_words(text)) for name, (title, text) in texts.items()}
    average = sum(lengths.values()) / len(lengths)
    counts = {
        name: [4 * occurrences(title, sought) + occurrences(text, sought) for sought in match.wanted]
        for name, (title, text) in texts.items()
    }
    scores = {}
    for name, (title, text) in texts.items():
        required, any_of = counts[name][: len(match.required)], counts[name][len(match.required) :]
        unwanted = any(occurrences(part, sought) for sought in match.excluded for part in (title, text))
        if not all(required) or (any_of and not any(any_of)) or unwanted:
            continue
        norm = 1.2 * (0.25 + 0.75 * lengths[name] / average)
        scores[name] = sum(
            max(1e-6, math.log((len(texts) - held + 0.5) / (held + 0.5))) * often * 2.2 / (often + norm)
            for place, often in enumerate(counts[name])
            for held in [sum(bool(each[place]) for each in counts.values())]
        )
    return scores


async def compare(store: LibraryStore, texts: Texts, chance: random.Random, *, with_scores: bool) -> None:
    """Removed texts still count for how rare a word is, until their range is rewritten."""
    for _ in range(12):
        question = sentence(chance, 3) + chance.choice(["", f" -{chance.choice(WORDS)}", f' "{sentence(chance, 2)}"'])
        for match in build_queries(question):
            found = {each.about.url.rsplit("/", 1)[1]: each.score for each in await ranked(store, match)}
            right = expected(texts, match)
            assert found.keys() == right.keys(), (question, match)
            if with_scores and all(len(sought.words) == 1 for sought in match.wanted):
                assert found == pytest.approx(right, rel=0.06, abs=1e-3), (question, match)


@pytest.fixture
def with_narrow_borders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of 16 texts, blocks of few words, steps of few blocks, small segments: so that every border is crossed."""
    monkeypatch.setattr(postings, "RANGE", 16)
    monkeypatch.setattr(postings, "SPAN", 2)
    monkeypatch.setattr(postings, "BLOCK_BYTES", 60)
    monkeypatch.setattr(segments, "BLOCKS_AT_ONCE", 2)
    monkeypatch.setattr(segments, "FEWEST_REMOVED", 3)
    monkeypatch.setattr(segments, "FEWEST_TEXTS", 6)


async def live(store: LibraryStore, chance: random.Random, turns: int = 9) -> None:
    """Additions, replacements and removals, with questions between them; in the end everything goes."""
    texts = Texts()
    for turn in range(turns):
        names = [f"page{chance.randrange(60)}" for _ in range(chance.randint(1, 9))]
        new = {name: (sentence(chance, 2), f"{name} {sentence(chance, 12)}") for name in names}
        await store.add([entry(name, text, title) for name, (title, text) in new.items()])
        texts |= new
        for name in chance.sample(sorted(texts), k=min(len(texts) - 1, chance.randint(0, 3))):
            await store.remove(entry(name, "").id, ANNA)
            del texts[name]
        if turn % 3 == 2:
            await store.erase_user(ANNA.tenant, "nobody")  # rewrites the ranges that texts have gone from
        await compare(store, texts, chance, with_scores=turn % 3 == 2)
    await store.erase_tenant(ANNA.tenant)


def drawn(chance: random.Random, texts: int, share: float) -> FoundTexts:
    """A word that so many of the texts hold, as a block of its kind gives it back."""
    numbers = np.array([number for number in range(texts) if chance.random() < share] or [0], "<u2")
    counts = np.array([min(int(chance.expovariate(0.7)) + 1, 255) for _ in numbers], np.uint8)
    block = next(postings.cut_blocks(postings.Postings(["word"], np.array([len(numbers)]), numbers, counts)))
    found = postings.find_texts(block, "word", is_beginning=False)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(40))
def test_the_best_are_those_of_all_that_hold_a_word(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Though most texts of common words are never looked at."""
    chance = random.Random(seed)
    monkeypatch.setattr(postings, "RANGE", 512)
    lengths = {n: [drawn(chance, 512, 1.0)._replace(counts=bytes([130 - 40 * n]) * 512)] for n in range(3)}
    index = IndexedTexts({number: {number: Lengths(pieces)} for number, pieces in lengths.items()})
    names = tuple(SearchTerm((f"word{number}",)) for number in range(chance.randint(1, 4)))
    words = {
        (name.words[0], False): WordTexts(
            index.size,
            [
                (512 * place, drawn(chance, 512, chance.choice([0.004, 0.05, 0.2, 0.6])))
                for place in range(3)
                for _ in range(chance.randint(1, 2))
            ],
        )
        for name in names
    }
    question = Question(IndexQuery((), names), index, words)
    most = chance.choice([1, 5, 40])
    assert question.best(most).scores == pytest.approx(question.best(10_000).scores[:most], rel=1e-5)


@pytest.mark.parametrize(("share", "is_asked"), [(0.2, False), (0.004, True)])
def test_a_common_word_is_gone_through_only_where_rarer_ones_give_too_few(
    monkeypatch: pytest.MonkeyPatch, share: float, is_asked: bool
) -> None:
    chance = random.Random(5)
    monkeypatch.setattr(postings, "RANGE", 512)
    index = IndexedTexts({0: {0: Lengths([drawn(chance, 512, 1.0)._replace(counts=bytes([130]) * 512)])}})
    rare, common = (WordTexts(index.size, [(0, drawn(chance, 512, each))]) for each in (share, 0.6))
    asked = list[tuple[WordTexts, int]]()
    find = WordTexts.at_least

    def at_least(word: WordTexts, count: int) -> Any:
        asked.append((word, count))
        return find(word, count)

    monkeypatch.setattr(WordTexts, "at_least", at_least)
    match = IndexQuery((), (SearchTerm(("rare",)), SearchTerm(("common",))))
    found = Question(match, index, {("rare", False): rare, ("common", False): common}).best(10)
    assert len(found.keys) == 10
    assert any(word is common and count <= common.most for word, count in asked) == is_asked


@pytest.mark.parametrize("seed", range(20))
def test_texts_are_counted_the_same_in_lists_and_flags(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """A text may hold several words that begin so, some of many texts and some of few."""
    chance = random.Random(seed)
    monkeypatch.setattr(postings, "RANGE", 512)
    shares = [chance.choice([0.01, 0.05, 0.3]) for _ in range(chance.choice([1, 2, 3, 12]))]
    pieces = [(512 * place, drawn(chance, 512, share)) for place in range(2) for share in shares]
    often = np.zeros(1024, np.int64)
    for begin, found in pieces:
        numbers = (
            np.unpackbits(np.frombuffer(found.chosen, np.uint8)).nonzero()[0]
            if found.is_flagged
            else np.frombuffer(found.chosen, "<u2").astype(np.int64)
        )
        often[begin + numbers] += np.frombuffer(found.counts, np.uint8)
    texts = WordTexts(1024, pieces)
    assert texts.held == np.count_nonzero(often)
    for count in range(1, int(often.max()) + 1):
        assert texts.at_least(count).tolist() == np.flatnonzero(often >= count).tolist()
    for places in (np.arange(1024), np.arange(0, 1024, 100)):
        assert texts.often(places).tolist() == often[places].tolist()


def test_what_many_common_words_hold_together_is_not_looked_up_text_by_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A beginning that a dozen of them share took half a second of a million texts."""
    chance, asked, look_up = random.Random(3), list[int](), FlaggedTexts.often

    def often(layer: FlaggedTexts, places: Any) -> Any:
        asked.append(len(places))
        return look_up(layer, places)

    monkeypatch.setattr(postings, "RANGE", 512)
    monkeypatch.setattr(FlaggedTexts, "often", often)
    few, many = (WordTexts(512, [(0, drawn(chance, 512, 0.3)) for _ in range(words)]) for words in (2, 12))
    assert len(few.at_least(7)) > 0
    assert max(asked) < 64
    asked.clear()
    assert len(many.at_least(3)) > 100
    assert many.often(many.places).sum() > 0
    assert not asked


LEFT_OVER = [
    f"SELECT count(*) FROM {table}"
    for table in ("library_block", "library_segment", "library_removed", "library_unindexed")
]


@pytest.mark.usefixtures("with_narrow_borders")
@pytest.mark.parametrize("seed", range(2))
def test_ranks_like_an_index_that_counts_everything(tmp_path: Path, seed: int) -> None:
    async def run() -> list[int]:
        database = Database(tmp_path / "library.db", KEY)
        await live(SqliteLibrary(database), random.Random(seed))
        left = await database.run(lambda c: [c.execute(sql).fetchone()[0] for sql in LEFT_OVER], write=False)
        await database.close()
        return left

    assert asyncio.run(run()) == [0, 0, 0, 0]


@pytest.mark.usefixtures("with_narrow_borders")
def test_ranks_likewise_in_postgres() -> None:
    async def run(url: str) -> list[int]:
        store = PostgresLibrary(url)
        await live(store, random.Random(3), turns=3)
        await store.close()
        connection = await driver().connect(url)
        left = [await connection.fetchval(sql) for sql in LEFT_OVER]
        await connection.close()
        return left

    with postgres() as url:
        assert asyncio.run(run(url)) == [0, 0, 0, 0]


@pytest.mark.usefixtures("with_narrow_borders")
def test_what_two_processes_merge_at_once_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both read each step before either writes it."""
    monkeypatch.setattr(sqlite, "STEPS_A_BATCH", 0)

    async def run() -> dict[int, int]:
        database = Database(tmp_path / "library.db", KEY)
        store = SqliteLibrary(database)
        for number in range(15):
            await store.add([entry(f"page{number}", f"heron {'reed ' * number}")])
        (match, *_) = build_queries("heron")
        before = [each.score for each in await ranked(store, match, 100)]
        while (steps := [await say(database, segments.next_step(removing=False)) for _ in range(2)])[0] is not None:
            for step in steps:
                await say(database, segments.write_step(step, segments.join_step(step)))
        after = [each.score for each in await ranked(store, match, 100)]
        assert len(before) == 15 and after == pytest.approx(before)
        left: dict[int, int] = (await say(database, segments.read_index([])))[0]
        await database.close()
        return left

    assert len(asyncio.run(run())) < segments.MERGED


async def say(database: Database, conversation: segments.Conversation[Any]) -> Any:
    return await database.run(lambda connection: sqlite.converse(connection, conversation))


def test_texts_of_an_earlier_version_are_found(tmp_path: Path) -> None:
    async def upgrade() -> list[str]:
        path = tmp_path / "library.db"
        before = Database(path, KEY)
        with_fts5 = next(n for n, step in enumerate(sqlite.SCHEMA.steps) if "library_segment" in step)
        before.require(Schema("library", sqlite.SCHEMA.steps[:with_fts5]))
        await before.run(write_old)
        await before.close()
        database = Database(path, KEY)
        store = SqliteLibrary(database)
        await store.add([entry("new", "a walrus too")])
        (match, *_) = build_queries("walrus")
        found = await ranked(store, match)
        await database.close()
        return sorted(each.about.url for each in found)

    old = [f"https://example.org/{number}" for number in range(300)]
    assert asyncio.run(upgrade()) == sorted([*old, "https://example.org/new"])


@pytest.mark.usefixtures("with_narrow_borders")
def test_an_index_of_the_version_before_is_read_and_joined(tmp_path: Path) -> None:
    """Its ranges are joined by twos here, as soon as something is added."""

    async def upgrade() -> list[list[str]]:
        path = tmp_path / "library.db"
        before = Database(path, KEY)
        before.require(Schema("library", sqlite.SCHEMA.steps[:-1]))
        await before.run(write_index_of_before)
        await before.close()
        database = Database(path, KEY)
        store = SqliteLibrary(database)
        (match, *_) = build_queries("walrus")
        found = [await ranked(store, match, 1000)]
        for number in range(120):
            await store.add([entry(f"new{number}", f"a walrus too, number {number}")])
        found.append(await ranked(store, match, 1000))
        widest = await database.run(
            lambda c: c.execute("SELECT max(span) FROM library_segment").fetchone(), write=False
        )
        await database.close()
        assert widest == (postings.SPAN,)
        return [sorted(each.about.url for each in some) for some in found]

    old = [f"https://example.org/{number}" for number in range(300)]
    new = [f"https://example.org/new{number}" for number in range(120)]
    assert asyncio.run(upgrade()) == [sorted(old), sorted([*old, *new])]


def write_index_of_before(connection: Any) -> None:
    write_old(connection)
    connection.execute("DELETE FROM library_unindexed")
    for number in range(300 // postings.RANGE + 1):
        keys = [key for key in range(number * postings.RANGE, (number + 1) * postings.RANGE) if 1 <= key <= 300]
        texts = postings.read_block(rows.index_texts([("Old", f"page {key - 1} about a walrus") for key in keys]))
        placed = postings.renumbered(texts, np.array(keys) - number * postings.RANGE)
        sql = "INSERT INTO library_segment (range, texts, state) VALUES (?, ?, 0) RETURNING segment"
        ((segment,),) = connection.execute(sql, (number, len(keys))).fetchall()
        connection.executemany(
            "INSERT INTO library_block (segment, first, words, sizes, texts) VALUES (?, ?, ?, ?, ?)",
            [(segment, each.first, each.words, each.sizes, each.texts) for each in postings.cut_blocks(placed)],
        )


HERONS = [2, 17, 32, 47, 62, 70, 20, 71]
"""So few that they are kept as a list; the last three come one by one."""


@pytest.mark.usefixtures("with_narrow_borders")
def test_a_text_that_comes_late_to_joined_ranges_is_found(tmp_path: Path) -> None:
    """As where another instance took its number long before it was done."""
    (match, *_) = build_queries("heron")

    async def run() -> list[list[int]]:
        database = Database(tmp_path / "library.db", KEY)
        await SqliteLibrary(database).list_documents(ANNA, LibraryFilters(), 1)
        reader, found = IndexReader(), []
        for keys in ([*range(1, 20), *range(21, 70)], *([key] for key in HERONS[5:])):
            texts = postings.read_block(rows.index_texts([("", "heron" if key in HERONS else "reed") for key in keys]))
            await say(database, segments.add_segments(texts, keys))
            while (step := await say(database, segments.next_step(removing=False))) is not None:
                await say(database, segments.write_step(step, segments.join_step(step)))
            snapshot = await say(database, reader.look([match]))
            found.append(sorted(snapshot.question(match).best(100).keys))
        await database.close()
        return found

    assert asyncio.run(run()) == [HERONS[:5], HERONS[:6], sorted(HERONS[:7]), sorted(HERONS)]


def write_old(connection: Any) -> None:
    document = (
        "INSERT INTO library_document (tenant, owner, id, url, host, title, author, date, site, kind, tags, language, "
        "body, added) VALUES ('acme', '', ?, ?, '', 'Old', '', '', '', 'page', '', '', ?, 0)"
    )
    for number in range(300):
        key, packed = number + 1, zlib.compress(f"page {number} about a walrus".encode())
        connection.execute(
            "INSERT INTO library_text VALUES (?, 'acme', ?, x'00', 9, ?)", (key, str(number).encode(), packed)
        )
        connection.execute(document, (f"id{number}", f"https://example.org/{number}", key))


def test_what_is_to_be_indexed_is_looked_for_among_the_unindexed_alone(tmp_path: Path) -> None:
    async def run() -> list[str]:
        database = Database(tmp_path / "library.db", KEY)
        await SqliteLibrary(database).add([entry("one", "heron")])
        plan = await database.run(lambda c: c.execute(f"EXPLAIN QUERY PLAN {sqlite.OLDER}", (1,)).fetchall())
        await database.close()
        return [row[3] for row in plan]

    assert [step for step in asyncio.run(run()) if step.startswith("SCAN")] == ["SCAN u"]


def test_a_word_that_occurs_again_is_not_held_again_while_texts_are_indexed() -> None:
    texts = [("Herons", " ".join(f"heron{number % 500}" for number in range(5000)))] * 16
    rows.index_texts(texts)
    tracemalloc.start()
    rows.index_texts(texts)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 80 * 16 * 5000  # a word alone takes 56 bytes and 8 for its place in a list, its number some 40
