"""The workbench's routes in-process: requests by hand, answers in full, streams for as long as one listens."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.types import Message

from tests.app import with_app
from wellsourced.app import Application
from wellsourced.demo import SharedDemo
from wellsourced.http.admin_key import holds_admin_key
from wellsourced.http.request_context import STATE_KEY, RequestContext
from wellsourced.mcp.dispatcher import Dispatcher
from wellsourced.mcp.listings import Listings
from wellsourced.web.routes import page_routes

SAME_ORIGIN = {"host": "127.0.0.1:8765", "content-type": "application/json", "sec-fetch-site": "same-origin"}


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[tuple[str, Any]]:
        parts = (part.split("\n", 1) for part in self.body.decode().split("\n\n") if part.startswith("event: "))
        return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in parts]


class PageClient:
    def __init__(self, app: Application, demo: SharedDemo | None = None) -> None:
        dispatcher = Dispatcher(app, Listings(app.settings))
        self._app = Starlette(
            routes=page_routes(dispatcher, partial(holds_admin_key, settings=app.settings, audit=app.audit), demo)
        )

    async def request(
        self,
        method: str,
        path: str,
        given: object = None,
        *,
        headers: Mapping[str, str] = SAME_ORIGIN,
        context: RequestContext | None = None,
        listen_for: float = 60.0,
    ) -> Reply:
        """`listen_for` is when the client disconnects, in seconds."""
        path, _, query = path.partition("?")
        scope = {
            **{"type": "http", "method": method, "path": path, "query_string": query.encode(), "scheme": "http"},
            **{"headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]},
            **{"server": ("127.0.0.1", 8765), "state": {STATE_KEY: context} if context else {}},
        }
        body = given if isinstance(given, bytes) else json.dumps(given).encode() if given is not None else b""
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[Message] = []

        async def receive() -> Message:
            if waiting:
                return waiting.pop()
            await asyncio.sleep(listen_for)
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        received = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return Reply(sent[0]["status"], received, b"".join(message.get("body", b"") for message in sent[1:]))


def with_page(
    environment: Mapping[str, str], script: Callable[[PageClient], Awaitable[None]], demo: SharedDemo | None = None
) -> None:
    async def run(app: Application) -> None:
        await script(PageClient(app, demo))

    with_app(environment, run)


def post(url: str, given: object, headers: Mapping[str, str]) -> tuple[int, Any]:
    """One request to a real server: status and JSON."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(url, json.dumps(given).encode(), dict(headers)), timeout=30) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)
