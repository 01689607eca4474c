"""The sources of an answer are recorded in the caller's research session, in the background, also when it was cached.

A session that does not exist or cannot be read is reported in a note of the answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import ValidationError

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.pipeline.middleware import Handler
from wellsourced.tool.answer import ToolAnswer, with_notes
from wellsourced.tool.base import ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.sessions.session import RequestOutcome
    from wellsourced.sessions.sessions import Sessions

SESSIONS = "sessions"

logger = logging.getLogger(__name__)


class RecordSources:
    """Sessions are asked for when a call names one, which most do not."""

    def __init__(self, get_sessions: Callable[[], Sessions]) -> None:
        self._get_sessions = get_sessions

    @property
    def _sessions(self) -> Sessions:
        return self._get_sessions()

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        session_id = (getattr(call.input, "session_id", None) or "").strip()
        if not session_id or call.tool.toolset == SESSIONS:
            return await next_handler(call)
        await self._choose_project(call, session_id)
        try:
            answer = await next_handler(call)
        except WellsourcedError as error:
            if not isinstance(error, BadInput):
                self._sessions.record_soon(call.identity, session_id, [], failures(call, error))
            raise
        if problem := await self._sessions.recording_problem(call.identity, session_id):
            return with_notes(answer, [problem])
        self._sessions.record_soon(call.identity, session_id, sources_to_record(call, answer), successes(call))
        return answer

    async def _choose_project(self, call: Call, session_id: str) -> None:
        """What is read in a session that belongs to a project is read for the project; here, in front of the cache,
        so that an answer without a capture does not stand in for it."""
        if call.input is not None and getattr(call.input, "project", "") is None:
            project = await self._sessions.project_of(call.identity, session_id)
            call.input = call.input.model_copy(update={"project": project}) if project else call.input

    async def drain(self) -> None:
        """Wait for what is still being recorded."""
        await self._sessions.drain()


def sources_to_record(call: Call, answer: ToolAnswer) -> list[FoundSource]:
    """The answer's sources; evidence for a claim is recorded under that claim."""
    output, claim = output_of(call, answer), getattr(call.input, "claim", None) or ""
    sources = output.found_sources() if output else []
    return [replace(s, evidence=tuple(replace(item, claim=claim) for item in s.evidence)) for s in sources]


def output_of(call: Call, answer: ToolAnswer) -> ToolOutput | None:
    """The output where this call made it; parsed from the body where that was cached, or made by another call."""
    try:
        return call.output or call.tool.output.model_validate_json(answer.body)
    except ValidationError:
        logger.warning("A cached answer of %s was not understood; its sources were not recorded.", call.tool.name)
        return None


def successes(call: Call) -> list[RequestOutcome]:
    if call.cached:
        return []
    from wellsourced.sessions.session import RequestOutcome

    used: list[str | None] = [*call.trace.used.split("+")] if call.trace.used else [None]
    passed = [RequestOutcome(success=False, provider=name) for name in call.trace.attempted if name not in used]
    return [*passed, *(RequestOutcome(success=True, provider=name, url=requested_url(call)) for name in used)]


def failures(call: Call, error: WellsourcedError) -> list[RequestOutcome]:
    from wellsourced.sessions.session import RequestOutcome

    asked: list[str | None] = [error.provider] if error.provider else [*call.trace.attempted]
    return [
        RequestOutcome(success=False, provider=p, error_kind=error.kind, url=requested_url(call))
        for p in asked or [None]
    ]


def requested_url(call: Call) -> str | None:
    url = getattr(call.input, "url", None)
    return str(url) if url else None
