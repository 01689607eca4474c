"""Libraries from before readers were kept: nothing is lost, and nobody sees what another may have read."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.storage.library.library_stores import ANNA, BEN, KEY, entry, find, in_file
from tests.storage.postgres_server import postgres
from wellsourced.identity import Identity
from wellsourced.storage.database import Database, Schema
from wellsourced.storage.library import sqlite
from wellsourced.storage.library.postgres import PostgresLibrary
from wellsourced.storage.library.store import SHARED, LibraryFilters, LibraryStore, NewDocument, document_id
from wellsourced.storage.postgres import driver

OLD_STEPS = 10
SECRET = "https://example.org/report?token=hunter2&page=3"
NOTED = "https://example.org/noted"
OLD_DOCUMENT = (
    "INSERT INTO library_document (tenant, owner, id, url, host, title, author, date, site, kind, tags, language, "
    "body, added) VALUES ('acme', '', '{id}', '{url}', 'example.org', 'Old', '', '', '', '{kind}', '{tags}', '', {body}"
    ", 7.0)"
)
DOCUMENTS = (
    ("https://example.org/read", "page", ""),
    (SECRET, "page", ""),
    ("file:///srv/handbook.pdf", "file", ""),
    ("https://example.org/added", "page", "\x1fteam\x1f"),
)
Opened = Callable[[Callable[[LibraryStore], Any]], Any]


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def old_library(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """A library as the version before wrote it; each script opens it with this one."""
    if request.param == "sqlite":
        path = tmp_path / "library.db"
        asyncio.run(write_old_file(path))
        return lambda script: asyncio.run(in_file(path, script))
    url: str = request.getfixturevalue("postgres_url")
    asyncio.run(write_old_tables(url))
    return lambda script: asyncio.run(in_postgres(url, script))


def old_rows(body: int) -> list[str]:
    about = [
        OLD_DOCUMENT.format(id=document_id(url), url=url, kind=kind, tags=tags, body=body)
        for url, kind, tags in DOCUMENTS
    ]
    return [*about, f"INSERT INTO library_address VALUES ('acme', '{document_id(NOTED)}', '{NOTED}', 7.0)"]


async def write_old_file(path: Path) -> None:
    database = Database(path, KEY)
    database.require(Schema(sqlite.SCHEMA.name, sqlite.SCHEMA.steps[:OLD_STEPS]))
    document = "INSERT INTO library_text VALUES (1, 'acme', x'00', x'00', 3, ?)"
    index = "INSERT INTO library_index (rowid, title, body) VALUES (1, 'old', 'old text')"

    def write(connection: Any) -> None:
        connection.execute(document, (zlib.compress(b"old text"),))
        for statement in (index, *old_rows(1)):
            connection.execute(statement)

    await database.run(write)
    await database.close()


async def write_old_tables(url: str) -> None:
    async def make(store: LibraryStore) -> None:
        await store.erase_tenant("acme")

    await in_postgres(url, make)
    connection = await driver().connect(url)
    try:
        await connection.execute("DELETE FROM wellsourced_tables")
        await connection.execute("ALTER TABLE library_address DROP COLUMN owner")
        await connection.execute("ALTER TABLE library_address ADD PRIMARY KEY (tenant, id)")
        await connection.execute("ALTER TABLE library_text ADD COLUMN words integer, ADD COLUMN vector tsvector")
        body = await connection.fetchval(
            "INSERT INTO library_text (tenant, digest, sketch, length, words, content, vector) "
            "VALUES ('acme', '\\x00', '\\x00', 3, 2, 'old text', '''old'':1 ''text'':2') RETURNING key"
        )
        for statement in old_rows(body):
            await connection.execute(statement)
    finally:
        await connection.close()


async def in_postgres(url: str, script: Callable[[LibraryStore], Any]) -> Any:
    store = PostgresLibrary(url)
    try:
        return await script(store)
    finally:
        await store.close()


async def seen_by(store: LibraryStore, reader: Identity) -> set[str]:
    return {document.url for document in await store.list_documents(reader, LibraryFilters(), 100)}


ADDED = {"file:///srv/handbook.pdf", "https://example.org/added"}


def test_what_others_may_have_read_is_kept_but_not_shown(old_library: Opened) -> None:
    async def script(store: LibraryStore) -> None:
        assert await seen_by(store, ANNA) == await seen_by(store, BEN) == ADDED
        assert await store.owners("acme") == []
        assert await store.address_of(ANNA, document_id(NOTED)) is None
        found = await find(store, "texts")
        assert [(each.about.url in ADDED, each.passage) for each in found] == [(True, "old text")]

    old_library(script)


def test_the_only_person_there_is_gets_all_of_it(old_library: Opened) -> None:
    async def script(store: LibraryStore) -> None:
        newer = NewDocument(url=SECRET, text="newer text", tenant="acme", user="anna", private=True)
        await store.add([newer])
        assert await store.assign_unowned("elsewhere", ANNA.user) == 0
        assert await store.assign_unowned("acme", ANNA.user) == 2
        assert await store.assign_unowned("acme", ANNA.user) == 0
        assert await seen_by(store, ANNA) == ADDED | {"https://example.org/read", SECRET}
        assert await seen_by(store, BEN) == ADDED
        kept = [await store.fetch(document_id(url), ANNA) for url in ("https://example.org/read", SECRET)]
        assert [(each.text, each.about.added == 7.0) for each in kept if each] == [
            ("old text", True),
            ("newer text", False),
        ]
        assert await store.address_of(ANNA, document_id(NOTED)) == NOTED

    old_library(script)


def test_where_a_tenant_shares_secrets_are_cut_first(old_library: Opened) -> None:
    async def script(store: LibraryStore) -> None:
        assert await store.assign_unowned(None, SHARED) == 2
        shared = ADDED | {"https://example.org/read", "https://example.org/report?page=3"}
        assert await seen_by(store, ANNA) == await seen_by(store, BEN) == shared
        whole = await store.fetch(document_id("https://example.org/report?page=3"), BEN)
        assert whole is not None and (whole.text, whole.about.added) == ("old text", 7.0)

    old_library(script)


def test_what_is_shared_holds_no_secret_of_an_address(tmp_path: Path) -> None:
    link = "See [the draft](https://u:pw@example.org/d?sig=abc&v=2) and https://example.org/p?page=2."

    async def script(store: LibraryStore) -> None:
        shared = entry("x?access_token=t0ps3cret&n=1", link, title="https://example.org/x?access_token=t0ps3cret")
        await store.add([shared, entry("y?access_token=t0ps3cret", link, private=True)])
        (document,) = await store.list_documents(BEN, LibraryFilters(), 10)
        whole = await store.fetch(document.id, BEN)
        assert whole is not None
        assert document.url == "https://example.org/x?n=1"
        assert whole.text == "See [the draft](https://example.org/d?v=2) and https://example.org/p?page=2."
        assert "t0ps3cret" not in document.title
        own = await store.fetch(document_id("https://example.org/y?access_token=t0ps3cret"), ANNA)
        assert own is not None and own.text == link, "one's own is left as it was"

    asyncio.run(in_file(tmp_path / "library.db", script))


def test_readers_known_by_a_session_alone_are_forgotten_alone(tmp_path: Path) -> None:
    async def script(store: LibraryStore) -> None:
        for user in ("anonymous", "anonymous:session:ab", "anonymous:key:ab", "anna"):
            await store.add([entry(user, "text", user=user, private=True)])
        assert await store.purge(2e12, "acme", "anonymous:session:") == 1
        assert await store.owners("acme") == ["anna", "anonymous", "anonymous:key:ab"]

    asyncio.run(in_file(tmp_path / "library.db", script))
