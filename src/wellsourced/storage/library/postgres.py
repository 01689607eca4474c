"""The library in PostgreSQL, for installations of several instances (LIBRARY_URL=postgresql://…).

The index is the same as in the file: `segments` holds the same conversations with this server. Texts rest as the server
keeps them, compressed; encrypting its disk is up to its operator.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import count
from typing import Any, TypeVar

from wellsourced.identity import Identity
from wellsourced.storage.library import rows
from wellsourced.storage.library.index_reader import IndexReader
from wellsourced.storage.library.postings import read_block
from wellsourced.storage.library.segments import (
    SEGMENT_COLUMNS,
    SPAN_COLUMN,
    STEPS_A_BATCH,
    Conversation,
    Statement,
    add_segments,
    join_step,
    next_step,
    remove_text,
    write_step,
)
from wellsourced.storage.library.sqlite import AT_ONCE, batches
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
from wellsourced.storage.postgres import Connection, Postgres, numbered

T = TypeVar("T")
MERGE_LOCK = 7_203_977_002
"""Of all instances one merges at a time: the number of the advisory lock."""
OLDER = (
    "SELECT t.key, (SELECT title FROM library_document WHERE body = t.key LIMIT 1), t.content "
    "FROM library_unindexed u JOIN library_text t ON t.key = u.key ORDER BY t.key LIMIT ?"
)

UNOWNED_LITERAL = f"\\x{ord(UNOWNED):02x}"
TABLES = (
    "CREATE TABLE IF NOT EXISTS library_text (key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "tenant text NOT NULL, digest bytea NOT NULL, sketch bytea NOT NULL, length integer NOT NULL, "
    "packed bytea, content text, UNIQUE (tenant, digest))",
    "CREATE TABLE IF NOT EXISTS library_segment (segment bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    f"{SEGMENT_COLUMNS})",
    f"ALTER TABLE library_segment ADD COLUMN IF NOT EXISTS {SPAN_COLUMN}",
    "CREATE TABLE IF NOT EXISTS library_block (key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    'segment bigint NOT NULL, first text COLLATE "C" NOT NULL, words text NOT NULL, sizes bytea NOT NULL, '
    "texts bytea NOT NULL, UNIQUE (segment, first))",
    "CREATE TABLE IF NOT EXISTS library_removed (key bigint PRIMARY KEY, target bigint)",
    "CREATE TABLE IF NOT EXISTS library_unindexed (key bigint PRIMARY KEY)",
    # Earlier versions kept texts as they were, and a `tsvector` of each.
    "ALTER TABLE library_text ADD COLUMN IF NOT EXISTS packed bytea",
    "DO $$ BEGIN IF EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = current_schema() "
    "AND table_name = 'library_text' AND column_name = 'vector') THEN "
    "INSERT INTO library_unindexed SELECT key FROM library_text; "
    "ALTER TABLE library_text DROP COLUMN vector, DROP COLUMN words, ALTER COLUMN content DROP NOT NULL; "
    "END IF; END $$",
    "ALTER TABLE library_text ALTER COLUMN packed SET STORAGE EXTERNAL",
    "ALTER TABLE library_block ALTER COLUMN texts SET STORAGE EXTERNAL",
    # As many as fit into a page of the server stay in their row: apart, each is put together again from four pieces.
    "ALTER TABLE library_block SET (toast_tuple_target = 8160)",
    "CREATE TABLE IF NOT EXISTS library_document (key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "tenant text NOT NULL, owner text NOT NULL, id text NOT NULL, url text NOT NULL, "
    'host text NOT NULL, title text NOT NULL, author text NOT NULL, date text COLLATE "C" NOT NULL, '
    "site text NOT NULL, kind text NOT NULL, tags text NOT NULL, language text NOT NULL, "
    "body bigint NOT NULL REFERENCES library_text (key), added double precision NOT NULL, UNIQUE (tenant, owner, id))",
    "ALTER TABLE library_document DROP COLUMN IF EXISTS member",
    "CREATE INDEX IF NOT EXISTS library_document_body ON library_document (body)",
    "CREATE INDEX IF NOT EXISTS library_document_added ON library_document (tenant, added)",
    "CREATE TABLE IF NOT EXISTS library_address (tenant text NOT NULL, id text NOT NULL, url text NOT NULL, "
    "seen double precision NOT NULL, PRIMARY KEY (tenant, id))",
    "CREATE INDEX IF NOT EXISTS library_address_seen ON library_address (seen)",
    # Who read a page was not kept before; the new column of the other table tells whether this was done. What has tags
    # or is a file was added by the operator for everybody.
    "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = current_schema() "  # noqa: S608
    "AND table_name = 'library_address' AND column_name = 'owner') THEN "
    f"UPDATE library_document SET owner = E'{UNOWNED_LITERAL}' WHERE owner = '' AND tags = '' AND kind <> 'file'; "
    f"ALTER TABLE library_address ADD COLUMN owner text NOT NULL DEFAULT E'{UNOWNED_LITERAL}'; "
    "ALTER TABLE library_address DROP CONSTRAINT library_address_pkey; "
    "ALTER TABLE library_address ADD PRIMARY KEY (tenant, owner, id); END IF; END $$",
)


class PostgresLibrary:
    def __init__(self, url: str, clock: Callable[[], float] = time.time, run: RunBeside = asyncio.to_thread) -> None:
        self._database = Postgres(url, TABLES)
        self._clock = clock
        self._run = run
        self._index = IndexReader()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="library")
        """Questions take turns: threads that fight for Python's lock would be slower than one."""
        self._is_indexed = False

    async def add(self, entries: Sequence[NewDocument], *, durable: bool = True) -> int:
        """`durable` is PostgreSQL's `synchronous_commit`."""
        indexed = 0
        for batch in batches(entries):
            prepared = await self._run(rows.prepare_all, batch, [self._clock()] * len(batch))
            async with self._database.transaction() as connection:
                await connection.execute(f"SET LOCAL synchronous_commit = {'on' if durable else 'off'}")
                keys = await _put_all(connection, prepared.documents)
                await converse(connection, add_segments(read_block(prepared.postings), keys))
            indexed += len(keys) - keys.count(None)
            await self._merge_index()
        return indexed

    async def hold(self, entries: Sequence[NewDocument]) -> bool:
        """One trip to the server either way, so they are added at once."""
        await self.add(entries, durable=False)
        return False

    async def index_held(self, limit: int) -> int:
        return 0

    async def converse(self, ask: Callable[[IndexReader], Conversation[T]]) -> T:
        await self._index_older()
        async with self._database.connection() as connection:
            return await converse(connection, ask(self._index), self._thread)

    async def fetch(self, id: str, reader: Identity) -> DocumentWithText | None:
        where, values = rows.visible(reader)
        found = await self._database.rows(
            f"SELECT {rows.COLUMNS}, t.packed, t.content FROM library_document d JOIN library_text t ON t.key = d.body "  # noqa: S608
            f"WHERE d.id = ? AND {where} ORDER BY d.owner DESC LIMIT 1",
            id,
            *values,
        )
        return DocumentWithText(about=rows.kept(found[0]), text=_whole(*found[0][14:])) if found else None

    async def list_documents(
        self, reader: Identity, filters: LibraryFilters, limit: int, offset: int = 0
    ) -> list[LibraryDocument]:
        where, values = rows.conditions(reader, filters)
        found = await self._database.rows(
            f"SELECT {rows.COLUMNS} FROM library_document d JOIN library_text t ON t.key = d.body "  # noqa: S608
            f"WHERE {where} ORDER BY d.added DESC, d.key DESC LIMIT ? OFFSET ?",
            *values,
            rows.listed_rows(filters, limit),
            offset,
        )
        return [about for row in found if rows.belongs(about := rows.kept(row), filters)][:limit]

    async def remove(self, id: str, reader: Identity) -> int:
        where, values = rows.visible(reader)
        return await self._delete(f"d.id = ? AND {where}", id, *values)

    async def owners(self, tenant: str) -> list[str]:
        sql = "SELECT DISTINCT owner FROM library_document WHERE tenant = ? AND owner NOT IN ('', ?) ORDER BY owner"
        return [row[0] for row in await self._database.rows(sql, tenant, UNOWNED)]

    async def erase_user(self, tenant: str, user: str) -> int:
        erased = await self._delete("d.tenant = ? AND d.owner = ?", tenant, user)
        await self._database.rows("DELETE FROM library_address WHERE tenant = ? AND owner = ?", tenant, user)
        await self._merge_index(removing=True)
        return erased

    async def erase_tenant(self, tenant: str) -> int:
        erased = await self._delete("d.tenant = ?", tenant)
        await self._database.rows("DELETE FROM library_address WHERE tenant = ?", tenant)
        await self._merge_index(removing=True)
        return erased

    async def purge(self, before: float, tenant: str = "", owners: str = "") -> int:
        where, values = rows.outdated(before, tenant, owners)
        return await self._delete(where, *values)

    async def totals(self, reader: Identity) -> LibraryTotals:
        where, values = rows.visible(reader)
        sql = (
            "SELECT count(*), count(DISTINCT d.body), coalesce(sum(t.length), 0)::bigint, "  # noqa: S608
            "pg_total_relation_size('library_text') + pg_total_relation_size('library_document') "
            "+ pg_total_relation_size('library_block') "
            f"FROM library_document d JOIN library_text t ON t.key = d.body WHERE {where}"
        )
        ((documents, texts, characters, size),) = await self._database.rows(sql, *values)
        return LibraryTotals(documents=documents, texts=texts, characters=characters, size=size)

    async def assign_unowned(self, tenant: str | None, owner: str) -> int:
        """Where the owner has the page already, the older copy goes."""
        where, values = rows.unowned(tenant)
        async with self._database.transaction() as connection:
            found = await connection.fetch(
                numbered(f"SELECT key, tenant, url, title, body FROM library_document WHERE {where} FOR UPDATE"),  # noqa: S608
                *values,
            )
            for key, of_tenant, url, title, body in found:
                await _assign(connection, key, (of_tenant, owner, *rows.assigned(url, title, owner)), body)
            if owner:
                taken = "SELECT 1 FROM library_address b WHERE (b.tenant, b.owner, b.id) = (a.tenant, ?, a.id)"
                sql = f"UPDATE library_address a SET owner = ? WHERE {where} AND NOT EXISTS ({taken})"  # noqa: S608
                await connection.execute(numbered(sql), owner, *values, owner)
        return len(found)

    async def note_addresses(self, reader: Identity, urls: Sequence[str]) -> None:
        seen = {document_id(url): url for url in urls}
        await self._database.rows(
            "INSERT INTO library_address (tenant, owner, id, url, seen) "
            "SELECT ?::text, ?::text, a.id, a.url, ?::float8 FROM unnest(?::text[], ?::text[]) AS a (id, url) "
            "ON CONFLICT (tenant, owner, id) DO UPDATE SET seen = excluded.seen, url = excluded.url",
            reader.tenant,
            reader.user,
            self._clock(),
            list(seen),
            list(seen.values()),
        )
        await self._database.rows(
            "DELETE FROM library_address WHERE seen < (SELECT seen FROM library_address ORDER BY seen DESC "
            "OFFSET ? LIMIT 1)",
            rows.MOST_ADDRESSES,
        )

    async def address_of(self, reader: Identity, id: str) -> str | None:
        sql = "SELECT url FROM library_address WHERE tenant = ? AND owner = ? AND id = ?"
        found = await self._database.rows(sql, reader.tenant, reader.user, id)
        return found[0][0] if found else None

    async def close(self) -> None:
        await self._database.close()
        self._thread.shutdown(wait=False)

    async def _merge_index(self, *, removing: bool = False) -> None:
        """With `removing`, until no word of a removed text is left in the index, as after an erasure."""
        for _ in count() if removing else range(STEPS_A_BATCH):
            async with self._database.transaction() as connection:
                step = (
                    await converse(connection, next_step(removing=removing)) if await _may_merge(connection) else None
                )
            if step is None:
                break
            blocks = await asyncio.to_thread(join_step, step)
            async with self._database.transaction() as connection:
                if await _may_merge(connection):
                    await converse(connection, write_step(step, blocks))

    async def _index_older(self) -> None:
        """Texts that an earlier version indexed in its own way."""
        while not self._is_indexed:
            older = await self._database.rows(OLDER, AT_ONCE)
            if older:
                texts = [(row[1] or "", row[2]) for row in older]
                block = await self._run(rows.index_texts, texts)
                packed = [rows.packed(text) for _, text in texts]
                async with self._database.transaction() as connection:
                    sql = "DELETE FROM library_unindexed WHERE key = ANY($1) RETURNING key"
                    left = {row[0] for row in await connection.fetch(sql, [row[0] for row in older])}
                    update = "UPDATE library_text SET packed = $1, content = NULL WHERE key = $2"
                    await connection.executemany(update, [(p, row[0]) for p, row in zip(packed, older, strict=True)])
                    keys = [row[0] if row[0] in left else None for row in older]
                    await converse(connection, add_segments(read_block(block), keys))
            self._is_indexed = not older

    async def _delete(self, condition: str, *values: object) -> int:
        """Documents that meet a condition written in this file, and the texts nobody needs any more."""
        async with self._database.transaction() as connection:
            found = await connection.fetch(
                numbered(f"DELETE FROM library_document d WHERE {condition} RETURNING d.body"),  # noqa: S608
                *values,
            )
            await _drop_orphans(connection, sorted({row[0] for row in found}))
        return len(found)


async def converse(connection: Connection, conversation: Conversation[T], thread: Executor | None = None) -> T:
    """Hold a conversation to its end. What is made of an answer is made beside the event loop.

    One that has a thread for this is a question, whose first statement is made sooner than handed to the thread.
    """
    loop = asyncio.get_running_loop()
    said = _advance(conversation) if thread else await loop.run_in_executor(None, _advance, conversation)
    while isinstance(said, Statement):
        found: Sequence[Any] = []
        if said.many is None:
            found = await connection.fetch(numbered(said.sql), *said.values)
        else:
            await connection.executemany(numbered(said.sql), said.many)
        said = await loop.run_in_executor(thread, _advance, conversation, found)
    return said[0]


def _advance(conversation: Conversation[T], found: Sequence[Any] | None = None) -> Statement | tuple[T]:
    """The next statement, or the result alone in a tuple."""
    try:
        return next(conversation) if found is None else conversation.send(found)
    except StopIteration as end:
        return (end.value,)


async def _may_merge(connection: Connection) -> bool:
    return bool(await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", MERGE_LOCK))


def _whole(packed: bytes | None, content: str | None) -> str:
    return rows.unpacked(packed) if packed is not None else content or ""


async def _put_all(connection: Connection, documents: Sequence[rows.PreparedDocument]) -> list[int | None]:
    """For each document the key of its text where it has to be indexed. Of the same document the last one counts."""
    last = {(new.entry.tenant, new.entry.owner, new.id): place for place, new in enumerate(documents)}
    known = await _known(connection, sorted(last))
    keys: list[int | None] = [None] * len(documents)
    bodies: dict[int, int] = {}
    changed = []
    for about, place in last.items():
        body, title, digest = known.get(about, (None, "", b""))
        if body is not None and (title, digest) == (documents[place].entry.title, documents[place].digest):
            bodies[place] = body
        elif body is not None:
            changed.append((about, body))
    await connection.executemany(
        "DELETE FROM library_document WHERE tenant = $1 AND owner = $2 AND id = $3", [about for about, _ in changed]
    )
    await _drop_orphans(connection, sorted({body for _, body in changed}))
    wanted = {place: documents[place] for place in last.values() if place not in bodies}
    for place, (body, is_new) in (await _put_texts(connection, wanted)).items():
        bodies[place] = body
        keys[place] = body if is_new else None
    await connection.executemany(
        "INSERT INTO library_document (tenant, owner, id, url, host, title, author, date, site, kind, tags, "
        "language, body, added) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) "
        "ON CONFLICT (tenant, owner, id) DO UPDATE SET url = $4, host = $5, title = $6, author = $7, date = $8, "
        "site = $9, kind = $10, tags = $11, language = $12, body = $13, added = $14",
        [_values(documents[last[about]], bodies[last[about]]) for about in sorted(last)],
    )
    return keys


async def _known(
    connection: Connection, abouts: Sequence[tuple[str, str, str]]
) -> dict[tuple[str, str, str], tuple[int, str, bytes]]:
    """The text, title and digest of documents that are there already."""
    found = await connection.fetch(
        "SELECT d.tenant, d.owner, d.id, d.body, d.title, t.digest FROM unnest($1::text[], $2::text[], $3::text[]) "
        "AS a (tenant, owner, id) JOIN library_document d ON (d.tenant, d.owner, d.id) = (a.tenant, a.owner, a.id) "
        "JOIN library_text t ON t.key = d.body ORDER BY d.key FOR UPDATE OF d",
        *([about[column] for about in abouts] for column in range(3)),
    )
    return {(row[0], row[1], row[2]): (row[3], row[4], row[5]) for row in found}


async def _assign(connection: Connection, key: int, about: tuple[str, str, str, str, str], body: int) -> None:
    """`about` is tenant, owner, id, address and title."""
    tenant, owner, id, url, title = about
    taken = "SELECT 1 FROM library_document WHERE tenant = $1 AND owner = $2 AND id = $3"
    if await connection.fetchval(taken, tenant, owner, id):
        await connection.execute("DELETE FROM library_document WHERE key = $1", key)
        await _drop_orphans(connection, [body])
    else:
        sql = "UPDATE library_document SET owner = $1, id = $2, url = $3, title = $4 WHERE key = $5"
        await connection.execute(sql, owner, id, url, title, key)


def _values(new: rows.PreparedDocument, body: int) -> tuple[Any, ...]:
    entry = new.entry
    about = (entry.url, new.host, entry.title, entry.author, entry.date, entry.site, entry.kind, new.tags)
    return (entry.tenant, entry.owner, new.id, *about, entry.language, body, new.added)


async def _put_texts(
    connection: Connection, documents: Mapping[int, rows.PreparedDocument]
) -> dict[int, tuple[int, bool]]:
    """The key of each text and whether it has to be indexed, which it has where the tenant does not have it yet.

    Between reading that it is there and holding on to it, another may have removed it; then it is made after all.
    """
    left = {(new.entry.tenant, new.digest): (place, new) for place, new in documents.items()}
    found: dict[tuple[str, bytes], tuple[int, int]] = {}
    while left:
        new = [left[each][1] for each in sorted(left)]
        columns = (
            [(each.entry.tenant, each.digest, each.sketch, each.length, each.packed) for each in new] if new else []
        )
        made = await connection.fetch(
            "INSERT INTO library_text (tenant, digest, sketch, length, packed) SELECT * FROM unnest($1::text[], "
            "$2::bytea[], $3::bytea[], $4::int[], $5::bytea[]) ON CONFLICT (tenant, digest) DO NOTHING "
            "RETURNING tenant, digest, key",
            *zip(*columns, strict=True),
        )
        for tenant, digest, key in made:
            found[tenant, digest] = (key, left.pop((tenant, digest))[0])
        if left:
            known = await connection.fetch(
                "SELECT t.tenant, t.digest, t.key FROM unnest($1::text[], $2::bytea[]) AS a (tenant, digest) "
                "JOIN library_text t ON (t.tenant, t.digest) = (a.tenant, a.digest) ORDER BY t.key FOR SHARE OF t",
                *zip(*sorted(left), strict=True),
            )
            for tenant, digest, key in known:
                found[tenant, digest] = (key, -1)
                del left[tenant, digest]
    return {
        place: (found[new.entry.tenant, new.digest][0], found[new.entry.tenant, new.digest][1] == place)
        for place, new in documents.items()
    }


async def _drop_orphans(connection: Connection, bodies: Sequence[int]) -> None:
    """Locked first and looked at afterwards, so that a document that came meanwhile is seen."""
    if not bodies:
        return
    await connection.execute("SELECT 1 FROM library_text WHERE key = ANY($1) ORDER BY key FOR UPDATE", list(bodies))
    gone = await connection.fetch(
        "DELETE FROM library_text t WHERE t.key = ANY($1) "
        "AND NOT EXISTS (SELECT 1 FROM library_document d WHERE d.body = t.key) RETURNING t.key",
        list(bodies),
    )
    for (key,) in gone:
        await converse(connection, remove_text(key))
