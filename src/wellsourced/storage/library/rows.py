"""What the two stores of the library have in common: columns, conditions, and the preparation of a text.

Conditions are written with `?`; PostgreSQL numbers them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from isal import isal_zlib

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library.postings import Block, build_postings, make_block
from wellsourced.storage.library.store import (
    SHARED,
    UNOWNED,
    LibraryDocument,
    LibraryFilters,
    NewDocument,
    document_id,
    normal_tag,
)
from wellsourced.text.address_secrets import cut_address_secrets, cut_secrets_of_addresses
from wellsourced.text.sketches import sketch_texts
from wellsourced.text.spaced_words import SpacedWords
from wellsourced.text.urls import host_of, is_within_site, site_parts

COLUMNS = (
    "d.id, d.url, d.title, d.author, d.date, d.site, d.kind, d.tags, d.language, d.owner, d.added, t.length, "
    "d.body, t.sketch"
)
SHORT_BYTES = 8192
SHORT_TEXT = f"CASE WHEN length(t.packed) <= {SHORT_BYTES} THEN t.packed END"
BEGINNING = f"substr(packed, 1, {SHORT_BYTES})"
TAG_MARK = "\x1f"
PACKING_LEVEL = 2  # of its levels; a third of the time of the next one, for two per cent more bytes
MOST_ADDRESSES = 200_000
MOST_LISTED = 1_000_000
LIKE_MARKS = re.compile(r"[\\%_]")


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """An entry and what the index needs of it, worked out before the database is touched; the text is packed alone,
    since it comes from a worker."""

    entry: NewDocument
    id: str
    host: str
    tags: str
    digest: bytes
    sketch: bytes
    length: int
    packed: bytes
    added: float


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """Documents, and the postings of their texts, numbered as they stand."""

    documents: list[PreparedDocument]
    postings: Block


def prepare_all(entries: Sequence[NewDocument], moments: Sequence[float]) -> PreparedBatch:
    """`moments` are when each was added."""
    entries = [entry.storable() for entry in entries]
    postings, sketches = _index_words_of([(entry.title, entry.text) for entry in entries])
    prepared = map(_prepare, entries, moments, sketches)
    return PreparedBatch(list(prepared), postings)


def index_texts(texts: Sequence[tuple[str, str]]) -> Block:
    """The postings of texts with their titles, numbered as they stand."""
    return _index_words_of(texts)[0]


def _index_words_of(texts: Sequence[tuple[str, str]]) -> tuple[Block, Iterator[bytes]]:
    """The postings, and the sketch of each text."""
    words = SpacedWords.of(chain.from_iterable(texts))
    different, which = words.different()
    known = {word.decode(): number for number, word in enumerate(words.encoded(different))}
    postings = build_postings(words.counts.reshape(-1, 2), known, which)
    return make_block(postings), islice(sketch_texts(words, different, which), 1, None, 2)


def _prepare(entry: NewDocument, added: float, sketch: bytes) -> PreparedDocument:
    # Case and blanks make no other text; a minus or a point does, and another title, which is searched as well.
    same = "\n".join(" ".join(part.casefold().split()) for part in (entry.title, entry.text))
    return PreparedDocument(
        entry=replace(entry, text=""),
        id=entry.id,
        host=host_of(entry.url),
        tags=f"{TAG_MARK}{TAG_MARK.join(entry.tags)}{TAG_MARK}" if entry.tags else "",
        digest=hashlib.blake2b(same.encode("utf-8", "replace"), digest_size=16).digest(),
        sketch=sketch,
        length=len(entry.text),
        packed=packed(entry.text),
        added=added,
    )


def packed(text: str) -> bytes:
    return isal_zlib.compress(text.encode(), PACKING_LEVEL)


def unpacked(packed: bytes) -> str:
    return isal_zlib.decompress(packed).decode() if packed else ""


def unpacked_beginning(packed: bytes, characters: int) -> str:
    unpacking = isal_zlib.decompressobj()
    text = unpacking.decompress(packed, characters)
    if not text.isascii():
        text += unpacking.decompress(unpacking.unconsumed_tail, 3 * characters)
    return text.decode("utf-8", "ignore")[:characters]


def kept(row: Sequence[Any]) -> LibraryDocument:
    id, url, title, author, date, site, kind, tags, language, owner, added, length = row[:12]
    return LibraryDocument(
        id=id,
        url=url,
        title=title,
        author=author,
        date=date,
        site=site,
        kind=kind,
        tags=tuple(tags.strip(TAG_MARK).split(TAG_MARK)) if tags else (),
        language=language,
        private=bool(owner),
        added=added,
        length=length,
    )


def visible(reader: Identity) -> tuple[str, list[object]]:
    """What a reader may see."""
    return "d.tenant = ? AND (d.owner = '' OR d.owner = ?)", [reader.tenant, reader.user]


def outdated(before: float, tenant: str, owners: str) -> tuple[str, list[object]]:
    """What was added before a moment; with `owners` only what belongs to a tenant's users whose names begin so."""
    if not owners:
        return "d.added < ?", [before]
    sql = r"d.added < ? AND d.tenant = ? AND d.owner >= ? AND d.owner LIKE ? ESCAPE '\'"
    return sql, [before, tenant, owners, f"{_literal(owners)}%"]


def unowned(tenant: str | None) -> tuple[str, list[object]]:
    """What was read before readers were kept; of one tenant, or of all."""
    return ("owner = ? AND tenant = ?", [UNOWNED, tenant]) if tenant is not None else ("owner = ?", [UNOWNED])


def assigned(url: str, title: str, owner: str) -> tuple[str, str, str]:
    """Id, address and title of such a document for its owner; for all, without secrets."""
    if owner == SHARED:
        url, title = cut_address_secrets(url), cut_secrets_of_addresses(title)
    return document_id(url), url, title


def conditions(reader: Identity, filters: LibraryFilters) -> tuple[str, list[object]]:
    sql, values = visible(reader)
    host, _ = site_parts(filters.site) if filters.site else ("", "")
    if filters.site:
        sql += r" AND (d.host = ? OR d.host LIKE ? ESCAPE '\')"
        values += [host, f"%.{_literal(host)}"]
    if filters.kind:
        sql += " AND d.kind = ?"
        values.append(filters.kind)
    if filters.language:
        language = filters.language.lower()
        sql += r" AND (d.language = ? OR d.language LIKE ? ESCAPE '\')"
        values += [language, f"{_literal(language)}-%"]
    if filters.since:
        sql += " AND d.date >= ?"
        values.append(filters.since)
    if filters.until:
        sql += " AND d.date <> '' AND substr(d.date, 1, length(?)) <= ?"
        values += [filters.until, filters.until]
    if filters.tag:
        sql += r" AND d.tags LIKE ? ESCAPE '\'"
        values.append(f"%{TAG_MARK}{_literal(normal_tag(filters.tag))}{TAG_MARK}%")
    return sql, values


def _literal(text: str) -> str:
    """A text in which LIKE sees no wildcard."""
    return LIKE_MARKS.sub(r"\\\g<0>", text)


def listed_rows(filters: LibraryFilters, limit: int) -> int:
    """How many rows to look at for so many documents: all of a host where only those below a path are wanted."""
    return MOST_LISTED if filters.site and site_parts(filters.site)[1] else limit


def belongs(about: LibraryDocument, filters: LibraryFilters) -> bool:
    """What a condition cannot say: that an address lies below a site's path."""
    return not filters.site or is_within_site(about.url, filters.site)
