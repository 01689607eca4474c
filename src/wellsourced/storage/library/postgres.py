"""The library in PostgreSQL, for installations of several instances (LIBRARY_URL=postgresql://…).

The index is a `tsvector` that is written here, word by word, so that no parser or locale of the server decides what a
word is; titles have weight A. The server finds and pre-sorts, and the best are ranked by BM25 here
(`library_bm25`). Limits of the type (postgresql.org/docs/current/textsearch-limits.html): one megabyte a document,
positions up to 16,383, 256 positions a word. Texts rest as the server keeps them; encrypting its disk is up to its
operator.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from wellsourced.identity import Identity
from wellsourced.storage.library import rows
from wellsourced.storage.library.bm25 import IndexStatistics, frequencies, rarest, scored
from wellsourced.storage.library.postings import TITLE_WEIGHT
from wellsourced.storage.library.query import IndexQuery, SearchTerm
from wellsourced.storage.library.sqlite import batches
from wellsourced.storage.library.store import (
    UNOWNED,
    DocumentWithText,
    LibraryDocument,
    LibraryFilters,
    LibraryTotals,
    NewDocument,
    RankedDocument,
    RunBeside,
    document_id,
)
from wellsourced.storage.library.vector import expression, vector
from wellsourced.storage.postgres import Connection, Postgres, numbered

CANDIDATES = 80
POOLS = (200, 4000, None)
"""How many of the best are looked at before filters; None is all."""

WEIGHTS = f"'{{0, 0, {1 / TITLE_WEIGHT}, 1}}'"
BEST = (
    f"SELECT key FROM library_text WHERE vector @@ ?::text::tsquery "  # noqa: S608
    f"ORDER BY ts_rank({WEIGHTS}, vector, ?::text::tsquery, 1) DESC LIMIT ?"
)

UNOWNED_LITERAL = f"\\x{ord(UNOWNED):02x}"
TABLES = (
    "CREATE TABLE IF NOT EXISTS library_text (key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "tenant text NOT NULL, digest bytea NOT NULL, sketch bytea NOT NULL, length integer NOT NULL, "
    "words integer NOT NULL, content text NOT NULL, vector tsvector NOT NULL, UNIQUE (tenant, digest))",
    "ALTER TABLE library_text ALTER COLUMN vector SET STORAGE EXTERNAL",
    "CREATE INDEX IF NOT EXISTS library_text_vector ON library_text USING gin (vector) WITH (fastupdate = off)",
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

    async def add(self, entries: Sequence[NewDocument], *, durable: bool = True) -> int:
        """`durable` is PostgreSQL's `synchronous_commit`."""
        indexed = 0
        for batch in batches(entries):
            prepared = await self._run(rows.prepare_all, batch, self._clock())
            prepared.sort(key=lambda new: (new.entry.tenant, new.digest))
            async with self._database.transaction() as connection:
                await connection.execute(f"SET LOCAL synchronous_commit = {'on' if durable else 'off'}")
                for new in prepared:
                    indexed += await _put(connection, new)
        return indexed

    async def hold(self, entries: Sequence[NewDocument]) -> bool:
        """One trip to the server either way, so they are added at once."""
        await self.add(entries, durable=False)
        return False

    async def index_held(self, limit: int) -> int:
        return 0

    async def rank_documents(
        self, match: IndexQuery, reader: Identity, filters: LibraryFilters, limit: int
    ) -> list[RankedDocument]:
        """The best by the server's own reckoning, more of them where the reader may not see these, ranked by BM25."""
        statistics = await self._statistics(match.wanted, reader.tenant)
        asked = expression(rarest(match, statistics))
        found: list[Any] = []
        for most in POOLS:
            best = [row[0] for row in await self._database.rows(BEST, asked, asked, most)]
            found = await self._seen(best, reader, filters, max(limit, CANDIDATES))
            if len(found) >= limit or most is None or len(best) < most:
                break
        if not found:
            return []
        counts = await self._counts(match.wanted, [row[12] for row in found])
        ranked = [_ranked(row, scored(counts.get(row[12], {}), row[14], match.wanted, statistics)) for row in found]
        return sorted(ranked, key=lambda each: -each.score)[:limit]

    async def _seen(self, bodies: list[int], reader: Identity, filters: LibraryFilters, most: int) -> list[Any]:
        """What the reader may see and wants of some texts, in their order."""
        where, values = rows.conditions(reader, filters)
        found = await self._database.rows(
            f"SELECT {rows.COLUMNS}, t.words FROM library_document d JOIN library_text t ON t.key = d.body "  # noqa: S608
            f"WHERE d.body = ANY(?) AND {where} ORDER BY d.key",
            bodies,
            *values,
        )
        place = {body: number for number, body in enumerate(bodies)}
        return sorted(found, key=lambda row: place[row[12]])[:most]

    async def texts(self, bodies: Sequence[int]) -> dict[int, str]:
        found = await self._database.rows("SELECT key, content FROM library_text WHERE key = ANY(?)", list(bodies))
        return {row[0]: row[1] for row in found}

    async def fetch(self, id: str, reader: Identity) -> DocumentWithText | None:
        where, values = rows.visible(reader)
        found = await self._database.rows(
            f"SELECT {rows.COLUMNS}, t.content FROM library_document d JOIN library_text t ON t.key = d.body "  # noqa: S608
            f"WHERE d.id = ? AND {where} ORDER BY d.owner DESC LIMIT 1",
            id,
            *values,
        )
        return DocumentWithText(about=rows.kept(found[0]), text=found[0][14]) if found else None

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
        return erased

    async def erase_tenant(self, tenant: str) -> int:
        erased = await self._delete("d.tenant = ?", tenant)
        await self._database.rows("DELETE FROM library_address WHERE tenant = ?", tenant)
        return erased

    async def purge(self, before: float, tenant: str = "", owners: str = "") -> int:
        where, values = rows.outdated(before, tenant, owners)
        return await self._delete(where, *values)

    async def totals(self, reader: Identity) -> LibraryTotals:
        where, values = rows.visible(reader)
        sql = (
            "SELECT count(*), count(DISTINCT d.body), coalesce(sum(t.length), 0)::bigint, "  # noqa: S608
            "pg_total_relation_size('library_text') + pg_total_relation_size('library_document') "
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

    async def _statistics(self, wanted: Sequence[SearchTerm], tenant: str) -> IndexStatistics:
        """How many texts there are, how long they are on average, and how many hold each thing sought."""
        ((texts, average),) = await self._database.rows(
            "SELECT count(*), coalesce(avg(words), 0)::float8 FROM library_text WHERE tenant = ?", tenant
        )
        holding = await self._database.rows(
            "SELECT (SELECT count(*) FROM library_text WHERE tenant = ? AND vector @@ q::tsquery) "
            "FROM unnest(?::text[]) WITH ORDINALITY AS a (q, place) ORDER BY place",
            tenant,
            [expression(IndexQuery((sought,))) for sought in wanted],
        )
        return IndexStatistics(texts, average, tuple(row[0] for row in holding))

    async def _counts(self, wanted: Sequence[SearchTerm], bodies: Sequence[int]) -> dict[int, dict[str, float]]:
        """Weighted occurrences of the words sought, by text."""
        exact = list({word for sought in wanted for word in sought.words})
        beginnings = [sought.words[-1] for sought in wanted if sought.is_beginning]
        found = await self._database.rows(
            "SELECT t.key, u.lexeme, u.weights FROM library_text t, unnest(t.vector) u WHERE t.key = ANY(?) "
            "AND (u.lexeme = ANY(?) OR u.lexeme ^@ ANY(?::text[]))",
            list(bodies),
            exact,
            beginnings,
        )
        return frequencies(found)

    async def _delete(self, condition: str, *values: object) -> int:
        """Documents that meet a condition written in this file, and the texts nobody needs any more."""
        async with self._database.transaction() as connection:
            found = await connection.fetch(
                numbered(f"DELETE FROM library_document d WHERE {condition} RETURNING d.body"),  # noqa: S608
                *values,
            )
            await _drop_orphans(connection, sorted({row[0] for row in found}))
        return len(found)


def _ranked(row: Any, score: float) -> RankedDocument:
    return RankedDocument(about=rows.kept(row), body=row[12], sketch=row[13], score=score)


async def _put(connection: Connection, new: rows.PreparedDocument) -> bool:
    """Whether the text had to be indexed."""
    entry = new.entry
    old = await connection.fetchrow(
        "SELECT d.body, d.title, t.digest FROM library_document d JOIN library_text t ON t.key = d.body "
        "WHERE d.tenant = $1 AND d.owner = $2 AND d.id = $3 FOR UPDATE OF d",
        entry.tenant,
        entry.owner,
        new.id,
    )
    is_same = old is not None and (old[1], old[2]) == (entry.title, new.digest)
    if old is not None and not is_same:
        await connection.execute(
            "DELETE FROM library_document WHERE tenant = $1 AND owner = $2 AND id = $3",
            entry.tenant,
            entry.owner,
            new.id,
        )
        await _drop_orphans(connection, [old[0]])
    body, is_new = (old[0], False) if is_same and old is not None else await _text(connection, new)
    await connection.execute(
        "INSERT INTO library_document (tenant, owner, id, url, host, title, author, date, site, kind, tags, "
        "language, body, added) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) "
        "ON CONFLICT (tenant, owner, id) DO UPDATE SET url = $4, host = $5, title = $6, author = $7, date = $8, "
        "site = $9, kind = $10, tags = $11, language = $12, body = $13, added = $14",
        *_values(new, body),
    )
    return is_new


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


async def _text(connection: Connection, new: rows.PreparedDocument) -> tuple[int, bool]:
    """The key of the text, which is indexed only where the tenant does not have it yet.

    Between reading that it is there and holding on to it, another may have removed it; then it is made after all.
    """
    count, written = vector(new.title, new.words)
    place = (new.entry.tenant, new.digest)
    while True:
        made = await connection.fetchval(
            "INSERT INTO library_text (tenant, digest, sketch, length, words, content, vector) "
            "VALUES ($1, $2, $3, $4, $5, $6, $7::text::tsvector) ON CONFLICT (tenant, digest) DO NOTHING RETURNING key",
            *place,
            new.sketch,
            len(new.entry.text),
            count,
            new.entry.text,
            written,
        )
        if made is not None:
            return made, True
        known = await connection.fetchval(
            "SELECT key FROM library_text WHERE tenant = $1 AND digest = $2 FOR SHARE", *place
        )
        if known is not None:
            return known, False


async def _drop_orphans(connection: Connection, bodies: Sequence[int]) -> None:
    """Locked first and looked at afterwards, so that a document that came meanwhile is seen."""
    await connection.execute("SELECT 1 FROM library_text WHERE key = ANY($1) ORDER BY key FOR UPDATE", list(bodies))
    await connection.execute(
        "DELETE FROM library_text t WHERE t.key = ANY($1) "
        "AND NOT EXISTS (SELECT 1 FROM library_document d WHERE d.body = t.key)",
        list(bodies),
    )
