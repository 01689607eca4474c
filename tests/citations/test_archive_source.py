"""archive_source through all layers, against an imitated Wayback Machine."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from tests.app import call, content
from tests.loopback.run import Internet
from wellsourced.errors import NetworkFailed
from wellsourced.net.guard import AddressGuard


@pytest.fixture
def member(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "ALLOW_PRIVATE_IPS": "true", "IA_ACCESS_KEY": "key", "IA_SECRET_KEY": "secret"}


def archive(environment: dict[str, str], url: str) -> dict[str, Any]:
    return content(call(environment, "archive_source", url=url))


def test_a_fresh_copy(member: dict[str, str], internet: Internet) -> None:
    url = "https://alpha.example/tides"
    found = archive(member, url)
    assert (found["status"], found["captured"], found["requestedUrl"]) == ("archived", True, url)
    assert found["snapshotUrl"] == f"https://web.archive.org/web/20261115120000/{url}"
    assert found["archivedAt"] == "2026-11-15T12:00:00Z"
    assert "secret" not in str(found)


def test_a_copy_that_was_just_made_is_an_existing_one(member: dict[str, str], internet: Internet) -> None:
    found = archive(member, "https://alpha.example/again")
    assert (found["status"], found["captured"]) == ("existing", False)
    assert "1 second ago" in found["reason"] and "archivedAt" not in found


def test_a_refusal_falls_back_to_what_there_is(member: dict[str, str], internet: Internet) -> None:
    older = archive(member, "https://alpha.example/often-archived")
    assert (older["status"], older["captured"]) == ("existing", False)
    assert "5 times" in older["reason"] and "/20240203040506/" in older["snapshotUrl"]
    nothing = archive(member, "https://alpha.example/often")
    assert nothing["status"] == "unavailable" and "snapshotUrl" not in nothing


def test_a_capture_that_takes_long_is_pending(member: dict[str, str], internet: Internet) -> None:
    url = "https://alpha.example/slow"
    found = archive({**member, "TOOL_TIMEOUT": "6s"}, url)
    assert (found["status"], found["captured"]) == ("pending", False)
    assert found["pollUrl"] == f"https://web.archive.org/web/*/{url}"


def test_a_site_that_is_gone_may_still_have_a_copy(member: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def nobody(guard: AddressGuard, host: str, port: int) -> NoReturn:
        raise NetworkFailed(f"No server is known by the name {host}.")

    monkeypatch.setattr(AddressGuard, "_look_up", nobody)
    found = archive(member, "https://lapsed.example/often-archived")
    assert found["status"] == "existing" and "/20240203040506/" in found["snapshotUrl"]
    assert found["provenance"][0] == "No server is known by the name lapsed.example."


def test_without_an_account_the_way_to_one_is_told(member: dict[str, str], internet: Internet) -> None:
    anonymous = {**member, "IA_ACCESS_KEY": "", "IA_SECRET_KEY": ""}
    found = archive(anonymous, "https://alpha.example/tides")
    assert (found["status"], found["httpStatus"]) == ("unavailable", 401)
    assert "IA_ACCESS_KEY" in found["reason"]


def test_an_archive_in_trouble_is_no_error(member: dict[str, str], internet: Internet) -> None:
    internet.control("/wayback", status=503, body="down")
    found = archive({**member, "TOOL_TIMEOUT": "15s"}, "https://alpha.example/tides")
    assert found["status"] == "unavailable" and found["reason"]


@pytest.mark.parametrize(
    "url", ["http://localhost/x", "http://10.0.0.1/", "http://169.254.169.254/", "ftp://a.b/", "tides"]
)
def test_what_is_not_public_is_refused_and_told_to_nobody(
    environment: dict[str, str], internet: Internet, url: str
) -> None:
    answer = call(environment, "archive_source", url=url)
    assert answer.is_error
    assert internet.requests("/wayback") == 0
