"""The JSON endpoints of the page for projects: what they hold, what is added, their captures, receipts and changes."""

from __future__ import annotations

import base64
import binascii
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from wellsourced.errors import BadInput, NotFound, SessionNotFound, UpstreamUnavailable, WellsourcedError
from wellsourced.tool.answer import encode_json
from wellsourced.web.access import HEADERS, AccessControl, Endpoint, RequestRefused
from wellsourced.web.api import json_response, read_json

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.projects.collector import Added
    from wellsourced.projects.project import PageCapture, Project

PATH = "/api/projects"
MOST_LISTED = 200
ADD_SECONDS = 110.0
CHUNK = 256 * 1024
SAFE_NAME = re.compile(r"[^A-Za-z0-9]+")
STATUS: tuple[tuple[type[WellsourcedError], int], ...] = (
    (NotFound, 404),
    (SessionNotFound, 404),
    (BadInput, 400),
    (UpstreamUnavailable, 503),
)


class ProjectEndpoints:
    def __init__(self, app: Application, access: AccessControl) -> None:
        self._app = app
        self._access = access

    def reading(self) -> dict[str, Endpoint]:
        endpoints = {
            "": self.listed,
            "/{id}": self.shown,
            "/{id}/export": self.export,
            "/{id}/captures": self.captures,
            "/{id}/captures/{number:int}": self.capture,
            "/{id}/drift": self.drift,
            "/{id}/receipts": self.receipts,
            "/{id}/receipts/{number:int}": self.receipt,
        }
        return {PATH + path: answering(endpoint) for path, endpoint in endpoints.items()}

    def doing(self) -> dict[str, Endpoint]:
        endpoints = {
            "": self.start,
            "/{id}/add": self.add,
            "/{id}/remove": self.remove,
            "/{id}/tag": self.tag,
            "/{id}/archive": self.archive,
            "/{id}/delete": self.delete,
            "/{id}/watch": self.watch,
        }
        return {PATH + path: answering(endpoint) for path, endpoint in endpoints.items()}

    async def listed(self, request: Request) -> Response:
        from wellsourced.projects.project import head_json

        who, projects = self._access.identity(request), self._app.services.projects
        heads = await projects.heads(who, archived=request.query_params.get("archived") == "true")
        quota = {"bytes": projects.captures.quota, "used": await projects.captures.used(who)}
        return as_json({"projects": [head_json(head) for head in heads], "quota": quota})

    async def start(self, request: Request) -> Response:
        from wellsourced.projects.project import head_json

        body, who = await read_json(request), self._access.identity(request)
        project = await self._app.services.projects.start(
            who, text_of(body, "name"), text_of(body, "question"), tags_of(body)
        )
        return as_json(head_json(project.head))

    async def shown(self, request: Request) -> Response:
        from wellsourced.projects.project import project_json

        projects = self._app.services.projects
        return as_json(project_json(await projects.refreshed(await self._project(request))))

    async def add(self, request: Request) -> Response:
        from wellsourced.projects.project import item_json

        body = await read_json(request)
        added = await self._add(await self._project(request), body)
        return as_json({"added": [item_json(item) for item in added.items], "notes": list(added.notes)})

    async def _add(self, project: Project, body: dict[str, Any]) -> Added:
        collector, tags, deadline = self._app.services.projects.collector, tags_of(body), time.monotonic() + ADD_SECONDS
        match body.get("kind"):
            case "source":
                return await collector.add_source(project, text_of(body, "url"), deadline, tags)
            case "quote":
                url, item, claim = text_of(body, "url"), number_of(body), text_of(body, "claim")
                words = text_of(body, "quote")
                return await collector.add_quote(project, words, deadline, url=url, item=item, claim=claim, tags=tags)
            case "citation":
                return await collector.add_citation(project, text_of(body, "text"), tags)
            case "file":
                return await collector.add_file(project, text_of(body, "name"), content_of(body), tags)
            case "session":
                return await collector.add_session(project, text_of(body, "sessionId"), deadline)
        raise BadInput("kind must be source, quote, citation, file or session.")

    async def export(self, request: Request) -> Response:
        from wellsourced.projects.export import EXTENSIONS, MEDIA_TYPES, export_project

        project, format = await self._project(request), request.query_params.get("format", "html")
        out = TemporaryFile()  # noqa: SIM115 - closed when it was sent
        await export_project(self._app.services.projects, project, format, out)
        name = f"{SAFE_NAME.sub('-', project.head.name).strip('-') or 'project'}.{EXTENSIONS[format]}"
        headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(file_chunks(out), media_type=MEDIA_TYPES[format], headers=headers)

    async def remove(self, request: Request) -> Response:
        number = number_of(await read_json(request))
        if number is None:
            raise BadInput("item must be the number of an item.")
        return await self._changed(request, lambda project: self._app.services.projects.remove(project, number))

    async def tag(self, request: Request) -> Response:
        body = await read_json(request)
        tags, item = tags_of(body), number_of(body)
        return await self._changed(request, lambda project: self._app.services.projects.tag(project, tags, item))

    async def archive(self, request: Request) -> Response:
        wanted = (await read_json(request)).get("archived", True) is not False
        return await self._changed(request, lambda project: self._app.services.projects.archive(project, wanted))

    async def delete(self, request: Request) -> Response:
        captures = await self._app.services.projects.delete(await self._project(request))
        return as_json({"deleted": True, "captures": captures})

    async def watch(self, request: Request) -> Response:
        projects = self._app.services.projects
        report = await projects.watch(await self._project(request), time.monotonic() + ADD_SECONDS)
        return as_json(report.model_dump(by_alias=True, exclude_none=True))

    async def drift(self, request: Request) -> Response:
        from wellsourced.projects.report import DRIFT_FORMATS

        report = (await self._project(request)).drift
        if report is None:
            raise NotFound("This project was not watched yet.")
        format = request.query_params.get("format", "json")
        if format == "json":
            return as_json(report.model_dump(by_alias=True, exclude_none=True))
        if format not in DRIFT_FORMATS:
            raise BadInput(f"format must be one of json, {', '.join(DRIFT_FORMATS)}.")
        write, media_type = DRIFT_FORMATS[format]
        return Response(write(report), media_type=media_type, headers=HEADERS)

    async def captures(self, request: Request) -> Response:
        project = await self._project(request)
        offset, limit = (
            whole_number(request, name, most) for name, most in (("offset", 10**9), ("limit", MOST_LISTED))
        )
        newest = list(reversed(list(project.captures.values())))[offset : offset + (limit or 50)]
        listed = [capture_json(capture) for capture in newest]
        return as_json({"captures": listed, "total": len(project.captures), "bytes": project.head.capture_bytes})

    async def capture(self, request: Request) -> Response:
        """What was read then, without the network; with `q` the passages on it, with `quote` where it stands."""
        from wellsourced.projects.replay import look_into

        project = await self._project(request)
        capture = project.captures.get(request.path_params["number"])
        if capture is None:
            raise NotFound("The project has no such capture.")
        reading = await self._app.services.projects.captures.read(project, capture)
        asked = {name: request.query_params.get(name, "").strip() for name in ("q", "quote")}
        seen = await look_into(self._app.services.workers, reading.page, query=asked["q"], quote=asked["quote"])
        return as_json(capture_json(capture) | {"text": reading.page.markdown} | seen)

    async def receipts(self, request: Request) -> Response:
        from wellsourced.projects.receipts import chain_problems, receipt_problems

        project = await self._project(request)
        receipts = list(project.receipts.values())
        problems = [problem for receipt in receipts for problem in receipt_problems(receipt)]
        problems += chain_problems(receipts, project.head.receipts, project.head.chain)
        return as_json({"receipts": receipts, "chain": {"ok": not problems, "problems": problems}})

    async def receipt(self, request: Request) -> Response:
        number = request.path_params["number"]
        receipt = (await self._project(request)).receipts.get(number)
        if receipt is None:
            raise NotFound("The project has no such receipt.")
        return as_file(encode_json(receipt), f"receipt-{number}.json", "application/json")

    async def _project(self, request: Request) -> Project:
        return await self._app.services.projects.find(self._access.identity(request), request.path_params["id"])

    async def _changed(self, request: Request, change: Callable[[Project], Awaitable[Project]]) -> Response:
        from wellsourced.projects.project import head_json

        return as_json(head_json((await change(await self._project(request))).head))


def answering(endpoint: Endpoint) -> Endpoint:
    """With what went wrong as a status and a sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except WellsourcedError as problem:
            status = next((status for kind, status in STATUS if isinstance(problem, kind)), 502)
            raise RequestRefused(status, problem.sentence, kind=problem.kind) from None

    return answer


def file_chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while chunk := file.read(CHUNK):
            yield chunk


def as_json(value: dict[str, Any]) -> Response:
    return json_response(encode_json(value))


def as_file(content: bytes, name: str, media_type: str) -> Response:
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


def capture_json(capture: PageCapture) -> dict[str, Any]:
    return capture.model_dump(by_alias=True, exclude_none=True)


def text_of(body: dict[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise BadInput(f"{name} must be a text.")
    return value


def tags_of(body: dict[str, Any]) -> list[str]:
    tags = body.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise BadInput("tags must be a list of texts.")
    return tags


def number_of(body: dict[str, Any]) -> int | None:
    item = body.get("item")
    if item is not None and (not isinstance(item, int) or isinstance(item, bool)):
        raise BadInput("item must be the number of an item.")
    return item


def content_of(body: dict[str, Any]) -> bytes:
    try:
        return base64.b64decode(text_of(body, "content"), validate=True)
    except binascii.Error:
        raise BadInput("content must be the file in base64.") from None


def whole_number(request: Request, name: str, most: int) -> int:
    value = request.query_params.get(name, "0")
    if not value.isdecimal() or not value.isascii():
        raise BadInput(f"{name} must be a whole number.")
    return min(int(value), most)
