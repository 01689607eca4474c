"""How the house is doing: providers and breakers, limits, errors and figures, at once or as they change."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.identity import Identity
from wellsourced.tool.answer import encode_json
from wellsourced.upstreams import all_upstreams
from wellsourced.web.access import Entrance
from wellsourced.web.api import as_json
from wellsourced.web.sse import HEARTBEAT, EventStream, Seats, event

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dialogue

RESOURCES = {
    "providers": "diagnostics://health",
    "tools": "stats://tools",
    "limits": "stats://rate-limits",
    "errors": "diagnostics://errors/recent",
    "sessions": "stats://sessions",
}
MOST_LISTENERS = 32
LOOK_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
STREAM_SECONDS = 300.0
"""A stream ends by itself and the page opens it anew: a listener that went away unnoticed does not keep its seat."""


class Health:
    def __init__(self, dialogue: Dialogue, entrance: Entrance) -> None:
        self._dialogue = dialogue
        self._entrance = entrance
        self._seats = Seats(MOST_LISTENERS)

    async def snapshot(self, request: Request) -> Response:
        return as_json(encode_json(await self._look(self._entrance.identity(request))))

    async def events(self, request: Request) -> Response:
        return EventStream(self._changes(self._entrance.identity(request)), self._seats)

    async def _changes(self, identity: Identity) -> AsyncGenerator[bytes]:
        """A picture at first and whenever it is another one; now and then a sign of life."""
        started = spoken = time.monotonic()
        shown: dict[str, Any] | None = None
        while (now := time.monotonic()) - started < STREAM_SECONDS:
            seen = await self._look(identity)
            if seen != shown:
                yield event("health", seen)
                shown, spoken = seen, now
            elif now - spoken >= HEARTBEAT_SECONDS:
                yield HEARTBEAT
                spoken = now
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self, identity: Identity) -> dict[str, Any]:
        told = {name: await self._read(uri, identity) for name, uri in RESOURCES.items()}
        known = [provider for provider, _ in self._dialogue.app.services.upstreams.states()]
        titles = {provider.name: provider.title for provider in known}
        offers = {provider.name: all_upstreams()[provider.name].in_words for provider in known}
        return {**told, "titles": titles, "offers": offers, "problems": self._dialogue.app.problems}

    async def _read(self, uri: str, identity: Identity) -> Any:
        found = await self._dialogue.handle("resources/read", {"uri": uri}, identity=identity)
        return json.loads(found["contents"][0]["text"])
