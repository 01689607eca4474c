"""Research sessions as a use-case: taking steps, recovering the trail, and recording what the other tools find.

A step is stored before it is acknowledged. Sources are recorded in the background: the tool that found them neither
waits nor fails for it, and whoever asks for the session afterwards in the same process sees them.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wellsourced.errors import BadInput, SessionNotFound, WellsourcedError
from wellsourced.identity import Identity
from wellsourced.sessions.coverage import Coverage, coverage
from wellsourced.sessions.refinement import RUN_QUERIES, Refined, SearchOnce, refinement_queries, run_queries
from wellsourced.sessions.session import RequestOutcome, Session, Step
from wellsourced.sessions.session_store import SessionStore
from wellsourced.sessions.steps import StepInput, is_recorded, with_step
from wellsourced.text.amounts import format_count
from wellsourced.text.moments import format_rfc3339
from wellsourced.text.sentences import cut_text
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.sessions.export import LinkCheck

LONGEST_DERIVED_GOAL = 200
LONGEST_NAMED_GOAL = 80
MOST_NAMED = 3
PURGE_SECONDS = 900.0
MOST_WAITING = 500
PATIENCE = 3.0
UNKNOWN_SESSION = (
    "Nothing was recorded: sessionId names no research session of yours, or one that has expired. "
    "sequential_search begins a new one."
)

logger = logging.getLogger(__name__)


def utc_now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """`step` is None when it was not stored, which `warning` then explains."""

    session: Session
    step: Step | None
    warning: str | None = None
    coverage: Coverage | None = None
    queries: Sequence[str] = ()
    refined: Sequence[Refined] | None = None

    @property
    def is_complete(self) -> bool:
        return self.session.completed_at is not None

    @property
    def refinement_note(self) -> str | None:
        if self.refined is None or len(self.queries) <= RUN_QUERIES:
            return None
        return f"{len(self.queries)} queries were suggested; the first {RUN_QUERIES} were run."

    @property
    def refinement_warning(self) -> str | None:
        failed = [item for item in self.refined or () if item.error]
        return f"{len(failed)} of {len(self.refined or ())} searches failed." if failed else None


class Sessions:
    """`check_links` is how an export looks whether its sources are still there; without it none are checked."""

    def __init__(
        self,
        store: SessionStore,
        *,
        check_links: LinkCheck | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self.store = store
        self.check_links = check_links
        self._now = now
        self._recordings: dict[tuple[Identity, str], set[asyncio.Task[None]]] = {}
        self._purging: asyncio.Task[None] | None = None
        self._purged = time.monotonic()

    async def take_step(self, identity: Identity, taken: StepInput, search: SearchOnce | None = None) -> StepOutcome:
        """Store the step; for the greater depths also tell how well the sources cover the goal, and look further."""
        self._purge_now_and_then()
        session = await (
            self._continue(identity, taken, taken.session_id) if taken.session_id else self._begin(identity, taken)
        )
        stored = is_recorded(session, taken)
        let_go = [] if taken.session_id else await self.store.remove_surplus(session)
        warnings = filter(None, [self._warning(session, stored), self._let_go_warning(let_go)])
        outcome = StepOutcome(
            session=session, step=session.steps[-1] if stored else None, warning=" ".join(warnings) or None
        )
        return outcome if taken.depth == "quick" else await self._deepen(outcome, taken, search)

    async def fetch(self, identity: Identity, session_id: str) -> Session:
        """The session with everything that was recorded up to now; raises SessionNotFound."""
        waiting = self._recordings.get((identity, session_id))
        if waiting:
            await asyncio.wait(set(waiting))
        return await self.store.load(identity, session_id.strip())

    async def project_of(self, identity: Identity, session_id: str) -> str:
        """The project that a session belongs to; "" where there is none, or nobody can tell in time."""
        try:
            return (await asyncio.wait_for(self.store.load(identity, session_id), PATIENCE)).project
        except (WellsourcedError, TimeoutError):
            return ""

    async def recording_problem(self, identity: Identity, session_id: str) -> str:
        """Why nothing can be recorded in such a session; empty where it can, or where nobody can tell in time."""
        try:
            await asyncio.wait_for(self.store.load(identity, session_id), PATIENCE)
        except SessionNotFound:
            return UNKNOWN_SESSION
        except WellsourcedError as problem:
            return f"Nothing was recorded in the session: {problem.sentence}"
        except Exception as problem:  # noqa: BLE001 - the answer that waits for this must not suffer
            logger.warning("Whether a session exists could not be checked: %r", problem)
        return ""

    async def record_sources(
        self,
        identity: Identity,
        session_id: str,
        sources: Sequence[FoundSource],
        outcomes: Sequence[RequestOutcome] = (),
    ) -> None:
        """Never raises: what cannot be recorded is only logged."""
        try:
            latest = await self.store.load(identity, session_id)
            number = latest.steps[-1].number if latest.steps else None
            placed = [replace(s, after_step=None if s.found_in_step else number) for s in sources]
            timed = [replace(o, timestamp=o.timestamp or self._now()) for o in outcomes]
            await self.store.add(identity, session_id, placed, timed)
        except SessionNotFound:
            logger.info("Sources were to be recorded in a session that does not exist.")
        except Exception as problem:  # noqa: BLE001 - the answer the sources came with must not suffer
            logger.warning("Sources could not be recorded: %s", problem)

    def record_soon(
        self,
        identity: Identity,
        session_id: str,
        sources: Sequence[FoundSource],
        outcomes: Sequence[RequestOutcome] = (),
    ) -> None:
        """Record in the background; beyond a great many that wait, what comes is dropped."""
        if not sources and not outcomes:
            return
        if sum(map(len, self._recordings.values())) >= MOST_WAITING:
            logger.warning("Too many recordings are waiting; sources of one call were dropped.")
            return
        key = identity, session_id
        task = asyncio.ensure_future(self.record_sources(identity, session_id, sources, outcomes))
        self._recordings.setdefault(key, set()).add(task)
        task.add_done_callback(lambda done: self._recorded(key, done))

    async def drain(self) -> None:
        """Wait until everything that was scheduled is recorded."""
        while waiting := {task for tasks in self._recordings.values() for task in tasks}:
            await asyncio.wait(waiting)

    async def close(self) -> None:
        await self.drain()
        if self._purging:
            await asyncio.wait({self._purging})
        await self.store.close()

    async def _begin(self, identity: Identity, taken: StepInput) -> Session:
        if taken.number != 1:
            raise BadInput(
                f"Step {taken.number} needs the sessionId that step 1 returned. If it is lost, look for it in an "
                "earlier answer and recover with get_research_session; to begin new research, send stepNumber 1."
            )
        now = self._now()
        goal = " ".join((taken.goal or "").split()) or cut_text(
            " ".join(taken.description.split()), LONGEST_DERIVED_GOAL
        )
        empty = Session(id=str(uuid.uuid4()), owner=identity, goal=goal, created_at=now, last_used=now)
        return await self.store.create(with_step(empty, taken, now, self.store.limits.steps))

    async def _continue(self, identity: Identity, taken: StepInput, session_id: str) -> Session:
        most = self.store.limits.steps
        try:
            return await self.store.update(
                identity, session_id.strip(), lambda session: with_step(session, taken, self._now(), most)
            )
        except SessionNotFound as error:
            hint = " To begin new research, leave sessionId out and send stepNumber 1."
            raise SessionNotFound(error.sentence + hint, last_known_step=max(0, taken.number - 1)) from None

    def _warning(self, session: Session, stored: bool) -> str | None:
        most = self.store.limits.steps
        if stored and len(session.steps) < most:
            return None
        if stored:
            return f"This is the last of {most} steps a session can hold (SESSION_MAX_STEPS)."
        return (
            f"session_limit_reached: this step was not stored, because a session holds at most {most} steps "
            "(SESSION_MAX_STEPS). Export it with research_export and begin a new one."
        )

    def _let_go_warning(self, let_go: Sequence[Session]) -> str | None:
        if not let_go:
            return None
        named = "; ".join(describe_session(session) for session in let_go[:MOST_NAMED])
        more = f"; and {len(let_go) - MOST_NAMED} more" if len(let_go) > MOST_NAMED else ""
        return (
            f"You may have {self.store.limits.sessions} sessions (SESSION_MAX_PER_USER), so this was let go: "
            f"{named}{more}. Export with research_export what you want to keep."
        )

    async def _deepen(self, outcome: StepOutcome, taken: StepInput, search: SearchOnce | None) -> StepOutcome:
        session = await self.fetch(outcome.session.owner, outcome.session.id)
        covered = coverage(session.sources)
        queries = refinement_queries(session.goal, session.open_gaps, covered)
        outcome = replace(outcome, session=session, coverage=covered, queries=queries)
        if taken.depth != "thorough" or search is None:
            return outcome
        refined = await run_queries(queries, search)
        sources, outcomes = found_by(refined, taken.number)
        self.record_soon(session.owner, session.id, sources, outcomes)
        return replace(outcome, refined=refined)

    def _recorded(self, key: tuple[Identity, str], done: asyncio.Task[None]) -> None:
        waiting = self._recordings.get(key, set())
        waiting.discard(done)
        if not waiting:
            self._recordings.pop(key, None)

    def _purge_now_and_then(self) -> None:
        if time.monotonic() - self._purged >= PURGE_SECONDS and (self._purging is None or self._purging.done()):
            self._purged = time.monotonic()
            self._purging = asyncio.ensure_future(self._purge())

    async def _purge(self) -> None:
        try:
            await self.store.purge_expired()
        except WellsourcedError as problem:
            logger.warning("Expired sessions could not be removed: %s", problem)


def describe_session(session: Session) -> str:
    state = "ended" if session.completed_at else f"last used {format_rfc3339(session.last_used)}"
    steps = format_count(session.step_count, "step")
    return f'"{cut_text(session.goal, LONGEST_NAMED_GOAL)}" ({session.id}, {steps}, {state})'


def found_by(refined: Sequence[Refined], step_number: int) -> tuple[list[FoundSource], list[RequestOutcome]]:
    """What the searches of one step found, and how they went."""
    sources = [
        FoundSource(
            url=hit.url,
            title=hit.title,
            type="web",
            date=format_rfc3339(hit.published_at) if hit.published_at else None,
            found_in_step=step_number,
        )
        for item in refined
        if item.found
        for hit in item.found.hits
    ]
    return sources, [_outcome(item, step_number) for item in refined]


def _outcome(item: Refined, step_number: int) -> RequestOutcome:
    if item.error:
        kind, provider = item.error.kind, item.error.provider
        return RequestOutcome(success=False, provider=provider, error_kind=kind, step_number=step_number)
    return RequestOutcome(success=True, provider=item.found.provider if item.found else None, step_number=step_number)
