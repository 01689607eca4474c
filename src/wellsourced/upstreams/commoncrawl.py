"""Common Crawl's index: which pages of a site were seen by its last crawls.

API: index.commoncrawl.org, lines of JSON · Key: none; one request at a time, or the address is shut out for days.
HTTP 404 with "No Captures found" is nothing in this crawl, so the one before is asked too. Only addresses are known,
no titles. Recorded 2025-08.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.text.urls import site_parts
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_text, objects_in
from wellsourced.upstreams.helpers.replies import error_object, web_link
from wellsourced.upstreams.helpers.search_operators import unsent_filters
from wellsourced.upstreams.helpers.site_pages import pages_by_words
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

PROVIDER = Provider(
    name="commoncrawl",
    title="Common Crawl",
    bases={"": "https://index.commoncrawl.org"},
    pace=Pace(1, 2.0),
    timeout=40,
    preference=96,
    automatic=False,
    good_at=("site",),
    about="Which pages of a site exist: addresses that its last crawls saw; give site.",
    attribution="Common Crawl index; the pages keep their own rights.",
)

DAY = 86400.0  # a new crawl comes every month
CRAWLS_ASKED = 2
MOST_ROWS = 2000
CRAWL = re.compile(r"CC-MAIN-[0-9]{4}-[0-9]{2}")


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    if not query.sites:
        raise BadInput("Common Crawl lists the pages of a site: give site, e.g. site=example.org.")
    crawls = parse_crawls((yield Request.get("/collinfo.json", keep=DAY)))
    pages: dict[str, Hit] = {}
    for crawl in crawls[:CRAWLS_ASKED]:
        for site in query.sites:
            host, path = site_parts(site)
            params: dict[str, Param] = {
                "url": f"{host}{path or '/'}*" if path else f"{host}/*",
                "output": "json",
                "filter": "=status:200",
                "fl": "url,timestamp,mime-detected,status",
                "limit": MOST_ROWS,
            }
            rows = parse_captures((yield Request.get(f"/{crawl}-index", params)))
            pages |= {hit.url: hit for row in rows if (hit := _parse_hit(row, crawl))}
        if pages:
            break
    hits, notes = pages_by_words(query.text, list(pages.values()), PROVIDER.title)
    return ResultSet(tuple(hits[: query.count]), unsent_filters(query), len(hits) > query.count, notes)


def parse_crawls(reply: Reply) -> list[str]:
    """The names of the crawls, newest first."""
    rows = reply.expect_ok().json()
    names = [name for row in objects_in(rows) if CRAWL.fullmatch(name := as_text(row.get("id")))]
    if not names:
        raise UpstreamChanged("Common Crawl's list of crawls is empty.", detail=reply.summary)
    return names


def parse_captures(reply: Reply) -> list[Mapping[str, Any]]:
    """The captures, one a line; that there are none is an answer."""
    said = as_text(error_object(reply).get("message")) if reply.status >= 400 else ""
    if reply.status == 404 and said.startswith("No Captures found"):
        return []
    if reply.status == 503 or "slowdown" in reply.summary.replace(" ", "").lower():
        raise RateLimited("Common Crawl asks for a pause.", retry_after=reply.retry_after or 60.0)
    if said:
        raise UpstreamUnavailable(f"Common Crawl refused the request: {said[:200]}")
    if reply.status == 404:
        raise UpstreamChanged("Common Crawl's index is not where it used to be.", detail=reply.summary)
    rows = [_parse_line(line) for line in reply.expect_ok().text.splitlines() if line.strip()]
    if rows and not any(web_link(row.get("url")) for row in rows):
        raise UpstreamChanged("Common Crawl's answer holds no captures.", detail=reply.summary)
    return rows


def _parse_line(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise UpstreamChanged("Common Crawl's answer has a line that is no capture.", detail=line[:200])
    return row


def _parse_hit(row: Mapping[str, Any], crawl: str) -> Hit | None:
    url, stamp = web_link(row.get("url")), as_text(row.get("timestamp"))
    if url is None:
        return None
    day = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}" if stamp[:8].isdigit() and len(stamp) >= 8 else "an unknown day"
    kind = as_text(row.get("mime-detected")) or as_text(row.get("mime"))
    snippet = f"Seen by Common Crawl ({crawl}) on {day}{f', {kind}' if kind else ''}."
    return Hit(title=url.split("://", 1)[1], url=url, snippet=snippet)
