"""The library in the encrypted SQLite file. Texts are kept once, compressed; `segments` keeps the index."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING, Any, TypeVar

from wellsourced.identity import Identity
from wellsourced.storage.database import Database, Schema
from wellsourced.storage.encrypted_file import file_size
from wellsourced.storage.library import held, rows
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.postings import Block, read_block
from wellsourced.storage.library.segments import (
    SEGMENT_COLUMNS,
    SPAN_COLUMN,
    STEPS_A_BATCH,
    Conversation,
    MergeStep,
    add_segments,
    join_step,
    next_step,
    remove_text,
    write_step,
)
from wellsourced.storage.library.store import (
    UNOWNED,
    DocumentWithText,
    LibraryDocument,
    LibraryFilters,
    LibraryTotals,
    NewDocument,
    RunBeside,
    document_id,
)

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")
AT_ONCE = 128
PAGE_CACHE = 16_384
"""KiB of pages that are kept decrypted once the library is searched: reading is mostly decrypting."""
CHARACTERS_AT_ONCE = 2_000_000
ERASED_AT_ONCE = 200
ASSIGNED_AT_ONCE = 500
FREE_SHARE = 16  # one page in so many may be free for what comes next
PAGES_GIVEN_BACK = 128

# One that no posting knows: that of a removed text is free only once its range was rewritten.
NEXT_KEY = (
    "SELECT max((SELECT coalesce(max(key), 0) FROM library_text), "
    "(SELECT coalesce(max(key), 0) FROM library_removed)) + 1"
)
OLDER = (
    "SELECT t.key, (SELECT title FROM library_document WHERE body = t.key LIMIT 1), t.packed "
    "FROM library_unindexed u CROSS JOIN library_text t ON t.key = u.key ORDER BY u.key LIMIT ?"
)

SCHEMA = Schema(
    "library",
    (
        "CREATE TABLE library_text (key INTEGER PRIMARY KEY, tenant TEXT NOT NULL, digest BLOB NOT NULL, "
        "sketch BLOB NOT NULL, length INTEGER NOT NULL, packed BLOB NOT NULL, UNIQUE (tenant, digest))",
        "CREATE TABLE library_document (key INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, "
        "id TEXT NOT NULL, member TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, title TEXT NOT NULL, "
        "author TEXT NOT NULL, date TEXT NOT NULL, site TEXT NOT NULL, kind TEXT NOT NULL, tags TEXT NOT NULL, "
        "language TEXT NOT NULL, body INTEGER NOT NULL, added REAL NOT NULL, UNIQUE (tenant, owner, id))",
        "CREATE INDEX library_document_body ON library_document (body)",
        "CREATE INDEX library_document_added ON library_document (tenant, added)",
        "CREATE INDEX library_document_member ON library_document (tenant, member)",
        "CREATE TABLE library_address (tenant TEXT NOT NULL, id TEXT NOT NULL, url TEXT NOT NULL, seen REAL NOT NULL, "
        "PRIMARY KEY (tenant, id)) WITHOUT ROWID",
        "CREATE INDEX library_address_seen ON library_address (seen)",
        "CREATE VIRTUAL TABLE library_index USING fts5(title, body, content='', contentless_delete=1, "
        "tokenize='ascii')",
        "DROP INDEX library_document_member",
        "ALTER TABLE library_document DROP COLUMN member",
        # Who read a page was not kept before. What has tags or is a file was added by the operator for everybody.
        f"UPDATE library_document SET owner = '{UNOWNED}' WHERE owner = '' AND tags = '' AND kind <> 'file'",  # noqa: S608
        "ALTER TABLE library_address RENAME TO library_tenant_address",
        "CREATE TABLE library_address (tenant TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL, url TEXT NOT NULL, "
        "seen REAL NOT NULL, PRIMARY KEY (tenant, owner, id)) WITHOUT ROWID",
        f"INSERT INTO library_address SELECT tenant, '{UNOWNED}', id, url, seen FROM library_tenant_address",  # noqa: S608
        "DROP TABLE library_tenant_address",
        "CREATE INDEX library_address_last_seen ON library_address (seen)",
        # An index of another kind, which was in use for some days.
        "CREATE TABLE library_segment (segment INTEGER PRIMARY KEY, range INTEGER NOT NULL, texts INTEGER NOT NULL, "
        "target INTEGER)",
        "CREATE TABLE library_posting (segment INTEGER NOT NULL, word TEXT NOT NULL, texts BLOB NOT NULL, "
        "PRIMARY KEY (segment, word)) WITHOUT ROWID",
        "CREATE TABLE library_removed (key INTEGER PRIMARY KEY, target INTEGER)",
        "CREATE TABLE library_unindexed (key INTEGER PRIMARY KEY)",
        "INSERT INTO library_unindexed SELECT key FROM library_text",
        "DROP TABLE library_index",
        "DROP TABLE library_segment",
        "DROP TABLE library_posting",
        "DELETE FROM library_removed",
        "DELETE FROM library_unindexed",
        "INSERT INTO library_unindexed SELECT key FROM library_text",
        # A number once used names that segment for ever, since readers keep parts of it.
        f"CREATE TABLE library_segment (segment INTEGER PRIMARY KEY AUTOINCREMENT, {SEGMENT_COLUMNS})",
        "CREATE TABLE library_block (key INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first TEXT NOT NULL, "
        "words TEXT NOT NULL, sizes BLOB NOT NULL, texts BLOB NOT NULL, UNIQUE (segment, first))",
        f"ALTER TABLE library_segment ADD COLUMN {SPAN_COLUMN}",
    ),
)


class SqliteLibrary:
    def __init__(
        self, database: Database, clock: Callable[[], float] = time.time, run: RunBeside = asyncio.to_thread
    ) -> None:
        self._database = database
        self._clock = clock
        self._run = run
        database.require(SCHEMA)
        database.require(held.SCHEMA)
        self._is_indexed = False
        self._searched: Connection | None = None
        self._index = IndexReader("INDEXED BY library_document_body")

    async def add(self, entries: Sequence[NewDocument], *, durable: bool = True) -> int:
        """In batches of moderate size, so that no other job on the file waits long."""
        indexed = 0
        for batch in batches(entries):
            prepared = await self._run(rows.prepare_all, batch, [self._clock()] * len(batch))
            indexed += await self._database.run(partial(_add, prepared=prepared), durable=durable)
            await self._merge_index()
        return indexed

    async def hold(self, entries: Sequence[NewDocument]) -> bool:
        job = partial(held.put, entries=entries, now=self._clock())
        await self._database.run(job, durable=False)
        return True

    async def index_held(self, limit: int) -> int:
        waiting = await self._read(partial(held.take, limit=limit, characters=CHARACTERS_AT_ONCE))
        if waiting:
            keys, moments, entries = zip(*waiting, strict=True)
            prepared = await self._run(rows.prepare_all, entries, moments)
            job = partial(_add_held, prepared=prepared, keys=keys)
            await self._database.run(job, durable=False)
            await self._merge_index()
        return len(waiting)

    async def converse(self, ask: Callable[[IndexReader], Conversation[T]]) -> T:
        await self._index_older()
        return await self._read(lambda c: self._answer(c, ask(self._index)))

    def _answer(self, connection: Connection, conversation: Conversation[T]) -> T:
        if self._searched is not connection:
            connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE}")
            self._searched = connection
        return converse(connection, conversation)

    async def fetch(self, id: str, reader: Identity) -> DocumentWithText | None:
        where, values = rows.visible(reader)
        sql = (
            f"SELECT {rows.COLUMNS}, t.packed FROM library_document d JOIN library_text t ON t.key = d.body "  # noqa: S608
            f"WHERE d.id = ? AND {where} ORDER BY d.owner DESC LIMIT 1"
        )
        row = await self._read(lambda c: c.execute(sql, (id, *values)).fetchone())
        return DocumentWithText(about=rows.kept(row), text=rows.unpacked(row[14])) if row else None

    async def list_documents(
        self, reader: Identity, filters: LibraryFilters, limit: int, offset: int = 0
    ) -> list[LibraryDocument]:
        where, values = rows.conditions(reader, filters)
        sql = (
            f"SELECT {rows.COLUMNS} FROM library_document d JOIN library_text t ON t.key = d.body "  # noqa: S608
            f"WHERE {where} ORDER BY d.added DESC, d.key DESC LIMIT ? OFFSET ?"
        )
        asked = (*values, rows.listed_rows(filters, limit), offset)
        found = await self._read(lambda c: c.execute(sql, asked).fetchall())
        return [about for row in found if rows.belongs(about := rows.kept(row), filters)][:limit]

    async def remove(self, id: str, reader: Identity) -> int:
        where, values = rows.visible(reader)
        return await self._database.run(lambda c: _delete(c, f"d.id = ? AND {where}", (id, *values)))

    async def owners(self, tenant: str) -> list[str]:
        sql = "SELECT DISTINCT owner FROM library_document WHERE tenant = ? AND owner NOT IN ('', ?) ORDER BY owner"
        return [row[0] for row in await self._read(lambda c: c.execute(sql, (tenant, UNOWNED)).fetchall())]

    async def erase_user(self, tenant: str, user: str) -> int:
        erased = await self._delete_in_batches("d.tenant = ? AND d.owner = ?", (tenant, user))
        addresses = "DELETE FROM library_address WHERE tenant = ? AND owner = ?"
        await self._database.run(lambda c: c.execute(addresses, (tenant, user)).rowcount)
        await self._merge_index(removing=True)
        return erased

    async def erase_tenant(self, tenant: str) -> int:
        erased = await self._delete_in_batches("d.tenant = ?", (tenant,))
        addresses = "DELETE FROM library_address WHERE tenant = ?"
        await self._database.run(lambda c: c.execute(addresses, (tenant,)).rowcount)
        await self._merge_index(removing=True)
        return erased

    async def purge(self, before: float, tenant: str = "", owners: str = "") -> int:
        where, values = rows.outdated(before, tenant, owners)
        return await self._delete_in_batches(where, tuple(values))

    async def totals(self, reader: Identity) -> LibraryTotals:
        where, values = rows.visible(reader)
        sql = (
            "SELECT count(*), count(DISTINCT d.body), coalesce(sum(t.length), 0) FROM library_document d "  # noqa: S608
            f"JOIN library_text t ON t.key = d.body WHERE {where}"
        )
        documents, texts, characters = await self._read(lambda c: c.execute(sql, tuple(values)).fetchone())
        return LibraryTotals(documents=documents, texts=texts, characters=characters, size=self._size())

    async def assign_unowned(self, tenant: str | None, owner: str) -> int:
        total, done = 0, ASSIGNED_AT_ONCE
        while done == ASSIGNED_AT_ONCE:
            done = await self._database.run(partial(_assign, tenant=tenant, owner=owner))
            total += done
        where, values = rows.unowned(tenant)
        addresses = f"UPDATE OR REPLACE library_address SET owner = ? WHERE {where}"  # noqa: S608
        if owner:
            await self._database.run(lambda c: c.execute(addresses, (owner, *values)).rowcount)
        return total

    async def note_addresses(self, reader: Identity, urls: Sequence[str]) -> None:
        now = self._clock()
        seen = [(reader.tenant, reader.user, document_id(url), url, now) for url in urls]
        await self._database.run(partial(_note, seen=seen), durable=False)

    async def address_of(self, reader: Identity, id: str) -> str | None:
        sql = "SELECT url FROM library_address WHERE tenant = ? AND owner = ? AND id = ?"
        row = await self._read(lambda c: c.execute(sql, (reader.tenant, reader.user, id)).fetchone())
        return row[0] if row else None

    async def close(self) -> None:
        """The file is closed by whoever opened it."""

    async def _read(self, job: Callable[[Connection], T]) -> T:
        return await self._database.run(job, write=False)

    async def _delete_in_batches(self, condition: str, values: tuple[object, ...]) -> int:
        total, removed = 0, ERASED_AT_ONCE
        while removed == ERASED_AT_ONCE:
            removed = await self._database.run(partial(_delete, condition=condition, values=values))
            total += removed
        return total

    async def _merge_index(self, *, removing: bool = False) -> None:
        """With `removing`, until no word of a removed text is left in the index, as after an erasure."""
        steps = count() if removing else range(STEPS_A_BATCH)
        for _ in steps:
            step = await self._database.run(partial(_next_step, removing=removing), durable=False)
            if step is None:
                break
            written = write_step(step, await asyncio.to_thread(join_step, step))
            await self._database.run(partial(converse, conversation=written), durable=removing)

    async def _index_older(self) -> None:
        """Texts that an earlier version indexed in its own way."""
        while not self._is_indexed:
            older = await self._read(lambda c: c.execute(OLDER, (AT_ONCE,)).fetchall())
            if older:
                texts = [(title, rows.unpacked(packed)) for _, title, packed in older]
                block = await self._run(rows.index_texts, texts)
                job = partial(_index_texts, keys=[row[0] for row in older], block=block)
                await self._database.run(job, durable=False)
                await self._merge_index()
            self._is_indexed = not older

    def _size(self) -> int:
        path = self._database.path
        return file_size(path) + file_size(path.with_name(path.name + "-wal"))


def batches(entries: Sequence[NewDocument]) -> Iterator[list[NewDocument]]:
    batch: list[NewDocument] = []
    characters_left = CHARACTERS_AT_ONCE
    for entry in entries:
        if batch and (len(batch) == AT_ONCE or len(entry.text) > characters_left):
            yield batch
            batch, characters_left = [], CHARACTERS_AT_ONCE
        batch.append(entry)
        characters_left -= len(entry.text)
    if batch:
        yield batch


def converse(connection: Connection, conversation: Conversation[T]) -> T:
    """Hold a conversation to its end."""
    found: list[Any] = []
    try:
        statement = next(conversation)
        while True:
            if statement.many is None:
                found = connection.execute(statement.sql, statement.values).fetchall()
            else:
                connection.executemany(statement.sql, statement.many)
                found = []
            statement = conversation.send(found)
    except StopIteration as end:
        result: T = end.value
        return result


def _next_step(connection: Connection, removing: bool) -> MergeStep | None:
    step = converse(connection, next_step(removing=removing))
    _give_back(connection)
    return step


def _give_back(connection: Connection) -> None:
    """Shorten the file a little where much of it is free, as replaced segments leave it. A crash undoes the step."""
    free, pages = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
    if free * FREE_SHARE > pages:
        connection.execute(f"PRAGMA incremental_vacuum({PAGES_GIVEN_BACK})").fetchall()


def _index_texts(connection: Connection, keys: Sequence[int], block: Block) -> None:
    """Those of them that are not indexed yet, as another process may have done meanwhile, or removed."""
    delete = "DELETE FROM library_unindexed WHERE key = ?"
    left = [key if connection.execute(delete, (key,)).rowcount else None for key in keys]
    converse(connection, add_segments(read_block(block), left))


def _add(connection: Connection, prepared: rows.PreparedBatch) -> int:
    """How many texts had to be indexed. One that a later document of the same batch replaced is not there any more."""
    added = [_put(connection, document) for document in prepared.documents]
    known = "SELECT 1 FROM library_text WHERE key = ?"
    keys = [key if key is not None and connection.execute(known, (key,)).fetchone() else None for key in added]
    converse(connection, add_segments(read_block(prepared.postings), keys))
    return len(added) - added.count(None)


def _add_held(connection: Connection, prepared: rows.PreparedBatch, keys: Sequence[int]) -> int:
    held.remove(connection, keys)
    return _add(connection, prepared)


def _put(connection: Connection, new: rows.PreparedDocument) -> int | None:
    """The key of the text where it has to be indexed."""
    entry = new.entry
    place = (entry.tenant, entry.owner, new.id)
    old = connection.execute(
        "SELECT d.key, d.body, d.title, t.digest FROM library_document d JOIN library_text t ON t.key = d.body "
        "WHERE d.tenant = ? AND d.owner = ? AND d.id = ?",
        place,
    ).fetchone()
    is_same = old is not None and (old[2], old[3]) == (entry.title, new.digest)
    if old is not None and not is_same:
        connection.execute("DELETE FROM library_document WHERE key = ?", (old[0],))
        _drop_orphans(connection, [old[1]])
    body, is_new = (old[1], False) if is_same else _text(connection, new)
    connection.execute(
        "INSERT OR REPLACE INTO library_document (tenant, owner, id, url, host, title, author, date, site, "
        "kind, tags, language, body, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*place, entry.url, new.host, entry.title, entry.author, entry.date, entry.site, entry.kind,
         new.tags, entry.language, body, new.added),
    )  # fmt: skip
    return body if is_new else None


def _text(connection: Connection, new: rows.PreparedDocument) -> tuple[int, bool]:
    """The key of the text, which is indexed only where the tenant does not have it yet."""
    tenant = new.entry.tenant
    known = connection.execute(
        "SELECT key FROM library_text WHERE tenant = ? AND digest = ?", (tenant, new.digest)
    ).fetchone()
    if known:
        return known[0], False
    key = int(connection.execute(NEXT_KEY).fetchone()[0])
    connection.execute(
        "INSERT INTO library_text (key, tenant, digest, sketch, length, packed) VALUES (?, ?, ?, ?, ?, ?)",
        (key, tenant, new.digest, new.sketch, new.length, new.packed),
    )
    return key, True


def _delete(connection: Connection, condition: str, values: tuple[object, ...]) -> int:
    """Some of the documents that meet a condition written in this file, and the texts nobody needs any more."""
    found = connection.execute(
        f"SELECT d.key, d.body FROM library_document d WHERE {condition} LIMIT {ERASED_AT_ONCE}",  # noqa: S608
        values,
    ).fetchall()
    connection.executemany("DELETE FROM library_document WHERE key = ?", [(key,) for key, _ in found])
    _drop_orphans(connection, {body for _, body in found})
    return len(found)


def _drop_orphans(connection: Connection, bodies: Sequence[int] | set[int]) -> None:
    for body in bodies:
        if connection.execute("SELECT 1 FROM library_document WHERE body = ? LIMIT 1", (body,)).fetchone() is None:
            converse(connection, remove_text(body))
            connection.execute("DELETE FROM library_text WHERE key = ?", (body,))


def _assign(connection: Connection, tenant: str | None, owner: str) -> int:
    """Some of the documents without an owner get one; where the owner has the page already, the older copy goes."""
    where, values = rows.unowned(tenant)
    found = connection.execute(
        f"SELECT key, tenant, url, title, body FROM library_document WHERE {where} LIMIT {ASSIGNED_AT_ONCE}",  # noqa: S608
        values,
    ).fetchall()
    for key, of_tenant, url, title, body in found:
        id, url, title = rows.assigned(url, title, owner)
        place = (of_tenant, owner, id)
        taken = "SELECT 1 FROM library_document WHERE tenant = ? AND owner = ? AND id = ?"
        if connection.execute(taken, place).fetchone():
            connection.execute("DELETE FROM library_document WHERE key = ?", (key,))
            _drop_orphans(connection, [body])
        else:
            sql = "UPDATE library_document SET owner = ?, id = ?, url = ?, title = ? WHERE key = ?"
            connection.execute(sql, (owner, id, url, title, key))
    return len(found)


def _note(connection: Connection, seen: Sequence[tuple[str, str, str, str, float]]) -> None:
    connection.executemany("INSERT OR REPLACE INTO library_address VALUES (?, ?, ?, ?, ?)", list(islice(seen, AT_ONCE)))
    extra = connection.execute("SELECT count(*) FROM library_address").fetchone()[0] - rows.MOST_ADDRESSES
    if extra > 0:
        connection.execute(
            "DELETE FROM library_address WHERE (tenant, owner, id) IN "
            "(SELECT tenant, owner, id FROM library_address ORDER BY seen LIMIT ?)",
            (extra + rows.MOST_ADDRESSES // 20,),
        )
