"""Hacker News search as Algolia answers it in 2026: members without a value are left out."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import TOTAL, Source, sources, stable_number
from tests.loopback.upstream import Upstream, base_of

MOST_A_PAGE = 1000
DEFAULTS = {"page": "0", "hitsPerPage": "20"}


def hit(found: Source, base: str, *, is_comment: bool) -> dict[str, Any]:
    number = 40_000_000 + stable_number(found.path) % 9_000_000
    author = f"reader{number % 50}"
    common = {
        "objectID": str(number),
        "author": author,
        "created_at": found.published.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "created_at_i": int(found.published.timestamp()),
        "_tags": ["comment" if is_comment else "story", f"author_{author}", f"story_{number}"],
    }
    if is_comment:
        about = {"story_id": number - 1, "story_title": found.title, "story_url": base + found.path}
        return {**common, **about, "parent_id": number - 1, "comment_text": f"<p>{found.snippet}"}
    story = {"story_id": number, "title": found.title, "points": number % 700, "num_comments": number % 90}
    is_text_only = found.rank % 5 == 4
    return {**common, **story, **({"story_text": found.snippet} if is_text_only else {"url": base + found.path})}


def refusal(name: str, text: str) -> Response:
    sentence = f"Invalid value for {name!r}: {text!r} is not a whole number"
    return JSONResponse({"message": sentence, "status": 400}, 400)


def hits(request: Request, query: str) -> list[dict[str, Any]]:
    found = sources(query, "hackernews", 0, TOTAL)
    if request.url.path.endswith("search_by_date"):
        found.sort(key=lambda source: source.published, reverse=True)
    is_comment = "comment" in request.query_params.get("tags", "").split(",")
    return [hit(source, base_of(request), is_comment=is_comment) for source in found]


async def search(request: Request) -> Response:
    numbers = {name: request.query_params.get(name, default) for name, default in DEFAULTS.items()}
    for name, text in numbers.items():
        if not (text.isascii() and text.isdecimal()):
            return refusal(name, text)
    page, size = int(numbers["page"]), min(int(numbers["hitsPerPage"]), MOST_A_PAGE)
    query = request.query_params.get("query", "")
    found = hits(request, query)
    answer = {
        "hits": found[page * size : (page + 1) * size],
        "nbHits": len(found),
        "page": page,
        "nbPages": -(-len(found) // size) if size else 0,
        "hitsPerPage": size,
        "exhaustiveNbHits": True,
        "query": query,
        "params": request.url.query,
        "processingTimeMS": 3,
    }
    return JSONResponse(answer)


UPSTREAM = Upstream(
    prefix="/hackernews",
    environment={"HACKERNEWS_BASE_URL": "{base}/hackernews"},
    routes=[Route("/api/v1/search", search), Route("/api/v1/search_by_date", search)],
)
