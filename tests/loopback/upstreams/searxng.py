"""SearXNG's JSON answers, which mix full results with sparse ones of older engines."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import Source, has_word, sources
from tests.loopback.upstream import Upstream, asked, base_of, whole_number

PAGE = 10
UNFILLED = dict.fromkeys(("img_src", "iframe_src", "audio_src", "thumbnail", "pubdate", "views", "author"), "")
ALL_DOWN = [["brave", "Suspended: too many requests"], ["duckduckgo", "CAPTCHA"], ["google", "timeout"]]


def result(found: Source, base: str) -> dict[str, Any]:
    url = base + found.path
    common = {
        "url": url,
        "title": found.title,
        "content": found.snippet,
        "engine": "bing",
        "engines": ["bing", "mojeek"] if found.rank % 2 else ["bing"],
        "positions": [found.rank + 1],
        "score": 1.0 / (found.rank + 1),
        "category": "general",
        "template": "default.html",
        "parsed_url": [*urlsplit(url)[:3], "", "", ""],
        "publishedDate": found.published.replace(tzinfo=None).isoformat() if found.rank % 3 == 0 else None,
    }
    if found.rank % 4 == 3:
        return common
    closing = {"metadata": "", "priority": "", "length": None, "open_group": False, "close_group": False}
    return {**common, **UNFILLED, **closing}


async def search(request: Request) -> Response:
    fields = await asked(request)
    query = fields.get("q", "").strip()
    if fields.get("format", "html") != "json":
        return HTMLResponse("<!doctype html><title>SearXNG</title><main id='main_results'></main>")
    if not query:
        return JSONResponse({"error": "No query"}, 400)
    is_down = has_word(query, "outage")
    start = (max(whole_number(fields.get("pageno"), 1), 1) - 1) * PAGE
    found = [] if is_down else sources(query, "searxng", start, PAGE)
    empty: dict[str, Any] = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": []}
    results = [result(source, base_of(request)) for source in found]
    answer = {"query": query, "results": results, **empty, "unresponsive_engines": ALL_DOWN if is_down else []}
    return JSONResponse(answer)


UPSTREAM = Upstream(
    prefix="/searxng",
    environment={"SEARXNG_URL": "{base}/searxng"},
    routes=[Route("/search", search, methods=["GET", "POST"])],
)
