"""Both stores of the library do the same: one suite, run against the encrypted file and a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.storage.library.library_stores import ANNA, BEN, EVE, Script, entry, find, in_file, names
from tests.storage.postgres_server import postgres
from wellsourced.identity import Identity
from wellsourced.storage.encrypted_file import StoreBusy
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.passage import passage
from wellsourced.storage.library.postgres import PostgresLibrary
from wellsourced.storage.library.query import build_queries
from wellsourced.storage.library.search import LibraryResult
from wellsourced.storage.library.segments import Conversation, Statement
from wellsourced.storage.library.store import DocumentKind, LibraryFilters, LibraryStore, NewDocument, document_id

T = TypeVar("T")

Opened = Callable[[Script[T]], T]


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened[T]:
    """Runs a script on an empty store; each run opens the store anew on the same data."""
    if request.param == "sqlite":
        return lambda script: asyncio.run(in_file(tmp_path / "library.db", script))
    url: str = request.getfixturevalue("postgres_url")
    asyncio.run(emptied(url))
    return lambda script: asyncio.run(in_postgres(url, script))


async def in_postgres(url: str, script: Script[T]) -> T:
    store = PostgresLibrary(url)
    try:
        return await script(store)
    finally:
        await store.close()


async def emptied(url: str) -> None:
    async def erase(store: LibraryStore) -> None:
        for tenant in (ANNA.tenant, EVE.tenant):
            await store.erase_tenant(tenant)

    await in_postgres(url, erase)


def test_postgres_joins_tables_as_they_are_written_when_it_is_asked(postgres_url: str) -> None:
    """Left to choose, it began with all blocks of a million texts, and a question took seconds instead of one ms."""

    def ask(index: IndexReader) -> Conversation[tuple[str, str]]:
        ((limit,),) = yield Statement("SHOW join_collapse_limit")
        # For one word, whichever way it joins segments and blocks is in the order in which they are written.
        blocks = next(index.look(build_queries("zeppelin")[:1]))
        plan = yield Statement(f"EXPLAIN {blocks.sql}", blocks.values)
        return str(limit), "".join(row[0] for row in plan)

    limit, plan = asyncio.run(in_postgres(postgres_url, lambda store: store.converse(ask)))
    assert limit == "1"
    assert "Nested Loop Left Join" in plan
    assert "Materialize" not in plan


def test_postgres_keeps_blocks_of_words_in_their_rows(postgres_url: str) -> None:
    """Put together from pieces that are kept apart, those of a question took a quarter more of the server's time."""

    def ask(index: IndexReader) -> Conversation[tuple[int, int]]:
        ((apart,),) = yield Statement(
            "SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE oid = 'library_block'::regclass"
        )
        ((large,),) = yield Statement("SELECT count(*) FROM library_block WHERE length(texts) > 4000")
        return apart, large

    async def script(store: LibraryStore) -> tuple[tuple[int, int], tuple[int, int]]:
        before = await store.converse(ask)
        words = " ".join(f"heronry{number}" for number in range(200))
        await store.add([entry(f"birds{number}", f"{words} {number}") for number in range(40)], durable=False)
        return before, await store.converse(ask)

    (apart, large), (apart_after, large_after) = asyncio.run(in_postgres(postgres_url, script))
    assert large_after > large
    assert apart_after == apart


def test_what_a_filter_wants_is_found_behind_a_thousand_that_it_does_not(opened: Opened[list[str]]) -> None:
    """Each of them is a value of the statement that asks for documents."""

    async def script(store: LibraryStore) -> list[str]:
        others = [entry(f"page{number}", f"heron heron {number}") for number in range(1030)]
        await store.add(
            [*others, entry("paper", "a heron among other birds of the shore", kind="paper")], durable=False
        )
        return names(await find(store, "heron", kind="paper"))

    assert opened(script) == ["paper"]


LANGUAGES = [
    ("english", "The tidal power station at the river mouth feeds the grid.", "tidal station"),
    ("english", "The tidal power station at the river mouth feeds the grid.", "stations of tidal powers"),
    ("chinese", "机器学习是人工智能的一个分支，研究计算机如何从数据中学习。", "人工智能"),
    ("chinese", "机器学习是人工智能的一个分支，研究计算机如何从数据中学习。", "分支"),
    ("japanese", "京都の緑茶は世界中で知られている。", "緑茶"),
    ("japanese", "京都の緑茶は世界中で知られている。", "茶"),
    ("japanese", "カタカナとひらがなを使います。", "ｶﾀｶﾅ"),
    ("korean", "한국어를 공부하는 사람들이 늘고 있다.", "한국어"),
    ("thai", "การเรียนรู้ของเครื่องเป็นสาขาหนึ่งของปัญญาประดิษฐ์", "ปัญญาประดิษฐ์"),
    ("arabic", "تأسست المكتبة الكبيرة في الإسكندرية قبل الميلاد", "المكتبة الإسكندرية"),
    ("arabic", "تأسست المكتبة الكبيرة في الإسكندرية قبل الميلاد", "الاسكندرية"),
    ("russian", "Ёлка стоит в большой комнате у окна.", "елка комната"),
    ("german", "Die Straße führt über die Brücke nach Zürich.", "STRASSE zurich brucke"),
    ("hindi", "भारत की राजधानी नई दिल्ली है।", "राजधानी"),
    ("greek", "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας.", "αθηνα"),
    ("hebrew", "ירושלים היא עיר עתיקה", "ירושלים"),
    ("vietnamese", "Hà Nội là thủ đô của Việt Nam", "thu do ha noi"),
    ("mixed", "新幹線N700系は東京と大阪を結ぶ。", "n700 東京"),
]


def test_a_question_in_any_language_finds_its_document_and_no_other(opened: Opened[list[list[LibraryResult]]]) -> None:
    texts = {text: f"{name}-{number}" for number, (name, text, _) in enumerate(LANGUAGES)}

    async def script(store: LibraryStore) -> list[list[LibraryResult]]:
        await store.add([entry(name, text) for text, name in texts.items()])
        return [await find(store, question) for _, _, question in LANGUAGES]

    for (name, text, question), found in zip(LANGUAGES, opened(script), strict=True):
        assert names(found)[:1] == [texts[text]], (name, question)
        assert found[0].passage in text, question


def test_the_best_comes_first_and_a_word_in_the_title_counts_more(opened: Opened[list[str]]) -> None:
    filler = "water wind stone " * 40
    entries = [
        entry("once", f"{filler} penguin {filler}"),
        entry("often", f"{filler} penguin penguin penguin penguin {filler} other words"),
        entry("titled", f"{filler} penguin {filler} and more", title="Penguin"),
        *(entry(f"noise{n}", f"{filler} number {n}") for n in range(20)),
    ]

    async def script(store: LibraryStore) -> list[str]:
        await store.add(entries)
        return names(await find(store, "penguin"))

    found = opened(script)
    assert sorted(found[:2]) == ["often", "titled"]
    assert found[2:] == ["once"]


QUESTIONS: list[tuple[str, set[str]]] = [
    ("red fox", {"both", "fox", "red"}),
    ('"red fox"', {"both"}),
    ("red -fox", {"red"}),
    ('fox -"red fox"', {"fox"}),
    ("foxes", {"both", "fox"}),
    ("a", {"both", "fox", "red"}),
    ("nothing whatever", set()),
    ('x" OR y* NEAR(', set()),
    ("'; drop table library_text; --", set()),
    ("\x00\ud800 red", {"both", "red"}),
    ("... !!", set()),
]


def test_operators_and_hostile_questions(opened: Opened[list[list[str]]]) -> None:
    async def script(store: LibraryStore) -> list[list[str]]:
        await store.add(
            [
                entry("both", "A red fox ran along one long and winding lane."),
                entry("fox", "A fox slept in the grass until the evening came."),
                entry("red", "A red barn stood there for many quiet years."),
            ]
        )
        return [names(await find(store, question)) for question, _ in QUESTIONS]

    found = opened(script)
    assert [set(each) for each in found] == [expected for _, expected in QUESTIONS]
    assert found[0][0] == "both"


def test_filters_by_site_date_kind_tag_and_language(opened: Opened[dict[str, list[str]]]) -> None:
    kinds: list[tuple[str, str, str, DocumentKind, tuple[str, ...], str]] = [
        ("https://www.nature.com/articles/1", "2026-03-01", "en", "paper", ("Ocean", "tides"), "one"),
        ("https://nature.com/news/2", "2025-12-31", "de", "page", ("ocean",), "two"),
        ("https://notnature.com/3", "", "en", "document", (), "three"),
        ("file:///home/anna/notes%20on%20tides.txt", "2026-01-15", "en", "file", ("own notes",), "four"),
    ]
    entries = [
        NewDocument(
            url=url, text=f"salt marsh {word}", date=date, language=language, kind=kind, tags=tags, tenant="acme"
        )
        for url, date, language, kind, tags, word in kinds
    ]
    asked: dict[str, dict[str, Any]] = {
        "site": {"site": "nature.com"},
        "path": {"site": "nature.com/articles"},
        "since": {"since": "2026-01-01"},
        "until": {"until": "2025"},
        "kind": {"kind": "file"},
        "tag": {"tag": "OCEAN"},
        "tag with a blank": {"tag": "own  Notes"},
        "part of a tag": {"tag": "oce"},
        "language": {"language": "DE"},
        "both": {"tag": "ocean", "since": "2026-01-01"},
    }

    async def script(store: LibraryStore) -> dict[str, list[str]]:
        await store.add(entries)
        found = {name: await find(store, "salt marsh", **filters) for name, filters in asked.items()}
        lists = {
            name: await store.list_documents(ANNA, LibraryFilters(**filters), 10) for name, filters in asked.items()
        }
        for name, results in found.items():
            assert sorted(r.about.url for r in results) == sorted(each.url for each in lists[name]), name
        return {name: sorted(result.passage.split()[-1] for result in each) for name, each in found.items()}

    assert opened(script) == {
        "site": ["one", "two"],
        "path": ["one"],
        "since": ["four", "one"],
        "until": ["two"],
        "kind": ["four"],
        "tag": ["one", "two"],
        "tag with a blank": ["four"],
        "part of a tag": [],
        "language": ["two"],
        "both": ["one"],
    }


LONG = " ".join(
    f"In week {n} the harbour master of port {n * 7} wrote down {n * 31} ships and what each of them carried."
    for n in range(40)
)


def test_the_same_text_is_kept_once_and_shown_once(opened: Opened[None]) -> None:
    async def script(store: LibraryStore) -> None:
        first = await store.add([entry("original", LONG, title="Harbour")])
        again = await store.add([entry("mirror", LONG.upper().replace(" ", "\n"), title="HARBOUR")])
        near = await store.add([entry("near", LONG + "A last sentence was added here.", title="Harbour")])
        assert (first, again, near) == (1, 0, 1)
        (found,) = await find(store, "harbour master")
        addresses = {found.about.url, *found.copies}
        assert addresses == {f"https://example.org/{name}" for name in ("original", "mirror", "near")}
        totals = await store.totals(ANNA)
        assert (totals.documents, totals.texts) == (3, 2)
        await store.add([entry("retitled", LONG, title="Quay ledger", private=True)])
        assert names(await find(store, "quay ledger"))[:1] == ["retitled"]
        assert "retitled" not in names(await find(store, "quay ledger", BEN))
        await store.remove(document_id("https://example.org/retitled"), ANNA)
        assert await find(store, "quay ledger") == []
        assert await store.remove(document_id("https://example.org/original"), ANNA) == 1
        (found,) = await find(store, "harbour master")
        assert "https://example.org/original" not in {found.about.url, *found.copies}
        await store.remove(document_id("https://example.org/mirror"), ANNA)
        await store.remove(document_id("https://example.org/near"), ANNA)
        assert await find(store, "harbour master") == []
        assert (await store.totals(ANNA)).texts == 0

    opened(script)


def test_replacing_a_document_forgets_what_it_said(opened: Opened[None]) -> None:
    async def script(store: LibraryStore) -> None:
        await store.add([entry("page", "The price is ninety crowns.", title="Old", tags=("a",))])
        assert await store.add([entry("page", "The price is ninety crowns.", title="Old", tags=("b",))]) == 0
        await store.add([entry("page#part?utm_source=x", "unrelated")])
        await store.add([entry("page", "The price is eighty florins.", title="New")])
        assert await find(store, "crowns") == []
        (found,) = await find(store, "florins")
        assert (found.about.title, found.about.id) == ("New", document_id("https://example.org/page"))
        await store.add([entry("page", "The price is eighty florins.", title="Zebra")])
        assert names(await find(store, "zebra")) == ["page"]
        assert (await store.totals(ANNA)).texts == 1
        for text in ("It was -5 degrees.", "It was 5 degrees."):
            await store.add([entry("weather", text)])
            whole = await store.fetch(document_id("https://example.org/weather"), ANNA)
            assert whole is not None and whole.text == text

    opened(script)


def test_a_filter_means_what_it_says(opened: Opened[None]) -> None:
    async def script(store: LibraryStore) -> None:
        await store.add([entry("docs/old", "puffin", language="en-GB", tags=("a_b",))])
        await store.add([entry(f"n{n}", f"puffin {n}", language="eng", tags=("axb",)) for n in range(5)])
        for language, tag in (("en", ""), ("en-gb", ""), ("", "a_b"), ("", "A_B")):
            assert names(await find(store, "puffin", language=language, tag=tag)) == ["old"], (language, tag)
        assert await find(store, "puffin", tag="%") == []
        below = await store.list_documents(ANNA, LibraryFilters(site="example.org/docs"), 1)
        assert [kept.url for kept in below] == ["https://example.org/docs/old"]

    opened(script)


def test_several_writers_at_once_do_not_harm_each_other(opened: Opened[None]) -> None:
    async def write(store: LibraryStore, number: int) -> None:
        for turn in range(8):
            try:
                await store.add([entry(f"w{n}", f"plover text {n}", user=f"user{number}") for n in range(6)])
                if turn % 2:
                    await store.remove(document_id(f"https://example.org/w{number}"), ANNA)
            except StoreBusy:
                continue

    async def script(store: LibraryStore) -> None:
        await asyncio.gather(*(write(store, number) for number in range(4)))
        await store.add([entry(f"w{n}", f"plover text {n}") for n in range(6)])
        assert sorted(names(await find(store, "plover"))) == [f"w{n}" for n in range(6)]
        totals = await store.totals(ANNA)
        assert (totals.documents, totals.texts) == (6, 6)

    opened(script)


def test_ids_follow_from_the_address_and_outlive_the_process(opened: Opened[str]) -> None:
    assert document_id("https://Example.org:443/a?utm_source=mail#top") == document_id("https://example.org/a")
    assert document_id("https://example.org/a") != document_id("https://example.org/b")

    async def write(store: LibraryStore) -> str:
        await store.add([entry("a", "The text of it, ünïcode 𝒳 and all.\n\nTwo paragraphs.", author="A", title="T")])
        return (await find(store, "paragraphs"))[0].about.id

    async def read(store: LibraryStore) -> str:
        whole = await store.fetch(known, ANNA)
        assert whole is not None and whole.about.author == "A" and whole.about.title == "T"
        assert await store.fetch("nosuchdocument00", ANNA) is None
        return whole.text

    known = opened(write)
    assert known == document_id("https://example.org/a") and len(known) == 16
    assert opened(read) == "The text of it, ünïcode 𝒳 and all.\n\nTwo paragraphs."


def test_private_documents_are_seen_by_their_owner_alone(opened: Opened[None]) -> None:
    async def script(store: LibraryStore) -> None:
        await store.add(
            [
                entry("shared", "lighthouse shared words"),
                entry("private", "lighthouse private words", private=True),
                entry("both", "lighthouse common words"),
                entry("both", "lighthouse of ben alone", private=True, user=BEN.user),
                entry("same", "lighthouse common words", private=True, user=BEN.user),
                entry("else", "lighthouse common words", tenant=EVE.tenant, user=EVE.user),
            ]
        )
        found = {reader.user: await find(store, "lighthouse", reader) for reader in (ANNA, BEN, EVE)}
        assert sorted(names(found["anna"])) == ["both", "private", "shared"]
        assert not any(result.copies for result in found["anna"] + found["eve"])
        assert {"both", "shared"} <= set(names(found["ben"])) <= {"both", "same", "shared"}
        assert "lighthouse of ben alone" in {result.passage for result in found["ben"]}
        assert names(found["eve"]) == ["else"]
        private = document_id("https://example.org/private")
        assert await store.fetch(private, ANNA) and not await store.fetch(private, BEN)
        assert not await store.fetch(private, Identity(EVE.tenant, ANNA.user))
        own = await store.fetch(document_id("https://example.org/both"), BEN)
        assert own is not None and own.text == "lighthouse of ben alone"
        assert await store.remove(private, BEN) == 0
        assert [kept.url for kept in await store.list_documents(EVE, LibraryFilters(), 10)] == [
            "https://example.org/else"
        ]
        assert (await store.totals(BEN)).documents == 4

    opened(script)


def test_erasing_a_user_or_a_tenant_leaves_nothing_of_theirs(opened: Opened[None]) -> None:
    async def script(store: LibraryStore) -> None:
        await store.add([entry("a", "walrus one"), entry("b", "walrus two", private=True)])
        await store.add([entry(f"many{n}", f"walrus number {n}", private=True) for n in range(450)])
        await store.add([entry("e", "walrus three", tenant=EVE.tenant, user=EVE.user)])
        await store.note_addresses(ANNA, ["https://example.org/noted"])
        assert await store.erase_user(ANNA.tenant, ANNA.user) == 451
        assert names(await find(store, "walrus", ANNA, 20)) == ["a"]
        assert await store.erase_user(ANNA.tenant, ANNA.user) == 0
        assert await store.erase_tenant(ANNA.tenant) == 1
        assert await store.address_of(ANNA, document_id("https://example.org/noted")) is None
        assert names(await find(store, "walrus", EVE)) == ["e"]

    opened(script)


def test_addresses_behind_ids_outlive_the_process_and_are_their_readers_alone(opened: Opened[object]) -> None:
    urls = [f"https://example.org/{n}" for n in range(30)]

    async def write(store: LibraryStore) -> None:
        await store.note_addresses(ANNA, urls)
        await store.note_addresses(ANNA, urls[:3])

    async def read(store: LibraryStore) -> list[str | None]:
        ids = [document_id(url) for url in urls]
        assert [await store.address_of(other, ids[0]) for other in (BEN, EVE)] == [None, None]
        return [await store.address_of(ANNA, id) for id in ids]

    opened(write)
    assert opened(read) == urls


def test_huge_and_strange_texts_neither_fail_nor_take_long(opened: Opened[None]) -> None:
    texts = [
        "",
        "\x00" * 1000,
        "a" * 3_000_000,
        " ".join(f"w{n}" for n in range(300_000)),
        "学" * 300_000,
        "\ud800 lone surrogates \udfff",
        "'quotes' and \\ backslashes \\' :*&|!<->() here",
        "e\u0301" * 10_000,
    ]

    async def script(store: LibraryStore) -> None:
        await store.add([entry(f"odd{n}", text) for n, text in enumerate(texts)])
        assert (await store.totals(ANNA)).documents == len(texts)
        assert names(await find(store, "w17")) == ["odd3"]
        assert names(await find(store, "backslashes")) == ["odd6"]
        assert names(await find(store, "lone surrogates")) == ["odd5"]
        for question in ("学学", "a" * 500, "'", "\\", "%", "* * *", '"', "-"):
            await find(store, question)

    opened(script)


@pytest.mark.parametrize(("text", "question"), [(text, question) for _, text, question in LANGUAGES])
def test_a_passage_is_where_the_words_stand(text: str, question: str) -> None:
    found = passage(
        "0 0 0. " * 60 + text + " 1 1 1." * 60, [each for way in build_queries(question) for each in way.wanted]
    )
    assert text in found
    assert len(found) <= 300
