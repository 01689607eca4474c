"""OpenAlex's answers: works with inverted abstracts, an HTML page for an unknown one."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.loopback.literature import TOTAL, Work, by_doi, by_title, neighbours, works
from tests.loopback.upstream import Upstream, whole_number

known: dict[str, Work] = {}


def identifier(work: Work) -> str:
    number = f"W{work.number}"
    known[number] = work
    return number


def row(work: Work) -> dict[str, Any]:
    index: dict[str, list[int]] = {}
    for place, word in enumerate(work.abstract.split()):
        index.setdefault(word, []).append(place)
    pdf = f"https://repository.example/{work.number}.pdf" if work.is_open else None
    return {
        "id": f"https://openalex.org/{identifier(work)}",
        "doi": f"https://doi.org/{work.doi}",
        "display_name": work.title,
        "ids": {"openalex": f"https://openalex.org/{identifier(work)}", "doi": f"https://doi.org/{work.doi}"},
        "publication_year": work.year,
        "publication_date": work.date,
        "type": "article",
        "authorships": [{"author": {"display_name": " ".join(name)}} for name in work.authors],
        "primary_location": {"landing_page_url": f"https://doi.org/{work.doi}", "source": {"display_name": "Tests"}},
        "best_oa_location": {"pdf_url": pdf, "landing_page_url": None} if pdf else None,
        "open_access": {"is_oa": work.is_open, "oa_url": pdf},
        "biblio": {"volume": "7", "issue": None, "first_page": "1", "last_page": "9"},
        "is_retracted": work.is_flagged,
        "cited_by_count": work.number % 500,
        "abstract_inverted_index": index,
        "referenced_works": [f"https://openalex.org/{identifier(cited)}" for cited in neighbours(work, "cited", 5)]
        if not work.words.startswith(("cited ", "citing "))
        else [],
        "referenced_works_count": 5,
    }


def conditions(request: Request) -> dict[str, str]:
    pairs = (part.partition(":") for part in request.query_params.get("filter", "").split(",") if part)
    return {name: value for name, _, value in pairs}


def matching(request: Request) -> list[Work]:
    limits = conditions(request)
    if "cites" in limits:
        return neighbours(known[limits["cites"]], "citing", TOTAL)
    if "openalex_id" in limits:
        return [known[number] for number in limits["openalex_id"].split("|")]
    if "doi" in limits:
        return [work for doi in limits["doi"].split("|") if (work := by_doi(doi))]
    if "title.search" in limits:
        work = by_title(limits["title.search"])
        return [work] if work else []
    found = works(request.query_params.get("search", ""), TOTAL)
    earliest, latest = limits.get("from_publication_date", ""), limits.get("to_publication_date", "9")
    found = [work for work in found if earliest <= work.date <= latest]
    return [work for work in found if work.is_open or "open_access.is_oa" not in limits]


async def search(request: Request) -> Response:
    if set("*?") & set(request.query_params.get("search", "")):
        return JSONResponse({"error": "Invalid query parameters error.", "message": "Wildcards require exact"}, 400)
    found = matching(request)
    size = whole_number(request.query_params.get("per_page"), 25)
    meta = {"count": len(found), "page": 1, "per_page": size}
    return JSONResponse({"meta": meta, "results": [row(work) for work in found[:size]], "group_by": []})


async def one(request: Request) -> Response:
    work = by_doi(request.path_params["key"].removeprefix("doi:"))
    if work is None:
        return HTMLResponse("<!doctype html><title>404 Not Found</title><h1>Not Found</h1>", 404)
    return JSONResponse(row(work))


UPSTREAM = Upstream(
    prefix="/openalex",
    environment={"OPENALEX_BASE_URL": "{base}/openalex"},
    routes=[Route("/works", search), Route("/works/{key:path}", one)],
)
