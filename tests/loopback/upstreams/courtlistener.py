"""CourtListener's search of opinions: three cases of its own, found by name, by words, by court and by day."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream

TOKEN = "0123456789abcdef0123456789abcdef01234567"


def case(number: int, name: str, day: str, cited: int, court: tuple[str, str, str], citations: list[str]) -> Any:
    court_id, court_name, abbreviation = court
    return {
        "absolute_url": f"/opinion/{number}/{name.lower().replace(' ', '-').replace('.', '')}/",
        "caseName": name,
        "caseNameFull": "",
        "citation": citations,
        "citeCount": cited,
        "cluster_id": number,
        "court": court_name,
        "court_citation_string": abbreviation,
        "court_id": court_id,
        "dateFiled": day,
        "docketNumber": f"No. {number}",
        "docket_id": number + 7,
        "judge": "",
        "meta": {"timestamp": "2026-03-01T08:00:00.000000Z", "score": {"bm25": 12.5}},
        "opinions": [{"id": number + 1, "snippet": f"On <mark>{name}</mark> &amp; the tides.", "type": "lead-opinion"}],
        "status": "Published",
    }


SUPREME = ("scotus", "Supreme Court of the United States", "SCOTUS")
NINTH = ("ca9", "Court of Appeals for the Ninth Circuit", "9th Cir.")
CASES = [
    case(501, "Ferry v. Harbor Board", "1971-03-08", 812, SUPREME, ["91 S. Ct. 777", "401 U.S. 999"]),
    case(502, "Lighthouse Keepers v. Ferry", "1999-06-30", 40, NINTH, ["188 F.3d 1001"]),
    case(503, "In re Tides", "2021-01-15", 0, NINTH, []),
]


def matches(found: Any, fields: dict[str, str]) -> bool:
    named = fields.get("case_name", "").casefold()
    court, after, before = (fields.get(name, "") for name in ("court", "filed_after", "filed_before"))
    return (
        named in found["caseName"].casefold()
        and (not fields.get("citation") or fields["citation"] in found["citation"])
        and ("docket_number" not in fields or fields["docket_number"] in found["docketNumber"])
        and (not court or found["court_id"] in court.split())
        and (not after or found["dateFiled"] >= after)
        and (not before or found["dateFiled"] <= before)
        and "nothing" not in fields.get("q", "").casefold().split()
    )


def as_docket(row: Any) -> Any:
    """The same case as the federal courts keep it: its parties and what was filed."""
    sides = row["caseName"].split(" v. ")
    filed = {"description": "COMPLAINT", "document_number": 1, "entry_date_filed": row["dateFiled"]}
    kept = {name: row[name] for name in ("caseName", "court", "court_id", "dateFiled", "docketNumber", "docket_id")}
    return kept | {
        "docket_absolute_url": f"/docket/{row['docket_id']}/x/", "party": sides, "attorney": ["B. Law"],
        "assignedTo": "J. Reef", "recap_documents": [filed],
    }  # fmt: skip


async def search(request: Request) -> Response:
    fields = dict(request.query_params)
    if request.headers.get("authorization", f"Token {TOKEN}") != f"Token {TOKEN}":
        return JSONResponse({"detail": "Invalid token."}, 401)
    if fields.get("q", "").count('"') % 2:
        return JSONResponse({"detail": "The query contains unbalanced quotes."}, 400)
    found = [row for row in CASES if matches(row, fields)]
    if fields.get("type") == "r":
        found = [as_docket(row) for row in found]
    return JSONResponse({"count": len(found), "document_count": len(found), "next": None, "results": found})


UPSTREAM = Upstream(
    prefix="/courtlistener",
    environment={"COURTLISTENER_BASE_URL": "{base}/courtlistener"},
    keys={"COURTLISTENER_API_TOKEN": TOKEN},
    routes=[Route("/api/rest/v4/search/", search)],
)
