"""ClinicalTrials.gov: studies of its own, page by page. Errors are plain text."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream, whole_number

TOTAL = 12


DETAILS = {
    "outcomesModule": {"primaryOutcomes": [{"measure": "Days without nausea", "timeFrame": "30 days"}]},
    "eligibilityModule": {"eligibilityCriteria": "Inclusion: sailors.", "sex": "ALL", "minimumAge": "18 Years"},
}


def study(number: int, more: dict[str, Any]) -> dict[str, Any]:
    full = {
        "statusModule": {
            "overallStatus": "RECRUITING" if number % 2 else "COMPLETED",
            "startDateStruct": {"date": "2024-03" if number % 2 else "2021-05-17"},
            "completionDateStruct": {"date": "2027-01-31"},
            "lastUpdatePostDateStruct": {"date": "2026-08-01"},
        },
        "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Harbor Hospital"}},
        "conditionsModule": {"conditions": ["Seasickness"]},
        "designModule": {
            "studyType": "INTERVENTIONAL",
            "phases": ["PHASE2", "PHASE3"],
            "enrollmentInfo": {"count": 40},
        },
        "armsInterventionsModule": {"interventions": [{"name": "Ginger"}, {"name": "Placebo"}]},
    }
    about = {"nctId": f"NCT{number:08}", "briefTitle": f"Ginger against seasickness {number}"}
    # A registration may be hardly more than a number.
    modules = {"identificationModule": about, **(full | more if number != 2 else {})}
    return {"protocolSection": modules, "hasResults": number % 2 == 0}


async def search(request: Request) -> Response:
    fields = request.query_params
    terms = [fields.get(name, "") for name in ("query.term", "query.cond", "query.intr", "query.spons")]
    if any("(" in term for term in terms):
        return PlainTextResponse("`query.term` parameter has incorrect value: unbalanced parenthesis", 400)
    more = DETAILS if "PrimaryOutcomeMeasure" in fields.get("fields", "") else {}
    found = [study(number, more) for number in range(1, TOTAL + 1)]
    if wanted := fields.get("filter.overallStatus"):
        found = [row for row in found if status_of(row) in wanted.split("|")]
    if number := fields.get("filter.ids"):
        found = [row for row in found if row["protocolSection"]["identificationModule"]["nctId"] == number]
    if "nothing" in " ".join(terms).split() or fields.get("aggFilters") == "phase:4":
        found = []
    start, size = whole_number(fields.get("pageToken"), 0), whole_number(fields.get("pageSize"), 10)
    following = {"nextPageToken": str(start + size)} if start + size < len(found) else {}
    return JSONResponse({"studies": found[start : start + size], "totalCount": len(found), **following})


def status_of(row: dict[str, Any]) -> str:
    return str(row["protocolSection"].get("statusModule", {}).get("overallStatus", ""))


UPSTREAM = Upstream(
    prefix="/clinicaltrials",
    environment={"CLINICALTRIALS_BASE_URL": "{base}/clinicaltrials"},
    routes=[Route("/api/v2/studies", search)],
)
