"""Open sources on the web without a key: Wikipedia, Wikidata, Marginalia, GDELT and others, each in its own form.

One prefix for all, so that a test can shut them all with one rule. Wikipedia knows two items of every day.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.content import sources, stable_number
from tests.loopback.upstream import Upstream, base_of, whole_number

FILTERS = re.compile(r'\b(?:sourcelang|sourcecountry|domainis|is|created):\S+|["()]')
NAMES_OF_IT = [{"value": "Parasol"}, {"value": "nothing else"}]
COMPANY = {"id": "Q42", "labels": {"en": {"value": "Umbrella Works"}}, "aliases": {"en": NAMES_OF_IT}}
ITEM = """{{{{Current events|content=
;Business and economy
*[[Harbour strike|The harbour strike]]
**Dock workers end their strike after talks on wages. [{base}/site/alpha/harbour-{day} (Reuters)]
*A bridge is opened. [{base}/site/bravo/bridge-{day} (AP)]
}}}}"""


async def wiki(request: Request) -> Response:
    """Wikipedia's search and, for titles of the portal, the texts of the days."""
    params = request.query_params
    if "titles" in params:
        pages = [portal_page(title, base_of(request)) for title in params["titles"].split("|")]
        return JSONResponse({"batchcomplete": True, "query": {"pages": pages}})
    count = whole_number(params.get("srlimit"), 10)
    found = sources(FILTERS.sub(" ", params.get("srsearch", "")), "wikipedia", 0, count)
    rows = [{"ns": 0, "title": source.title, "snippet": source.snippet, "pageid": source.rank + 1} for source in found]
    answer = {"searchinfo": {"totalhits": 25 if rows else 0}, "search": rows}
    return JSONResponse({"batchcomplete": True, "query": answer})


async def commons(request: Request) -> Response:
    """One picture a rank, with its licence; none for words that find nothing."""
    words = request.query_params.get("gsrsearch", "").partition(" ")[2]
    found = sources(words, "commons", 0, whole_number(request.query_params.get("gsrlimit"), 10))
    facts = {"LicenseShortName": {"value": "CC BY 4.0"}, "Artist": {"value": "<b>A. Reef</b>"}}
    pages = [
        {
            "index": source.rank + 1,
            "title": f"File:{source.title}.jpg",
            "imageinfo": [{"url": f"https://upload.example/{source.rank}.jpg", "width": 9, "extmetadata": facts}],
        }
        for source in found
    ]
    return JSONResponse({"batchcomplete": True, **({"query": {"pages": pages}} if pages else {})})


def portal_page(title: str, base: str) -> dict[str, Any]:
    try:
        day = datetime.strptime(title.removeprefix("Portal:Current events/"), "%Y %B %d")
    except ValueError:
        return {"title": title, "missing": True}
    text = ITEM.format(base=base, day=f"{day:%Y-%m-%d}")
    return {"title": title, "revisions": [{"slots": {"main": {"content": text}}}]}


async def wikidata(request: Request) -> Response:
    """One company, known by its name and its former one."""
    if request.query_params.get("action") == "query":
        return JSONResponse({"query": {"searchinfo": {"totalhits": 0}, "search": []}})
    if request.query_params.get("action") == "wbsearchentities":
        is_known = request.query_params.get("search", "").lower() in {"umbrella works", "parasol", "nothing else"}
        return JSONResponse({"search": [{"id": "Q42", "label": "Umbrella Works"}] if is_known else [], "success": 1})
    claims = {"P5531": [claim("0001900001")], "P1278": [claim("HWUPKR0MPOU8FGXBT394")], "P3345": [claim("1547545")]}
    claims |= {"P496": [claim("0000-0002-1825-0097")], "P236": [claim("1545-7885")]}
    return JSONResponse({"entities": {"Q42": COMPANY | {"claims": claims}}})


def claim(value: str) -> dict[str, Any]:
    return {"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {"type": "string", "value": value}}}


async def marginalia(request: Request) -> Response:
    found = sources(request.path_params["words"], "marginalia", 0, whole_number(request.query_params.get("count"), 10))
    rows = [{"url": base_of(request) + s.path, "title": s.title, "description": s.snippet, "quality": 1} for s in found]
    return JSONResponse({"license": "CC-BY-NC-SA 4.0", "results": rows})


async def mojeek(request: Request) -> Response:
    found = sources(request.query_params.get("q", ""), "mojeek", 0, 10)
    items = [
        f'<li><a class="title" href="{base_of(request)}{s.path}">{s.title}</a><p class="s">{s.snippet}</p></li>'
        for s in found
    ]
    return HTMLResponse(f'<ul class="results-standard">{"".join(items)}</ul>' if items else "<p>No pages found.</p>")


async def stackexchange(request: Request) -> Response:
    count = whole_number(request.query_params.get("pagesize"), 10)
    found = sources(request.query_params.get("q", ""), "stackexchange", 0, count)
    rows = [
        {"link": base_of(request) + s.path, "title": s.title, "body": s.snippet, "score": 3, "answer_count": 1,
         "is_answered": True, "creation_date": int(s.published.timestamp()), "tags": ["owls"]}
        for s in found
    ]  # fmt: skip
    return JSONResponse({"items": rows, "has_more": False, "quota_remaining": 299})


async def github(request: Request) -> Response:
    words = FILTERS.sub(" ", request.query_params.get("q", ""))
    found = sources(words, "github", 0, whole_number(request.query_params.get("per_page"), 10))
    rows = [
        {"html_url": base_of(request) + s.path, "full_name": s.title, "description": s.snippet, "stargazers_count": 5}
        for s in found
    ]
    return JSONResponse({"total_count": len(rows), "incomplete_results": False, "items": rows})


async def crawls(request: Request) -> Response:
    return JSONResponse([{"id": "CC-MAIN-2026-42"}, {"id": "CC-MAIN-2026-38"}])


async def captures(request: Request) -> Response:
    host = request.query_params.get("url", "").partition("/")[0]
    if host.startswith("unseen"):
        return JSONResponse({"message": f"No Captures found for: {host}/*"}, 404)
    rows = [
        {"url": f"https://{host}/{path}", "timestamp": "20261001120000", "mime-detected": "text/html", "status": "200"}
        for path in ("", "tides/tables", "about")
    ]
    return PlainTextResponse("\n".join(map(json.dumps, rows)))


async def robots(request: Request) -> Response:
    return PlainTextResponse("User-agent: *\nDisallow: /private/\nCrawl-delay: 1\n")


async def sitemap(request: Request) -> Response:
    rows = "".join(f"<url><loc>https://harbour.example/{path}</loc></url>" for path in ("tides", "prices", "about"))
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    return Response(body, media_type="text/xml")


async def gdelt(request: Request) -> Response:
    """Articles of the window asked for, one an hour from its start; nothing before 2026."""
    params = request.query_params
    start = params.get("startdatetime", "20261101000000")
    words = FILTERS.sub(" ", params.get("query", ""))
    found = sources(words, "gdelt", 0, whole_number(params.get("maxrecords"), 75)) if start >= "2026" else []
    rows = [
        {"url": base_of(request) + s.path, "title": s.title, "domain": f"outlet{stable_number(s.path) % 5}.example",
         "seendate": f"{start[:8]}T{s.rank % 24:02}3000Z", "language": "English", "sourcecountry": "Norway"}
        for s in found
    ]  # fmt: skip
    return JSONResponse({"articles": rows} if rows else {})


NAMES = [
    "wikipedia",
    "wikipedia_quotes",
    "commons",
    "wikidata",
    "marginalia",
    "mojeek",
    "stackexchange",
    "github_search",
    "commoncrawl",
    "sitemap",
    "gdelt",
]

UPSTREAM = Upstream(
    prefix="/open/web",
    environment={f"{name.upper()}_BASE_URL": f"{{base}}/open/web/{name}" for name in NAMES},
    routes=[
        Route("/wikipedia/w/api.php", wiki),
        Route("/wikipedia_quotes/w/api.php", wiki),
        Route("/commons/w/api.php", commons),
        Route("/wikidata/w/api.php", wikidata),
        Route("/marginalia/public/search/{words:path}", marginalia),
        Route("/mojeek/search", mojeek),
        Route("/stackexchange/2.3/search/advanced", stackexchange),
        Route("/github_search/search/{kind}", github),
        Route("/commoncrawl/collinfo.json", crawls),
        Route("/commoncrawl/{crawl}", captures),
        Route("/sitemap/robots.txt", robots),
        Route("/sitemap/sitemap.xml", sitemap),
        Route("/gdelt/api/v2/doc/doc", gdelt),
    ],
)
