"""The operator's key: header X-Admin-Key against ADMIN_API_KEY and, after a rotation, ADMIN_API_KEY_PREV."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Literal

from wellsourced.settings import Settings

HEADER = "x-admin-key"


def matching_key(settings: Settings, headers: Mapping[str, str]) -> Literal["current", "previous"] | None:
    """Which key the caller holds. A key that is not set matches nothing; the comparison takes the same time for all."""
    given = headers.get(HEADER, "")
    is_current = is_same(given, settings.text("ADMIN_API_KEY"))
    is_previous = is_same(given, settings.text("ADMIN_API_KEY_PREV"))
    if is_current:
        return "current"
    return "previous" if is_previous else None


def is_same(given: str, key: str) -> bool:
    """Header values arrive as Latin-1; a key of any script is compared by its bytes."""
    return hmac.compare_digest(given.encode("latin-1", "replace"), key.encode()) and bool(key)
