"""The operator's key and the one before it."""

from __future__ import annotations

import pytest

from wellsourced.server.admin_key import matching_key
from wellsourced.settings import Settings
from wellsourced.wiring import declared_settings

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
