"""Unpaywall's answers: an address is mandatory, and an open work need not have a PDF in its best place."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.literature import by_doi
from tests.loopback.upstream import Upstream, base_of


async def one(request: Request) -> Response:
    if not request.query_params.get("email"):
        return JSONResponse({"HTTP_status_code": 422, "error": True, "message": "Email address required"}, 422)
    doi = request.path_params["doi"]
    work = by_doi(doi)
    if work is None:
        return JSONResponse({"HTTP_status_code": 404, "error": True, "message": f"'{doi}' isn't in Unpaywall"}, 404)
    pdf = f"{base_of(request)}/unpaywall/copies/{work.doi}"
    best = {
        "url": pdf,
        "url_for_pdf": pdf,
        "url_for_landing_page": None,
        "license": "cc-by",
        "version": "publishedVersion",
    }
    places = [best] if work.is_open else []
    return JSONResponse(
        {
            "doi": work.doi,
            "is_oa": work.is_open,
            "oa_status": "green" if work.is_open else "closed",
            "best_oa_location": places[0] if places else None,
            "oa_locations": places,
            "title": work.title,
            "year": work.year,
        }
    )


async def copy(request: Request) -> Response:
    """The work's free copy; a word in its title makes it another paper, or only an abstract."""
    work = by_doi(request.path_params["doi"])
    if work is None:
        return Response("There is no such copy.", 404, media_type="text/plain")
    title = "Something else altogether" if "mislaid" in work.words else work.title
    length = 40 if "abstract" in work.words else 900
    body = " ".join(f"Finding {number} concerns {work.words}." for number in range(length // 5))
    paragraphs = "".join(f"<p>{body[start : start + 800]}</p>" for start in range(0, len(body), 800))
    page = f"<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1>{paragraphs}</main>"
    return Response(page, media_type="text/html")


UPSTREAM = Upstream(
    prefix="/unpaywall",
    environment={"UNPAYWALL_BASE_URL": "{base}/unpaywall"},
    routes=[Route("/v2/{doi:path}", one), Route("/copies/{doi:path}", copy)],
)
