"""Federal Register: rules, proposed rules and notices with their facts and full text.

API: federalregister.gov/developers, v1. No key. The text comes as XML from the address that the record names; the
record alone is given where it cannot be had. The PDF at govinfo is the official edition. Checked 2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from wellsourced.errors import NetworkFailed, NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_text, objects_in, texts_in

DOMAINS = ("federalregister.gov",)
SITE = Provider(
    name="federal-register-pages",
    title="Federal Register",
    bases={"": "https://www.federalregister.gov"},
    pace=Pace(3, 1.0),
    timeout=20.0,
    about="Rules and notices with dates, dockets and text.",
)
NUMBER = re.compile(r"[0-9A-Z]{1,4}-[0-9]{4,6}")
FACTS = (
    ("Type", "type"), ("Action", "action"), ("Citation", "citation"), ("Published", "publication_date"),
    ("Effective", "effective_on"), ("Comments close", "comments_close_on"), ("Dates", "dates"),
    ("Official PDF", "pdf_url"),
)  # fmt: skip
UNOFFICIAL = "The text on federalregister.gov is not the official edition; the PDF is."


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_number(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    number = _number(address) if address else ""
    if not number:
        return None
    reply = yield from send_request(Request.get(f"/api/v1/documents/{number}.json"))
    if reply.status == 404:
        raise NotFound(f"The Federal Register has no document {number}.")
    record = reply.expect_ok().json()
    if not isinstance(record, dict) or not as_text(record.get("title")):
        raise UpstreamChanged("The Federal Register's answer describes no document.", detail=reply.summary)
    page = _page(url, record)
    text = yield from _full_text(as_text(record.get("full_text_xml_url")))
    return SitePage(page=page, extracted_by="federalregister:api", reply=text, kind="legal_xml" if text else "")


def _number(address: WebUrl) -> str:
    parts = address.segments
    is_document = parts[:1] == ("documents",) and len(parts) >= 5
    found = parts[4] if is_document else parts[1] if parts[:1] == ("d",) and len(parts) > 1 else ""
    return found if NUMBER.fullmatch(found) else ""


def _full_text(address: str) -> SiteSteps[Reply | None]:
    path = urlsplit(address).path
    if not path.startswith("/documents/full_text/"):
        return None
    try:
        reply = yield from send_request(Request.get(path))
    except NetworkFailed:
        return None
    return reply if reply.status == 200 and reply.body.lstrip().startswith(b"<") else None


def _page(url: str, record: Mapping[str, Any]) -> Page:
    title, agencies = as_text(record.get("title")), ", ".join(_agencies(record))
    facts = [f"- {name}: {value}" for name, key in FACTS if (value := as_text(record.get(key)))]
    facts += [f"- Dockets: {', '.join(dockets)}"] if (dockets := texts_in(record.get("docket_ids"))) else []
    abstract = as_text(record.get("abstract"))
    parts = [f"# {title}", agencies, "\n".join(facts), f"## Abstract\n\n{abstract}" if abstract else ""]
    return Page(
        url=as_text(record.get("html_url")) or url,
        markdown="\n\n".join(filter(None, parts)),
        title=title,
        author=agencies,
        date=as_text(record.get("publication_date")),
        site="Federal Register",
        notes=(UNOFFICIAL,),
    )


def _agencies(record: Mapping[str, Any]) -> Iterator[str]:
    for agency in objects_in(record.get("agencies")):
        if name := as_text(agency.get("name")) or as_text(agency.get("raw_name")):
            yield name
