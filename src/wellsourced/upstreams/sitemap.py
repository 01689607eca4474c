"""Sitemaps: which pages a site itself lists, by way of its robots.txt.

Facts: sitemaps.org/protocol.html and RFC 9309 · Key: none. A sitemap is a list of addresses, a list of further
sitemaps, a feed or plain text, with or without gzip; `lastmod` is the site's own word and often wrong. Recorded 2016
to 2026.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from wellsourced.errors import BadInput, NotFound, RateLimited, UpstreamChanged
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.text.index_words import fold_text
from wellsourced.text.robots import RobotsRules, parse_robots
from wellsourced.text.terms import significant_terms
from wellsourced.text.urls import is_within_site, site_parts
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.replies import web_link
from wellsourced.upstreams.helpers.search_operators import unsent_filters
from wellsourced.upstreams.helpers.site_pages import pages_by_words
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at, text_of
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROVIDER = Provider(
    name="sitemap",
    title="The site's own sitemap",
    bases={"": "https://{site}"},
    pace=Pace(2),
    timeout=30,
    preference=97,
    automatic=False,
    good_at=("site",),
    about="Which pages a site itself lists; give site. The address is that of the site.",
)

AGENT = "wellsourced"
MOST_SITEMAPS = 6  # files read for one question
MOST_BYTES = 50 * 1024 * 1024  # the protocol's own limit for a sitemap
MOST_PAGES = 50_000


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    if not query.sites:
        raise BadInput("A sitemap is a site's: give site, e.g. site=example.org.")
    host = site_parts(query.sites[0])[0]
    own = "" if access[PROVIDER.base_variable()] else f"https://{host}"
    rules = read_rules((yield Request.get(f"{own}/robots.txt")))
    waiting = [url for url in rules.sitemaps if web_link(url)] or [f"{own}/sitemap.xml"]
    pages: dict[str, Hit] = {}
    read = 0
    while waiting and read < MOST_SITEMAPS:
        reply = yield Request.get(waiting.pop(0))
        if reply.status == 404 and (read or waiting):
            continue
        read += 1
        further, listed = parse_sitemap(reply)
        waiting = sorted([*waiting, *further], key=lambda url: -_words_in(url, query.text))
        pages |= {hit.url: hit for hit in listed if any(is_within_site(hit.url, site) for site in query.sites)}
    hits, notes = pages_by_words(query.text, list(pages.values()), "The sitemap")
    notes += (f"{len(waiting)} more of the site's sitemaps were not read.",) if waiting else ()
    return ResultSet(tuple(hits[: query.count]), unsent_filters(query), len(hits) > query.count or bool(waiting), notes)


def read_rules(reply: Reply) -> RobotsRules:
    """What robots.txt says; without one nothing is forbidden, and a site in trouble is left alone."""
    if reply.status == 429 or reply.status >= 500:
        raise RateLimited("The site asks for a pause.", retry_after=reply.retry_after)
    return parse_robots(reply.text, AGENT) if reply.status < 300 else RobotsRules()


def parse_sitemap(reply: Reply) -> tuple[list[str], list[Hit]]:
    """The further sitemaps and the pages that a sitemap lists."""
    if reply.status == 404:
        raise NotFound("The site has no sitemap where robots.txt says, nor at /sitemap.xml.")
    body = _unpacked(reply.expect_ok().body)
    start = body[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"<"):
        return [], _listed_as_text(body)
    root = parse_xml(body.lstrip(b"\xef\xbb\xbf \t\r\n"))
    if root.tag == "sitemapindex":
        return [url for entry in root.iterfind("sitemap") if (url := web_link(text_at(entry, "loc")))], []
    if root.tag == "urlset":
        entries = ((text_at(entry, "loc"), text_at(entry, "lastmod")) for entry in root.iterfind("url"))
        return [], [hit for address, changed in entries if (hit := _hit(address, changed))]
    if root.tag in {"rss", "feed", "RDF"}:
        return [], [hit for entry in root.iter() if entry.tag in {"item", "entry"} and (hit := _feed_hit(entry))]
    raise UpstreamChanged("What the site calls its sitemap is none.", detail=reply.summary)


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(b"\x1f\x8b"):
        return body
    try:
        return zlib.decompressobj(31).decompress(body, MOST_BYTES)
    except zlib.error as problem:
        raise UpstreamChanged("The sitemap's gzip is broken.", detail=str(problem)) from None


def _listed_as_text(body: bytes) -> list[Hit]:
    lines = body.decode("utf-8", "replace").split("\n")[:MOST_PAGES]
    hits = [hit for line in lines if (hit := _hit(line.strip(), ""))]
    if not hits:
        raise UpstreamChanged("What the site calls its sitemap holds no addresses.")
    return hits


def _hit(url: str, changed: str) -> Hit | None:
    link = web_link(url)
    if link is None:
        return None
    change = f"; last changed {changed[:10]} by its own account" if changed else ""
    return Hit(title=link.split("://", 1)[1], url=link, snippet=f"Listed in the site's sitemap{change}.")


def _feed_hit(entry: Element) -> Hit | None:
    link = entry.find("link")
    address = (link.get("href") or text_of(link)) if link is not None else ""
    return _hit(address, text_at(entry, "updated") or text_at(entry, "pubDate"))


def _words_in(url: str, words: str) -> int:
    return sum(fold_text(term) in url.lower() for term in significant_terms(words))
