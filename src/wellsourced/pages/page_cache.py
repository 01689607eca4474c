"""What is kept of pages: what was read, or for a while why it could not be, so that it is not asked for again at once.

Both stand under one key, so that a single look finds either.
"""

from __future__ import annotations

import hashlib
import json
import re

from pydantic import TypeAdapter

from wellsourced import errors
from wellsourced.errors import WellsourcedError
from wellsourced.pages.attempts import Reading
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
FAILED = b"!"
"""Stands before the story of a failure; a reading, being JSON, never begins so."""

STORED = TypeAdapter(Reading)


def key_of(url: str) -> str:
    return f"page:{hashlib.sha256(url.encode()).hexdigest()}"


class KeptPages:
    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def find(self, url: str) -> Reading | None:
        """What was read there; raises again what was remembered of a failure."""
        kept = await self._cache.get(key_of(url))
        if kept is None:
            return None
        if kept.value.startswith(FAILED):
            raise _failure(kept)
        return STORED.validate_json(kept.value)

    async def keep(self, url: str, reading: Reading) -> None:
        await self._cache.put(key_of(url), STORED.dump_json(reading), PAGE_SECONDS)

    async def remember(self, url: str, error: WellsourcedError) -> None:
        kind = next((kind for kind in FAILURE_SECONDS if isinstance(error, kind)), None)
        if kind is None:
            return
        told = {
            "name": kind.__name__,
            "sentence": error.sentence,
            "detail": error.detail,
            "retryable": error.retryable,
            "action": error.action,
        }
        seconds = error.retry_after or FAILURE_SECONDS[kind]
        await self._cache.put(key_of(url), FAILED + json.dumps(told).encode(), seconds)


def _failure(kept: CacheEntry) -> WellsourcedError:
    told = json.loads(kept.value.removeprefix(FAILED))
    error: WellsourcedError = getattr(errors, told["name"])(told["sentence"], detail=told["detail"])
    error.retryable, error.action = told["retryable"], told["action"]
    if error.retryable:
        error.retry_after = max(1.0, kept.ttl - kept.age)
        error.sentence = WAIT.sub(f"Retry in {format_seconds(round(error.retry_after))}.", error.sentence)
    return error
