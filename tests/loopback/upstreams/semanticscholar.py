"""Semantic Scholar's answers: no `data` for nothing found, DOIs in capitals, edges with intents and influence."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.literature import TOTAL, Work, by_doi, by_title, neighbours, works
from tests.loopback.upstream import Upstream, whole_number

known: dict[str, Work] = {}


def row(work: Work) -> dict[str, Any]:
    number = f"{work.number:040x}"
    known[number] = work
    return {
        "paperId": number,
        "externalIds": {"DOI": work.doi.upper(), "CorpusId": work.number},
        "title": work.title,
        "abstract": work.abstract,
        "year": work.year,
        "publicationDate": work.date,
        "authors": [{"authorId": "1", "name": " ".join(name)} for name in work.authors],
        "url": f"https://www.semanticscholar.org/paper/{number}",
        "venue": "Tests",
        "journal": {"name": "Tests", "volume": "7", "pages": "1 - 9"},
        "citationCount": work.number % 300,
        "referenceCount": 8,
        "isOpenAccess": work.is_open,
        "openAccessPdf": {"url": "", "status": None},
        "tldr": {"model": "tldr@v2", "text": f"{work.words} matter."},
        "publicationTypes": ["JournalArticle"],
    }


def edge(work: Work, member: str) -> dict[str, Any]:
    intents = ["methodology"] if work.rank % 2 else []
    return {"isInfluential": work.rank % 4 == 1, "intents": intents, "contexts": [], member: row(work)}


async def search(request: Request) -> Response:
    found = works(request.query_params.get("query", ""), TOTAL)
    if not found:
        return JSONResponse({"total": 0, "offset": 0})
    limit = whole_number(request.query_params.get("limit"), 100)
    return JSONResponse({"total": len(found), "offset": 0, "data": [row(work) for work in found[:limit]]})


async def match(request: Request) -> Response:
    work = by_title(request.query_params.get("query", ""))
    if work is None:
        return JSONResponse({"error": "Title match not found"}, 404)
    return JSONResponse({"data": [{**row(work), "matchScore": 174.2}]})


async def one(request: Request) -> Response:
    key = request.path_params["key"]
    work = by_doi(key.removeprefix("DOI:"))
    if work is None:
        return JSONResponse({"error": f"Paper with id {key} not found"}, 404)
    return JSONResponse(row(work))


async def edges(request: Request) -> Response:
    work, forward = known[request.path_params["number"]], request.url.path.endswith("/citations")
    how, member = ("citing", "citingPaper") if forward else ("cited", "citedPaper")
    limit = whole_number(request.query_params.get("limit"), 100)
    return JSONResponse({"offset": 0, "data": [edge(near, member) for near in neighbours(work, how, limit)]})


UPSTREAM = Upstream(
    prefix="/semanticscholar",
    environment={"SEMANTICSCHOLAR_BASE_URL": "{base}/semanticscholar"},
    routes=[
        Route("/graph/v1/paper/search", search),
        Route("/graph/v1/paper/search/match", match),
        Route("/graph/v1/paper/{number}/citations", edges),
        Route("/graph/v1/paper/{number}/references", edges),
        Route("/graph/v1/paper/{key:path}", one),
    ],
)
