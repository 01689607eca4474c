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
PRICES = SERIES | {
    "id": "CPIAUCSL",
    "title": "Consumer Price Index for All Urban Consumers: All Items in U.S. City Average",
    "frequency": "Monthly",
    "units": "Index 1982-1984=100",
    "seasonal_adjustment": "Seasonally Adjusted",
    "notes": "The index measures the average change over time in the prices paid by urban consumers. " * 6,
}
# Twelve years of months, each a little dearer than the one before.
CPI = {f"{2014 + n // 12}-{n % 12 + 1:02d}-01": f"{235.288 + n * 0.583:.3f}" for n in range(12 * 12)}
KNOWN = {"KITES": (SERIES, VALUES), "CPIAUCSL": (PRICES, CPI)}


def refusal(sentence: str) -> Response:
    return JSONResponse({"error_code": 400, "error_message": f"Bad Request.  {sentence}"}, 400)


def complaint(request: Request) -> Response | None:
    if request.query_params.get("api_key") != KEY:
        return refusal("The value for variable api_key is not registered.")
    if request.query_params.get("series_id", "KITES") not in KNOWN:
        return refusal("The series does not exist.")
    return None


def asked(request: Request) -> tuple[dict[str, Any], dict[str, str]]:
    return KNOWN.get(request.query_params.get("series_id", ""), KNOWN["KITES"])


async def search(request: Request) -> Response:
    text = request.query_params.get("search_text", "")
    rows: list[Any] = [] if has_word(text, "nothing") else [PRICES] if has_word(text, "consumer") else [SERIES]
    return complaint(request) or JSONResponse({"count": len(rows), "offset": 0, "limit": 50, "seriess": rows})


async def about(request: Request) -> Response:
    return complaint(request) or JSONResponse({"realtime_start": "2025-05-01", "seriess": [asked(request)[0]]})


async def observations(request: Request) -> Response:
    fields = request.query_params
    start, end = fields.get("observation_start", ""), fields.get("observation_end", "9999")
    values = asked(request)[1]
    days = [day for day in values if start <= day <= end]
    days.sort(reverse=fields.get("sort_order") == "desc")
    rows = [
        {"realtime_start": "2025-05-01", "realtime_end": "2025-05-01", "date": day, "value": values[day]}
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
