"""The server's health for the page: providers and breakers, limits, errors and counts, at once or as they change."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.errors import WellsourcedError
from wellsourced.identity import Identity
from wellsourced.storage.encrypted_file import file_size
from wellsourced.system import free_bytes
from wellsourced.tool.answer import encode_json
from wellsourced.upstreams import all_upstreams
from wellsourced.web.access import AccessControl
from wellsourced.web.api import json_response
from wellsourced.web.sse import HEARTBEAT, EventStream, StreamLimit, event

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dispatcher

RESOURCES = {
    "providers": "diagnostics://health",
    "tools": "stats://tools",
    "limits": "stats://rate-limits",
    "errors": "diagnostics://errors/recent",
    "sessions": "stats://sessions",
}
MOST_STREAMS = 32
CHECK_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
STORAGE_SECONDS = 10.0
STREAM_SECONDS = 300.0
"""A stream ends by itself and the page opens it again: a client that left unnoticed does not count for ever."""


class HealthEndpoints:
    def __init__(self, dispatcher: Dispatcher, access: AccessControl) -> None:
        self._dispatcher = dispatcher
        self._access = access
        self._stream_limit = StreamLimit(MOST_STREAMS)
        self._storage: dict[str, Any] | None = None
        self._storage_at = 0.0

    async def snapshot(self, request: Request) -> Response:
        return json_response(encode_json(await self._snapshot(self._access.identity(request))))

    async def events(self, request: Request) -> Response:
        return EventStream(self._changes(self._access.identity(request)), self._stream_limit)

    async def _changes(self, identity: Identity) -> AsyncGenerator[bytes]:
        """A snapshot at first and whenever it has changed; a heartbeat when nothing was sent for long."""
        started = last_sent = time.monotonic()
        shown: dict[str, Any] | None = None
        while (now := time.monotonic()) - started < STREAM_SECONDS:
            current = await self._snapshot(identity)
            if current != shown:
                yield event("health", current)
                shown, last_sent = current, now
            elif now - last_sent >= HEARTBEAT_SECONDS:
                yield HEARTBEAT
                last_sent = now
            await asyncio.sleep(CHECK_SECONDS)

    async def _snapshot(self, identity: Identity) -> dict[str, Any]:
        resources = {name: await self._read_resource(uri, identity) for name, uri in RESOURCES.items()}
        known = [provider for provider, _ in self._dispatcher.app.services.upstreams.states()]
        titles = {provider.name: provider.title for provider in known}
        offers = {provider.name: all_upstreams()[provider.name].in_words for provider in known}
        app = self._dispatcher.app
        problems = [*app.problems, *filter(None, [await app.storage_check.problem()])]
        storage = await self._storage_figures()
        return {**resources, "titles": titles, "offers": offers, "problems": problems, "storage": storage}

    async def _storage_figures(self) -> dict[str, Any]:
        """Cache and disk, looked at every few seconds and rounded, so that a stream does not flicker."""
        now = time.monotonic()
        if self._storage is None or now - self._storage_at > STORAGE_SECONDS:
            self._storage, self._storage_at = await self._look_at_storage(), now
        return self._storage

    async def _look_at_storage(self) -> dict[str, Any]:
        app = self._dispatcher.app
        path = app.store.database.path
        free = await asyncio.to_thread(free_bytes, path.parent) if path.parent.exists() else 0
        size = file_size(path)
        try:
            cache = await app.cache.sizes()
        except WellsourcedError:
            cache = {}
        return {"cache": cache, "databaseMegabytes": size >> 20, "freeGigabytes": free >> 30}

    async def _read_resource(self, uri: str, identity: Identity) -> Any:
        result = await self._dispatcher.handle("resources/read", {"uri": uri}, identity=identity)
        return json.loads(result["contents"][0]["text"])
