"""Asks providers in turn until one has results.

The next is asked at once when one fails or finds nothing, and beside a slow one once that has had its head start; the
slow one's answer still counts if it comes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from wellsourced.errors import BadInput, WellsourcedError

T = TypeVar("T")

HEAD_START = 4.0  # seconds before the next provider is asked beside a slow one


@dataclass(slots=True)
class FallbackOutcome(Generic[T]):
    """`useful` is the answer and `name` who gave it; `empty` are those that answered and found nothing."""

    name: str | None = None
    useful: T | None = None
    attempted: list[str] = field(default_factory=list)
    empty: dict[str, T] = field(default_factory=dict)
    failures: list[WellsourcedError] = field(default_factory=list)


async def ask_in_turn(
    names: Sequence[str],
    ask: Callable[[str], Awaitable[T]],
    is_useful: Callable[[T], bool],
    *,
    head_start: float = HEAD_START,
) -> FallbackOutcome[T]:
    outcome: FallbackOutcome[T] = FallbackOutcome()
    waiting = list(names)
    running: dict[asyncio.Task[T], str] = {}
    try:
        while waiting or running:
            if waiting:
                _start(waiting, running, ask, outcome)
            done, _ = await asyncio.wait(
                running, timeout=head_start if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            if _is_settled(outcome, running, done, is_useful):
                return outcome
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    return outcome


def _start(
    waiting: list[str],
    running: dict[asyncio.Task[T], str],
    ask: Callable[[str], Awaitable[T]],
    outcome: FallbackOutcome[T],
) -> None:
    name = waiting.pop(0)
    outcome.attempted.append(name)
    running[asyncio.ensure_future(ask(name))] = name


def _is_settled(
    outcome: FallbackOutcome[T],
    running: dict[asyncio.Task[T], str],
    done: set[asyncio.Task[T]],
    is_useful: Callable[[T], bool],
) -> bool:
    """Record finished answers, those asked first first; whether one of them is useful and the rest need no waiting."""
    for task in [task for task in running if task in done]:
        name = running.pop(task)
        try:
            answer = task.result()
        except BadInput:
            raise  # every other provider would refuse the same input
        except WellsourcedError as error:
            outcome.failures.append(error)
            continue
        if is_useful(answer):
            outcome.name, outcome.useful = name, answer
            return True
        outcome.empty[name] = answer
    return False
