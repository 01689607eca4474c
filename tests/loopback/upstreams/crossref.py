"""Crossref's answers: titles in lists, dates in parts, and what was published against a work in `updated-by`."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.literature import TOTAL, Work, by_doi, works
from tests.loopback.upstream import Upstream, whole_number


def item(work: Work) -> dict[str, Any]:
    dated = {"date-parts": [[int(part) for part in work.date.split("-")]]}
    record_fields: dict[str, Any] = {
        "DOI": work.doi,
        "title": [work.title],
        "container-title": ["Tests"],
        "type": "journal-article",
        "author": [{"given": given, "family": family, "sequence": "first"} for given, family in work.authors],
        "issued": dated,
        "is-referenced-by-count": work.number % 400,
        "publisher": "Loopback Press",
        "URL": f"https://doi.org/{work.doi}",
    }
    if work.is_retracted:
        record_fields["updated-by"] = [
            {
                "DOI": "10.1000/notice.1",
                "type": "retraction",
                "label": "Retraction",
                "source": "retraction-watch",
                "record-id": "1",
                "updated": {"date-parts": [[2025, 3, 4]]},
            }
        ]
    return record_fields


def matching(request: Request) -> list[Work]:
    """Filters of one name mean "or"."""
    filters = request.query_params.get("filter", "").split(",")
    if named := [part.removeprefix("doi:") for part in filters if part.startswith("doi:")]:
        return [work for doi in named if (work := by_doi(doi))]
    return works(request.query_params.get("query.bibliographic", ""), TOTAL)


async def search(request: Request) -> Response:
    found = matching(request)
    rows = whole_number(request.query_params.get("rows"), 20)
    message = {"total-results": len(found), "items": [item(work) for work in found[:rows]], "items-per-page": rows}
    return JSONResponse({"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message})


async def one(request: Request) -> Response:
    work = by_doi(request.path_params["doi"])
    if work is None:
        return PlainTextResponse("Resource not found.", 404)
    return JSONResponse({"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": item(work)})


UPSTREAM = Upstream(
    prefix="/crossref",
    environment={"CROSSREF_BASE_URL": "{base}/crossref"},
    routes=[Route("/works", search), Route("/works/{doi:path}", one)],
)
