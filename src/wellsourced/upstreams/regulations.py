"""Regulations.gov: rules, proposed rules, notices and the material of US rulemaking dockets, by words.

API: open.gsa.gov/api/regulationsgov, v4, documents · Key: DATA_GOV_API_KEY, 1,000 requests an hour. Pages have 5 to 250
documents, 5,000 of a query are reachable. Recorded 2026.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.data_gov import DATA_GOV_KEY, raise_data_gov_refusal
from wellsourced.upstreams.helpers.json_fields import (
    as_boolean,
    as_count,
    as_object,
    as_text,
    iso_from_text,
    parse_rows,
)
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.helpers.replies import list_under, parse_object
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="regulations",
    title="Regulations.gov",
    bases={"": "https://api.regulations.gov"},
    needs=(DATA_GOV_KEY,),
    pace=Pace(1, 1.0),
    timeout=20.0,
    preference=47,
    automatic=False,
    about="Documents and dockets of US rulemaking, with comment periods; jurisdiction is an agency such as EPA.",
)
SITE = "https://www.regulations.gov"
ID = re.compile(r"[A-Z0-9_-]{5,60}")
AGENCY = re.compile(r"[A-Za-z]{2,12}")
DOCKET = re.compile(r"[A-Z]{2,12}(?:[-_][A-Z0-9]{1,10}){0,3}[-_][0-9]{4}[-_][0-9]{4}|[A-Z]{2,12}_FRDOC_[0-9]{4}")
FEWEST, MOST = 5, 250


def cases(query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    text = " ".join(query.text.split())
    if not text:
        raise BadInput("Give words, or the id of a docket such as EPA-HQ-OAR-2022-0606, in query.")
    agency = (query.court or "").strip()
    if agency and not AGENCY.fullmatch(agency):
        raise BadInput(f"jurisdiction is {agency[:40]!r}; here it is the abbreviation of an agency such as EPA.")
    start, end = parse_bounds(query.date_from, query.date_to)
    docket = DOCKET.fullmatch(text.upper())
    asked: dict[str, Param] = {
        "filter[searchTerm]": None if docket else text,
        "filter[docketId]": docket[0] if docket else None,
        "filter[agencyId]": agency.upper() or None,
        "filter[postedDate][ge]": start.isoformat() if start else None,
        "filter[postedDate][le]": end.isoformat() if end else None,
        "page[size]": max(FEWEST, min(query.count, MOST)),
    }
    body = _parse_reply((yield Request.get("/v4/documents", asked, headers={"X-Api-Key": access[DATA_GOV_KEY.name]})))
    found = parse_rows(list_under(body, "data", PROVIDER.title), _parse_document)
    meta = as_object(body.get("meta"))
    more = bool(meta.get("hasNextPage")) or len(found) > query.count
    return ResultSet(tuple(found[: query.count]), more_available=more, total=as_count(meta.get("totalElements")))


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status >= 300:
        raise_data_gov_refusal(reply, PROVIDER.title)
    return parse_object(reply, PROVIDER.title)


def _parse_document(row: Mapping[str, Any]) -> Case:
    number, facts = as_text(row["id"]), as_object(row["attributes"])
    title = as_text(facts.get("title"))
    if not ID.fullmatch(number) or not title:
        raise UpstreamChanged("Regulations.gov's answer has a document without id or title.")
    url = f"{SITE}/document/{number}"
    docket, register = as_text(facts.get("docketId")), as_text(facts.get("frDocNum"))
    return Case(
        case_name=title,
        url=url,
        origin=Origin(url=url, record=number, vintage=as_text(facts.get("lastModifiedDate")) or None),
        citations=(f"FR Doc. {register}",) if register else (),
        court=as_text(facts.get("agencyId")) or None,
        date_filed=iso_from_text(facts.get("postedDate")),
        docket_number=docket or None,
        docket_url=f"{SITE}/docket/{docket}" if ID.fullmatch(docket) else None,
        status=", ".join(_status(facts)) or None,
        source=PROVIDER.name,
    )


def _status(facts: Mapping[str, Any]) -> list[str]:
    """What kind of document it is, and whether it can still be commented on."""
    end = iso_from_text(facts.get("commentEndDate"))
    is_open = as_boolean(facts.get("openForComment"))
    comments = f"{'open' if is_open else 'closed'} for comment" if is_open is not None else ""
    return [
        part
        for part in (
            as_text(facts.get("documentType")),
            as_text(facts.get("subtype")),
            f"{comments}, comments until {end}" if comments and end else comments,
            "withdrawn" if facts.get("withdrawn") is True else "",
        )
        if part
    ]
