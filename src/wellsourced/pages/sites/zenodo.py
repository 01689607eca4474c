"""Zenodo: a deposit with description, licence and files; a community with its purpose and newest deposits.

API: developers.zenodo.org · Key: none. Pages: zenodo.org/records/{id}, zenodo.org/communities/{name}. Anyone may
upload; nothing is reviewed. Recorded 2026-07.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page, StructuredData
from wellsourced.pages.site_page import SitePage, SiteSteps, send_requests
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    as_web_address,
    objects_in,
    parse_rows,
)
from wellsourced.upstreams.zenodo import UNREVIEWED, parse_deposit

DOMAINS = ("zenodo.org",)
SITE = Provider(
    name="zenodo-pages",
    title="Zenodo",
    bases={"": "https://zenodo.org"},
    pace=Pace(1),
    timeout=20.0,
    about="Deposits with licence and files, and communities.",
)
NUMBER, NAME = re.compile(r"[0-9]{1,12}"), re.compile(r"[\w.-]{1,100}")
MOST_FILES, NEWEST = 50, 10
SHAPED = (KeyError, TypeError, AttributeError)


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_path(address))


def _path(address: WebUrl) -> str:
    kind, name = (*address.segments[:2], "", "")[:2]
    if kind in {"record", "records"} and NUMBER.fullmatch(name):
        return f"/api/records/{name}"
    return f"/api/communities/{name}" if kind == "communities" and NAME.fullmatch(name) else ""


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    path = _path(address) if address else ""
    if not path:
        return None
    is_community = path.startswith("/api/communities/")
    newest = Request.get("/api/records", {"communities": path.rpartition("/")[2], "size": NEWEST, "sort": "mostrecent"})
    found, listed = (*(yield from send_requests([Request.get(path), *([newest] if is_community else [])])), None)[:2]
    record = _record(found)
    page = _community(url, record, listed) if is_community else _deposit(url, record)
    return SitePage(page=page, extracted_by="zenodo:api")


def _record(reply: Reply | None) -> Mapping[str, Any]:
    if reply is None:
        raise UpstreamChanged("Zenodo did not answer.")
    if reply.status in {404, 410}:
        raise NotFound("Zenodo has no such record." if reply.status == 404 else "The record was withdrawn from Zenodo.")
    record = as_object(reply.expect_ok().json())
    if not as_text(as_object(record.get("metadata")).get("title")):
        raise UpstreamChanged("Zenodo's answer holds no record.", detail=reply.summary)
    return record


def _deposit(url: str, record: Mapping[str, Any]) -> Page:
    try:
        paper = parse_deposit(record)
    except SHAPED:
        raise UpstreamChanged("Zenodo's answer describes no deposit.") from None
    facts = as_object(record["metadata"])
    lines = (
        ("Type", paper.type), ("Published", paper.date), ("DOI", paper.doi), ("Version", as_text(facts.get("version"))),
        ("DOI of all versions", as_text(record.get("conceptdoi"))), ("Access", as_text(facts.get("access_right"))),
        ("Licence", as_text(as_object(facts.get("license")).get("id"))), ("Appeared in", paper.journal),
    )  # fmt: skip
    files = "\n".join(_files(record))
    parts = (f"# {paper.title}", ", ".join(paper.authors), _listing(lines), paper.abstract or "",
             f"## Files\n\n{files}" if files else "")  # fmt: skip
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, parts)),
        title=paper.title,
        author=", ".join(paper.authors),
        date=paper.date or "",
        site="Zenodo",
        structured=StructuredData(citation={"citation_doi": paper.doi} if paper.doi else {}),
        notes=(UNREVIEWED,),
    )


def _listing(facts: Any) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts if value)


def _files(record: Mapping[str, Any]) -> Iterator[str]:
    files = list(objects_in(record.get("files")))
    for file in files[:MOST_FILES]:
        size, link = as_count(file.get("size")), as_web_address(as_object(file.get("links")).get("self"))
        said = (as_text(file.get("key")), f"{size:,} bytes" if size else "", as_text(file.get("checksum")), link)
        yield f"- {' · '.join(filter(None, said))}"
    if len(files) > MOST_FILES:
        yield f"- {len(files) - MOST_FILES} more"


def _community(url: str, record: Mapping[str, Any], listed: Reply | None) -> Page:
    facts = as_object(record["metadata"])
    title, about = as_text(facts["title"]), as_text(facts.get("description"))
    policy = as_text(facts.get("curation_policy"))
    newest = "\n".join(_newest(listed))
    parts = (f"# {title}", about, f"## What is taken\n\n{policy}" if policy else "",
             f"## Newest deposits\n\n{newest}" if newest else "")  # fmt: skip
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, parts)),
        title=title,
        date=as_text(record.get("updated"))[:10],
        site="Zenodo",
        notes=() if newest else ("Which deposits are in the community could not be listed.",),
    )


def _newest(reply: Reply | None) -> Iterator[str]:
    """The community's own words are worth having also without them."""
    try:
        hits = as_object(as_object(reply.expect_ok().json()).get("hits")).get("hits") if reply else []
        papers = parse_rows(objects_in(hits), parse_deposit)
    except (WellsourcedError, *SHAPED):
        return
    for paper in papers:
        yield f"- [{paper.title}]({paper.url}) · {' · '.join(filter(None, (paper.type, paper.date)))}"
