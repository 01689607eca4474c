"""The registries of the gold set: Crossref, doi.org, OpenAlex, PubMed, arXiv, books and courts, as in `tests/trust`.

They stand beside the other imitations under one prefix and are not in the usual environment; `registry_environment`
points a server at them. All of them allow a high pace, so that the waiting is ours alone.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream, whole_number
from tests.trust import registries

QUICK = {
    "x-rate-limit-limit": "500",
    "x-rate-limit-interval": "1s",
    "x-ratelimit-limit": "500",
    "x-ratelimit-remaining": "499",
    "x-ratelimit-policy": "500;w=1",
}
PREFIX = "/gold"
PLACES = {
    "CROSSREF_BASE_URL": "crossref",
    "DOI_ORG_BASE_URL": "doi",
    "OPENALEX_BASE_URL": "openalex",
    "PUBMED_BASE_URL": "pubmed",
    "ARXIV_BASE_URL": "arxiv",
    "SEMANTICSCHOLAR_BASE_URL": "semanticscholar",
    "UNPAYWALL_BASE_URL": "unpaywall",
    "COURTLISTENER_BASE_URL": "courtlistener",
    "OPEN_LIBRARY_BASE_URL": "openlibrary",
    "GOOGLE_BOOKS_BASE_URL": "nobody",
    "LOC_BASE_URL": "nobody",
}


def registry_environment(base: str) -> dict[str, str]:
    return {name: f"{base}{PREFIX}/{place}" for name, place in PLACES.items()}


def said(value: Any, status: int = 200) -> Response:
    return JSONResponse(value, status, QUICK)


def doi_in(request: Request) -> str:
    doi: str = request.path_params["doi"]
    return doi.lower()


async def crossref_work(request: Request) -> Response:
    message = registries.crossref(doi_in(request))
    if message is None:
        return PlainTextResponse("Resource not found.", 404, QUICK)
    return said({"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": message})


async def crossref_search(request: Request) -> Response:
    count = whole_number(request.query_params.get("rows"), 20)
    filters = request.query_params.get("filter", "").split(",")
    named = [part.removeprefix("doi:").lower() for part in filters if part.startswith("doi:")]
    dois = named or registries.search(request.query_params.get("query.bibliographic", ""), 50)
    items = [item for doi in dois if (item := registries.crossref(doi))][:count]
    message = {"total-results": len(items), "items": items}
    return said({"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message})


async def handle(request: Request) -> Response:
    doi = doi_in(request)
    if not registries.is_registered(doi):
        return said({"responseCode": 100, "handle": doi}, 404)
    value = {"format": "string", "value": f"https://example.org/{doi}"}
    return said({"responseCode": 1, "handle": doi, "values": [{"index": 1, "type": "URL", "data": value}]})


async def agency(request: Request) -> Response:
    doi = doi_in(request)
    work = registries.works().get(doi)
    return said([{"DOI": doi, "RA": work["agency"]} if work else {"DOI": doi, "status": "DOI does not exist"}])


async def record(request: Request) -> Response:
    found = registries.csl(doi_in(request))
    return said(found) if found else HTMLResponse("<title>Error: DOI Not Found</title>", 404, QUICK)


async def openalex_work(request: Request) -> Response:
    key = request.path_params["key"].lower()
    number = key.removeprefix("pmid:")
    by_number = next((doi for doi, work in registries.works().items() if work.get("pmid") == number), key)
    found = registries.openalex(by_number.removeprefix("doi:"))
    return said(found) if found else HTMLResponse("<title>404 Not Found</title>", 404, QUICK)


async def openalex_search(request: Request) -> Response:
    count = whole_number(request.query_params.get("per_page"), 25)
    condition = request.query_params.get("filter", "")
    named = condition.removeprefix("doi:").lower().split("|") if condition.startswith("doi:") else []
    dois = named or registries.search(request.query_params.get("search", ""), 50)
    rows = [row for doi in dois if (row := registries.openalex(doi))][:count]
    return said({"meta": {"count": len(rows), "page": 1, "per_page": count}, "results": rows})


async def pubmed_search(request: Request) -> Response:
    numbers = registries.pubmed_numbers(request.query_params.get("term", ""))
    return said({"esearchresult": {"count": str(len(numbers)), "retmax": "3", "idlist": numbers}})


async def pubmed_fetch(request: Request) -> Response:
    body = registries.pubmed(request.query_params.get("id", ""))
    return Response(body, 200, QUICK, "text/xml")


async def arxiv_query(request: Request) -> Response:
    feed = registries.arxiv(request.query_params.get("id_list", ""))
    return Response(feed, 200, QUICK, "application/atom+xml")


async def scholar(request: Request) -> Response:
    if request.url.path.endswith("/search"):
        return said({"total": 0, "offset": 0})
    return said({"error": "Paper not found"}, 404)


async def unpaywall(request: Request) -> Response:
    return said({"HTTP_status_code": 404, "error": True, "message": "not in Unpaywall"}, 404)


async def courts(request: Request) -> Response:
    rows = registries.opinions(dict(request.query_params))
    return said({"count": len(rows), "next": None, "previous": None, "results": rows})


async def books(request: Request) -> Response:
    """A book by its ISBN; an unknown one is an empty object, as Open Library has it."""
    key = request.query_params.get("bibkeys", "")
    return said({key: book} if (book := registries.book(key.removeprefix("ISBN:"))) else {})


UPSTREAM = Upstream(
    prefix=PREFIX,
    environment={},
    routes=[
        Route("/crossref/works", crossref_search),
        Route("/crossref/works/{doi:path}", crossref_work),
        Route("/doi/api/handles/{doi:path}", handle),
        Route("/doi/ra/{doi:path}", agency),
        Route("/doi/{doi:path}", record),
        Route("/openalex/works", openalex_search),
        Route("/openalex/works/{key:path}", openalex_work),
        Route("/pubmed/entrez/eutils/esearch.fcgi", pubmed_search),
        Route("/pubmed/entrez/eutils/efetch.fcgi", pubmed_fetch),
        Route("/arxiv/api/query", arxiv_query),
        Route("/semanticscholar/{rest:path}", scholar),
        Route("/unpaywall/{rest:path}", unpaywall),
        Route("/courtlistener/api/rest/v4/search/", courts),
        Route("/openlibrary/api/books", books),
    ],
)
