"""In front of every administrative endpoint: the key, the audit line, and a sentence for whatever goes wrong."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wellsourced.app import Application
from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.http.admin_key import holds_key
from wellsourced.http.request_context import Visit, visit_of
from wellsourced.identity import Identity
from wellsourced.storage.audit.event import audit_event

NO_STORE = {"Cache-Control": "no-store"}
ADMIN = "admin"
EVERYBODY = "*"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Errand:
    """One administrative request of somebody who has the key."""

    app: Application
    request: Request
    visit: Visit

    def record(
        self, event_type: str, identity: Identity | None = None, *, success: bool = True, **metadata: object
    ) -> None:
        """Into the audit log: what was done, to whom, from where."""
        known = {name: value for name, value in metadata.items() if value is not None}
        record(self.app, self.visit, event_type, identity=identity, success=success, metadata={"actor": ADMIN, **known})


Endpoint: TypeAlias = Callable[[Errand], Awaitable[Response]]


class Gate:
    def __init__(self, app: Application) -> None:
        self._app = app

    def behind(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        return partial(self._answer, endpoint)

    async def _answer(self, endpoint: Endpoint, request: Request) -> Response:
        visit = visit_of(request.scope)
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        try:
            return await endpoint(Errand(self._app, request, visit))
        except BadInput as wrong:
            return told(400, "invalid_request", wrong.sentence)
        except WellsourcedError as problem:
            logger.warning("%s %s failed: %s", request.method, request.url.path, problem.sentence)
            outcome = {"success": False, "error_code": problem.kind, "metadata": asked(request)}
            record(self._app, visit, "admin.failure", **outcome)
            return failed(problem)

    def _refusal(self, request: Request) -> Response | None:
        """None for somebody with the key. That it is wrong or missing was audited by the door that counts guesses."""
        if holds_key(request, self._app.settings, self._app.audit):
            return None
        return told(401, "unauthorized", "This needs the admin key in the header X-Admin-Key.")


def record(app: Application, visit: Visit, event_type: str, **fields: Any) -> None:
    if app.audit:
        app.audit.write(audit_event(event_type, request_id=visit.request_id, source_ip=visit.address, **fields))


def asked(request: Request) -> dict[str, object]:
    return {"method": request.method, "path": request.url.path}


def told(status: int, error: str, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    body = {"error": error, "error_description": sentence}
    return JSONResponse(body, status, headers={**NO_STORE, **(headers or {})})


def answered(body: dict[str, Any], status: int = 200) -> JSONResponse:
    return JSONResponse(body, status, headers=NO_STORE)


def failed(problem: WellsourcedError) -> JSONResponse:
    """A store that does not answer may do so soon; anything else needs the operator."""
    if not problem.retryable:
        return told(500, problem.kind, problem.sentence)
    wait = math.ceil(problem.retry_after or problem.default_wait or 5)
    return told(503, problem.kind, problem.sentence, {"Retry-After": str(wait)})
