"""The operator's key and the one before it."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request

from wellsourced.app.configuration import declared_settings
from wellsourced.http.admin_key import holds_admin_key, matching_key
from wellsourced.http.request_context import RequestContext, attach_context
from wellsourced.settings import Settings

BOTH = {"ADMIN_API_KEY": "new-key", "ADMIN_API_KEY_PREV": "old-key"}


@pytest.mark.parametrize(
    ("environment", "given", "matched"),
    [
        (BOTH, "new-key", "current"),
        (BOTH, "old-key", "previous"),
        (BOTH, "new-ke", None),
        (BOTH, "", None),
        ({}, "", None),
        ({"ADMIN_API_KEY_PREV": "old-key"}, "", None),
        ({"ADMIN_API_KEY": "schl\u00fcssel"}, "schl\u00fcssel".encode().decode("latin-1"), "current"),
        (BOTH, "\u20ac", None),
    ],
)
def test_which_key_matches(environment: dict[str, str], given: str, matched: str | None) -> None:
    headers = {"x-admin-key": given} if given else {}
    assert matching_key(Settings(environment, declared_settings()), headers) == matched


class Lines:
    """An audit log that only remembers."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []

    def write(self, event: dict[str, Any]) -> None:
        self.written.append(event)


def test_use_of_the_key_before_the_last_rotation_is_audited_wherever_it_fits() -> None:
    settings, audit = Settings(BOTH, declared_settings()), Lines()
    for given, fits in (("new-key", True), ("nobody's", False), ("old-key", True)):
        scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/api/call", "query_string": b""}
        scope |= {"headers": [(b"host", b"127.0.0.1"), (b"x-admin-key", given.encode())], "scheme": "http"}
        attach_context(scope, RequestContext("r-1", "192.0.2.7"))
        assert holds_admin_key(Request(scope), settings, audit) is fits  # type: ignore[arg-type]
    (line,) = audit.written
    assert (line["event_type"], line["source_ip"]) == ("auth.admin_key_prev_used", "192.0.2.7")
    assert line["metadata"] == {"method": "POST", "path": "/api/call"}
    assert "old-key" not in str(line)
