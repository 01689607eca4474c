"""Failures are remembered for a while, so that a page that cannot be read is not asked for again at once."""

from __future__ import annotations

import hashlib
import json

from wellsourced import errors
from wellsourced.errors import WellsourcedError
from wellsourced.store.cache import Cache

SECONDS: dict[type[WellsourcedError], float] = {
    errors.Blocked: 1800,
    errors.AuthRequired: 1800,
    errors.RateLimited: 90,
    errors.NetworkFailed: 120,
    errors.ContentEmpty: 600,
    errors.NotFound: 600,
}
"""By kind, as facts of the page: what a missing browser or a stopped call says is not about the page."""


class Negative:
    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def check(self, url: str) -> None:
        """Raise again what was remembered of this address."""
        kept = await self._cache.get(key_of(url))
        if kept is None:
            return
        told = json.loads(kept.value)
        error: WellsourcedError = getattr(errors, told["name"])(told["sentence"], detail=told["detail"])
        error.retryable, error.action = told["retryable"], told["action"]
        if error.retryable:
            error.retry_after = max(1.0, kept.ttl - kept.age)
        raise error

    async def remember(self, url: str, error: WellsourcedError) -> None:
        kind = next((kind for kind in SECONDS if isinstance(error, kind)), None)
        if kind is None:
            return
        told = {
            "name": kind.__name__,
            "sentence": error.sentence,
            "detail": error.detail,
            "retryable": error.retryable,
            "action": error.action,
        }
        seconds = max(SECONDS[kind], error.retry_after or 0) if kind is errors.RateLimited else SECONDS[kind]
        await self._cache.put(key_of(url), json.dumps(told).encode(), seconds)


def key_of(url: str) -> str:
    return f"negative:{hashlib.sha256(url.encode()).hexdigest()}"
