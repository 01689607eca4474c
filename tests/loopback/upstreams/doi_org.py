"""doi.org's answers: the handle service, the agency, and a record by content negotiation."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.loopback.literature import by_doi
from tests.loopback.upstream import Upstream

MISSING = "<!DOCTYPE html><html><head><title>Error: DOI Not Found</title></head><body>DOI Not Found</body></html>"


async def handle(request: Request) -> Response:
    doi = request.path_params["doi"]
    if by_doi(doi) is None:
        return JSONResponse({"responseCode": 100, "handle": doi}, 404)
    address = {"format": "string", "value": f"https://publisher.example/{doi}"}
    return JSONResponse({"responseCode": 1, "handle": doi, "values": [{"index": 1, "type": "URL", "data": address}]})


async def agency(request: Request) -> Response:
    return JSONResponse([{"DOI": request.path_params["doi"], "RA": "Crossref"}])


async def record(request: Request) -> Response:
    work = by_doi(request.path_params["doi"])
    if work is None:
        return HTMLResponse(MISSING, 404)
    return JSONResponse(
        {
            "DOI": work.doi,
            "title": work.title,
            "type": "article-journal",
            "author": [{"given": given, "family": family} for given, family in work.authors],
            "issued": {"date-parts": [[work.year]]},
            "container-title": "Tests",
        }
    )


UPSTREAM = Upstream(
    prefix="/doi-org",
    environment={"DOI_ORG_BASE_URL": "{base}/doi-org"},
    routes=[
        Route("/api/handles/{doi:path}", handle),
        Route("/ra/{doi:path}", agency),
        Route("/{doi:path}", record),
    ],
)
