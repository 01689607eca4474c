"""DuckDuckGo's page without scripts. A further page is given only to those who send back the hidden fields."""

from __future__ import annotations

from hashlib import md5
from html import escape
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from tests.loopback.challenges import duckduckgo_anomaly
from tests.loopback.content import TOTAL, Source, sources
from tests.loopback.upstream import Upstream, asked, base_of, whole_number

PAGE = 10


def token(query: str) -> str:
    digits = int(md5(query.encode("utf-8", "replace"), usedforsecurity=False).hexdigest(), 16)
    return f"4-{digits}"


def link(found: Source, base: str) -> str:
    """Every second address is wrapped, as both kinds are seen."""
    url = base + found.path
    return url if found.rank % 2 == 0 else f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&rut={'0' * 64}"


def block(title: str, href: str, shown: str, snippet: str, kind: str = "web-result") -> str:
    href = escape(href)
    return f"""<div class="result results_links results_links_deep {kind} ">
  <div class="links_main links_deep result__body">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="{href}">{escape(title)}</a></h2>
    <div class="result__extras"><div class="result__extras__url">
      <a class="result__url" href="{href}">
        {escape(shown)}
      </a>
    </div></div>
    <a class="result__snippet" href="{href}">{snippet}</a>
    <div class="clear"></div>
  </div>
</div>"""


def result(found: Source, base: str, query: str) -> str:
    snippet = escape(found.snippet).replace(escape(query), f"<b>{escape(query)}</b>")
    shown = base.removeprefix("http://") + found.path
    return block(found.title, link(found, base), shown, snippet)


def advertisement() -> str:
    href = "https://duckduckgo.com/y.js?ad_domain=shop.example&ad_provider=example&u3=https%3A%2F%2Fshop.example%2F"
    return block("Buy it now", href, "shop.example", "An advertisement.", "result--ad")


def next_page(query: str, start: int) -> str:
    fields = {"q": query, "s": start, "nextParams": "", "v": "l", "o": "json", "dc": start + 1, "api": "d.js"}
    fields["vqd"] = token(query)
    hidden = "\n".join(
        f'<input type="hidden" name="{name}" value="{escape(str(value))}" />' for name, value in fields.items()
    )
    button = '<input type="submit" class=\'btn btn--alt\' value="Next" />'
    return f'<div class="nav-link"><form action="/html/" method="post">{button}\n{hidden}\n</form></div>'


def page(query: str, results: str) -> str:
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">
<html xmlns="http://www.w3.org/1999/xhtml"><head>
<meta http-equiv="content-type" content="text/html; charset=UTF-8" />
<title>{escape(query)} at DuckDuckGo</title></head>
<body class="body--html"><form name="x" class="header__form" action="/html/" method="post">
<input name="q" class="search__input" id="search_form_input_homepage" type="text" value="{escape(query)}" /></form>
<div class="serp__results"><div id="links" class="results">
{results}
</div></div></body></html>"""


async def search(request: Request) -> Response:
    fields = await asked(request)
    query, start = fields.get("q", "").strip(), whole_number(fields.get("s"), 0)
    if start and fields.get("vqd") != token(query):
        return HTMLResponse(duckduckgo_anomaly(query), 202)
    found = sources(query, "duckduckgo", start, PAGE) if query else []
    if not found:
        return HTMLResponse(page(query, '<div class="no-results">No  results.</div>'))
    blocks = [advertisement(), *(result(source, base_of(request), query) for source in found)]
    if start + PAGE < TOTAL:
        blocks.append(next_page(query, start + PAGE))
    return HTMLResponse(page(query, "\n".join(blocks)))


UPSTREAM = Upstream(
    prefix="/duckduckgo",
    environment={"DUCKDUCKGO_BASE_URL": "{base}/duckduckgo"},
    routes=[Route("/html/", search, methods=["GET", "POST"])],
)
