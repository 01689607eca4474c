"""USPTO Open Data Portal: applications in a bag; nothing found is HTTP 404 with JSON."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream

NOTHING = {"code": 404, "message": "Not Found", "detailedMessage": "No matching records found, refine your search"}


def row(words: str, rank: int) -> dict[str, Any]:
    about = {
        "inventionTitle": f"{words} apparatus {rank}".upper(),
        "filingDate": f"{2015 + rank}-02-03",
        "earliestPublicationNumber": f"US{2016 + rank}0{100_000 + rank}A1",
        "earliestPublicationDate": f"{2016 + rank}-08-03",
        "firstApplicantName": "Example, Inc.",
        "firstInventorName": "Ada LOVELACE",
        "cpcClassificationBag": ["G06N   3/08"],
        "applicationStatusDescriptionText": "Patented Case" if rank % 2 else "Docketed New Case",
    }
    if rank % 2:
        about |= {"patentNumber": str(10_000_000 + rank), "grantDate": f"{2018 + rank}-05-06"}
    return {"applicationNumberText": str(15_000_000 + rank), "applicationMetaData": about}


async def search(request: Request) -> Response:
    if not request.headers.get("x-api-key"):
        return JSONResponse({"message": "Unauthorized"}, 401)
    search_body = json.loads(await request.body())
    words = search_body["q"].replace('"', "").replace(" AND ", " ")
    if "nothing" in words:
        return JSONResponse(NOTHING, 404)
    rows = [row(words, rank) for rank in range(1, min(search_body["pagination"]["limit"], 8) + 1)]
    return JSONResponse({"count": 8, "patentFileWrapperDataBag": rows, "requestIdentifier": "loopback"})


UPSTREAM = Upstream(
    prefix="/uspto",
    environment={"USPTO_BASE_URL": "{base}/uspto"},
    routes=[Route("/api/v1/patent/applications/search", search, methods=["POST"])],
)
