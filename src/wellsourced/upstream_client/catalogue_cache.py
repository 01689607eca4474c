"""Replies that may be used again: catalogues that a provider marks as the same for everybody."""

from __future__ import annotations

import hashlib
import json

from wellsourced.http_exchange import Reply, Request
from wellsourced.storage.cache.cache import Cache


class CatalogueCache:
    """The cached replies of one conversation.

    A new reply is stored only when the whole conversation succeeded: what nobody understood must not be used again.
    """

    def __init__(self, cache: Cache | None, provider: str) -> None:
        self._cache = cache
        self._provider = provider
        self._received: dict[str, tuple[Reply, float]] = {}
        self._used_keys: list[str] = []

    async def find(self, request: Request) -> Reply | None:
        if self._cache is None or request.keep is None:
            return None
        key = self._key(request)
        entry = await self._cache.get(key)
        if entry is None:
            return None
        self._used_keys.append(key)
        return decode_reply(entry.value)

    def note(self, request: Request, reply: Reply) -> None:
        if request.keep is not None and reply.status == 200:
            self._received[self._key(request)] = (reply, request.keep)

    async def store_received(self) -> None:
        if self._cache is not None:
            for key, (reply, seconds) in self._received.items():
                await self._cache.put(key, encode_reply(reply), seconds)

    async def delete_used(self) -> None:
        """What was cached led to an answer that nobody understood: ask for it anew next time."""
        if self._cache is not None:
            for key in self._used_keys:
                await self._cache.delete(key)

    def _key(self, request: Request) -> str:
        return f"reply:{hashlib.sha256(repr((self._provider, request)).encode()).hexdigest()}"


def encode_reply(reply: Reply) -> bytes:
    """JSON of everything but the body on one line, then the body as it is."""
    return json.dumps([reply.status, dict(reply.headers), reply.url]).encode() + b"\n" + reply.body


def decode_reply(stored: bytes) -> Reply:
    head, body = stored.split(b"\n", 1)
    status, headers, url = json.loads(head)
    return Reply(status, headers, body, url)
