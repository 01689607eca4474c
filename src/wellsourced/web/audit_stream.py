"""Checks a bibliography and streams the results: the list at once, then every entry as soon as it is checked.

The entries go through the tool in portions, so that an audit of any length stays within the deadline of a call and
counts as a bounded number of calls.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.citations.bibliography_auditor import MOST_ENTRIES
from wellsourced.citations.corrections import corrected_bibtex
from wellsourced.citations.formats.bibliography import ParsedBibliography, read_bibliography
from wellsourced.citations.reference import Reference
from wellsourced.citations.styles import csl_json
from wellsourced.errors import BadInput
from wellsourced.tool.answer import encode_json
from wellsourced.web.access import AccessControl, RequestRefused, check_tool_was_seen
from wellsourced.web.api import AUDIT_TOOL, failure_json, json_response, read_json
from wellsourced.web.sse import EventStream, StreamLimit, event

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dispatcher

AuditEntry: TypeAlias = dict[str, Any]
Portion: TypeAlias = Sequence[tuple[int, Reference]]

MOST_STREAMS = 8
MOST_CALLS = 50
CALLS_AT_ONCE = 4
UNCHECKED = "unchecked"


class AuditStream:
    def __init__(self, dispatcher: Dispatcher, access: AccessControl) -> None:
        self._dispatcher = dispatcher
        self._access = access
        self._stream_limit = StreamLimit(MOST_STREAMS)

    async def stream(self, request: Request) -> Response:
        if not self._dispatcher.listings.offers(AUDIT_TOOL):
            raise RequestRefused(404, "This server does not offer audits.")
        check_tool_was_seen(request, AUDIT_TOOL)
        text = (await read_json(request)).get("bibliography")
        if not isinstance(text, str) or not text.strip():
            raise RequestRefused(400, "bibliography must be the text of a BibTeX, RIS or CSL-JSON document.")
        try:
            read = await self._dispatcher.app.services.workers.run(read_bibliography, text)
        except BadInput as problem:
            raise RequestRefused(400, problem.sentence) from None
        if not read.entries:
            reason = f" {read.complaints[0]}" if read.problems else ""
            raise RequestRefused(400, f"The bibliography holds no entry that could be read.{reason}")
        return EventStream(self._events(read, request), self._stream_limit)

    async def corrected(self, request: Request) -> Response:
        """The bibliography as BibTeX with the chosen fields as recorded; nothing is looked up."""
        body = await read_json(request)
        text, fixes = body.get("bibliography"), body.get("fixes")
        if not isinstance(text, str) or not is_fixes(fixes):
            raise RequestRefused(400, "Send the bibliography as text, and fixes as {entry: {field: value}}.")
        try:
            document = await self._dispatcher.app.services.workers.run(corrected_bibtex, text, fixes)
        except BadInput as problem:
            raise RequestRefused(400, problem.sentence) from None
        return json_response(encode_json({"document": document}))

    async def _events(self, read: ParsedBibliography, request: Request) -> AsyncGenerator[bytes]:
        taken = list(enumerate(read.entries[:MOST_ENTRIES]))
        yield event("list", overview_json(read, taken))
        waiting = {asyncio.ensure_future(task) for task in self._audit_portions(taken, request)}
        try:
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    for entry in task.result():
                        yield event("entry", entry)
            yield event("done", {"total": len(taken)})
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    def _audit_portions(self, taken: Portion, request: Request) -> Iterator[Any]:
        semaphore = asyncio.Semaphore(CALLS_AT_ONCE)
        size = math.ceil(len(taken) / MOST_CALLS)
        for start in range(0, len(taken), size):
            yield self._audit(taken[start : start + size], request, semaphore)

    async def _audit(self, portion: Portion, request: Request, semaphore: asyncio.Semaphore) -> list[AuditEntry]:
        document = json.dumps([csl_json.format_item(reference, str(index)) for index, reference in portion])
        arguments = {"bibliography": document, "format": "csl-json"}
        async with semaphore:
            answer = await self._access.call_tool(request, AUDIT_TOOL, arguments)
        if answer.error_text is not None:
            return unchecked_entries(portion, failure_json(answer.error_text, answer.error_kind)["sentence"])
        entries = json.loads(answer.body)["entries"]
        if len(entries) != len(portion):
            return unchecked_entries(portion, "The entry holds nothing by which a work could be looked up.")
        named = zip(portion, entries, strict=True)
        return [{**entry, "index": index, "key": reference.key} for (index, reference), entry in named]


def is_fixes(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(fields, dict) and all(isinstance(each, str) for each in fields.values()) for fields in value.values()
    )


def overview_json(read: ParsedBibliography, taken: Portion) -> dict[str, Any]:
    return {
        "format": read.format,
        "total": len(taken),
        "skipped": len(read.entries) - len(taken),
        "unreadable": read.complaints,
        "entries": [listed_entry(index, reference) for index, reference in taken],
    }


def listed_entry(index: int, reference: Reference) -> AuditEntry:
    fields = {"key": reference.key, "title": reference.title, "doi": reference.doi, "url": reference.url}
    return {"index": index, **{name: value for name, value in fields.items() if value}}


def unchecked_entries(portion: Portion, reason: str) -> list[AuditEntry]:
    """Entries that could not be checked, which says nothing against them."""
    return [
        {**listed_entry(index, reference), "exists": None, "flags": [UNCHECKED], "reason": reason}
        for index, reference in portion
    ]
