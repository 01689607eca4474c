"""The routes of the workbench: the page at /, its parts under /static/, its JSON under /api/."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from wellsourced.web.access import Entrance
from wellsourced.web.api import Api
from wellsourced.web.audit_stream import Auditing
from wellsourced.web.demo import Demonstration
from wellsourced.web.files import Files
from wellsourced.web.health import Health
from wellsourced.web.request_body import AUDIT_PATH, CALL_PATH

if TYPE_CHECKING:
    from wellsourced.demo import SharedDemo
    from wellsourced.mcp.dispatcher import Dialogue


def page_routes(dialogue: Dialogue, demo: SharedDemo | None = None) -> list[Route]:
    """`demo` is where visitors may start the demonstration; without it the page does not offer one."""
    files = Files()
    entrance = Entrance(dialogue.app.settings, dialogue.app.local_user, dialogue.app.audit)
    api, health = Api(dialogue, entrance, has_demo=demo is not None), Health(dialogue, entrance)
    auditing, demonstration = Auditing(dialogue, entrance), Demonstration(demo)
    open_to_all = [("/", files.page), ("/static/{name}", files.part)]
    reading = [
        ("/api/about", api.about),
        ("/api/sessions", api.sessions),
        ("/api/library", api.library),
        ("/api/library/{id}", api.library_entry),
        ("/api/health", health.snapshot),
        ("/api/events", health.events),
    ]
    doing = [(CALL_PATH, api.call), (AUDIT_PATH, auditing.stream), ("/api/demo", demonstration.stream)]
    return [
        *(Route(path, entrance.opened(endpoint, to_all=True), methods=["GET"]) for path, endpoint in open_to_all),
        *(Route(path, entrance.opened(endpoint), methods=["GET"]) for path, endpoint in reading),
        *(Route(path, entrance.opened(endpoint), methods=["POST"]) for path, endpoint in doing),
    ]
