"""The administrative addresses. Without ADMIN_API_KEY there are none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from wellsourced.app import Application
from wellsourced.http.admin import maintenance, people
from wellsourced.http.admin.gate import Endpoint, Gate

ENDPOINTS: dict[str, dict[str, Endpoint]] = {
    "/admin/cache": {"GET": maintenance.cache_sizes, "DELETE": maintenance.clear_cache},
    "/admin/sessions": {"DELETE": maintenance.clear_sessions},
    "/admin/analytics": {"GET": maintenance.analytics},
    "/admin/data": {"GET": people.export_data, "DELETE": people.erase_data},
    "/admin/consent": {"GET": people.show_consent, "POST": people.record_consent},
    "/admin/workspace/members": {"POST": people.add_member, "DELETE": people.remove_member},
}


def admin_routes(app: Application) -> list[Route]:
    if not app.settings.is_set("ADMIN_API_KEY"):
        return []
    gate = Gate(app)
    return [Route(path, by_method(gate, methods), methods=list(methods)) for path, methods in ENDPOINTS.items()]


def by_method(gate: Gate, methods: dict[str, Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    endpoints = {method: gate.behind(endpoint) for method, endpoint in methods.items()}

    async def answer(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return answer
