"""PubMed, PubMed Central and Europe PMC pages: the full text where it is open, the abstract where it is not.

API: europepmc.org/RestfulWebService. No key. `{PMCID}/fullTextXML` is JATS; for what is not open it answers with an
error bean or 404, and then the record with its abstract is given. Checked 2026-11-17 on recorded searches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page, StructuredData
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request, send_requests
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in

DOMAINS = ("ncbi.nlm.nih.gov", "europepmc.org")
SITE = Provider(
    name="europepmc-pages",
    title="Europe PMC",
    bases={"": "https://www.ebi.ac.uk"},
    pace=Pace(5, 1.0),
    timeout=25.0,
    about="PubMed, PMC and Europe PMC pages: open full text, or the abstract.",
)
REST = "/europepmc/webservices/rest"
PMID, PMCID = re.compile(r"[0-9]{1,9}"), re.compile(r"PMC[0-9]{1,9}", re.I)
ABSTRACT_ONLY = "This is the record with its abstract; the full text is not open here."


def matches(address: WebUrl) -> bool:
    return bool(_query(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    query = _query(address) if address else ""
    if not query:
        return None
    reply = yield from send_request(
        Request.get(f"{REST}/search", {"query": query, "format": "json", "resultType": "core", "pageSize": 1})
    )
    record = _record(reply)
    pmcid = as_text(record.get("pmcid"))
    is_open = PMCID.fullmatch(pmcid) and as_text(record.get("isOpenAccess")) == "Y"
    (text,) = (yield from send_requests([Request.get(f"{REST}/{pmcid}/fullTextXML")])) if is_open else (None,)
    if text is not None and text.status == 200 and b"<article" in text.body[:3000]:
        page = _page(url, record, with_abstract=False)
        return SitePage(page=page, extracted_by="europepmc:fulltext", reply=text, kind="legal_xml")
    return SitePage(page=_page(url, record, with_abstract=True), extracted_by="europepmc:record")


def _query(address: WebUrl) -> str:
    parts = address.segments
    if address.host == "pubmed.ncbi.nlm.nih.gov" and len(parts) == 1 and PMID.fullmatch(parts[0]):
        return f"EXT_ID:{parts[0]} AND SRC:MED"
    named = next((part for part in parts if PMCID.fullmatch(part)), "")
    is_article = parts[:1] == ("articles",) or parts[:2] == ("pmc", "articles") or "article" in parts[:1]
    if named and len(parts) <= 4 and is_article and address.is_under(*DOMAINS):
        return f"PMCID:{named.upper()}"
    is_record = address.is_under("europepmc.org") and parts[:1] in (("article",), ("abstract",)) and len(parts) == 3
    if is_record and re.fullmatch(r"[A-Za-z]{2,5}", parts[1]) and re.fullmatch(r"[A-Za-z0-9]{1,20}", parts[2]):
        return f"EXT_ID:{parts[2]} AND SRC:{parts[1].upper()}"
    return ""


def _record(reply: Reply) -> Mapping[str, Any]:
    body = as_object(reply.expect_ok().json())
    if "errCode" in body or "errMsg" in body:
        raise UpstreamUnavailable(f"Europe PMC: {as_text(body.get('errMsg'))[:200]}")
    rows = as_object(body.get("resultList")).get("result")
    if not isinstance(rows, list):
        raise UpstreamChanged("Europe PMC's answer has no list of results.", detail=reply.summary)
    record = next(objects_in(rows), None)
    if record is None:
        raise NotFound("Europe PMC has no such article.")
    return record


def _page(url: str, record: Mapping[str, Any], *, with_abstract: bool) -> Page:
    title, authors = as_text(record.get("title")).rstrip("."), as_text(record.get("authorString")).rstrip(".")
    journal = as_text(as_object(as_object(record.get("journalInfo")).get("journal")).get("title"))
    abstract, doi = as_text(record.get("abstractText")), as_text(record.get("doi"))
    kinds = as_object(record.get("pubTypeList")).get("pubType")
    is_retracted = any("retracted" in as_text(kind).lower() for kind in (kinds if isinstance(kinds, list) else [kinds]))
    facts = [authors, journal, f"doi:{doi}" if doi else "", as_text(record.get("firstPublicationDate"))]
    shown = [
        f"# {title}",
        "\n".join(f"- {fact}" for fact in facts if fact),
        f"## Abstract\n\n{abstract}" if abstract else "",
    ]
    notes = [ABSTRACT_ONLY] if with_abstract else []
    notes += ["Europe PMC marks this article as retracted."] if is_retracted else []
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, shown)) if with_abstract else "",
        title=title,
        author=authors,
        date=as_text(record.get("firstPublicationDate")),
        site=journal or "Europe PMC",
        structured=StructuredData(citation={"citation_doi": doi} if doi else {}),
        notes=tuple(notes),
    )
