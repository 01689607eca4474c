"""Find Case Law of The National Archives: judgments of the courts of the United Kingdom.

API: caselaw.nationalarchives.gov.uk/atom.xml. No key, 1,000 requests in five minutes. Addresses are taken from the
feed: newer judgments have random ones. From 2003 on, and not complete. Open Justice Licence: single look-ups are free,
analysis in bulk needs a licence. Checked 2026-11-17 on the documented feed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wellsourced.errors import BadInput, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import iso_from_text, parse_rows
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at, text_of
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin
from wellsourced.upstreams.types.search import ResultSet

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROVIDER = Provider(
    name="find_case_law",
    title="Find Case Law",
    bases={"": "https://caselaw.nationalarchives.gov.uk"},
    pace=Pace(3, 1.0),
    timeout=20.0,
    preference=40,
    automatic=False,
    about="Judgments of UK courts.",
    attribution="The National Archives, Find Case Law; Open Justice Licence: no bulk analysis without an application.",
)
COURT = re.compile(r"[a-z]{2,8}(?:/[a-z-]{1,12})?")
NAMES = {
    "supreme court": "uksc", "privy council": "ukpc", "court of appeal": "ewca", "high court": "ewhc",
    "court of appeal (civil division)": "ewca/civ", "court of appeal (criminal division)": "ewca/crim",
    "administrative court": "ewhc/admin", "chancery division": "ewhc/ch", "family court": "ewfc",
    "court of protection": "ewcop", "upper tribunal": "ukut", "employment appeal tribunal": "eat",
}  # fmt: skip
MOST_RESULTS = 50
INCOMPLETE = "Find Case Law begins in 2003 and is not complete; Open Justice Licence, single look-ups only."


def cases(query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    text = " ".join(query.text.split())
    court = " ".join((query.court or "").lower().split())
    court = NAMES.get(court.removeprefix("uk ").removeprefix("the "), court)
    if court and not COURT.fullmatch(court):
        raise BadInput(
            f"jurisdiction is {court[:40]!r}; courts of Find Case Law look like uksc, ewca/civ or ewhc/admin."
        )
    start, end = parse_bounds(query.date_from, query.date_to)
    asked: dict[str, Param] = {"query": text or None, "court": court or None, "order": "relevance" if text else "-date"}
    for name, day in (("from", start), ("to", end)):
        if day:
            asked |= {f"{name}_date_0": day.day, f"{name}_date_1": day.month, f"{name}_date_2": day.year}
    count = max(1, min(query.count, MOST_RESULTS))
    feed = _parse_feed((yield Request.get("/atom.xml", {**asked, "per_page": count})))
    found = parse_rows(feed.iterfind("entry"), _parse_entry)
    more = any(link.get("rel") == "next" for link in feed.iterfind("link"))
    return ResultSet(tuple(found[:count]), more_available=more, notes=(INCOMPLETE,))


def _parse_feed(reply: Reply) -> Element:
    feed = parse_xml(reply.expect_ok().body)
    if feed.tag != "feed":
        raise UpstreamChanged(f"Find Case Law's answer is a {feed.tag[:40]}, not a feed.", detail=reply.summary)
    return feed


def _parse_entry(entry: Element) -> Case:
    links = [link.get("href", "") for link in entry.iterfind("link") if link.get("rel", "alternate") == "alternate"]
    url = next((link for link in links if urlsplit(link).hostname == "caselaw.nationalarchives.gov.uk"), "")
    title = text_at(entry, "title")
    if not url or not title:
        raise UpstreamChanged("Find Case Law's feed has a judgment without address or name.")
    identifiers = ((each.get("type"), text_of(each)) for each in entry.iterfind("identifier"))
    neutral = [text for kind, text in identifiers if kind == "ukncn" and text]
    return Case(
        case_name=title,
        url=url,
        origin=Origin(url=url, record=text_at(entry, "id") or url, vintage=text_at(entry, "updated") or None),
        citations=tuple(neutral),
        court=text_at(entry, "author/name") or None,
        date_filed=iso_from_text(text_at(entry, "published")),
        source=PROVIDER.name,
    )
