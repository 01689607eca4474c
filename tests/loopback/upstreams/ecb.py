"""The European Central Bank: dataflows as XML, one series of exchange rates as SDMX-JSON 1.0. Nothing found is 404."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream
from tests.loopback.upstreams.oecd import axis

FLOWS = {"EXR": "Exchange Rates", "HKT": "Harbour Kite Tariffs"}
RATES = {"2026-08": "1.1500", "2026-09": "1.1630", "2026-10": "1.17"}


async def flows(request: Request) -> Response:
    listed = "".join(
        f'<Dataflow id="{name}" agencyID="ECB" version="1.0"><Name lang="en">{title}</Name></Dataflow>'
        for name, title in FLOWS.items()
    )
    body = f"<Structure><Structures><Dataflows>{listed}</Dataflows></Structures></Structure>"
    return Response(body, media_type="application/xml")


async def structure(request: Request) -> Response:
    names = ("FREQ", "CURRENCY", "CURRENCY_DENOM", "EXR_TYPE", "EXR_SUFFIX")
    listed = "".join(f'<Dimension id="{name}" position="{place}"/>' for place, name in enumerate(names))
    inside = f"<DataStructureComponents><DimensionList>{listed}</DimensionList></DataStructureComponents>"
    body = f"<S><Structures><DataStructures><DataStructure>{inside}</DataStructure></DataStructures></Structures></S>"
    return Response(body, media_type="application/xml")


async def data(request: Request) -> Response:
    if not request.path_params["key"].startswith("M.USD"):
        return PlainTextResponse("No results found.", 404)
    months = [month for month in RATES if month >= request.query_params.get("startPeriod", "")[:7]]
    names = {"FREQ": {"M": "Monthly"}, "CURRENCY": {"USD": "US dollar"}, "CURRENCY_DENOM": {"EUR": "Euro"}}
    series: list[Any] = [axis(name, place, values) for place, (name, values) in enumerate(names.items())]
    time = axis("TIME_PERIOD", 3, {month: month for month in months}, role="TIME_PERIOD")
    described = [axis("TITLE", 0, {"t": "US dollar/Euro"}), axis("UNIT", 1, {"USD": "US dollar"})]
    shape = {
        "dimensions": {"series": series, "observation": [time]},
        "attributes": {"dataSet": [], "series": described, "observation": []},
    }
    values = ",".join(f'"{place}":[{RATES[month]}]' for place, month in enumerate(months))
    body = (
        '{"header":{"prepared":"2026-11-02T16:00:00Z"},"dataSets":[{"series":{"0:0:0":{"attributes":[0,0],'
        f'"observations":{{{values}}}}}}}}}],"structure":{json.dumps(shape)}}}'
    )
    return Response(body, media_type="application/json")


UPSTREAM = Upstream(
    prefix="/ecb",
    environment={"ECB_BASE_URL": "{base}/ecb"},
    routes=[
        Route("/dataflow/ECB/all/latest", flows),
        Route("/dataflow/ECB/{flow}/latest", structure),
        Route("/data/{flow}/{key}", data),
    ],
)
