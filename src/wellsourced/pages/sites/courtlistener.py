"""CourtListener: a decision's opinions in full, with docket, citations and posture.

API: courtlistener.com/help/api/rest, v4, clusters and opinions; only with COURTLISTENER_API_TOKEN. Without it the page
is read as any other. Of an opinion's several texts the one with citations is preferred; plain text may be the work of
character recognition. Checked 2026-11-17 on recorded objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any
from urllib.parse import urlsplit

from wellsourced.errors import NotFound, RateLimited, UpstreamChanged
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request, send_requests
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.courtlistener import PROVIDER, cluster_places
from wellsourced.upstreams.helpers.json_fields import as_count, as_object, as_text, texts_in

DOMAINS = ("courtlistener.com",)
SITE = Provider(
    name="courtlistener-pages",
    title="CourtListener",
    bases={"": "https://www.courtlistener.com"},
    uses=PROVIDER.uses,
    pace=Pace(2, 1.0),
    timeout=30.0,
    about="Opinions in full with docket and posture.",
)
API = "/api/rest/v4"
TEXTS = ("html_with_citations", "html_columbia", "html_lawbox", "xml_harvard", "html_anon_2020", "html")
TYPES = {
    "010combined": "Opinion", "015unamimous": "Unanimous opinion", "020lead": "Lead opinion",
    "025plurality": "Plurality opinion", "030concurrence": "Concurrence", "035concurrenceinpart": "Concurrence in part",
    "040dissent": "Dissent", "050addendum": "Addendum", "060remittitur": "Remittitur", "070rehearing": "Rehearing",
}  # fmt: skip
FACTS = (
    ("Decided", "date_filed"), ("Status", "precedential_status"), ("Judges", "judges"), ("Posture", "posture"),
    ("Procedural history", "procedural_history"), ("Disposition", "disposition"), ("Attorneys", "attorneys"),
)  # fmt: skip
MOST_OPINIONS = 12
OCR = "Part of this text was made by character recognition and may have errors."


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_cluster(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    token, number = access["COURTLISTENER_API_TOKEN"], _cluster(address) if address else ""
    if not token or not number:
        return None
    headers = {"Authorization": f"Token {token}"}
    cluster = _object((yield from send_request(Request.get(f"{API}/clusters/{number}/", headers=headers))), number)
    paths = [urlsplit(link).path for link in texts_in(cluster.get("sub_opinions"))[:MOST_OPINIONS]]
    wanted = [path for path in paths if path.startswith(f"{API}/opinions/")]
    replies = yield from send_requests([Request.get(path, headers=headers) for path in wanted])
    opinions = [_object(reply, number) for reply in replies if reply is not None]
    html = "".join(_markup(opinion) for opinion in opinions)
    if not as_text(cluster.get("absolute_url")) or not as_text(cluster.get("date_filed")):
        raise UpstreamChanged("CourtListener's answer describes no decision.")
    if not html:
        return None
    notes = [OCR] if any(opinion.get("extracted_by_ocr") is True for opinion in opinions) else []
    notes += ["Not all opinions of the decision could be read."] if len(opinions) < len(wanted) else []
    page = _page(url, cluster, tuple(notes))
    body = Reply(200, {"content-type": "text/html; charset=utf-8"}, html.encode("utf-8", "replace"), url)
    return SitePage(page=page, extracted_by="courtlistener:api", reply=body, kind="whole_html")


def _cluster(address: WebUrl) -> str:
    parts = address.segments
    return parts[1] if parts[:1] == ("opinion",) and len(parts) > 1 and re.fullmatch(r"[0-9]{1,12}", parts[1]) else ""


def _object(reply: Reply, number: str) -> Mapping[str, Any]:
    if reply.status == 404:
        raise NotFound(f"CourtListener has no decision {number}.")
    if reply.status == 429:
        raise RateLimited("CourtListener: too many requests.", retry_after=reply.retry_after)
    body = as_object(reply.expect_ok().json())
    if not body:
        raise UpstreamChanged("CourtListener's answer is not an object.", detail=reply.summary)
    return body


def _markup(opinion: Mapping[str, Any]) -> str:
    kind = TYPES.get(as_text(opinion.get("type")), "Opinion")
    author = as_text(opinion.get("author_str"))
    text = next((str(opinion[name]) for name in TEXTS if isinstance(opinion.get(name), str) and opinion[name]), "")
    if not text:
        plain = opinion.get("plain_text")
        text = f"<pre>{escape(plain)}</pre>" if isinstance(plain, str) and plain.strip() else ""
    return f"<h2>{escape(kind)}{escape(f' ({author})' if author else '')}</h2>{text}" if text else ""


def _page(url: str, cluster: Mapping[str, Any], notes: tuple[str, ...]) -> Page:
    name = as_text(cluster.get("case_name")) or as_text(cluster.get("case_name_full"))
    facts = "\n".join(f"- {line}" for line in _facts(cluster))
    syllabus = as_text(cluster.get("syllabus"))
    parts = (f"# {name}" if name else "", facts, f"## Syllabus\n\n{syllabus}" if syllabus else "")
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, parts)),
        title=name,
        date=as_text(cluster.get("date_filed")),
        site="CourtListener",
        notes=(*notes, "Source: Free Law Project, CourtListener."),
    )


def _facts(cluster: Mapping[str, Any]) -> Iterator[str]:
    if places := cluster_places(cluster):
        yield f"Citations: {'; '.join(places)}"
    for name, key in FACTS:
        if value := as_text(cluster.get(key)):
            yield f"{name}: {value}"
    if (count := as_count(cluster.get("citation_count"))) is not None:
        yield f"Cited by {count} opinions in CourtListener"
