"""A research session: the steps taken, the sources found, what is still open, and how the asking went.

Steps are only ever added. A step is known by its position, its place in the order of adding; its number is what the
caller counts by, and two branches may count alike. Gaps, branches and what a revision replaces follow from the steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from wellsourced.identity import Identity
from wellsourced.tool.sources import FoundSource

MAIN_LINE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something not yet known; closed once a later step says so."""

    description: str
    found_in_step: int
    closed_in_step: int | None = None

    @property
    def is_open(self) -> bool:
        return self.closed_in_step is None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOutcome:
    """How one request to a provider or a page went."""

    success: bool
    provider: str | None = None
    error_kind: str | None = None
    url: str | None = None
    step_number: int | None = None
    timestamp: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """`parent` and `revises` are positions; 0 and None mean that there is none."""

    position: int
    number: int
    description: str
    timestamp: datetime
    parent: int = 0
    revises: int | None = None
    reasoning: str | None = None
    confidence: str | None = None
    rejected_approaches: tuple[str, ...] = ()
    is_revision: bool = False
    revises_step: int | None = None
    branch_id: str | None = None
    branch_from_step: int | None = None
    knowledge_gap: str | None = None
    resolved_gaps: tuple[str, ...] = ()

    @property
    def branch(self) -> str:
        return self.branch_id or MAIN_LINE


@dataclass(frozen=True, kw_only=True)
class Session:
    """`summary` is the caller's own, or ""; `project` the name of the lasting project it belongs to, or "".

    The counts hold also where the parts were not loaded, and `outcome_count` counts those no longer kept.
    `revision` counts the writes; it tells a stale copy from a fresh one.
    """

    id: str
    owner: Identity
    goal: str
    created_at: datetime
    last_used: datetime
    total_steps_estimate: int = 0
    completed_at: datetime | None = None
    summary: str = ""
    project: str = ""
    steps: tuple[Step, ...] = ()
    sources: tuple[FoundSource, ...] = ()
    outcomes: tuple[RequestOutcome, ...] = ()
    step_count: int = 0
    source_count: int = 0
    outcome_count: int = 0
    revision: int = 0

    def superseded_by(self, step: Step) -> int | None:
        """The number of the latest step that revises this one."""
        return self._revisions.get(step.position)

    def line(self, branch: str) -> list[Step]:
        """The steps of one branch, in order."""
        return self._lines.get(branch, [])

    @property
    def branches(self) -> list[str]:
        """Names of all branches, the main line ("") among them once it has a step, in order of appearance."""
        return list(self._lines)

    def children(self, position: int) -> list[Step]:
        """The steps that follow a position; 0 gives those that begin."""
        return self._children.get(position, [])

    def find(self, number: int, branch: str = MAIN_LINE) -> Step | None:
        """The step of that number as seen from a branch: on it, before it, then anywhere, the main line first."""
        return next(self._candidates(number, branch), None)

    @property
    def gaps(self) -> list[Gap]:
        found: dict[str, Gap] = {}
        for step in self.steps:
            for closed in step.resolved_gaps:
                if closed in found and found[closed].is_open:
                    found[closed] = replace(found[closed], closed_in_step=step.number)
            gap = step.knowledge_gap
            if gap and (gap not in found or not found[gap].is_open):
                found[gap] = Gap(description=gap, found_in_step=step.number)
        return list(found.values())

    @property
    def open_gaps(self) -> list[Gap]:
        return [gap for gap in self.gaps if gap.is_open]

    def _candidates(self, number: int, branch: str) -> Iterator[Step]:
        own = self.line(branch)
        position = own[-1].position if own else 0
        while position:
            step = self.steps[position - 1]
            if step.number == number:
                yield step
            position = step.parent
        yield from (step for step in self.line(MAIN_LINE) if step.number == number)
        yield from (step for step in self.steps if step.number == number)

    @cached_property
    def _lines(self) -> dict[str, list[Step]]:
        lines: dict[str, list[Step]] = {}
        for step in self.steps:
            lines.setdefault(step.branch, []).append(step)
        return lines

    @cached_property
    def _children(self) -> dict[int, list[Step]]:
        children: dict[int, list[Step]] = {}
        for step in self.steps:
            children.setdefault(step.parent, []).append(step)
        return children

    @cached_property
    def _revisions(self) -> dict[int, int]:
        return {step.revises: step.number for step in self.steps if step.revises}
