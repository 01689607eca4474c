"""One run for identical calls, whoever comes and goes."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from wellsourced.storage.single_flight import SingleFlight


class Work:
    """A run that waits to be released and remembers what became of it."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.started = self.finished = self.cancelled = 0
        self.release = asyncio.Event()
        self.failure = failure

    async def __call__(self) -> object:
        self.started += 1
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.finished += 1
        if self.failure:
            raise self.failure
        return self


def run(scene: Callable[[SingleFlight], Coroutine[Any, Any, None]]) -> None:
    """Play the scene; nothing may be left in flight, and the loop may have nothing to complain of."""
    complaints: list[dict[str, Any]] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        flights = SingleFlight()
        await scene(flights)
        await asyncio.sleep(0.01)
        assert len(flights) == 0
        assert not flights._ending
        assert asyncio.all_tasks() == {asyncio.current_task()}
        gc.collect()

    asyncio.run(main())
    assert complaints == []


async def waiting(flights: SingleFlight, key: str, work: Work, number: int) -> list[asyncio.Task[object]]:
    tasks = [asyncio.create_task(flights.run(key, work)) for _ in range(number)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


def test_identical_calls_share_a_run_and_different_ones_do_not() -> None:
    async def scene(flights: SingleFlight) -> None:
        work, other = Work(), Work()
        tasks = await waiting(flights, "a", work, 5) + await waiting(flights, "b", other, 1)
        work.release.set()
        other.release.set()
        assert await asyncio.gather(*tasks) == [work] * 5 + [other]
        assert (work.started, other.started) == (1, 1)
        await flights.run("a", work)
        assert work.started == 2

    run(scene)


def test_a_failure_reaches_every_waiter_and_is_not_remembered() -> None:
    async def scene(flights: SingleFlight) -> None:
        work = Work(ValueError("no"))
        tasks = await waiting(flights, "a", work, 3)
        work.release.set()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert outcomes == [work.failure] * 3
        work.failure = None
        assert await flights.run("a", work) is work

    run(scene)


@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_one_who_leaves_does_not_take_the_run_along(leaver: int) -> None:
    async def scene(flights: SingleFlight) -> None:
        work = Work()
        tasks = await waiting(flights, "a", work, 3)
        tasks[leaver].cancel()
        await asyncio.sleep(0)
        work.release.set()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(outcomes.pop(leaver), asyncio.CancelledError)
        assert outcomes == [work, work]
        assert (work.started, work.cancelled) == (1, 0)

    run(scene)


def test_the_last_to_leave_ends_the_run_and_a_newcomer_starts_anew() -> None:
    async def scene(flights: SingleFlight) -> None:
        work, newer = Work(), Work()
        for task in await waiting(flights, "a", work, 3):
            task.cancel()
        await asyncio.sleep(0)
        newer.release.set()
        assert await flights.run("a", newer) is newer
        await asyncio.sleep(0.01)
        assert (work.cancelled, work.finished, newer.finished) == (1, 0, 1)

    run(scene)


def test_a_run_that_fails_while_being_left_disturbs_nobody() -> None:
    async def stubborn() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            raise ValueError("on the way out")

    async def scene(flights: SingleFlight) -> None:
        task = asyncio.create_task(flights.run("a", stubborn))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(scene)
