"""The library for the page: what was read, searched and narrowed; tags, deletion, and documents that people upload."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.library.collector import Collector
from wellsourced.sessions.session_json import moment_text
from wellsourced.storage.library.store import LibraryDocument, LibraryFilters
from wellsourced.tool.answer import encode_json
from wellsourced.web.access import AccessControl, RequestRefused
from wellsourced.web.api import json_response, read_json

if TYPE_CHECKING:
    from wellsourced.app import Application

T = TypeVar("T")

MOST_ENTRIES = 50
LONGEST_QUESTION = 500
FILTERS = ("site", "since", "until", "kind", "tag", "language")


class LibraryEndpoints:
    def __init__(self, app: Application, access: AccessControl) -> None:
        self._app = app
        self._library = app.services.library
        self._access = access

    async def entries(self, request: Request) -> Response:
        """The documents read last, or with `q` those that match it; `offset` counts those already shown."""
        identity, asked = self._access.identity(request), request.query_params
        question = asked.get("q", "").strip()[:LONGEST_QUESTION]
        filters = LibraryFilters(**{name: asked.get(name, "").strip()[:200] for name in FILTERS})
        if question:
            results = await answered(self._library.search(question, identity, filters, MOST_ENTRIES))
            entries = [library_json(result.about, result.passage) for result in results]
        else:
            offset = int(asked.get("offset", "0")) if asked.get("offset", "0").isdecimal() else 0
            listed = await answered(self._library.list_documents(identity, filters, MOST_ENTRIES, offset))
            entries = [library_json(document) for document in listed]
        total = (await answered(self._library.totals(identity))).documents
        return json_response(encode_json({"entries": entries, "total": total}))

    async def entry(self, request: Request) -> Response:
        whole = await answered(self._library.fetch(request.path_params["id"], self._access.identity(request)))
        if whole is None:
            raise RequestRefused(404, "The library has no such entry any more.")
        return json_response(encode_json({**library_json(whole.about), "text": whole.text}))

    async def delete(self, request: Request) -> Response:
        removed = await answered(self._library.remove(request.path_params["id"], self._access.identity(request)))
        if not removed:
            raise RequestRefused(404, "The library has no such entry of yours.")
        return json_response(encode_json({"deleted": removed}))

    async def tag(self, request: Request) -> Response:
        tags = tags_of(await read_json(request))
        entry = await answered(self._library.retag(request.path_params["id"], tags, self._access.identity(request)))
        if entry is None:
            raise RequestRefused(404, "The library has no such entry of yours.")
        return json_response(encode_json(library_json(entry)))

    async def upload(self, request: Request) -> Response:
        """A document of the person's own, read like any other in the sandbox; only they find it."""
        body = await read_json(request)
        name, content = body.get("name"), body.get("content")
        if not isinstance(name, str) or not name.strip() or not isinstance(content, str):
            raise RequestRefused(400, "Send name, and content as base64.")
        try:
            given = base64.b64decode(content, validate=True)
        except binascii.Error:
            raise RequestRefused(400, "content is not base64.") from None
        services = self._app.services
        collector = Collector(
            reader=services.reader,
            workers=services.workers,
            identity=self._access.identity(request),
            tags=tags_of(body),
            private=True,
        )
        collected = await collector.upload(name.strip()[:200], given)
        if collected.entry is None:
            raise RequestRefused(400, collected.problem)
        await answered(self._library.add([collected.entry]))
        return json_response(encode_json({"id": collected.entry.id, "title": collected.entry.title}))


async def answered(work: Awaitable[T]) -> T:
    """Its result, or the refusal that says in words why there is none."""
    try:
        return await work
    except WellsourcedError as problem:
        raise RequestRefused(400 if isinstance(problem, BadInput) else 503, problem.sentence) from None


def tags_of(body: dict[str, Any]) -> tuple[str, ...]:
    tags = body.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise RequestRefused(400, "tags must be a list of texts.")
    return tuple(tags)


def library_json(document: LibraryDocument, passage: str | None = None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": document.id,
        "url": document.url,
        "title": document.title or document.url,
        "author": document.author,
        "date": document.date,
        "site": document.site,
        "kind": document.kind,
        "tags": list(document.tags),
        "language": document.language,
        "length": document.length,
        "readAt": moment_text(datetime.fromtimestamp(document.added, UTC).replace(microsecond=0)),
    }
    return entry | ({"passage": passage} if passage is not None else {})
