"""legislation.gov.uk: acts and instruments of the United Kingdom in their own XML, with the date of the version.

API: append /data.xml to an address. No key; Open Government Licence. 202 means that a version is being put together,
300 that several texts match. Checked 2026-11-17 on recorded fragments.
"""

from __future__ import annotations

import re

from wellsourced.errors import NotFound, UpstreamUnavailable
from wellsourced.http_exchange import Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider

DOMAINS = ("legislation.gov.uk",)
SITE = Provider(
    name="legislation-uk",
    title="legislation.gov.uk",
    bases={"": "https://www.legislation.gov.uk"},
    pace=Pace(5, 1.0),
    timeout=20.0,
    about="Acts and instruments of the United Kingdom by section.",
)
TEXT = re.compile(
    r"/[a-z]{3,5}/(?:[0-9]{4}|[A-Z][A-Za-z0-9-]{1,20}/[0-9-]{1,10})/[0-9]{1,5}(?:/[A-Za-z0-9-]{1,80}){0,8}/?"
)
VIEWS = ("/contents", "/introduction", "/data.htm", "/data.xml", "/data.akn")
LICENCE = "Contains public sector information licensed under the Open Government Licence v3.0 (legislation.gov.uk)."
AS_ENACTED = ("/enacted", "/made", "/adopted", "/created")


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and TEXT.fullmatch(address.path) is not None


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    if address is None:
        return None
    path = address.path.rstrip("/")
    for view in VIEWS:
        path = path.removesuffix(view)
    reply = yield from send_request(Request.get(f"{path}/data.xml"))
    if reply.status in {404, 410}:
        raise NotFound(f"legislation.gov.uk has no text at {path}.")
    if reply.status in {202, 300}:
        raise UpstreamUnavailable("legislation.gov.uk is putting this version together; ask again in a minute.")
    if reply.status == 436:
        raise UpstreamUnavailable("legislation.gov.uk asks for fewer requests; ask again in some minutes.")
    version = "as originally made" if path.endswith(AS_ENACTED) else "as revised, the latest version held"
    page = Page(
        url=f"https://www.legislation.gov.uk{path}",
        markdown="",
        site="legislation.gov.uk",
        notes=(f"This is the text {version}.", LICENCE),
    )
    return SitePage(page=page, extracted_by="legislation.gov.uk:xml", reply=reply.expect_ok())
