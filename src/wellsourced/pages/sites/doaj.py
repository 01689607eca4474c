"""DOAJ: an article's record, and a journal's: who publishes it, how it is reviewed, what it charges, which licence.

API: doaj.org/api · Key: none. Pages: doaj.org/article/{id}, doaj.org/toc/{ISSN or id}. That a journal is in DOAJ says
that it was vetted. Metadata under CC0. Recorded 2020.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page, StructuredData
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.doaj import parse_article
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, number_or_text, objects_in, texts_in

DOMAINS = ("doaj.org",)
SITE = Provider(
    name="doaj-pages",
    title="DOAJ",
    bases={"": "https://doaj.org"},
    pace=Pace(2),
    timeout=20.0,
    about="Articles and journals with their terms.",
)
ID, ISSN = re.compile(r"[0-9a-f]{32}"), re.compile(r"[0-9]{4}-[0-9]{3}[0-9Xx]")


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_path(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    path = _path(address) if address else ""
    if not path:
        return None
    record = _record((yield from send_request(Request.get(path))))
    page = _article(url, record) if "/articles/" in path else _journal(url, record)
    return SitePage(page=page, extracted_by="doaj:api")


def _path(address: WebUrl) -> str:
    kind, name = (*address.segments[:2], "", "")[:2]
    if kind == "toc" and ISSN.fullmatch(name):
        return f"/api/search/journals/issn:{name.upper()}"
    kinds = {"article": "articles", "toc": "journals"}
    return f"/api/{kinds[kind]}/{name}" if kind in kinds and ID.fullmatch(name) else ""


def _record(reply: Reply) -> Mapping[str, Any]:
    """The record, or the first one found by ISSN."""
    if reply.status == 404:
        raise NotFound("DOAJ has no such record.")
    body = as_object(reply.expect_ok().json())
    listed = body.get("results")
    if listed == []:
        raise NotFound("DOAJ has no journal with this ISSN; that alone says nothing of the journal.")
    record = next(objects_in(listed), body)
    if not as_text(as_object(record.get("bibjson")).get("title")):
        raise UpstreamChanged("DOAJ's answer holds no record.", detail=reply.summary)
    return record


def _article(url: str, record: Mapping[str, Any]) -> Page:
    try:
        paper = parse_article(record)
    except (KeyError, TypeError, AttributeError):
        raise UpstreamChanged("DOAJ's answer describes no article.") from None
    authors = ", ".join(paper.authors)
    facts = (
        ("Journal", paper.journal), ("Publisher", paper.publisher), ("Published", paper.date), ("DOI", paper.doi),
        ("Volume", paper.volume), ("Issue", paper.issue), ("Pages", paper.pages), ("Full text", paper.url),
    )  # fmt: skip
    lines = "\n".join(f"- {name}: {value}" for name, value in facts if value)
    abstract = f"## Abstract\n\n{paper.abstract}" if paper.abstract else ""
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, (f"# {paper.title}", authors, lines, abstract))),
        title=paper.title,
        author=authors,
        date=paper.date or "",
        site=paper.journal or "DOAJ",
        structured=StructuredData(citation={"citation_doi": paper.doi} if paper.doi else {}),
    )


def _journal(url: str, record: Mapping[str, Any]) -> Page:
    facts = as_object(record["bibjson"])
    title = as_text(facts["title"])
    lines = "\n".join(f"- {name}: {value}" for name, value in _terms(facts) if value)
    updated = as_text(record.get("last_updated"))[:10]
    return Page(url=url, markdown=f"# {title}\n\n{lines}", title=title, date=updated, site="DOAJ")


def _terms(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    publisher, editorial = as_object(facts.get("publisher")), as_object(facts.get("editorial"))
    yield "ISSN", ", ".join(filter(None, (as_text(facts.get("pissn")), as_text(facts.get("eissn")))))
    yield "Publisher", ", ".join(filter(None, (as_text(publisher.get("name")), as_text(publisher.get("country")))))
    yield "Review", ", ".join(texts_in(editorial.get("review_process")))
    yield "Licence", ", ".join(filter(None, (as_text(each.get("type")) for each in objects_in(facts.get("license")))))
    yield "Fees of authors", _fees(as_object(facts.get("apc")))
    yield "Languages", ", ".join(texts_in(facts.get("language")))
    yield "Subjects", ", ".join(filter(None, (as_text(each.get("term")) for each in objects_in(facts.get("subject")))))
    yield "Keywords", ", ".join(texts_in(facts.get("keywords")))
    yield "Website", as_text(as_object(facts.get("ref")).get("journal"))


def _fees(apc: Mapping[str, Any]) -> str:
    if apc.get("has_apc") is False:
        return "none"
    prices = (f"{number_or_text(each.get('price')) or ''} {as_text(each.get('currency'))}".strip()
              for each in objects_in(apc.get("max")))  # fmt: skip
    return ", ".join(filter(None, prices)) or ("yes" if apc.get("has_apc") is True else "")
