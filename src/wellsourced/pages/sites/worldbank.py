"""World Bank: the page of an indicator as its definition and the values of the countries it shows.

Pages: data.worldbank.org/indicator/NY.GDP.MKTP.CD?locations=JP-US, drawn by a script; API: api.worldbank.org/v2, no
key. Without a country the world is shown. Data under CC BY 4.0. Checked 2026-11-17 on recorded answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.markdown_table import pipe_table
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams import worldbank
from wellsourced.upstreams.helpers.json_fields import as_object, as_text
from wellsourced.upstreams.types.records import Observation, SeriesQuery

DOMAINS = ("data.worldbank.org",)
SITE = Provider(
    name="worldbank-pages",
    title="World Bank",
    bases={"": "https://api.worldbank.org"},
    pace=Pace(5, 1.0),
    timeout=20.0,
    about="Indicators with their definition and values.",
)
INDICATOR = re.compile(r"[A-Za-z0-9]{2,10}(?:\.[A-Za-z0-9]{1,12}){1,7}")
PLACES = re.compile(r"[A-Za-z0-9]{2}(?:-[A-Za-z0-9]{2}){0,19}")
MOST_YEARS = 100
LICENCE = "World Bank Open Data, CC BY 4.0."


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_indicator(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    indicator = _indicator(address) if address else ""
    if address is None or not indicator:
        return None
    reply = yield from send_request(Request.get(f"/v2/indicator/{indicator}", {"format": "json"}))
    record = _definition(worldbank.parse_reply(reply)[1], indicator)
    places = address.query.get("locations", "")
    country = places.replace("-", ";") if PLACES.fullmatch(places) else None
    query = SeriesQuery(series_id=indicator, country=country, count=MOST_YEARS)
    found = yield from worldbank.series(query, access)
    values = [item for item in found.items if isinstance(item, Observation)]
    return SitePage(page=_page(url, record, values), extracted_by="worldbank:api")


def _indicator(address: WebUrl) -> str:
    parts = address.segments[-2:] if len(address.segments) in {2, 3} else ()
    return parts[1] if parts[:1] == ("indicator",) and INDICATOR.fullmatch(parts[1]) else ""


def _definition(rows: list[Any], indicator: str) -> Mapping[str, Any]:
    if not rows:
        raise NotFound(f"The World Bank has no indicator {indicator}.")
    record = as_object(rows[0])
    if as_text(record.get("id")).casefold() != indicator.casefold() or not as_text(record.get("name")):
        raise UpstreamChanged("The World Bank's answer does not describe the indicator.")
    return record


def _page(url: str, record: Mapping[str, Any], values: list[Observation]) -> Page:
    title, note = as_text(record["name"]), as_text(record.get("sourceNote"))
    source = as_text(record.get("sourceOrganization"))
    updated = next((item.origin.vintage for item in values if item.origin.vintage), "") or ""
    facts = (("Indicator", as_text(record["id"])), ("Source", source), ("Last updated", updated))
    lines = "\n".join(f"- {name}: {value}" for name, value in facts if value)
    parts = (f"# {title}", lines, note, f"## Values\n\n{_table(values)}" if values else "No values.")
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, parts)),
        title=title,
        date=updated,
        site="World Bank",
        notes=(LICENCE,),
    )


def _table(values: list[Observation]) -> str:
    """Years down, countries across, digits as they were sent."""
    countries = sorted({item.country or "" for item in values})
    held = {(item.date, item.country or ""): item.value or "" for item in values}
    years = sorted({date for date, _ in held}, reverse=True)
    rows = [[year, *(held.get((year, country), "") for country in countries)] for year in years]
    return pipe_table([["Year", *countries], *(row for row in rows if any(row[1:]))])
