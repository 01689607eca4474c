"""Marginalia Search: an index of small, text-heavy sites.

API: about.marginalia-search.com/article/api · Key: MARGINALIA_API_KEY, optional; the shared key `public` is often
limited (HTTP 503). Results carry no dates. They are under CC BY-NC-SA 4.0 with the public key. Follows the service's
source; no recorded answer.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from wellsourced.errors import RateLimited
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.paper_fields import object_or_refusal
from wellsourced.upstreams.helpers.replies import list_under, required_link, web_link
from wellsourced.upstreams.helpers.search_operators import compose_query, unsent_filters
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

PROVIDER = Provider(
    name="marginalia",
    title="Marginalia Search",
    bases={"": "https://api.marginalia.nu"},
    uses=(Setting("MARGINALIA_API_KEY", "Key of Marginalia Search; without one the shared one is used.", secret=True),),
    pace=Pace(1, 2.0),
    preference=92,
    automatic=False,
    good_at=("general",),
    about="An index of small, text-heavy sites; covers a small part of the web.",
    attribution="Marginalia Search, CC BY-NC-SA 4.0: not for commercial use with the shared key.",
)

LONGEST_QUERY = 300
MOST_RESULTS = 50


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    key = quote(access["MARGINALIA_API_KEY"] or "public", safe="")
    words = quote(compose_query(query, limit=LONGEST_QUERY), safe="")
    params: dict[str, Param] = {"count": max(1, min(query.count, MOST_RESULTS)), "index": 0}
    reply = yield Request.get(f"/{key}/search/{words}", params)
    if reply.status == 503:
        raise RateLimited("Marginalia's shared key is used up for now.", retry_after=reply.retry_after)
    body = object_or_refusal(reply, PROVIDER.title)
    rows = list_under(body, "results", PROVIDER.title)
    usable = [row for row in objects_in(rows) if web_link(row.get("url"))]
    hits = parse_rows(usable or rows, _parse_hit)
    return ResultSet(tuple(hits), unsent_filters(query, "exact_terms"), len(hits) >= query.count or None)


def _parse_hit(row: Any) -> Hit:
    url = required_link(row["url"], PROVIDER.title)
    return Hit(title=as_text(row["title"]) or url, url=url, snippet=as_text(row.get("description")))
