"""Answers of upstreams to questions about one work, kept for a while: what was found for a day, what was not briefly.

A failure is never kept. Identical questions in flight are asked once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from wellsourced.errors import NotFound
from wellsourced.model.provider import Kind
from wellsourced.research.driver import Driver
from wellsourced.store.cache import Cache
from wellsourced.store.singleflight import SingleFlight

FOUND_SECONDS = 86_400.0
MISSING_SECONDS = 1_800.0


class Keeper:
    """Asks through the driver, unless the answer is at hand. Without a cache it only shares what is in flight."""

    def __init__(self, driver: Driver, cache: Cache | None) -> None:
        self._driver = driver
        self._cache = cache
        self._flights = SingleFlight()

    async def ask(
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
        key = f"said:{hashlib.sha256(repr((name, kind.value, query)).encode()).hexdigest()}"
        if self._cache and (kept := await self._cache.get(key)):
            try:
                return unpacked(kept.value, shape)
            except ValueError:
                await self._cache.delete(key)  # written by another version of us
        return await self._flights.run(key, lambda: self._ask(key, name, kind, query, shape, deadline, lasts))

    async def _ask(
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
            value = await self._driver.ask(name, kind, query, deadline=deadline)
        except NotFound as error:
            await self._put(key, {"missing": error.sentence}, MISSING_SECONDS)
            raise
        said = {"value": shape.dump_python(value, mode="json")}
        await self._put(key, said, FOUND_SECONDS if lasts(value) else MISSING_SECONDS)
        return value

    async def _put(self, key: str, said: dict[str, Any], seconds: float) -> None:
        if self._cache:
            await self._cache.put(key, json.dumps(said, ensure_ascii=False).encode(), seconds)


def unpacked(kept: bytes, shape: TypeAdapter[Any]) -> Any:
    said = json.loads(kept)
    if "missing" in said:
        raise NotFound(said["missing"])
    return shape.validate_python(said["value"], strict=False)
