"""Wayback Machine: recorded answers of its three services, and what they do not say."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, form, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import Blocked, KeyRejected, RateLimited, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import wayback
from wellsourced.upstreams.types.archive import Capture, CaptureQuery, CaptureStatusQuery, Snapshot, SnapshotQuery

ANONYMOUS = Access({})
MEMBER = Access({"IA_ACCESS_KEY": "key", "IA_SECRET_KEY": "secret"})
PAGE = "https://example.org/page"
JOB = "spn2-c093004522eaa435107c0d9ee8aac46a17199841"
NONE_AVAILABLE = {"url": PAGE, "archived_snapshots": {}}

NEWEST_ROW = {
    "cdx-nasa-1996.txt": "https://web.archive.org/web/19961231235847/http://www.nasa.gov:80/",
    "cdx-bad-timestamp.txt": "https://web.archive.org/web/20011120210446/http://www.usatoday.com:80/2000/century/tech/003d.htm",
    "cdx-empty.txt": None,
}
ROWS = ("cdx-nasa-2026.txt", "cdx-nasa-prefix.txt", "cdx-energystar-revisits.txt", "cdx-malformed-rows.txt",
        "cdx-cnn-page1-resume-key.txt")  # fmt: skip


def newest(*answers: Reply) -> Snapshot | None:
    found: Snapshot | None = converse(wayback.archive(SnapshotQuery(PAGE), ANONYMOUS), *answers)[1]
    return found


def capture(answer: Reply, access: Access = MEMBER) -> Capture:
    found: Capture = converse(wayback.archive(CaptureQuery(PAGE), access), answer)[1]
    return found


def job(answer: Reply) -> Capture:
    found: Capture = converse(wayback.archive(CaptureStatusQuery(JOB), MEMBER), answer)[1]
    return found


@pytest.mark.parametrize("name", ["availability-closest.json", "availability-http-https-differs.json"])
def test_the_closest_copy_is_handed_over_securely(shared: Path, name: str) -> None:
    found = newest(recorded(shared, f"wayback/{name}"))
    assert found is not None and found.url.startswith("https://web.archive.org/web/20")
    assert found.at is not None and found.at.tzinfo is UTC


@pytest.mark.parametrize("name", sorted(NEWEST_ROW))
def test_no_copy_available_is_confirmed_with_the_list_of_copies(shared: Path, name: str) -> None:
    found = newest(reply(NONE_AVAILABLE), recorded(shared, f"wayback/{name}"))
    assert (found.url if found else None) == NEWEST_ROW[name]


@pytest.mark.parametrize("name", ROWS)
def test_every_recorded_list_has_a_newest_copy(shared: Path, name: str) -> None:
    answer = recorded(shared, f"wayback/{name}")
    found = newest(reply(NONE_AVAILABLE), answer)
    rows = [line.split(" ") for line in answer.text.split("\n\n")[0].splitlines() if line.count(" ") == 6]
    stamps = [row[1] for row in rows if row[4] in {"200", "-"} and row[1].isdigit()]
    assert found is not None and found.at is not None
    assert found.at.strftime("%Y%m%d%H%M%S") == max(stamps)
    assert "mailto:" not in found.url and "base64" not in found.url


def test_the_recorded_word_for_none_is_none(shared: Path) -> None:
    assert newest(recorded(shared, "wayback/documented-availability-none.json"), reply("")) is None


@pytest.mark.parametrize("first", [reply("oops", 500), reply("busy", 429), reply("<html>")])
def test_trouble_with_one_service_leaves_the_other(first: Reply) -> None:
    row = f"org,example)/page 20240203040506 {PAGE} text/html 200 ABC 123\n"
    found = newest(first, reply(row))
    assert found == Snapshot(
        url=f"https://web.archive.org/web/20240203040506/{PAGE}", at=datetime(2024, 2, 3, 4, 5, 6, tzinfo=UTC)
    )


CDX_TROUBLE: list[tuple[Reply, type[WellsourcedError]]] = [
    (reply("<html><body>We are down</body></html>"), UpstreamChanged),
    (reply("slow down", 429), RateLimited),
    (reply("forbidden", 403), Blocked),
]


@pytest.mark.parametrize(("answer", "error"), CDX_TROUBLE)
def test_a_list_that_was_not_understood_is_never_an_empty_one(answer: Reply, error: type[WellsourcedError]) -> None:
    with pytest.raises(error):
        newest(reply(NONE_AVAILABLE), answer)


def test_an_excluded_site_is_told_as_such(shared: Path) -> None:
    with pytest.raises(Blocked, match="excluded"):
        newest(reply(NONE_AVAILABLE), recorded(shared, "wayback/cdx-blocked-403.txt", 403))


def test_saving_sends_the_keys_and_the_address() -> None:
    request = first_request(wayback.archive(CaptureQuery(PAGE), MEMBER))
    assert (request.method, request.path) == ("POST", "/save")
    assert request.headers["Authorization"] == "LOW key:secret"
    assert form(request)["url"] == PAGE
    assert "Authorization" not in first_request(wayback.archive(CaptureQuery(PAGE), ANONYMOUS)).headers


def test_a_job_is_begun(shared: Path) -> None:
    begun = capture(recorded(shared, "wayback/spn2-submit.json"))
    assert (begun.state, begun.repeated) == ("pending", False)
    assert begun.job == "spn2-ffa890ab71a52c6ca87389d4f214becedbaa275a"
    again = capture(recorded(shared, "wayback/spn2-submit-again.json"))
    assert again.repeated and again.why and "1 second ago" in again.why


def test_a_job_is_done_pending_or_refused(shared: Path) -> None:
    done = job(recorded(shared, "wayback/spn2-status-success.json"))
    assert done.state == "made" and done.snapshot is not None
    assert done.snapshot.url.endswith("/https://theincredibleholk.org/")
    assert job(recorded(shared, "wayback/documented-spn2-status-pending.json")).state == "pending"
    refused = job(recorded(shared, "wayback/documented-spn2-status-error.json"))
    assert (refused.state, refused.code) == ("refused", "invalid-host-resolution")


def test_an_error_with_status_200_is_a_refusal(shared: Path) -> None:
    refused = capture(recorded(shared, "wayback/spn2-submit-error-daily-limit.json"))
    assert (refused.state, refused.code) == ("refused", "too-many-daily-captures")


def test_saving_without_an_account_says_what_to_set(shared: Path) -> None:
    closed = capture(recorded(shared, "wayback/spn2-submit-401.json", 401), ANONYMOUS)
    assert closed.state == "refused" and "IA_ACCESS_KEY" in (closed.why or "")
    with pytest.raises(KeyRejected):
        capture(recorded(shared, "wayback/spn2-submit-401.json", 401), MEMBER)


@pytest.mark.parametrize("body", ["<html>", [], {"url": PAGE}, {"processing": 0, "available": 3}, {"job_id": "../x"}])
def test_an_answer_that_says_neither_is_not_understood(body: Any) -> None:
    with pytest.raises(UpstreamChanged):
        capture(reply(body))
    with pytest.raises(UpstreamChanged):
        job(reply(body))


def test_the_account_s_own_status_is_no_status_of_a_job(shared: Path) -> None:
    with pytest.raises(UpstreamChanged):
        job(recorded(shared, "wayback/spn2-user-status.json"))
