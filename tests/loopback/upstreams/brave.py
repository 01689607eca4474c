"""Brave Search: web answers and places. A key that begins with `bad` is refused as Brave refuses it, with HTTP 422."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback import places
from tests.loopback.content import TOTAL, Source, sources
from tests.loopback.upstream import Upstream, base_of, whole_number

MOST, LAST_PAGE = 20, 9


def result(found: Source, base: str) -> dict[str, Any]:
    return {
        "type": "search_result",
        "subtype": "generic",
        "title": found.title,
        "url": base + found.path,
        "description": found.snippet,
        "is_source_local": False,
        "is_source_both": False,
        "language": "en",
        "family_friendly": True,
        "page_age": found.published.replace(tzinfo=None).isoformat(),
        "profile": {"name": "Loopback", "url": base + found.path, "long_name": "127.0.0.1"},
        "meta_url": {"scheme": "http", "netloc": "127.0.0.1", "hostname": "127.0.0.1", "path": found.path},
    }


def refusal(status: int, code: str, detail: str) -> Response:
    error = {"id": "0a1b", "status": status, "code": code, "detail": detail, "meta": {"component": "authentication"}}
    return JSONResponse({"type": "ErrorResponse", "error": error, "time": 1_790_000_000}, status)


async def search(request: Request) -> Response:
    key = request.headers.get("x-subscription-token", "")
    if not key or key.startswith("bad"):
        return refusal(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.")
    asked = request.query_params
    if asked.get("result_filter") == "locations":
        return places.named(asked.get("q", ""))
    count, page = whole_number(asked.get("count"), MOST), whole_number(asked.get("offset"), 0)
    if not 1 <= count <= MOST or page > LAST_PAGE:
        return refusal(422, "VALIDATION", "Unable to validate request parameter(s)")
    query = asked.get("q", "").strip()
    found = sources(query, "brave", page * count, count)
    answer: dict[str, Any] = {
        "type": "search",
        "query": {"original": query, "more_results_available": (page + 1) * count < TOTAL and bool(found)},
    }
    if found:
        results = [result(source, base_of(request)) for source in found]
        answer["mixed"] = {"type": "mixed", "main": [{"type": "web", "index": n, "all": False} for n in range(count)]}
        answer["web"] = {"type": "search", "results": results, "family_friendly": True}
    headers = {"x-ratelimit-limit": "1, 2000", "x-ratelimit-remaining": "0, 1900", "x-ratelimit-reset": "1, 900000"}
    return JSONResponse(answer, headers=headers)


UPSTREAM = Upstream(
    prefix="/brave",
    environment={"BRAVE_BASE_URL": "{base}/brave"},
    keys={"BRAVE_API_KEY": "BSAloopbackloopbackloopback00"},
    routes=[Route("/res/v1/web/search", search), *places.ROUTES],
)
