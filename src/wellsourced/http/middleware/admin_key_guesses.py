"""Limits guesses of the operator's key: a wrong key is counted and audited here once, whatever it was tried on, and
so is a request to /admin without one. Whether the key lets somebody in is decided by the endpoint.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.http.admin_key import HEADER, matching_key
from wellsourced.http.middleware.rate_limits import subscriber_address
from wellsourced.http.request_context import request_context
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog
from wellsourced.text.amounts import format_seconds

ADMIN_PATH = "/admin/"
MOST_WRONG = 5
MINUTE = 60.0
MOST_ADDRESSES = 10_000


class AdminKeyGuessMiddleware:
    def __init__(self, app: ASGIApp, settings: Settings, audit: AuditLog | None) -> None:
        self._app = app
        self._settings = settings
        self._audit = audit
        self._wrong_keys = WrongKeys()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if HEADER in headers or scope["path"].startswith(ADMIN_PATH):
                refusal = self._refusal(scope, headers)
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        """For an address that has guessed too often; a single wrong key is refused by the endpoint."""
        context = request_context(scope)
        address = subscriber_address(context.address)
        if wait := self._wrong_keys.wait(address):
            return too_many_guesses(wait)
        if matching_key(self._settings, headers) is None:
            self._wrong_keys.add(address)
            reason = "admin_key_invalid" if HEADER in headers else "admin_key_missing"
            place = {"method": scope["method"], "path": scope["path"]}
            context.write_audit(self._audit, "auth.failure", success=False, error_code=reason, metadata=place)
        return None


class WrongKeys:
    """How many wrong keys came from an address in the last minute, for the addresses that guessed last.

    After a few, no key from there is looked at for a while, not even the right one: or guessing could go on beside
    the refusals.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guesses: OrderedDict[str, list[float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """Seconds until a key from this address is looked at again; 0 is now."""
        recent = self._recent(address)
        return max(1, math.ceil(recent[0] + MINUTE - self._clock())) if len(recent) >= MOST_WRONG else 0

    def add(self, address: str) -> None:
        self._guesses[address] = [*self._recent(address), self._clock()][-MOST_WRONG:]
        self._guesses.move_to_end(address)
        if len(self._guesses) > MOST_ADDRESSES:
            self._guesses.popitem(last=False)

    def _recent(self, address: str) -> list[float]:
        since = self._clock() - MINUTE
        return [guess for guess in self._guesses.get(address, ()) if guess > since]


def too_many_guesses(wait: int) -> JSONResponse:
    sentence = f"Too many wrong admin keys came from this address. Try again in {format_seconds(wait)}."
    body = {"error": "rate_limited", "error_description": sentence}
    return JSONResponse(body, 429, headers={"Cache-Control": "no-store", "Retry-After": str(wait)})
