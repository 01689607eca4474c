"""Filings in the archives of the SEC, fetched under the name and contact that SEC asks of programs.

Pages: sec.gov/Archives/edgar/data. Without a contact the page is read as any other, which SEC may refuse. Statuses are
those of EDGAR: a block is 403 with a page, a file that is not there 404 or 403 with `AccessDenied`. Checked 2026-11-17.
"""

from __future__ import annotations

from wellsourced.http_exchange import Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams import edgar

DOMAINS = ("sec.gov",)
SITE = Provider(
    name="sec-archives",
    title="SEC",
    bases={"": "https://www.sec.gov"},
    uses=edgar.PROVIDER.uses,
    pace=Pace(8, 1.0),
    timeout=30.0,
    about="Filings with their items as sections.",
)
ARCHIVES = "/Archives/edgar/data/"
MARKUP = (".htm", ".html")


def matches(address: WebUrl) -> bool:
    path = _path(address)
    return address.is_under(*DOMAINS) and path.startswith(ARCHIVES) and "index" not in path.rpartition("/")[2]


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    if address is None or not (access["EDGAR_CONTACT_EMAIL"] or access["OPENALEX_EMAIL"]):
        return None
    path = _path(address)
    reply = edgar.check_status((yield from send_request(Request.get(path, headers=edgar.request_headers(access)))))
    page = Page(url=f"https://www.sec.gov{path}", markdown="", site="U.S. Securities and Exchange Commission")
    kind = "filing" if path.lower().endswith(MARKUP) else ""
    return SitePage(page=page, extracted_by="sec:archives", reply=reply, kind=kind)


def _path(address: WebUrl) -> str:
    """The document itself, also where the viewer for inline XBRL is asked for it (`/ix?doc=/Archives/…`)."""
    shown = address.query.get("doc", "") if address.path.startswith("/ix") else ""
    return shown or address.path
