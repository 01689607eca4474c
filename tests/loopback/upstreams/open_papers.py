"""Databases of papers and books without a key: the same works as everywhere, each service in its own form.

One prefix for all, so that a test can shut them all with one rule.
"""

from __future__ import annotations

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.literature import TOTAL, Work, by_doi, works
from tests.loopback.upstream import Upstream, whole_number

FILTER = re.compile(r"\bAND \S+:?[\[<>=].{0,60}$|[()]")
ISBN = "9780123751065"


def asked(request: Request, name: str, limit: str) -> tuple[list[Work], list[Work]]:
    """All works on the words, and those of the page asked for."""
    found = works(FILTER.sub("", request.query_params.get(name, "")).strip(), TOTAL)
    return found, found[: whole_number(request.query_params.get(limit), 10)]


def names(work: Work) -> list[dict[str, str]]:
    return [{"name": f"{family}, {given}"} for given, family in work.authors]


def europepmc_row(work: Work) -> dict[str, Any]:
    people = [{"firstName": given, "lastName": family} for given, family in work.authors]
    return {
        "id": str(work.number), "source": "MED", "pmid": str(work.number), "doi": work.doi, "title": f"{work.title}.",
        "authorList": {"author": people}, "pubYear": str(work.year), "firstPublicationDate": work.date,
        "abstractText": work.abstract, "isOpenAccess": "Y" if work.is_open else "N", "citedByCount": 3,
    }  # fmt: skip


async def europepmc(request: Request) -> Response:
    wanted = re.search(r'DOI:"([^"]+)"', request.query_params.get("query", ""))
    if wanted:
        page = found = [work for work in [by_doi(wanted[1])] if work]
    else:
        found, page = asked(request, "query", "pageSize")
    return JSONResponse({"hitCount": len(found), "resultList": {"result": [europepmc_row(work) for work in page]}})


def datacite_row(work: Work) -> dict[str, Any]:
    facts = {
        "doi": work.doi, "titles": [{"title": work.title}], "creators": names(work), "publicationYear": work.year,
        "types": {"resourceTypeGeneral": "Dataset"}, "publisher": "Loopback Data",
        "descriptions": [{"description": work.abstract, "descriptionType": "Abstract"}],
    }  # fmt: skip
    return {"id": work.doi, "type": "dois", "attributes": facts}


async def datacite(request: Request) -> Response:
    found, page = asked(request, "query", "page[size]")
    return JSONResponse({"data": [datacite_row(work) for work in page], "meta": {"total": len(found)}})


async def datacite_record(request: Request) -> Response:
    work = by_doi(request.path_params["doi"])
    if work is None:
        return JSONResponse({"errors": [{"status": "404", "title": "not here"}]}, 404)
    return JSONResponse({"data": datacite_row(work)})


async def doaj(request: Request) -> Response:
    found = works(FILTER.sub("", request.path_params["words"]).strip(), TOTAL)
    rows = [
        {"id": str(work.number), "bibjson": {
            "title": work.title, "author": names(work), "year": str(work.year), "month": "2",
            "journal": {"title": "Tests"}, "identifier": [{"type": "doi", "id": work.doi}], "abstract": work.abstract,
        }}
        for work in found[: whole_number(request.query_params.get("pageSize"), 10)]
    ]  # fmt: skip
    return JSONResponse({"total": len(found), "results": rows})


async def hal(request: Request) -> Response:
    found, page = asked(request, "q", "rows")
    docs = [
        {"title_s": [work.title], "uri_s": f"https://hal.science/hal-{work.number}", "doiId_s": work.doi,
         "publicationDateY_i": work.year, "authFullName_s": [f"{given} {family}" for given, family in work.authors]}
        for work in page
    ]  # fmt: skip
    return JSONResponse({"response": {"numFound": len(found), "start": 0, "docs": docs}})


async def zenodo(request: Request) -> Response:
    found, page = asked(request, "q", "size")
    hits = [
        {"id": work.number, "doi": work.doi, "metadata": {
            "title": work.title, "creators": names(work), "publication_date": work.date, "description": work.abstract,
            "resource_type": {"type": "dataset"}, "access_right": "open",
        }}
        for work in page
    ]  # fmt: skip
    return JSONResponse({"hits": {"hits": hits, "total": len(found)}})


async def core(request: Request) -> Response:
    found, page = asked(request, "q", "limit")
    rows = [
        {"id": work.number, "title": work.title, "doi": work.doi, "authors": names(work), "yearPublished": work.year}
        for work in page
    ]
    return JSONResponse({"totalHits": len(found), "results": rows})


async def openaire(request: Request) -> Response:
    found, page = asked(request, "search", "pageSize")
    rows = [
        {"id": str(work.number), "mainTitle": work.title, "pids": [{"scheme": "doi", "value": work.doi}],
         "publicationDate": work.date, "authors": [{"fullName": person["name"]} for person in names(work)]}
        for work in page
    ]  # fmt: skip
    return JSONResponse({"header": {"numFound": len(found)}, "results": rows})


async def biorxiv(request: Request) -> Response:
    return JSONResponse({"messages": [{"status": "no posts found"}], "collection": []})


async def citations(request: Request) -> Response:
    work = by_doi(request.path_params["key"].removeprefix("doi:"))
    path, ends = request.path_params["path"], ("citing", "cited")
    others = [Work(work.words, rank) for rank in (2, 3)] if work else []
    end = ends[path == "references"]
    return JSONResponse([{end: f"omid:br/1 doi:{other.doi}", "creation": other.date} for other in others])


async def metadata(request: Request) -> Response:
    named = [by_doi(key.removeprefix("doi:")) for key in request.path_params["keys"].split("__")]
    rows = [
        {"id": f"doi:{work.doi}", "title": work.title, "author": "; ".join(p["name"] for p in names(work)),
         "pub_date": work.date}
        for work in named if work
    ]  # fmt: skip
    return JSONResponse(rows)


async def open_library(request: Request) -> Response:
    found, page = asked(request, "q", "limit")
    docs = [
        {"key": f"/works/OL{work.number}W", "title": work.title, "first_publish_year": work.year, "isbn": [ISBN],
         "author_name": [f"{given} {family}" for given, family in work.authors]}
        for work in page
    ]  # fmt: skip
    return JSONResponse({"numFound": len(found), "docs": docs})


async def open_library_record(request: Request) -> Response:
    key = request.query_params.get("bibkeys", "")
    book = {"key": "/books/OL1M", "title": "Owls of the night", "authors": [{"name": "Ada Strix"}],
            "publishers": [{"name": "Night Press"}], "publish_date": "June 2011"}  # fmt: skip
    return JSONResponse({key: book} if key == f"ISBN:{ISBN}" else {})


async def google_books(request: Request) -> Response:
    error = {"code": 429, "message": "Quota exceeded for quota metric 'Queries'", "status": "RESOURCE_EXHAUSTED"}
    return JSONResponse({"error": error}, 429)


async def loc(request: Request) -> Response:
    return JSONResponse({"results": [], "pagination": {"of": 0}})


async def no_record(request: Request) -> Response:
    return PlainTextResponse("", 404)


NAMES = [
    "europepmc",
    "datacite",
    "doaj",
    "hal",
    "zenodo",
    "core",
    "openaire",
    "biorxiv",
    "opencitations",
    "open_library",
    "google_books",
    "loc",
]

UPSTREAM = Upstream(
    prefix="/open/papers",
    environment={f"{name.upper()}_BASE_URL": f"{{base}}/open/papers/{name}" for name in NAMES}
    | {"LOC_LCCN_BASE_URL": "{base}/open/papers/lccn"},
    routes=[
        Route("/europepmc/search", europepmc),
        Route("/datacite/dois", datacite),
        Route("/datacite/dois/{doi:path}", datacite_record),
        Route("/doaj/api/search/articles/{words:path}", doaj),
        Route("/hal/search/", hal),
        Route("/zenodo/api/records", zenodo),
        Route("/core/v3/search/works/", core),
        Route("/openaire/graph/v2/researchProducts", openaire),
        Route("/biorxiv/details/{rest:path}", biorxiv),
        Route("/opencitations/index/v2/{path}/{key:path}", citations),
        Route("/opencitations/meta/v1/metadata/{keys:path}", metadata),
        Route("/open_library/search.json", open_library),
        Route("/open_library/api/books", open_library_record),
        Route("/google_books/books/v1/volumes", google_books),
        Route("/loc/books/", loc),
        Route("/lccn/{rest:path}", no_record),
    ],
)
