"""What a call found is recorded in the caller's research session, behind the answer and also when it was cached.

Stands outside the cache, so that an answer that is kept serves every session that asks for it.
"""

from __future__ import annotations

import logging

from pydantic import ValidationError

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.layers.pipeline import GoOn
from wellsourced.model.answer import Answer
from wellsourced.model.session import Outcome, Source
from wellsourced.research.call import Call
from wellsourced.research.trail.sessions import Sessions

SESSIONS = "sessions"

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
        self._sessions.record_soon(call.identity, session_id, found(call, answer), went_well(call))
        return answer

    async def drain(self) -> None:
        """Wait for what is still being recorded."""
        await self._sessions.drain()


def found(call: Call, answer: Answer) -> list[Source]:
    """From the output where this call made it; from the body where it was kept, or made by another call."""
    try:
        output = call.output or call.tool.output.model_validate_json(answer.body)
    except ValidationError:
        logger.warning("A kept answer of %s was not understood; its sources were not recorded.", call.tool.name)
        return []
    return output.found_sources()


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
