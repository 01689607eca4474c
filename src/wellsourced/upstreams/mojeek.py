"""Mojeek: an independent index of the web.

API: api.mojeek.com with MOJEEK_API_KEY; without one the page for people is read, only where it is asked for by name.
Errors of the API stand in `status` with HTTP 200. Follows the documentation and a made-up page; no recorded answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from wellsourced.errors import Blocked, KeyRejected, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.plain_text import one_line
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_count, as_object, as_text, parse_rows
from wellsourced.upstreams.helpers.replies import list_under, parse_object, required_link, web_link
from wellsourced.upstreams.helpers.search_operators import compose_query, unsent_filters
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

PROVIDER = Provider(
    name="mojeek",
    title="Mojeek",
    bases={"": "https://www.mojeek.com", "api": "https://api.mojeek.com"},
    uses=(Setting("MOJEEK_API_KEY", "Key of the Mojeek search API.", secret=True),),
    pace=Pace(1, 3.0),
    preference=93,
    automatic=False,
    about="An independent index; only used when it is asked for by name.",
)

LONGEST_QUERY = 300
MOST_RESULTS = 100


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    words, key = compose_query(query, limit=LONGEST_QUERY), access["MOJEEK_API_KEY"]
    if not key:
        reply = yield Request.get("/search", {"q": words})
        hits = list(_parse_page(reply))
        return ResultSet(tuple(hits), unsent_filters(query, "exact_terms"), len(hits) > query.count or None)
    params: dict[str, Param] = {
        "api_key": key,
        "q": words,
        "fmt": "json",
        "t": max(1, min(query.count, MOST_RESULTS)),
        "lb": query.language,
        "rb": query.country,
        "since": f"{query.date_from:%Y%m%d}" if query.date_from else query.time_range,
    }
    body = _parse_answer((yield Request.get("/search", params, host="api")))
    rows = list_under(body, "results", PROVIDER.title)
    total = as_count(as_object(body.get("head")).get("results"))
    sent = ("exact_terms", "language", "country", "date_from", "time_range")
    hits = parse_rows(rows, lambda row: _parse_hit(row, access.now))
    return ResultSet(tuple(hits), unsent_filters(query, *sent), None if total is None else total > len(hits))


def _parse_answer(reply: Reply) -> Any:
    body = as_object(parse_object(reply, PROVIDER.title)["response"])
    status = as_text(body["status"])
    if status != "OK":
        said = f"Mojeek refused the request: {status[:200]}"
        if "key" in status.lower():
            raise KeyRejected(said)
        raise RateLimited(said) if "limit" in status.lower() else UpstreamUnavailable(said)
    return body


def _parse_hit(row: Any, now: datetime) -> Hit:
    url = required_link(row["url"], PROVIDER.title)
    date = parse_moment(as_text(row.get("pdate")), now)
    return Hit(title=as_text(row["title"]) or url, url=url, snippet=as_text(row.get("desc")), published_at=date)


def _parse_page(reply: Reply) -> Iterator[Hit]:
    """The page for people: a list of results, or the words that there are none."""
    import turbohtml

    document = turbohtml.parse(reply.text)
    blocks = document.select("ul.results-standard > li")
    if not blocks:
        _raise_without_results(reply)
    links = [(block, link) for block in blocks if (link := block.select_one("a.title")) and web_link(link.attr("href"))]
    if blocks and not links:
        raise UpstreamChanged("None of Mojeek's results could be read.")
    for block, link in links:
        snippet = block.select_one("p.s")
        url = required_link(link.attr("href"), PROVIDER.title)
        yield Hit(title=one_line(link.text) or url, url=url, snippet=one_line(snippet.text) if snippet else "")


def _raise_without_results(reply: Reply) -> None:
    reply.expect_ok()
    text = reply.text[:200_000].lower()
    if "no pages found" in text or "no results" in text:
        return
    if "captcha" in text or "automated" in text:
        raise Blocked("Mojeek takes us for a program and asks for proof of the contrary.")
    raise UpstreamChanged(
        "Mojeek's page holds neither results nor the words that there are none.", detail=reply.summary
    )
