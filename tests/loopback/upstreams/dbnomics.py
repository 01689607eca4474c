"""DBnomics: a dataset found by words, and its series with a value that is missing. A mirror names its office."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import has_word
from tests.loopback.upstream import Upstream

DATASET = {
    "type": "dataset",
    "provider_code": "BLS",
    "provider_name": "Bureau of Labor Statistics",
    "code": "cu",
    "name": "Consumer Price Index - All Urban Consumers",
    "nb_series": 8103,
    "indexed_at": "2026-11-01T03:00:00Z",
}
PERIODS = [f"{2014 + n // 12}-{n % 12 + 1:02d}" for n in range(12 * 12)]
VALUES = [f"{235.288 + n * 0.583:.3f}" for n in range(12 * 12)]


def series() -> str:
    about = {
        "provider_code": "BLS",
        "dataset_code": "cu",
        "dataset_name": DATASET["name"],
        "series_code": "CUSR0000SA0",
        "series_name": "All items in U.S. city average, seasonally adjusted",
        "@frequency": "monthly",
        "dimensions": {"area": "0000", "unit": "index"},
        "indexed_at": DATASET["indexed_at"],
        "period": PERIODS,
        "value": "VALUES",
    }
    numbers = ",".join(["null", *VALUES[1:]])
    return json.dumps(about).replace('"VALUES"', f"[{numbers}]")


async def search(request: Request) -> Response:
    rows = [] if has_word(request.query_params.get("q", ""), "nothing") else [DATASET]
    return JSONResponse({"results": {"docs": rows, "num_found": len(rows), "limit": 5, "offset": 0}})


async def observations(request: Request) -> Response:
    wanted = request.query_params.get("series_ids", request.path_params.get("rest", ""))
    if not wanted.startswith("BLS/cu"):
        return JSONResponse({"message": "Dataset or series not found"}, 404)
    docs = "" if has_word(request.query_params.get("q", ""), "nothing") else series()
    number = 1 if docs else 0
    body = f'{{"series":{{"docs":[{docs}],"limit":10,"num_found":{number},"offset":0}}}}'
    return Response(body, media_type="application/json")


UPSTREAM = Upstream(
    prefix="/dbnomics",
    environment={"DBNOMICS_BASE_URL": "{base}/dbnomics"},
    routes=[Route("/search", search), Route("/series", observations), Route("/series/{rest:path}", observations)],
)
