"""Eurostat: a table of contents as tab-separated text and a dataset as JSON-stat, with a flag and a missing value."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream

CONTENTS = (
    '"title"\t"code"\t"type"\t"last update of data"\t"last table structure change"\t'
    '"data start"\t"data end"\t"values"\n'
    '"Database by themes"\t"data"\t"folder"\t" "\t" "\t" "\t" "\t\n'
    '"    Sheep by month"\t"agr_sheep_m"\t"dataset"\t"14.07.2026"\t"14.07.2026"\t"2020M01"\t"2026M05"\t\n'
    '"    Goats by year"\t"agr_goats_a"\t"dataset"\t"01.02.2026"\t"01.02.2026"\t"2001"\t"2025"\t\n'
)
MONTHS = ["2026-03", "2026-04", "2026-05"]
VALUES = '{"0":12.30,"2":12.0}'


def axis(label: str, values: dict[str, str]) -> dict[str, object]:
    index = {code: place for place, code in enumerate(values)}
    return {"label": label, "category": {"index": index, "label": values}}


async def contents(request: Request) -> Response:
    return PlainTextResponse(CONTENTS)


async def data(request: Request) -> Response:
    if request.path_params["code"].lower() != "agr_sheep_m":
        label = "ERR_NOT_FOUND_4: The resource requested is not available for dissemination"
        return JSONResponse({"error": [{"status": 404, "id": 100, "label": label}]}, 404)
    since, geo = request.query_params.get("sinceTimePeriod", ""), request.query_params.get("geo", "AT")
    is_known = geo == "AT" and since <= MONTHS[-1]
    dataset = {
        "version": "2.0",
        "class": "dataset",
        "label": "Sheep by month",
        "source": "ESTAT",
        "updated": "2026-07-14T11:00:00+0200",
        "value": "VALUES",
        "status": {"1": ":", "2": "p"} if is_known else {},
        "id": ["freq", "unit", "geo", "time"],
        "size": [1, 1, 1, 3],
        "dimension": {
            "freq": axis("Time frequency", {"M": "Monthly"}),
            "unit": axis("Unit of measure", {"THS_HD": "Thousand heads"}),
            "geo": axis("Geopolitical entity", {geo: "Austria" if geo == "AT" else geo}),
            "time": axis("Time", {month: month for month in MONTHS}),
        },
    }
    raw = json.dumps(dataset).replace('"VALUES"', VALUES if is_known else "{}")
    return Response(raw, media_type="application/json")


UPSTREAM = Upstream(
    prefix="/eurostat",
    environment={"EUROSTAT_BASE_URL": "{base}/eurostat"},
    routes=[Route("/catalogue/toc/txt", contents), Route("/statistics/1.0/data/{code}", data)],
)
