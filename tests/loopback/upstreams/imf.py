"""The International Monetary Fund: dataflows and data as SDMX-JSON 2.0, values as texts, an unknown code as nothing."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream
from tests.loopback.upstreams.oecd import axis

GROWTH = {("NOR", "2024"): "2.1", ("NOR", "2099"): "1.70", ("SWE", "2024"): "0.9"}


async def flows(request: Request) -> Response:
    title = "World Economic Outlook (WEO)"
    flow = {"id": "WEO", "agencyID": "IMF.RES", "version": "9.0.0", "name": title, "names": {"en": title}}
    return JSONResponse({"data": {"dataflows": [flow]}})


async def structure(request: Request) -> Response:
    dimensions = [{"id": name, "position": place} for place, name in enumerate(("COUNTRY", "INDICATOR", "FREQUENCY"))]
    components = {"dimensionList": {"dimensions": dimensions}}
    return JSONResponse({"data": {"dataStructures": [{"id": "DSD_WEO", "dataStructureComponents": components}]}})


async def data(request: Request) -> Response:
    if request.path_params["flow"] != "WEO":
        return PlainTextResponse("Not found", 404)
    asked = request.path_params["key"].split(".")[0].split("+")
    cells = {at: value for at, value in GROWTH.items() if at[0] in asked}
    areas, years = (list(dict.fromkeys(at[place] for at in cells)) for place in (0, 1))
    dimensions: dict[str, Any] = {
        "series": [
            axis("COUNTRY", 0, {area: {"NOR": "Norway", "SWE": "Sweden"}[area] for area in areas}),
            axis("INDICATOR", 1, {"NGDP_RPCH": "Gross domestic product (GDP), constant prices, percent change"}),
            axis("FREQUENCY", 2, {"A": "Annual"}),
        ],
        "observation": [axis("TIME_PERIOD", 3, {year: year for year in years}, role="TIME_PERIOD")],
    }
    series = {
        f"{place}:0:0": {
            "observations": {str(years.index(year)): [value] for (at, year), value in cells.items() if at == area}
        }
        for place, area in enumerate(areas)
    }
    shape = {"name": "World Economic Outlook (WEO)", "dimensions": dimensions, "attributes": {}}
    dataset = {"structure": 0, **({"series": series} if series else {})}
    return JSONResponse({"meta": {"prepared": "2026-10-14"}, "data": {"dataSets": [dataset], "structures": [shape]}})


UPSTREAM = Upstream(
    prefix="/imf",
    environment={"IMF_BASE_URL": "{base}/imf"},
    routes=[
        Route("/structure/dataflow", flows),
        Route("/structure/dataflow/{agency}/{flow}/{version}", structure),
        Route("/data/dataflow/{agency}/{flow}/{version}/{key}", data),
    ],
)
