"""Find Case Law of The National Archives: judgments of the courts of England and Wales and of the UK, in XML.

API: append /data.xml to a judgment's address. No key, 1,000 requests in five minutes. Open Justice Licence: reading
single judgments is free, computational analysis in bulk needs a licence. Checked 2026-11-17 on recorded judgments.
"""

from __future__ import annotations

import re

from wellsourced.errors import NotFound
from wellsourced.http_exchange import Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider

DOMAINS = ("caselaw.nationalarchives.gov.uk",)
SITE = Provider(
    name="find-case-law-pages",
    title="Find Case Law",
    bases={"": "https://caselaw.nationalarchives.gov.uk"},
    pace=Pace(3, 1.0),
    timeout=20.0,
    about="Judgments of UK courts by heading and paragraph.",
)
JUDGMENT = re.compile(r"/(?:d-[0-9a-f-]{8,40}|[a-z]{2,8}(?:/[a-z-]{1,12}){0,2}/[0-9]{4}/[0-9]{1,5})")
LICENCE = "Open Justice Licence v2.0: a single look-up is free, analysis of judgments in bulk needs a licence."


def matches(address: WebUrl) -> bool:
    return address.host in DOMAINS and bool(_judgment(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    path = _judgment(address) if address else ""
    if not path:
        return None
    reply = yield from send_request(Request.get(f"{path}/data.xml"))
    if reply.status in {404, 410}:
        raise NotFound(f"Find Case Law has no judgment at {path}; it is not complete.")
    page = Page(
        url=f"https://caselaw.nationalarchives.gov.uk{path}", markdown="", site="Find Case Law", notes=(LICENCE,)
    )
    return SitePage(page=page, extracted_by="findcaselaw:xml", reply=reply.expect_ok())


def _judgment(address: WebUrl) -> str:
    path = address.path.rstrip("/").removesuffix("/data.xml").removesuffix("/data.html").removeprefix("/id")
    return path if JUDGMENT.fullmatch(path) else ""
