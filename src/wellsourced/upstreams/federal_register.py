"""Federal Register: rules, proposed rules, notices and presidential documents of the United States since 1994.

API: federalregister.gov/developers, v1, documents.json. No key. `count` stops at 10,000, and the list is absent where
nothing was found. A captcha page may come with 200. The PDF is the official edition. Checked 2026-11-17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, Blocked, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_count, as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.helpers.replies import parse_object, required_link
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="federal_register",
    title="Federal Register",
    bases={"": "https://www.federalregister.gov"},
    pace=Pace(3, 1.0),
    timeout=20.0,
    preference=44,
    automatic=False,
    about="US rules, proposed rules and notices.",
)
FIELDS = ("title", "type", "abstract", "document_number", "html_url", "publication_date", "agencies", "citation")
TYPES = {"rule": "RULE", "proposed rule": "PRORULE", "notice": "NOTICE", "presidential document": "PRESDOCU"}
MOST_RESULTS, COUNT_LIMIT, SNIPPET_LENGTH = 100, 10_000, 500
UNOFFICIAL = "The text on federalregister.gov is not the official edition; the PDF of govinfo is."


def cases(query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    text = " ".join(query.text.split())
    if not text:
        raise BadInput("Give words to look for in query.")
    start, end = parse_bounds(query.date_from, query.date_to)
    kind = TYPES.get((query.court or "").strip().lower())
    count = max(1, min(query.count, MOST_RESULTS))
    asked: dict[str, Param] = {
        "conditions[term]": text,
        "conditions[type][]": kind,
        "conditions[publication_date][gte]": start.isoformat() if start else None,
        "conditions[publication_date][lte]": end.isoformat() if end else None,
        "fields[]": FIELDS,
        "per_page": count,
        "order": "relevance",
    }
    body = _parse_reply((yield Request.get("/api/v1/documents.json", asked)))
    total = as_count(body.get("count"))
    rows = body.get("results", [] if total == 0 else None)
    if not isinstance(rows, list):
        raise UpstreamChanged("The Federal Register's answer has no list of results.")
    found = tuple(parse_rows(rows, _parse_document)[:count])
    not_applied = frozenset({"jurisdiction"}) if query.court and not kind else frozenset()
    more = bool(body.get("next_page_url"))
    known = total if total is not None and total < COUNT_LIMIT else None
    return ResultSet(found, not_applied, more_available=more, total=known, notes=(UNOFFICIAL,) if found else ())


def _parse_reply(reply: Reply) -> dict[str, Any]:
    page = reply.text[:3000].lower() if reply.body.lstrip()[:1] == b"<" else ""
    if "request access" in page or "captcha" in page:
        raise Blocked("The Federal Register takes the request for a robot's.", detail=reply.summary)
    return parse_object(reply, "The Federal Register")


def _parse_document(row: Mapping[str, Any]) -> Case:
    url = required_link(row.get("html_url"), "The Federal Register")
    number, day = as_text(row.get("document_number")), as_text(row.get("publication_date"))
    names = (as_text(each.get("name")) or as_text(each.get("raw_name")) for each in objects_in(row.get("agencies")))
    return Case(
        case_name=as_text(row["title"]),
        url=url,
        origin=Origin(url=url, record=f"FR Doc. {number}", vintage=day or None),
        citations=tuple(filter(None, (as_text(row.get("citation")),))),
        court="; ".join(name for name in names if name) or None,
        date_filed=day or None,
        docket_number=number or None,
        status=as_text(row.get("type")) or None,
        snippet=as_text(row.get("abstract"))[:SNIPPET_LENGTH] or None,
        source=PROVIDER.name,
    )
