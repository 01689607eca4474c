"""Taking a step: what a step says, and what a session becomes by it.

A number that does not follow, a branch from nowhere or a revision of nothing is refused with the right one named. The
same step sent again is the same step: a caller whose answer was lost may simply repeat it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from wellsourced.errors import BadInput
from wellsourced.sessions.session import MAIN_LINE, Gap, Session, Step

Depth = Literal["quick", "standard", "thorough"]
MAIN_NAME = "main"
SHOWN_GAPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class StepInput:
    description: str
    number: int
    next_step_needed: bool
    session_id: str | None = None
    goal: str | None = None
    reasoning: str | None = None
    confidence: str | None = None
    rejected_approaches: tuple[str, ...] = ()
    summary: str | None = None
    total_steps_estimate: int | None = None
    is_revision: bool = False
    revises_step: int | None = None
    branch_from_step: int | None = None
    branch_id: str | None = None
    knowledge_gap: str | None = None
    resolved_gaps: tuple[str, ...] = ()
    project: str | None = None
    depth: Depth = "quick"

    @property
    def branch(self) -> str | None:
        """The branch that is named; "" for the main line, None when a new one has yet to be named."""
        name = (self.branch_id or "").strip()
        if name and name.casefold() != MAIN_NAME:
            return name
        return MAIN_LINE if name or self.branch_from_step is None else None


def with_step(session: Session, taken: StepInput, now: datetime, most: int) -> Session:
    """The session with the step added, or unchanged in its steps when it is there already or no more may be."""
    if is_recorded(session, taken):
        return _with_remarks(session, taken, now)
    if len(session.steps) >= most:
        return replace(session, completed_at=session.completed_at or now)
    step = _step(session, taken, now)
    return _with_remarks(replace(session, steps=(*session.steps, step)), taken, now)


def is_recorded(session: Session, taken: StepInput) -> bool:
    """Whether the last step is this one."""
    if not session.steps:
        return False
    last = session.steps[-1]
    said = (taken.number, taken.description, taken.reasoning, taken.confidence, taken.rejected_approaches)
    if said != (last.number, last.description, last.reasoning, last.confidence, last.rejected_approaches):
        return False
    if (taken.revises_step, taken.knowledge_gap) != (last.revises_step, last.knowledge_gap):
        return False
    if not _closes_the_same(session, taken, last):
        return False
    return taken.branch == last.branch or (taken.branch is None and taken.branch_from_step == last.branch_from_step)


def _with_remarks(session: Session, taken: StepInput, now: datetime) -> Session:
    return replace(
        session,
        summary=taken.summary or session.summary,
        project=taken.project or session.project,
        total_steps_estimate=taken.total_steps_estimate or session.total_steps_estimate,
        completed_at=None if taken.next_step_needed else session.completed_at or now,
    )


def _step(session: Session, taken: StepInput, now: datetime) -> Step:
    branch = taken.branch if taken.branch is not None else _new_name(session)
    own = session.line(branch)
    parent = own[-1] if own else _fork(session, taken, branch)
    if own:
        _check_fork(own[0], taken, branch)
    _check_number(session, taken.number, branch, parent)
    revised = _revised(session, taken, branch)
    return Step(
        position=len(session.steps) + 1,
        number=taken.number,
        description=taken.description,
        timestamp=now,
        parent=parent.position if parent else 0,
        revises=revised.position if revised else None,
        reasoning=taken.reasoning,
        confidence=taken.confidence,
        rejected_approaches=taken.rejected_approaches,
        is_revision=taken.is_revision or revised is not None,
        revises_step=taken.revises_step,
        branch_id=branch or None,
        branch_from_step=parent.number if parent and branch and not own else None,
        knowledge_gap=taken.knowledge_gap,
        resolved_gaps=tuple(_resolved(session, said) for said in taken.resolved_gaps),
    )


def _new_name(session: Session) -> str:
    taken = set(session.branches)
    return next(name for number in range(1, len(taken) + 2) if (name := f"branch-{number}") not in taken)


def _fork(session: Session, taken: StepInput, branch: str) -> Step | None:
    """The step a new branch begins from: the one named, else the last one, or the one that its number follows."""
    if taken.branch_from_step is None:
        last = session.steps[-1] if session.steps and branch else None
        return last if last is None or last.number + 1 == taken.number else session.find(taken.number - 1) or last
    found = session.find(taken.branch_from_step)
    if found is None:
        raise BadInput(f"branchFromStep {taken.branch_from_step} is not a step of this session. {_known(session)}")
    return found


def _check_fork(first: Step, taken: StepInput, branch: str) -> None:
    asked = taken.branch_from_step
    if asked is None or asked == first.branch_from_step:
        return
    if not branch:
        raise BadInput("branchFromStep begins a branch: give it a branchId other than main, or leave it out.")
    begun = f"began from step {first.branch_from_step}" if first.branch_from_step else "is where the session began"
    raise BadInput(
        f"Branch {branch!r} {begun}, not from step {asked}. Leave branchFromStep out to go on with it, or choose "
        "another branchId to begin a new branch."
    )


def _check_number(session: Session, number: int, branch: str, parent: Step | None) -> None:
    """A branch may go on counting from where it began, or from the highest number of the whole session."""
    following = parent.number + 1 if parent else 1
    highest = max((step.number for step in session.steps), default=0)
    if number in (following, highest + 1):
        return
    where = f" on branch {branch!r}" if branch else ""
    there = session.find(number, branch)
    if there is None:
        raise BadInput(f"stepNumber {number} does not follow: the next step{where} is {following}.")
    raise BadInput(
        f"Step {number} is already recorded; the next step{where} is {following}. To correct step {number}, send step "
        f"{following} with isRevision true and revisesStep {number}; to begin new research, leave sessionId out."
    )


def _revised(session: Session, taken: StepInput, branch: str) -> Step | None:
    if taken.revises_step is None:
        return None
    found = session.find(taken.revises_step, branch)
    if found is None:
        raise BadInput(f"revisesStep {taken.revises_step} is not a step of this session. {_known(session)}")
    return found


def _known(session: Session) -> str:
    if not session.steps:
        return "It has no steps yet."
    numbers = sorted({step.number for step in session.steps})
    if len(numbers) == 1:
        return f"It has step {numbers[0]}."
    return f"It has steps {numbers[0]} to {numbers[-1]}."


def _resolved(session: Session, said: str) -> str:
    """The gap that is meant: by its words, a part of them, or the step that named it."""
    wanted = _folded(said)
    gaps = session.open_gaps or session.gaps
    for fits in (_is, _is_of_step, _shares):
        found = [gap for gap in (*gaps, *session.gaps) if fits(gap, wanted)]
        if wanted and len({gap.description for gap in found}) == 1:
            return found[0].description
    open_gaps = "; ".join(gap.description for gap in session.open_gaps[:SHOWN_GAPS])
    raise BadInput(
        f"resolvedGaps: no single gap is meant by {said!r}. " + (f"Open: {open_gaps}" if open_gaps else "None is open.")
    )


def _closes_the_same(session: Session, taken: StepInput, last: Step) -> bool:
    """Whether the gaps are those the step closed, in the same words or others that meant them."""
    if len(taken.resolved_gaps) != len(last.resolved_gaps):
        return False
    return all(
        any(_means(gap, _folded(said)) for gap in session.gaps if gap.description == closed)
        for said, closed in zip(taken.resolved_gaps, last.resolved_gaps, strict=True)
    )


def _means(gap: Gap, wanted: str) -> bool:
    return any(fits(gap, wanted) for fits in (_is, _is_of_step, _shares))


def _is(gap: Gap, wanted: str) -> bool:
    return _folded(gap.description) == wanted


def _is_of_step(gap: Gap, wanted: str) -> bool:
    return wanted.removeprefix("step ") == str(gap.found_in_step)


def _shares(gap: Gap, wanted: str) -> bool:
    own = _folded(gap.description)
    return wanted in own or own in wanted


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
