"""Wayback Machine: old copies of web pages, and fresh ones on demand.

API: archive.org/help/wayback_api.php (availability), the CDX server, and Save Page Now 2. No key for looking. Since
2026 pages are saved for accounts only: IA_ACCESS_KEY and IA_SECRET_KEY. The availability service answers "none" under
load too, so a no is confirmed with the CDX server before it counts. CDX rows are text and not all of them are sound:
some are cut, some have impossible dates, some name no web address. Save Page Now tells of errors with HTTP 200, and
refuses a page that was saved five times in a day. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from wellsourced.errors import Blocked, KeyRejected, NetworkFailed, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, as_web_address
from wellsourced.upstreams.helpers.replies import parse_object
from wellsourced.upstreams.types.archive import Capture, CaptureQuery, CaptureStatusQuery, Snapshot, SnapshotQuery

PROVIDER = Provider(
    name="wayback",
    title="Wayback Machine",
    bases={"": "https://web.archive.org", "availability": "https://archive.org"},
    uses=(
        Setting("IA_ACCESS_KEY", "Access key of an archive.org account, for saving pages.", secret=True),
        Setting("IA_SECRET_KEY", "Secret key of the same archive.org account.", secret=True),
    ),
    pace=Pace(2, 1.0),
    timeout=20,
    about="Copies of dead pages; saving of living ones needs the keys of an archive.org account.",
)

PLACE = "https://web.archive.org/web"
STAMP = re.compile(r"[0-9]{14}")
COPY = re.compile(r"https?://web\.archive\.org/web/([0-9]{4,14})(?:[a-z_]{0,4})/(.+)", re.IGNORECASE)
JOB = re.compile(r"[A-Za-z0-9-]{8,80}")
FEWEST_COLUMNS = 7  # shorter rows were cut
ROWS_ASKED = 20  # the newest rows, since some of them cannot be used
SUCCESS = frozenset({"200", "-"})
"""A revisit row has a dash for its status: the page was the same as the copy before."""

CLOSED = "The Internet Archive saves pages for accounts only; set IA_ACCESS_KEY and IA_SECRET_KEY."


def archive(query: SnapshotQuery | CaptureQuery | CaptureStatusQuery, access: Access) -> Steps[Any]:
    """A Snapshot or None for a `SnapshotQuery`, a Capture for the others."""
    match query:
        case SnapshotQuery(url):
            return (yield from _find_newest(url))
        case CaptureQuery(url):
            return (yield from _submit_capture(url, access))
        case CaptureStatusQuery(job):
            return (yield from _capture_status(job, access))


def _find_newest(url: str) -> Steps[Snapshot | None]:
    available = yield from _ask_availability(url)
    return available or (yield from _ask_index(url))


def _ask_availability(url: str) -> Steps[Snapshot | None]:
    """None when the service has none or has trouble: the CDX server is asked then, and decides."""
    try:
        reply = yield Request.get("/wayback/available", {"url": url}, host="availability")
        if reply.status in {404, 429} or reply.status >= 500:
            return None
        body = reply.expect_ok().json()
    except (NetworkFailed, UpstreamChanged):
        return None
    return _closest_snapshot(body)


def _closest_snapshot(body: Any) -> Snapshot | None:
    snapshots = as_object(body).get("archived_snapshots")
    if not isinstance(snapshots, dict):
        raise UpstreamChanged("The availability service's answer has no snapshots in it.")
    closest = as_object(snapshots.get("closest"))
    copy = COPY.match(as_text(closest.get("url")))
    if closest.get("available") is not True or copy is None or as_text(closest.get("status"))[:1] not in {"2", "3", ""}:
        return None
    return _build_snapshot(copy[1], copy[2])


def _ask_index(url: str) -> Steps[Snapshot | None]:
    params: dict[str, Param] = {"url": url, "limit": -ROWS_ASKED, "filter": "statuscode:200"}
    reply = yield Request.get("/cdx/search/cdx", params)
    if reply.status == 403 and b"AccessControl" in reply.body:
        raise Blocked("The Wayback Machine keeps no copies of this site to show: the site is excluded.")
    if reply.status == 404:
        raise UpstreamChanged("The CDX server is not where it used to be.", detail=reply.summary)
    return _newest_snapshot(reply.expect_ok())


def _newest_snapshot(reply: Reply) -> Snapshot | None:
    """The newest sound row; a list in which no row at all is sound was not understood."""
    listing = reply.text.split("\n\n", 1)[0]
    lines = [line for line in listing.splitlines() if line.strip()]
    rows = [row for line in lines if (row := line.split(" ")) and _is_valid_row(row)]
    if lines and not rows:
        raise UpstreamChanged("The CDX server's answer was not understood.", detail=reply.summary)
    whole = [row for row in rows if row[4] in SUCCESS and _parse_stamp(row[1]) is not None]
    newest = max(whole, key=lambda row: row[1], default=None)
    return _build_snapshot(newest[1], newest[2]) if newest else None


def _is_valid_row(row: list[str]) -> bool:
    return len(row) >= FEWEST_COLUMNS and STAMP.fullmatch(row[1]) is not None and as_web_address(row[2]) is not None


def _build_snapshot(stamp: str, original: str) -> Snapshot:
    return Snapshot(url=f"{PLACE}/{stamp}/{original}", at=_parse_stamp(stamp))


def _parse_stamp(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _submit_capture(url: str, access: Access) -> Steps[Capture]:
    reply = yield Request.post_form("/save", {"url": url, "skip_first_archive": 1}, headers=_headers(access))
    if reply.status in {401, 403} and not access["IA_ACCESS_KEY"]:
        return Capture(state="refused", code="login", why=CLOSED, http_status=reply.status)
    body = _parse_reply(reply)
    job = as_text(body.get("job_id"))
    if not JOB.fullmatch(job):
        return _build_refusal(body, reply)
    message = as_text(body.get("message"))
    return Capture(state="pending", job=job, repeated=bool(message), why=message or None, http_status=reply.status)


def _capture_status(job: str, access: Access) -> Steps[Capture]:
    if not JOB.fullmatch(job):
        raise NotFound("There is no such job.")
    reply = yield Request.get(f"/save/status/{job}", headers=_headers(access))
    body = _parse_reply(reply)
    match body.get("status"):
        case "pending":
            return Capture(state="pending", job=job, http_status=reply.status)
        case "success":
            return Capture(state="made", job=job, snapshot=_build_capture(body), http_status=reply.status)
    return _build_refusal(body, reply)


def _build_capture(body: Mapping[str, Any]) -> Snapshot:
    stamp, original = as_text(body.get("timestamp")), as_web_address(body.get("original_url"))
    if not STAMP.fullmatch(stamp) or original is None:
        raise UpstreamChanged("Save Page Now made a copy and does not say where.")
    return _build_snapshot(stamp, original)


def _build_refusal(body: Mapping[str, Any], reply: Reply) -> Capture:
    code = as_text(body.get("status_ext")).removeprefix("error:")
    if body.get("status") != "error" and not code:
        raise UpstreamChanged("Save Page Now's answer was not understood.", detail=reply.summary)
    why = as_text(body.get("message"))[:300] or as_text(body.get("exception"))[:300]
    return Capture(state="refused", code=code or None, why=why or None, http_status=reply.status)


def _headers(access: Access) -> dict[str, str]:
    headers = {"Accept": "application/json"}
    if access["IA_ACCESS_KEY"] and access["IA_SECRET_KEY"]:
        headers["Authorization"] = f"LOW {access['IA_ACCESS_KEY']}:{access['IA_SECRET_KEY']}"
    return headers


def _parse_reply(reply: Reply) -> Mapping[str, Any]:
    if reply.status == 401:
        raise KeyRejected("The Internet Archive does not accept the keys.")
    if reply.status == 404:
        raise UpstreamUnavailable("Save Page Now does not know this job any more.")
    return parse_object(reply, "Save Page Now")
