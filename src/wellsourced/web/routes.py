"""The routes of the workbench: the page at /, its static files under /static/, its JSON under /api/."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from wellsourced.web.access import AccessControl, KeyCheck
from wellsourced.web.api import AUDIT_PATH, CALL_PATH, Api
from wellsourced.web.audit_stream import AuditStream
from wellsourced.web.demo import DemoStream
from wellsourced.web.health import HealthEndpoints
from wellsourced.web.page_files import PageFiles

if TYPE_CHECKING:
    from wellsourced.demo import SharedDemo
    from wellsourced.mcp.dispatcher import Dispatcher


def page_routes(dispatcher: Dispatcher, holds_admin_key: KeyCheck, demo: SharedDemo | None = None) -> list[Route]:
    """Without `demo` the page does not offer the demonstration."""
    access, files = AccessControl(dispatcher.app, holds_admin_key), PageFiles()
    api, health = Api(dispatcher, access, has_demo=demo is not None), HealthEndpoints(dispatcher, access)
    public = {"/": files.page, "/static/{name}": files.static_file}
    reading = {
        "/api/about": api.about,
        "/api/sessions": api.sessions,
        "/api/library": api.library,
        "/api/library/{id}": api.library_entry,
        "/api/health": health.snapshot,
        "/api/events": health.events,
    }
    doing = {
        CALL_PATH: api.call,
        AUDIT_PATH: AuditStream(dispatcher, access).stream,
        "/api/demo": DemoStream(demo).stream,
    }
    return [
        *(Route(path, access.protect(endpoint, is_public=True), methods=["GET"]) for path, endpoint in public.items()),
        *(Route(path, access.protect(endpoint), methods=["GET"]) for path, endpoint in reading.items()),
        *(Route(path, access.protect(endpoint), methods=["POST"]) for path, endpoint in doing.items()),
    ]
