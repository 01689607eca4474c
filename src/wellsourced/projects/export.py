"""A project as a file: a report for people, its data as JSON, or all that was captured as a WACZ."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from wellsourced.errors import BadInput
from wellsourced.projects.capture_records import reading_in
from wellsourced.projects.collector import now_text
from wellsourced.projects.project import PageCapture, Project, whole_json
from wellsourced.projects.report import html_report, markdown_report_of
from wellsourced.projects.wacz_write import WaczWriter
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


async def export_project(
    projects: Projects, project: Project, format: str, out: IO[bytes], session_id: str = ""
) -> None:
    """Write a project in a format; of a WACZ, with a session, what was captured in it."""
    if format not in MEDIA_TYPES:
        raise BadInput(f"format must be one of {', '.join(MEDIA_TYPES)}.")
    project = await projects.refreshed(project)
    if format == "wacz":
        await write_wacz(projects, project, out, session_id)
    else:
        out.write(await asyncio.to_thread(_report, project, format))


def _report(project: Project, format: str) -> bytes:
    if format == "json":
        return encode_json(whole_json(project))
    write = html_report if format == "html" else markdown_report_of
    return write(project, now_text()).encode("utf-8", "replace")


async def write_wacz(projects: Projects, project: Project, out: IO[bytes], session_id: str = "") -> None:
    """All that was captured for a project, or for one session of it."""
    if session_id:
        project = of_session(project, session_id)
    writer = await asyncio.to_thread(WaczWriter, project, await projects.signing_key(), now_text(), session_id)
    for capture in project.captures.values():
        blob = await projects.store.get_blob(project.owner, project.id, capture.record)
        await asyncio.to_thread(_add, writer, capture, blob)
    await asyncio.to_thread(writer.write, out)


def _add(writer: WaczWriter, capture: PageCapture, blob: bytes) -> None:
    reading = reading_in(blob)
    writer.add(capture, blob, reading.page.plain or reading.page.markdown if reading else "")


def of_session(project: Project, session_id: str) -> Project:
    """What was captured in one session; the receipts stay all, since they are a chain."""
    kept = {n: capture for n, capture in project.captures.items() if capture.session_id == session_id}
    if not kept:
        raise BadInput(
            "Nothing was captured in this session. Add it to a project, which reads its sources: "
            "wellsourced project add NAME --session ID"
        )
    kept |= {n: project.captures[n] for capture in kept.values() if (n := capture.same_as or 0) in project.captures}
    items = {n: item for n, item in project.items.items() if item.capture in kept or item.session_id == session_id}
    return replace(project, items=items, captures=dict(sorted(kept.items())))
