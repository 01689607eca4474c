"""The sample web: a handful of invented sites, and the services that know of them, on one loopback port.

Sites are distinguished by their names, which all end in `.example`; services by the first part of their path. The texts
are in `web/`. Addresses in them are written without the port, which is added as they are served.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Host, Route, Router

FOLDER = Path(__file__).with_name("web")
WALLED = "beekeepers-review.example"
SAMPLE_ADDRESS = re.compile(r"(http://[a-z-]+\.example)(?=[/\"])")
WORD = re.compile(r"\w{4,}")
START_SECONDS = 10.0


def with_port(text: str, port: int) -> str:
    return SAMPLE_ADDRESS.sub(rf"\1:{port}", text)


class SampleWeb:
    """The pages and records, and the routes that answer from them."""

    def __init__(self, port: int) -> None:
        self._port = port
        sites = FOLDER / "sites"
        self._pages = {
            file.relative_to(sites).with_suffix("").as_posix(): file.read_text("utf-8")
            for file in sites.rglob("*.html")
        }
        self._hits = load_records("search.json")
        self._crossref = {str(record["DOI"]): record for record in load_records("crossref.json")}
        self._openalex = {
            str(record["doi"]).partition("doi.org/")[2]: record for record in load_records("openalex.json")
        }

    def application(self) -> Starlette:
        sites = Router([Route("/{path:path}", self.page)])
        services = [
            Route("/searxng/search", self.search),
            Route("/crossref/works", self.crossref_works),
            Route("/crossref/works/{doi:path}", self.crossref_work),
            Route("/openalex/works", self.openalex_works),
            Route("/openalex/works/doi:{doi:path}", self.openalex_work),
            Route("/doi_org/api/handles/{doi:path}", self.handle),
            Route("/doi_org/ra/{doi:path}", self.agency),
        ]
        return Starlette(routes=[Host("{site}.example", sites), *services])

    async def page(self, request: Request) -> Response:
        host = request.url.hostname or ""
        text = self._pages.get(f"{host}/{request.path_params['path']}")
        if text is None:
            return HTMLResponse("<title>Not found</title><p>There is no such page.", 404)
        return HTMLResponse(with_port(text, self._port), 403 if host == WALLED else 200)

    async def search(self, request: Request) -> Response:
        query = request.query_params.get("q", "")
        return self._json({"query": query, "results": rank_matches(query, self._hits), "unresponsive_engines": []})

    async def crossref_works(self, request: Request) -> Response:
        records = rank_matches(request.query_params.get("query.bibliographic", ""), list(self._crossref.values()))
        return self._crossref_answer("work-list", {"total-results": len(records), "items": records})

    async def crossref_work(self, request: Request) -> Response:
        record = self._crossref.get(request.path_params["doi"].lower())
        return self._crossref_answer("work", record) if record else PlainTextResponse("Resource not found.", 404)

    async def openalex_works(self, request: Request) -> Response:
        records = rank_matches(request.query_params.get("search", ""), list(self._openalex.values()))
        return self._json({"meta": {"count": len(records)}, "results": records})

    async def openalex_work(self, request: Request) -> Response:
        record = self._openalex.get(request.path_params["doi"].lower())
        return self._json(record) if record else HTMLResponse("<title>404 Not Found</title>", 404)

    async def handle(self, request: Request) -> Response:
        doi = request.path_params["doi"]
        if doi.lower() not in self._crossref:
            return self._json({"responseCode": 100, "handle": doi}, 404)
        return self._json({"responseCode": 1, "handle": doi, "values": []})

    async def agency(self, request: Request) -> Response:
        return self._json([{"DOI": request.path_params["doi"], "RA": "Crossref"}])

    def _crossref_answer(self, kind: str, message: Any) -> Response:
        return self._json({"status": "ok", "message-type": kind, "message": message})

    def _json(self, body: Any, status: int = 200) -> Response:
        text = with_port(json.dumps(body, ensure_ascii=False), self._port)
        return Response(text, status, media_type="application/json")


def load_records(name: str) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads((FOLDER / name).read_text("utf-8"))
    return read


def rank_matches(query: str, candidates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the candidates that share a word with the query, most shared words first."""
    wanted = significant_words(query)
    shared = [
        (len(wanted & significant_words(json.dumps(candidate, ensure_ascii=False))), candidate)
        for candidate in candidates
    ]
    return [candidate for count, candidate in sorted(shared, key=lambda pair: -pair[0]) if count]


def significant_words(text: str) -> set[str]:
    return {word.rstrip("s") for word in WORD.findall(text.lower())}


class SampleWebServer(uvicorn.Server):
    """Sets an event when it is up, and leaves Ctrl-C to the command that runs the demo."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def sample_web() -> AsyncIterator[int]:
    """Serve the sample web in the running loop; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        app = SampleWeb(port).application()
        server = SampleWebServer(
            uvicorn.Config(app, lifespan="off", ws="none", log_level="error", timeout_graceful_shutdown=1)
        )
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            async with asyncio.timeout(START_SECONDS):
                await server.is_up.wait()
            yield port
        finally:
            server.should_exit = True
            await asyncio.wait([serving], timeout=START_SECONDS)
