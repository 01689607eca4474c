"""Sites by name on loopback: hosts, redirects, servers that do not know HEAD, and a Brand whose world they are."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TypeVar
from urllib.parse import urlsplit

from wellsourced.app import Application
from wellsourced.app.configuration import declared_settings
from wellsourced.brand.page_fetcher import Render
from wellsourced.brand.research import BrandResearcher
from wellsourced.brand.types import BrandQuestion, BrandStudy
from wellsourced.http_exchange import Reply
from wellsourced.identity import Identity
from wellsourced.net.browser.browser import Browser
from wellsourced.net.client import HttpClient
from wellsourced.net.guard import AddressGuard
from wellsourced.pages.fair_slots import FairSlots
from wellsourced.pages.reader import Reader, ReaderLimits
from wellsourced.settings import Settings
from wellsourced.storage.artifacts import Artifacts
from wellsourced.tool.call import Trace

T = TypeVar("T")

HTML = "text/html; charset=utf-8"


@dataclass
class Served:
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    knows_head: bool = True


class Listener(ThreadingHTTPServer):
    """The usual queue of five would make a client that probes side by side wait for a second."""

    request_queue_size = 128


class Sites:
    """Every host of `pages` leads to one loopback server; no other name is known."""

    def __init__(self, pages: Mapping[str, Served | str | bytes]) -> None:
        self.pages = {address: as_served(page) for address, page in pages.items()}
        self.asked: list[tuple[str, str]] = []
        self._server = Listener(("127.0.0.1", 0), self._handler())
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def url(self, address: str) -> str:
        host, slash, path = address.partition("/")
        return f"http://{host}:{self.port}{slash}{path}"

    def fetched(self, address: str) -> int:
        return sum(1 for method, asked in self.asked if method == "GET" and asked == address)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        if any(address.partition("/")[0] == host for address in self.pages):
            return ["127.0.0.1"]
        raise OSError("no such name")

    def __enter__(self) -> Sites:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        sites = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer()

            def do_HEAD(self) -> None:
                self._answer()

            def _answer(self) -> None:
                host = self.headers.get("host", "").partition(":")[0]
                address = f"{host}{urlsplit(self.path).path}"
                sites.asked.append((self.command, address))
                page = sites.pages.get(address, Served(b"<title>404</title><h1>Not found</h1>", 404))
                if self.command == "HEAD" and not page.knows_head:
                    page = Served(b"", 405)
                self.send_response(page.status)
                for name, value in {"Content-Type": HTML, **page.headers}.items():
                    self.send_header(name, value.replace("{port}", str(sites.port)))
                self.send_header("Content-Length", str(len(page.body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(page.body)

            def log_message(self, format: str, *args: object) -> None:
                """Tests are quiet."""

        return Handler


def as_served(page: Served | str | bytes) -> Served:
    if isinstance(page, Served):
        return page
    return Served(page.encode() if isinstance(page, str) else page)


def moved(address: str, status: int = 302) -> Served:
    host, slash, path = address.partition("/")
    return Served(b"", status, {"Location": f"http://{host}:{{port}}{slash}{path}"})


def with_brand(
    environment: Mapping[str, str],
    sites: Sites,
    script: Callable[[BrandResearcher, Application], Awaitable[T]],
    *,
    chrome: str | None = None,
) -> T:
    """Runs a script with a Brand whose world is these sites, and the app's searches."""

    async def run() -> T:
        app = Application(Settings(environment, declared_settings()))
        guard = AddressGuard(allow_private=True, resolve=sites.resolve)
        client = HttpClient(guard, user_agent="test")
        browser = Browser(guard, chrome_path=chrome, idle_seconds=60) if chrome else None
        reader = Reader(
            guard=guard,
            client=client,
            upstreams=app.services.upstreams,
            workers=app.services.workers,
            make_browser=None,
            cache=app.cache,
            limits=ReaderLimits(html_bytes=5_000_000, document_bytes=5_000_000),
            fast=FairSlots(8),
            slow=FairSlots(2),
        )
        artifacts = Artifacts(app.cache, ttl=86400)
        search, render = app.services.search, rendering(browser) if browser else None
        try:
            brand = BrandResearcher(reader=reader, client=client, search=search, artifacts=artifacts, render=render)
            return await script(brand, app)
        finally:
            if browser:
                await browser.close()
            await reader.close()
            await client.close()
            await app.close()

    return asyncio.run(run())


def rendering(browser: Browser) -> Render:
    async def render(url: str, tenant: str, deadline: float) -> Reply:
        shown = await browser.render(url, timeout=max(1.0, deadline - time.monotonic()))
        return Reply(shown.status, {"content-type": HTML}, shown.html.encode(), shown.url)

    return render


def study(
    environment: Mapping[str, str], sites: Sites, question: BrandQuestion, *, chrome: str | None = None
) -> BrandStudy:
    async def ask(brand: BrandResearcher, app: Application) -> BrandStudy:
        deadline = time.monotonic() + 60
        return await brand.study(question, tenant="t", owner=Identity().owner, trace=Trace(), deadline=deadline)

    return with_brand(environment, sites, ask, chrome=chrome)
