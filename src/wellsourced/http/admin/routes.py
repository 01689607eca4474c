"""The administrative endpoints: the key in front of each, and a response for whatever goes wrong.

Without ADMIN_API_KEY there are none.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from wellsourced.app import Application
from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.http.admin import maintenance, people
from wellsourced.http.admin.admin_request import AdminRequest, error_response
from wellsourced.http.admin_key import holds_admin_key
from wellsourced.http.request_context import request_context

AdminEndpoint: TypeAlias = Callable[[AdminRequest], Awaitable[Response]]

USUAL_WAIT = 5
ENDPOINTS: dict[str, dict[str, AdminEndpoint]] = {
    "/admin/cache": {"GET": maintenance.cache_sizes, "DELETE": maintenance.clear_cache},
    "/admin/sessions": {"DELETE": maintenance.clear_sessions},
    "/admin/analytics": {"GET": maintenance.analytics},
    "/admin/data": {"GET": people.export_data, "DELETE": people.erase_data},
    "/admin/consent": {"GET": people.show_consent, "POST": people.record_consent},
    "/admin/workspace/members": {"POST": people.add_member, "DELETE": people.remove_member},
}

logger = logging.getLogger(__name__)


def admin_routes(app: Application) -> list[Route]:
    if not app.settings.is_set("ADMIN_API_KEY"):
        return []
    return [Route(path, with_key(app, methods), methods=list(methods)) for path, methods in ENDPOINTS.items()]


def with_key(app: Application, endpoints: dict[str, AdminEndpoint]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoints of one path for holders of the key. A wrong or missing key was audited by the middleware."""

    async def answer(request: Request) -> Response:
        if not holds_admin_key(request, app.settings, app.audit):
            return error_response(401, "unauthorized", "This needs the admin key in the header X-Admin-Key.")
        endpoint = endpoints["GET" if request.method == "HEAD" else request.method]
        try:
            return await endpoint(AdminRequest(app, request))
        except BadInput as wrong:
            return error_response(400, "invalid_request", wrong.sentence)
        except WellsourcedError as problem:
            return report_failure(app, request, problem)

    return answer


def report_failure(app: Application, request: Request, problem: WellsourcedError) -> JSONResponse:
    """Log and audit it. A store that does not answer may do so soon; anything else needs the operator."""
    logger.warning("%s %s failed: %s", request.method, request.url.path, problem.sentence)
    place = {"method": request.method, "path": request.url.path}
    context = request_context(request.scope)
    context.write_audit(app.audit, "admin.failure", success=False, error_code=problem.kind, metadata=place)
    if not problem.retryable:
        return error_response(500, problem.kind, problem.sentence)
    wait = math.ceil(problem.retry_after or problem.default_wait or USUAL_WAIT)
    return error_response(503, problem.kind, problem.sentence, {"Retry-After": str(wait)})
