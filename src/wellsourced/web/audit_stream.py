"""A bibliography checked before one's eyes: the list at once, then every entry as soon as it is known.

The entries go through the tool in portions, so that an audit of any length stays within the time of a call and
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
from wellsourced.citations.formats.bibliography import ParsedBibliography, read_bibliography
from wellsourced.citations.reference import Reference
from wellsourced.citations.styles import csl_json
from wellsourced.errors import BadInput
from wellsourced.web.access import Entrance, TurnedAway, check_weighed
from wellsourced.web.api import read_json
from wellsourced.web.request_body import AUDIT_TOOL
from wellsourced.web.sse import EventStream, Seats, event
from wellsourced.web.views import failure

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dialogue

Entry: TypeAlias = dict[str, Any]
Portion: TypeAlias = Sequence[tuple[int, Reference]]

MOST_AUDITS = 8
MOST_CALLS = 50
AT_ONCE = 4
UNCHECKED = "unchecked"


class Auditing:
    def __init__(self, dialogue: Dialogue, entrance: Entrance) -> None:
        self._dialogue = dialogue
        self._entrance = entrance
        self._seats = Seats(MOST_AUDITS)

    async def stream(self, request: Request) -> Response:
        if not self._dialogue.listings.offers(AUDIT_TOOL):
            raise TurnedAway(404, "This server does not offer audits.")
        check_weighed(request, AUDIT_TOOL)
        text = (await read_json(request)).get("bibliography")
        if not isinstance(text, str) or not text.strip():
            raise TurnedAway(400, "bibliography must be the text of a BibTeX, RIS or CSL-JSON document.")
        try:
            read = await asyncio.to_thread(read_bibliography, text)
        except BadInput as problem:
            raise TurnedAway(400, problem.sentence) from None
        if not read.entries:
            told = f" {read.complaints[0]}" if read.problems else ""
            raise TurnedAway(400, f"The bibliography holds no entry that could be read.{told}")
        return EventStream(self._events(read, request), self._seats)

    async def _events(self, read: ParsedBibliography, request: Request) -> AsyncGenerator[bytes]:
        taken = list(enumerate(read.entries[:MOST_ENTRIES]))
        yield event("list", overview(read, taken))
        waiting = {asyncio.ensure_future(task) for task in self._tasks(taken, request)}
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

    def _tasks(self, taken: Portion, request: Request) -> Iterator[Any]:
        turns = asyncio.Semaphore(AT_ONCE)
        size = math.ceil(len(taken) / MOST_CALLS)
        for start in range(0, len(taken), size):
            yield self._audit(taken[start : start + size], request, turns)

    async def _audit(self, portion: Portion, request: Request, turns: asyncio.Semaphore) -> list[Entry]:
        document = json.dumps([csl_json.format_item(reference, str(index)) for index, reference in portion])
        arguments = {"bibliography": document, "format": "csl-json"}
        async with turns:
            answer = await self._entrance.ask(self._dialogue.app, request, AUDIT_TOOL, arguments)
        if answer.error_text is not None:
            return not_checked(portion, failure(answer.error_text, answer.error_kind)["sentence"])
        found = json.loads(answer.body)["entries"]
        if len(found) != len(portion):
            return not_checked(portion, "The entry holds nothing by which a work could be looked up.")
        return [{**entry, "index": index} for (index, _), entry in zip(portion, found, strict=True)]


def overview(read: ParsedBibliography, taken: Portion) -> dict[str, Any]:
    return {
        "format": read.format,
        "total": len(taken),
        "skipped": len(read.entries) - len(taken),
        "unreadable": read.complaints,
        "entries": [named(index, reference) for index, reference in taken],
    }


def named(index: int, reference: Reference) -> Entry:
    told = {"title": reference.title, "doi": reference.doi, "url": reference.url}
    return {"index": index, **{name: value for name, value in told.items() if value}}


def not_checked(portion: Portion, reason: str) -> list[Entry]:
    """Nobody could tell, which says nothing against an entry."""
    return [
        {**named(index, reference), "exists": None, "flags": [UNCHECKED], "reason": reason}
        for index, reference in portion
    ]
