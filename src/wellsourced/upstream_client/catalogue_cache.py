"""Catalogues that are the same for everybody and may be used again."""

from __future__ import annotations

import hashlib
import json

from wellsourced.http_exchange import Reply, Request
from wellsourced.storage.cache.cache import Cache


class Shelf:
    """Catalogues that may be used again, for one conversation: put away once they were understood, and not before."""

    def __init__(self, cache: Cache | None, provider: str) -> None:
        self._cache = cache
        self._provider = provider
        self._fresh: dict[str, tuple[Reply, float]] = {}
        self._used: list[str] = []

    async def find(self, request: Request) -> Reply | None:
        if self._cache is None or request.keep is None:
            return None
        entry = await self._cache.get(self._key(request))
        if entry is None:
            return None
        self._used.append(self._key(request))
        return unpacked(entry.value)

    def note(self, request: Request, reply: Reply) -> None:
        if request.keep is not None and reply.status == 200:
            self._fresh[self._key(request)] = (reply, request.keep)

    async def put_away(self) -> None:
        if self._cache is not None:
            for key, (reply, seconds) in self._fresh.items():
                await self._cache.put(key, packed(reply), seconds)

    async def throw_out(self) -> None:
        """What was kept led to an answer that nobody understood: ask for it anew next time."""
        if self._cache is not None:
            for key in self._used:
                await self._cache.delete(key)

    def _key(self, request: Request) -> str:
        return f"reply:{hashlib.sha256(repr((self._provider, request)).encode()).hexdigest()}"


def packed(reply: Reply) -> bytes:
    return json.dumps([reply.status, dict(reply.headers), reply.url]).encode() + b"\n" + reply.body


def unpacked(stored: bytes) -> Reply:
    head, body = stored.split(b"\n", 1)
    status, headers, url = json.loads(head)
    return Reply(status, headers, body, url)
