"""FRED: a series of its own, with a value that is missing and one whose zeros count. Errors are all HTTP 400."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import has_word
from tests.loopback.upstream import Upstream, whole_number

KEY = "abcdef0123456789abcdef0123456789"
SERIES = {
    "id": "KITES",
    "title": "Kites Sold in Harbor Towns",
    "frequency": "Quarterly",
    "units": "Thousands of Kites",
    "seasonal_adjustment": "Not Seasonally Adjusted",
    "last_updated": "2025-04-30 07:54:01-05",
    "popularity": 12,
    "notes": "Counted at the quay.",
}
VALUES = {"2024-01-01": "17.250", "2024-04-01": ".", "2024-07-01": "19.100", "2024-10-01": "20.05"}


def refusal(sentence: str) -> Response:
    return JSONResponse({"error_code": 400, "error_message": f"Bad Request.  {sentence}"}, 400)


def complaint(request: Request) -> Response | None:
    if request.query_params.get("api_key") != KEY:
        return refusal("The value for variable api_key is not registered.")
    if request.query_params.get("series_id", "KITES") != "KITES":
        return refusal("The series does not exist.")
    return None


async def search(request: Request) -> Response:
    rows: list[Any] = [] if has_word(request.query_params.get("search_text", ""), "nothing") else [SERIES]
    return complaint(request) or JSONResponse({"count": len(rows), "offset": 0, "limit": 50, "seriess": rows})


async def about(request: Request) -> Response:
    return complaint(request) or JSONResponse({"realtime_start": "2025-05-01", "seriess": [SERIES]})


async def observations(request: Request) -> Response:
    fields = request.query_params
    start, end = fields.get("observation_start", ""), fields.get("observation_end", "9999")
    days = [day for day in VALUES if start <= day <= end]
    days.sort(reverse=fields.get("sort_order") == "desc")
    rows = [
        {"realtime_start": "2025-05-01", "realtime_end": "2025-05-01", "date": day, "value": VALUES[day]}
        for day in days[: whole_number(fields.get("limit"), 100_000)]
    ]
    return complaint(request) or JSONResponse({"count": len(days), "units": "lin", "observations": rows})


UPSTREAM = Upstream(
    prefix="/fred",
    environment={"FRED_BASE_URL": "{base}/fred"},
    keys={"FRED_API_KEY": KEY},
    routes=[
        Route("/fred/series/search", search),
        Route("/fred/series/observations", observations),
        Route("/fred/series", about),
    ],
)
