"""The operator's key: header X-Admin-Key against ADMIN_API_KEY and, after a rotation, ADMIN_API_KEY_PREV."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Literal

from starlette.requests import Request

from wellsourced.http.request_context import request_context
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog

HEADER = "x-admin-key"
VARIABLES = ("ADMIN_API_KEY", "ADMIN_API_KEY_PREV")


def has_admin_key(settings: Settings) -> bool:
    """Whether the operator has set a key, so that there is one to guess."""
    return any(settings.is_set(name) for name in VARIABLES)


def holds_admin_key(request: Request, settings: Settings, audit: AuditLog | None) -> bool:
    """Whether the caller sent the operator's key. Use of the key before the last rotation is audited."""
    key = matching_key(settings, request.headers)
    if key == "previous" and audit:
        place = {"method": request.method, "path": request.url.path}
        request_context(request.scope).write_audit(audit, "auth.admin_key_prev_used", metadata=place)
    return key is not None


def matching_key(settings: Settings, headers: Mapping[str, str]) -> Literal["current", "previous"] | None:
    """Which key the caller holds. A key that is not set matches nothing; the comparison takes the same time for all."""
    given = headers.get(HEADER, "")
    is_current, is_previous = (is_same_key(given, settings.text(name)) for name in VARIABLES)
    if is_current:
        return "current"
    return "previous" if is_previous else None


def is_same_key(given: str, key: str) -> bool:
    """Header values arrive as Latin-1; a key of any script is compared by its bytes."""
    return hmac.compare_digest(given.encode("latin-1", "replace"), key.encode()) and bool(key)
