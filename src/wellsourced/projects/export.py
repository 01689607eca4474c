"""A project as a file: a report for people, its data as JSON, or all that was captured as a WACZ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.errors import BadInput
from wellsourced.projects.project import Project, whole_json
from wellsourced.tool.answer import encode_json

if TYPE_CHECKING:
    from wellsourced.projects.projects import Projects

MEDIA_TYPES = {
    "html": "text/html; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "json": "application/json",
    "wacz": "application/wacz+zip",
}
EXTENSIONS = {"html": "html", "markdown": "md", "json": "json", "wacz": "wacz"}


async def export_project(projects: Projects, project: Project, format: str) -> bytes:
    project = await projects.refreshed(project)
    match format:
        case "json":
            return encode_json(whole_json(project))
    raise BadInput(f"format must be one of {', '.join(MEDIA_TYPES)}.")
