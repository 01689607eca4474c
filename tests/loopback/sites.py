"""Plain web sites: `/site/<name>/<page>` is an article; a few page names behave like the pages they are named after."""

from __future__ import annotations

import json
from html import escape
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.content import NEWEST, SITES, stable_number, title_of
from tests.loopback.upstream import base_of

ODD_PAGES = {
    "missing": (404, "Not Found", "There is no such page here."),
    "gone": (410, "Gone", "This page was removed."),
    "login": (401, "Sign in", "Please sign in to read this page."),
    "forbidden": (403, "Forbidden", "You may not read this page."),
    "broken": (500, "Internal Server Error", "Something broke."),
    "empty": (200, "", ""),
}


def paragraphs(title: str) -> list[str]:
    """Five paragraphs that only this title has, with figures that can be checked against quotations."""
    numbers = [stable_number(f"{title}/{index}") for index in range(5)]
    return [
        f"This is part {index + 1} of the report on {title}. In {1990 + number % 35} it counted {number % 9000 + 100} "
        f"cases, which is {number % 80 + 10} percent of all that were looked at. The people who did the work say that "
        f"the figure for {title} was checked {number % 4 + 2} times before it was printed."
        for index, number in enumerate(numbers)
    ]


def article(name: str, slug: str, base: str) -> str:
    title = title_of(slug)
    address = f"{base}/site/{name}/{quote(slug, safe='')}"
    about = json.dumps({"@context": "https://schema.org", "@type": "Article", "headline": title})
    about = about.replace("<", "\\u003c")
    body = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs(title))
    links = " ".join(f'<a href="/site/{other}/">{other}</a>' for other in SITES)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} | {escape(name)}</title>
<link rel="canonical" href="{escape(address)}">
<meta name="author" content="Ada Example"><meta property="og:site_name" content="{escape(name)}">
<meta property="article:published_time" content="{NEWEST.isoformat()}">
<script type="application/ld+json">{about}</script></head>
<body><nav>{links}</nav><main><article><h1>{escape(title)}</h1>
{body}
</article></main><footer>Printed by {escape(name)}. All loops reserved.</footer></body></html>"""


async def page(request: Request) -> Response:
    name, slug = request.path_params["name"], request.path_params["page"] or "home"
    if slug in ODD_PAGES:
        status, title, words = ODD_PAGES[slug]
        shown = f"<title>{title}</title><h1>{title}</h1><p>{words}</p>" if title else ""
        return HTMLResponse(f"<!doctype html><html><body>{shown}</body></html>", status)
    if slug.endswith(".txt"):
        return PlainTextResponse("\n\n".join(paragraphs(title_of(slug.removesuffix(".txt")))))
    if slug.endswith(".json"):
        title = title_of(slug.removesuffix(".json"))
        return JSONResponse({"title": title, "paragraphs": paragraphs(title)})
    return HTMLResponse(article(name, slug, base_of(request)))


async def robots(request: Request) -> Response:
    return PlainTextResponse("User-agent: *\nDisallow: /site/echo/private\nCrawl-delay: 1\n")


ROUTES = (Route("/{name}/robots.txt", robots), Route("/{name}/{page:path}", page))
