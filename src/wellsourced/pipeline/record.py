"""What a call found is recorded in the caller's research session, behind the answer and also when it was cached.

Stands outside the cache, so that an answer that is kept serves every session that asks for it. A session that does not
exist is told in a note.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from pydantic import ValidationError

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.pipeline.middleware import GoOn
from wellsourced.sessions.session import Outcome, Source
from wellsourced.sessions.sessions import Sessions
from wellsourced.tool.base import ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer

SESSIONS = "sessions"
UNKNOWN = (
    "Nothing was recorded: sessionId names no research session of yours, or one that has expired. "
    "sequential_search begins a new one."
)

logger = logging.getLogger(__name__)


class Record:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        session_id = (getattr(call.input, "session_id", None) or "").strip()
        if not session_id or call.tool.toolset == SESSIONS:
            return await go_on(call)
        try:
            answer = await go_on(call)
        except WellsourcedError as error:
            if not isinstance(error, BadInput):
                self._sessions.record_soon(call.identity, session_id, [], failed(call, error))
            raise
        if not await self._sessions.knows(call.identity, session_id):
            return with_note(call, answer, UNKNOWN)
        self._sessions.record_soon(call.identity, session_id, found(call, answer), went_well(call))
        return answer

    async def drain(self) -> None:
        """Wait for what is still being recorded."""
        await self._sessions.drain()


def found(call: Call, answer: Answer) -> list[Source]:
    """The sources; what they say near a claim is kept under the claim."""
    output, claim = output_of(call, answer), getattr(call.input, "claim", None) or ""
    sources = output.found_sources() if output else []
    return [replace(s, evidence=tuple(replace(item, claim=claim) for item in s.evidence)) for s in sources]


def output_of(call: Call, answer: Answer) -> ToolOutput | None:
    """The output where this call made it; read from the body where that was kept, or made by another call."""
    try:
        return call.output or call.tool.output.model_validate_json(answer.body)
    except ValidationError:
        logger.warning("A kept answer of %s was not understood; its sources were not recorded.", call.tool.name)
        return None


def with_note(call: Call, answer: Answer, note: str) -> Answer:
    """The answer with one more note, for this caller alone; what is kept stays as it is."""
    output = output_of(call, answer) if "notes" in call.tool.output.model_fields else None
    if output is None:
        return answer
    call.output = output.model_copy(update={"notes": [*(getattr(output, "notes", None) or ()), note]})
    return replace(answer, body=call.output.to_json())


def went_well(call: Call) -> list[Outcome]:
    if call.cached:
        return []
    used: list[str | None] = [*call.trace.used.split("+")] if call.trace.used else [None]
    passed = [Outcome(success=False, provider=name) for name in call.trace.attempted if name not in used]
    return [*passed, *(Outcome(success=True, provider=name, url=address(call)) for name in used)]


def failed(call: Call, error: WellsourcedError) -> list[Outcome]:
    asked: list[str | None] = [error.provider] if error.provider else [*call.trace.attempted]
    return [Outcome(success=False, provider=p, error_kind=error.kind, url=address(call)) for p in asked or [None]]


def address(call: Call) -> str | None:
    url = getattr(call.input, "url", None)
    return str(url) if url else None
