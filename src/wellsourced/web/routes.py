"""The routes of the workbench: the page at /, its static files under /static/, its JSON under /api/."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from wellsourced.errors import WellsourcedError
from wellsourced.web.access import AccessControl, KeyCheck, RequestRefused
from wellsourced.web.api import AUDIT_PATH, CALL_PATH, IMAGE_PATH, STREAM_PATH, Api
from wellsourced.web.health import HealthEndpoints
from wellsourced.web.image import ImageFetch
from wellsourced.web.library import LibraryEndpoints
from wellsourced.web.page_files import PageFiles
from wellsourced.web.projects import ProjectEndpoints
from wellsourced.web.sse import EventStream, StreamLimit, event
from wellsourced.web.tool_stream import ToolStream

if TYPE_CHECKING:
    from wellsourced.demo import SharedDemo
    from wellsourced.mcp.dispatcher import Dispatcher
    from wellsourced.web.audit_stream import AuditStream


MOST_STREAMS = 4


class DemoStream:
    def __init__(self, demo: SharedDemo | None) -> None:
        self._demo = demo
        self._stream_limit = StreamLimit(MOST_STREAMS)

    async def stream(self, request: Request) -> Response:
        if self._demo is None:
            raise RequestRefused(404, "This server has no demonstration.")
        return EventStream(demo_events(self._demo), self._stream_limit)


async def demo_events(demo: SharedDemo) -> AsyncGenerator[bytes]:
    try:
        async with aclosing(demo.run()) as run:
            async for step in run:
                yield event("step", step.as_json())
    except WellsourcedError as problem:
        yield event("failed", {"error": problem.sentence})


def page_routes(dispatcher: Dispatcher, holds_admin_key: KeyCheck, demo: SharedDemo | None = None) -> list[Route]:
    """Without `demo` the page does not offer the demonstration."""
    access, files = AccessControl(dispatcher.app, holds_admin_key), PageFiles()
    api, health = Api(dispatcher, access, has_demo=demo is not None), HealthEndpoints(dispatcher, access)
    projects = ProjectEndpoints(dispatcher.app, access)
    library = LibraryEndpoints(dispatcher.app, access)

    @cache
    def audit() -> AuditStream:
        """Made when it is first asked for: what checks citations takes its room."""
        from wellsourced.web.audit_stream import AuditStream

        return AuditStream(dispatcher, access)

    public = {"/": files.page, "/static/{name}": files.static_file}
    reading = {
        "/api/about": api.about,
        "/api/sessions": api.sessions,
        **projects.reading(),
        "/api/library": library.entries,
        "/api/library/{id}": library.entry,
        "/api/health": health.snapshot,
        "/api/events": health.events,
    }
    doing = {
        CALL_PATH: api.call,
        **projects.doing(),
        STREAM_PATH: ToolStream(dispatcher, access).stream,
        IMAGE_PATH: ImageFetch(dispatcher).fetch,
        AUDIT_PATH: lambda request: audit().stream(request),
        "/api/corrected": lambda request: audit().corrected(request),
        "/api/library/upload": library.upload,
        "/api/library/{id}/tag": library.tag,
        "/api/library/{id}/delete": library.delete,
        "/api/demo": DemoStream(demo).stream,
    }
    return [
        *(Route(path, access.protect(endpoint, is_public=True), methods=["GET"]) for path, endpoint in public.items()),
        *(Route(path, access.protect(endpoint), methods=["GET"]) for path, endpoint in reading.items()),
        *(Route(path, access.protect(endpoint), methods=["POST"]) for path, endpoint in doing.items()),
    ]
