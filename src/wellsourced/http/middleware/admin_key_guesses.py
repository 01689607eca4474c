"""The door that watches the operator's key: a wrong one is a guess, counted and audited here once, whatever it was
tried on; so is knocking at /admin without one. Whether to open is for what lies behind to say.
"""

from __future__ import annotations

from functools import partial

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.http.admin.wrong_keys import WrongKeys
from wellsourced.http.admin_key import HEADER, matching_key
from wellsourced.http.middleware.rate_limits import subscriber
from wellsourced.http.request_context import visit_of
from wellsourced.settings import Settings
from wellsourced.storage.audit.event import audit_event
from wellsourced.storage.audit.log import AuditLog
from wellsourced.text.amounts import format_seconds

ADMIN = "/admin/"


class KeyDoor:
    def __init__(self, app: ASGIApp, settings: Settings, audit: AuditLog | None) -> None:
        self._app = app
        self._settings = settings
        self._audit = audit
        self._wrong_keys = WrongKeys()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if HEADER in headers or scope["path"].startswith(ADMIN):
                refusal = self._refusal(scope, headers)
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        """For an address that has guessed too often; a wrong key alone is turned away by what it should open."""
        address = subscriber(visit_of(scope).address)
        if wait := self._wrong_keys.wait(address):
            return too_many(wait)
        if matching_key(self._settings, headers) is None:
            self._wrong_keys.note(address)
            self._record(scope, "admin_key_invalid" if HEADER in headers else "admin_key_missing")
        return None

    def _record(self, scope: Scope, reason: str) -> None:
        visit = visit_of(scope)
        told = partial(audit_event, request_id=visit.request_id, source_ip=visit.address)
        where: dict[str, object] = {"method": scope["method"], "path": scope["path"]}
        if self._audit:
            self._audit.write(told("auth.failure", success=False, error_code=reason, metadata=where))


def too_many(wait: int) -> JSONResponse:
    sentence = f"Too many wrong admin keys came from this address. Try again in {format_seconds(wait)}."
    body = {"error": "rate_limited", "error_description": sentence}
    return JSONResponse(body, 429, headers={"Cache-Control": "no-store", "Retry-After": str(wait)})
