"""The Wayback Machine: availability, the CDX server and Save Page Now 2.

Pages whose address ends in `-archived`, or in `/gone`, have a copy. Saving wants the key `key:secret`; an address with
`slow` in it stays pending, one with `often` was saved too often today, one with `again` a second ago.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream, asked

STAMP = "20240203040506"
FRESH = "20261115120000"


def has_copy(url: str) -> bool:
    return url.endswith(("-archived", "/gone"))


async def available(request: Request) -> Response:
    url = request.query_params.get("url", "")
    place = f"http://web.archive.org/web/{STAMP}/{url}"
    closest = {"closest": {"status": "200", "available": True, "url": place, "timestamp": STAMP}}
    return JSONResponse({"url": url, "archived_snapshots": closest if has_copy(url) else {}})


async def rows(request: Request) -> Response:
    url = request.query_params.get("url", "")
    row = f"org,example)/ {STAMP} {url} text/html 200 B2RKOLH7OEPRC5ZLUE7T3TGB7DRLGZ7J 1234\n"
    return PlainTextResponse(row if has_copy(url) else "")


async def save(request: Request) -> Response:
    if request.headers.get("authorization") != "LOW key:secret":
        return JSONResponse({"message": "You need to be logged in to use Save Page Now."}, 401)
    url = (await asked(request)).get("url", "")
    if "often" in url:
        said = "This URL has been already captured 5 times today."
        return JSONResponse({"status": "error", "status_ext": "error:too-many-daily-captures", "message": said})
    job = {"url": url, "job_id": f"spn2-{quote(url, safe='').encode().hex()[:60]}"}
    again = {"message": "The same snapshot had been made 1 second ago."} if "again" in url else {}
    _jobs[job["job_id"]] = url
    return JSONResponse({**job, **again})


_jobs: dict[str, str] = {}


async def status(request: Request) -> Response:
    job = request.path_params["job"]
    url = unquote(_jobs.get(job, ""))
    if not url:
        return JSONResponse({"status": "error", "status_ext": "error:job-not-found", "message": "No such job."})
    if "slow" in url:
        return JSONResponse({"status": "pending", "job_id": job, "resources": []})
    return JSONResponse({"status": "success", "job_id": job, "timestamp": FRESH, "original_url": url})


UPSTREAM = Upstream(
    prefix="/wayback",
    environment={"WAYBACK_BASE_URL": "{base}/wayback", "WAYBACK_AVAILABILITY_BASE_URL": "{base}/wayback"},
    routes=[
        Route("/wayback/available", available),
        Route("/cdx/search/cdx", rows),
        Route("/save", save, methods=["POST"]),
        Route("/save/status/{job}", status),
    ],
)
