"""The cache of pages: what was read, or for a while the error, so that a failing site is not asked again at once.

Both stand under one key, so that one lookup finds either.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from pydantic import TypeAdapter

from wellsourced import errors
from wellsourced.errors import WellsourcedError
from wellsourced.pages.attempts import Reading
from wellsourced.sandbox.frames import join_parts, pack_value, split_parts, unpack_value
from wellsourced.sandbox.pool import beside_loop, text_length
from wellsourced.storage.cache.cache import Cache, CacheEntry
from wellsourced.text.amounts import format_seconds

PAGE_SECONDS = 3600.0
FAILURE_SECONDS: dict[type[WellsourcedError], float] = {
    errors.Blocked: 1800,
    errors.AuthRequired: 1800,
    errors.RateLimited: 90,
    errors.NetworkFailed: 120,
    errors.ContentEmpty: 600,
    errors.NotFound: 600,
}
"""By kind, where the site named no time. What a missing browser or a stopped call says is not about the page."""
WAIT = re.compile(r"Retry in [\d.]+ seconds?\.")
PIECE = 2**13
"""Bytes of a text that stand together in what is stored."""
FAILED = b"!"
"""Prefix of a stored error; a stored reading begins with the number of its parts and never so."""


@cache
def stored_form() -> TypeAdapter[Reading]:
    """Made when something is found in the cache: a first page is not."""
    return TypeAdapter(Reading)


class PageCache:
    """Readings and errors by address, in the shared cache."""

    def __init__(self, cache: Cache, *, keep_images: bool = False) -> None:
        self._cache = cache
        self._kind = "page with images" if keep_images else "page"

    def key(self, url: str) -> str:
        return f"{self._kind}:{hashlib.sha256(url.encode()).hexdigest()}"

    async def find_reading(self, url: str) -> Reading | None:
        """What was read there; raises again what was remembered of a failure."""
        kept = await self._cache.get(self.key(url))
        if kept is None:
            return None
        if kept.value.startswith(FAILED):
            raise _restore_error(kept)
        reading = await beside_loop(len(kept.value), _unpack, kept.value)
        return replace(reading, found=replace(kept, value=b""), is_kept=True)

    async def store_reading(self, url: str, reading: Reading) -> bool:
        """Whether it is kept: not where nothing can be, nor where it is too large."""
        page = reading.page
        size = len(page.markdown) + len(page.plain) + text_length(page.structured)
        packed = await beside_loop(size, _pack, reading)
        return await self._cache.put(self.key(url), packed, PAGE_SECONDS)

    async def store_error(self, url: str, error: WellsourcedError) -> None:
        kind = next((kind for kind in FAILURE_SECONDS if isinstance(error, kind)), None)
        if kind is None:
            return
        fields = {
            "name": kind.__name__,
            "sentence": error.sentence,
            "detail": error.detail,
            "retryable": error.retryable,
            "action": error.action,
        }
        seconds = error.retry_after or FAILURE_SECONDS[kind]
        await self._cache.put(self.key(url), FAILED + json.dumps(fields).encode(), seconds)


def _pack(reading: Reading) -> bytes:
    """Texts in pieces, by turns: what a page says stands in it twice, with markup and without, and is compressed to
    two thirds where both are near each other."""
    head, *texts = pack_value(reading)
    return join_parts([head, len(texts).to_bytes(2, "big"), *_by_turns(texts)])


def _by_turns(texts: Sequence[bytes]) -> Iterator[bytes]:
    count = -(-max(map(len, texts), default=0) // PIECE)
    for number in range(count):
        for text in texts:
            yield text[number * len(text) // count : (number + 1) * len(text) // count]


def _unpack(value: bytes) -> Reading:
    head, count, *pieces = split_parts(value)
    turns = int.from_bytes(count, "big")
    texts = [b"".join(pieces[number::turns]) for number in range(turns)]
    reading: Reading = unpack_value(stored_form(), [head, *texts])
    return reading


def _restore_error(kept: CacheEntry) -> WellsourcedError:
    fields = json.loads(kept.value.removeprefix(FAILED))
    error: WellsourcedError = getattr(errors, fields["name"])(fields["sentence"], detail=fields["detail"])
    error.retryable, error.action = fields["retryable"], fields["action"]
    if error.retryable:
        error.retry_after = max(1.0, kept.ttl - kept.age)
        error.sentence = WAIT.sub(f"Retry in {format_seconds(round(error.retry_after))}.", error.sentence)
    return error
