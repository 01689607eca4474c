"""OECD: dataflows, the structure that tells the place of the country, and data as SDMX-JSON 2.0. Errors are text."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream

AGENCY, FLOW, VERSION = "OECD.TST", "DSD_BOATS@DF_BOATS", "1.0"
FLOWS = {FLOW: "Harbour boats, monthly", "DSD_NETS@DF_NETS": "Fishing nets, annual"}
# Positions of country and month, value as written.
CELLS = {("DEU", "2025-01"): "102.50", ("DEU", "2025-02"): "103.00", ("FRA", "2025-01"): "88.1"}


async def flows(request: Request) -> Response:
    listed = [
        {"id": name, "agencyID": AGENCY, "version": VERSION, "name": title, "names": {"en": title}}
        for name, title in FLOWS.items()
    ]
    return JSONResponse({"data": {"dataflows": listed}})


async def structure(request: Request) -> Response:
    dimensions = [{"id": name, "position": place} for place, name in enumerate(("FREQ", "REF_AREA", "UNIT_MEASURE"))]
    components = {"dimensionList": {"dimensions": dimensions, "timeDimensions": [{"id": "TIME_PERIOD"}]}}
    return JSONResponse({"data": {"dataStructures": [{"id": "DSD_BOATS", "dataStructureComponents": components}]}})


def axis(name: str, position: int, values: dict[str, str], **more: str) -> dict[str, Any]:
    listed = [{"id": code, "name": said, "names": {"en": said}} for code, said in values.items()]
    return {"id": name, "name": name, "keyPosition": position, "values": listed, **more}


def message(cells: dict[tuple[str, str], str]) -> str:
    areas, months = (list(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    dimensions = {
        "dataSet": [axis("FREQ", 0, {"M": "Monthly"}), axis("UNIT_MEASURE", 2, {"IX": "Index"})],
        "series": [axis("REF_AREA", 1, {"DEU": "Germany", "FRA": "France"})],
        "observation": [axis("TIME_PERIOD", 3, {month: month for month in months}, role="TIME_PERIOD")],
    }
    codes = ["DEU", "FRA"]
    series = ",".join(
        f'"{codes.index(area)}":{{"attributes":[],"observations":{{'
        + ",".join(f'"{months.index(m)}":[{value}]' for (a, m), value in cells.items() if a == area)
        + "}}"
        for area in areas
    )
    attributes: dict[str, Any] = {"dataSet": [], "series": [], "observation": []}
    shape = {"dataSets": [0], "name": FLOWS[FLOW], "dimensions": dimensions, "attributes": attributes}
    return (
        '{"meta":{"id":"IREF1","prepared":"2026-02-01T10:00:00"},"data":{"dataSets":[{"structure":0,"series":{'
        f'{series}}}}}],"structures":[{json.dumps(shape)}]}}}}'
    )


async def data(request: Request) -> Response:
    reference, key = request.path_params["reference"], request.path_params["key"]
    if reference != f"{AGENCY},{FLOW},{VERSION}":
        return PlainTextResponse("Could not find Dataflow and/or DSD related with this data request", 404)
    area = key.split(".")[1] if "." in key else ""
    start = request.query_params.get("startPeriod", "")
    cells = {at: value for at, value in CELLS.items() if area in {"", at[0]} and at[1] >= start}
    if not cells:
        return PlainTextResponse("NoRecordsFound", 404)
    return Response(message(cells), media_type="application/vnd.sdmx.data+json")


UPSTREAM = Upstream(
    prefix="/oecd",
    environment={"OECD_BASE_URL": "{base}/oecd"},
    routes=[
        Route("/dataflow/all/all/latest", flows),
        Route("/dataflow/{agency}/{flow}/{version}", structure),
        Route("/data/{reference}/{key}", data),
    ],
)
