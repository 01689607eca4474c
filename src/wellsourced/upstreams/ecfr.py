"""eCFR: sections of the Code of Federal Regulations that hold the words asked for.

API: ecfr.gov/developers, search v1. No key. Earlier versions of a section are results of their own; those that have
ended are left out where others are in force. The eCFR is not the official edition. Checked 2026-11-17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, UpstreamChanged
from wellsourced.http_exchange import Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_count, as_object, as_text, iso_from_text, parse_rows
from wellsourced.upstreams.helpers.replies import list_under, parse_object
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="ecfr",
    title="eCFR",
    bases={"": "https://www.ecfr.gov"},
    pace=Pace(3, 1.0),
    timeout=20.0,
    preference=46,
    automatic=False,
    about="Sections of the US Code of Federal Regulations.",
)
LEVELS = ("title", "subtitle", "chapter", "subchapter", "part", "subpart", "section")
MOST_RESULTS = 50
ENDED = "Versions that are no longer in force were left out."
ALL_ENDED = "None of these is in force any more: status says until when each was."


def cases(query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    text = " ".join(query.text.split())
    if not text:
        raise BadInput("Give words to look for in query.")
    count = max(1, min(query.count, MOST_RESULTS))
    body = parse_object((yield Request.get("/api/search/v1/results", {"query": text, "per_page": count})), "The eCFR")
    rows = list_under(body, "results", "The eCFR")
    current = [row for row in rows if not iso_from_text(as_object(row).get("ends_on"))]
    found = tuple(parse_rows(current or rows, _parse_section)[:count])
    total = as_count(as_object(body.get("meta")).get("total_count"))
    not_applied = frozenset(
        name
        for name, value in (("jurisdiction", query.court), ("date_from", query.date_from), ("date_to", query.date_to))
        if value
    )
    more = total is not None and total > len(rows)
    notes = (ALL_ENDED if not current else ENDED,) if len(current) < len(rows) else ()
    return ResultSet(found, not_applied, more_available=more, notes=notes)


def _parse_section(row: Mapping[str, Any]) -> Case:
    where, names = as_object(row["hierarchy"]), as_object(row.get("headings"))
    title, last = as_text(where.get("title")), next((n for n in reversed(LEVELS) if as_text(where.get(n))), "")
    if not title.isdecimal() or not last:
        raise UpstreamChanged("The eCFR's answer has a result without a place.")
    path = "/".join(f"{level}-{place}" for level in LEVELS if (place := as_text(where.get(level))))
    url = f"https://www.ecfr.gov/current/{path}"
    place, ended = as_text(where.get(last)), iso_from_text(row.get("ends_on"))
    return Case(
        case_name=as_text(names.get(last)) or f"{last} {place}",
        url=url,
        origin=Origin(url=url, record=f"{title} CFR {place}", vintage=as_text(row.get("starts_on")) or None),
        citations=(f"{title} CFR {'' if last == 'section' else last + ' '}{place}",),
        court=as_text(names.get("chapter")) or None,
        date_filed=as_text(row.get("starts_on")) or None,
        status=f"ended {ended}" if ended else None,
        snippet=as_text(row.get("full_text_excerpt")) or None,
        source=PROVIDER.name,
    )
