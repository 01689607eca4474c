"""Answers of upstreams to questions about one work, kept for a while: what was found for a day, what was not briefly.

A failure is never kept. Identical questions in flight are asked once. Records of many works can be fetched ahead, a
batch in a request; they lie where a question about one of them looks first.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from wellsourced.errors import NotFound, WellsourcedError
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.single_flight import SingleFlight
from wellsourced.text.identifiers import find_arxiv_id, without_arxiv_version
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstreams.types.paper import Paper, PaperId

# A retraction should be seen within a day.
FOUND_SECONDS = 86_400.0
# Short, because a missing record may be published soon.
MISSING_SECONDS = 1_800.0
PAPER = TypeAdapter(Paper)
# OpenAlex takes 50 alternatives; 40 of Crossref's records are a megabyte or two.
SMALLEST_BATCH, LARGEST_BATCH = 4, 40
# OpenAlex refuses addresses beyond 4 KB.
LONGEST_BATCH = 3_000
AROUND_EACH = len("doi%3A%2C")


class RecordCache:
    """Asks through the upstream client, unless the answer is at hand; without a cache it only joins like requests."""

    def __init__(self, upstreams: UpstreamClient, cache: Cache | None) -> None:
        self._upstreams = upstreams
        self._cache = cache
        self._flights = SingleFlight()

    async def fetch(
        self,
        name: str,
        kind: Kind,
        query: object,
        shape: TypeAdapter[Any],
        *,
        deadline: float = float("inf"),
        lasts: Callable[[Any], bool] = bool,
    ) -> Any:
        """The upstream's answer; NotFound is an answer too. `lasts` tells a finding from a lack of one."""
        key = cache_key(name, kind, query)
        if self._cache and (kept := await self._cache.get(key)):
            try:
                return unpack_value(kept.value, shape)
            except ValueError:
                await self._cache.delete(key)  # written by another version of us
        return await self._flights.run(key, lambda: self._fetch(key, name, kind, query, shape, deadline, lasts))

    async def _fetch(
        self,
        key: str,
        name: str,
        kind: Kind,
        query: object,
        shape: TypeAdapter[Any],
        deadline: float,
        lasts: Callable[[Any], bool],
    ) -> Any:
        try:
            value = await self._upstreams.ask(name, kind, query, deadline=deadline)
        except NotFound as error:
            await self._put(key, {"missing": error.sentence}, MISSING_SECONDS)
            raise
        await self._put(key, pack_value(value, shape), FOUND_SECONDS if lasts(value) else MISSING_SECONDS)
        return value

    async def prefetch(self, name: str, works: Sequence[PaperId], *, deadline: float) -> None:
        """Get the records of many works at hand. Whatever does not come is left to be asked for singly.

        One batch after another, because Crossref allows its anonymous users one request at a time; and none after a
        failure, because an upstream in trouble is not to be pressed, nor to be given up for it.
        """
        if self._cache is None:
            return
        missing = {work.value: work for work in works if not await self._cache.get(cache_key(name, Kind.RECORD, work))}
        for batch in batch_ids(missing):
            try:
                papers: Sequence[Paper] = await self._upstreams.ask(name, Kind.RECORDS, batch, deadline=deadline)
            except WellsourcedError:
                return
            for work, paper in match_by_id([missing[value] for value in batch], papers).items():
                await self._put(cache_key(name, Kind.RECORD, work), pack_value(paper, PAPER), FOUND_SECONDS)

    async def cached_record(self, name: str, work: PaperId) -> Paper | None:
        """A record that was fetched before; nobody is asked."""
        kept = await self._cache.get(cache_key(name, Kind.RECORD, work)) if self._cache else None
        try:
            paper: Paper | None = unpack_value(kept.value, PAPER) if kept else None
        except (NotFound, ValueError):
            return None
        return paper

    async def _put(self, key: str, payload: dict[str, Any], seconds: float) -> None:
        if self._cache:
            await self._cache.put(key, json.dumps(payload, ensure_ascii=False).encode(), seconds)


def cache_key(name: str, kind: Kind, query: object) -> str:
    return f"said:{hashlib.sha256(repr((name, kind.value, query)).encode()).hexdigest()}"


def match_by_id(works: Sequence[PaperId], papers: Sequence[Paper]) -> dict[PaperId, Paper]:
    """The papers that were asked for; an id that came twice is left to the upstream to decide."""
    times = Counter(number for paper in papers for number in ids_of(paper))
    known = {number: paper for paper in papers for number in ids_of(paper) if times[number] == 1}
    return {work: known[number] for work in works if (number := own_id(work)) in known}


def own_id(work: PaperId) -> tuple[str, str]:
    """As the record names it: arXiv's DOIs and versions are its papers."""
    arxiv = find_arxiv_id(work.value) if work.scheme in {"doi", "arxiv"} else None
    return ("arxiv", without_arxiv_version(arxiv)) if arxiv else (work.scheme, work.value)


def ids_of(paper: Paper) -> set[tuple[str, str]]:
    named = {
        PaperId("doi", paper.doi or ""),
        PaperId("arxiv", paper.ids.arxiv or ""),
        PaperId("pmid", paper.ids.pmid or ""),
    }
    return {own_id(work) for work in named if work.value}


def pack_value(value: Any, shape: TypeAdapter[Any]) -> dict[str, Any]:
    return {"value": shape.dump_python(value, mode="json")}


def unpack_value(kept: bytes, shape: TypeAdapter[Any]) -> Any:
    payload = json.loads(kept)
    if "missing" in payload:
        raise NotFound(payload["missing"])
    return shape.validate_python(payload["value"], strict=False)


def batch_ids(ids: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """A rest of very few is left out: one by one they come as quickly, and OpenAlex charges for lists alone."""
    return (batch for batch in _fill_batches(ids) if len(batch) >= SMALLEST_BATCH)


def _fill_batches(ids: Iterable[str]) -> Iterator[tuple[str, ...]]:
    batch: list[str] = []
    length = 0
    for number in ids:
        size = len(quote(number, safe="")) + AROUND_EACH
        if batch and (len(batch) == LARGEST_BATCH or length + size > LONGEST_BATCH):
            yield tuple(batch)
            batch, length = [], 0
        batch.append(number)
        length += size
    yield tuple(batch)
