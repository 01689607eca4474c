"""The eCFR: titles, parts and sections of the Code of Federal Regulations as of a day.

API: ecfr.gov/developers, versioner v1. No key. A day after the title's `up_to_date_as_of` is not found, so that day is
asked for first. Checked 2026-11-17 on a recorded title.
"""

from __future__ import annotations

import re
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in

DOMAINS = ("ecfr.gov",)
SITE = Provider(
    name="ecfr-pages",
    title="eCFR",
    bases={"": "https://www.ecfr.gov"},
    pace=Pace(3, 1.0),
    timeout=30.0,
    about="The Code of Federal Regulations by title, part and section.",
)
TITLE = re.compile(r"title-([0-9]{1,2})")
LEVEL = re.compile(r"(subtitle|chapter|subchapter|part|subpart|section|appendix)-([\w.,-]{1,60})")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
HALF_DAY = 43_200.0


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_title(address)) and address.segments[0] in {"current", "on"}


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    title = _title(address) if address else ""
    if address is None or not title:
        return None
    day = address.segments[1] if address.segments[0] == "on" and DAY.fullmatch(address.segments[1]) else ""
    if not day:
        titles = yield from send_request(Request.get("/api/versioner/v1/titles.json", keep=HALF_DAY))
        day = _newest_day(titles.expect_ok().json(), title)
    asked = {match[1]: match[2] for part in address.segments if (match := LEVEL.fullmatch(part))}
    reply = yield from send_request(Request.get(f"/api/versioner/v1/full/{day}/title-{title}.xml", asked))
    if reply.status == 404:
        raise NotFound(f"The eCFR has no such text in title {title} as of {day}.")
    page = Page(
        url=url,
        markdown="",
        site="eCFR",
        date=day,
        notes=(f"The text as of {day}; the eCFR is not the official edition.",),
    )
    return SitePage(page=page, extracted_by="ecfr:xml", reply=reply.expect_ok(), kind="legal_xml")


def _title(address: WebUrl) -> str:
    return next((match[1] for part in address.segments if (match := TITLE.fullmatch(part))), "")


def _newest_day(body: Any, title: str) -> str:
    for entry in objects_in(as_object(body).get("titles")):
        if str(entry.get("number")) == title and DAY.fullmatch(day := as_text(entry.get("up_to_date_as_of"))):
            return day
    raise UpstreamChanged(f"The eCFR does not say how current title {title} is.")
