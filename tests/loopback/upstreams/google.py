"""Google Custom Search: `items` are left out when nothing is found; a key that begins with `bad` is not valid."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import TOTAL, Source, sources
from tests.loopback.upstream import Upstream, base_of, whole_number

MOST, LAST = 10, 100


def item(found: Source, base: str) -> dict[str, Any]:
    return {
        "kind": "customsearch#result",
        "title": found.title,
        "htmlTitle": f"<b>{found.title}</b>",
        "link": base + found.path,
        "displayLink": "127.0.0.1",
        "snippet": f"{found.published:%b %d, %Y} ... {found.snippet}",
        "formattedUrl": base + found.path,
        "pagemap": {"metatags": [{"article:published_time": found.published.isoformat()}]},
    }


def refusal(status: int, message: str, reason: str, state: str) -> Response:
    errors = [{"message": message, "domain": "global", "reason": reason}]
    return JSONResponse({"error": {"code": status, "message": message, "errors": errors, "status": state}}, status)


async def search(request: Request) -> Response:
    asked = request.query_params
    if asked.get("key", "bad").startswith("bad"):
        return refusal(400, "API key not valid. Please pass a valid API key.", "badRequest", "INVALID_ARGUMENT_KEY")
    if not asked.get("cx"):
        return refusal(400, "Request contains an invalid argument.", "badRequest", "INVALID_ARGUMENT")
    num, start = whole_number(asked.get("num"), MOST), whole_number(asked.get("start"), 1)
    if not 1 <= num <= MOST or start + num - 1 > LAST:
        return refusal(400, "Request contains an invalid argument.", "badRequest", "INVALID_ARGUMENT")
    query = asked.get("q", "").strip()
    found = sources(query, "google", start - 1, num)
    total = str(TOTAL if sources(query, "google", 0, 1) else 0)
    about = {"title": "Google Custom Search", "searchTerms": query, "count": num, "startIndex": start}
    queries: dict[str, Any] = {"request": [about]}
    if start + num <= TOTAL and found:
        queries["nextPage"] = [{**about, "startIndex": start + num}]
    answer: dict[str, Any] = {
        "kind": "customsearch#search",
        "url": {"type": "application/json", "template": "https://www.googleapis.com/customsearch/v1?q={searchTerms}"},
        "queries": queries,
        "context": {"title": "Loopback"},
        "searchInformation": {"searchTime": 0.2, "totalResults": total},
    }
    if found:
        answer["items"] = [item(source, base_of(request)) for source in found]
    return JSONResponse(answer)


UPSTREAM = Upstream(
    prefix="/google", environment={"GOOGLE_BASE_URL": "{base}/google"}, routes=[Route("/customsearch/v1", search)]
)
