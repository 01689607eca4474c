"""Exa: search, answers and the text of pages. A wrong key is HTTP 400; `/contents` answers 200 when a page failed."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import Source, sources
from tests.loopback.upstream import Upstream, base_of

KEY = "11111111-2222-3333-4444-555555555555"


def refusal(request: Request) -> Response | None:
    if request.headers.get("x-api-key") == KEY:
        return None
    return JSONResponse({"requestId": "r1", "error": "x-api-key header is invalid"}, 400)


def result(found: Source, base: str, asked: dict[str, Any]) -> dict[str, Any]:
    url = base + found.path
    summary = asked.get("summary")
    fields = dict.fromkeys(summary["schema"]["properties"], found.rank) if isinstance(summary, dict) else {}
    return {
        "id": url,
        "title": found.title,
        "url": url,
        "publishedDate": found.published.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "author": None,
        "highlights": [found.snippet],
        **({"summary": json.dumps(fields) if fields else found.snippet} if summary else {}),
    }


async def search(request: Request) -> Response:
    asked = await request.json()
    found = sources(asked["query"], "exa", 0, asked.get("numResults", 10))
    rows = [result(source, base_of(request), asked.get("contents", {})) for source in found]
    cost = {"total": 0.015, "search": {"neural": 0.005}}
    return refusal(request) or JSONResponse({"requestId": "r2", "results": rows, "costDollars": cost})


async def answer(request: Request) -> Response:
    query = (await request.json())["query"]
    cited = [result(source, base_of(request), {}) for source in sources(query, "exa", 0, 2)]
    body = {"requestId": "r3", "answer": f"An answer to {query}." if cited else "", "citations": cited}
    return refusal(request) or JSONResponse({**body, "costDollars": {"total": 0.005}})


async def contents(request: Request) -> Response:
    (url,) = (await request.json())["urls"]
    if "missing" in url:
        failed = {"id": url, "status": "error", "error": {"tag": "CRAWL_NOT_FOUND", "httpStatusCode": 404}}
        return refusal(request) or JSONResponse({"requestId": "r4", "results": [], "statuses": [failed]})
    row = {"id": url, "url": url, "title": "A page", "author": "A. Writer", "text": f"# A page\n\nThe text of {url}."}
    status = {"id": url, "status": "success", "source": "cached"}
    return refusal(request) or JSONResponse({"requestId": "r5", "results": [row], "statuses": [status]})


UPSTREAM = Upstream(
    prefix="/exa",
    environment={"EXA_BASE_URL": "{base}/exa"},
    keys={"EXA_API_KEY": KEY},
    routes=[
        Route("/search", search, methods=["POST"]),
        Route("/answer", answer, methods=["POST"]),
        Route("/contents", contents, methods=["POST"]),
    ],
)
