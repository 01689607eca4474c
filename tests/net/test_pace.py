"""Turns, in a time of the tests' own making."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellsourced.errors import RateLimited
from wellsourced.net.pace import Pacer
from wellsourced.upstream import Pace


class Time:
    """A clock that jumps to the next sleeper's moment once nobody has anything else to do."""

    def __init__(self) -> None:
        self.now = 100.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self._count += 1
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, self._count, future))
        await future

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def pass_by(self, seconds: float = 1e9) -> None:
        end = self.now + seconds
        await self.settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            moment, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                self.now = max(self.now, moment)
                future.set_result(None)
                await self.settle()
        if seconds < 1e9:
            self.now = end


def pacer(time: Time, pace: Pace | None = None) -> Pacer:
    return Pacer(pace, clock=time.clock, sleep=time.sleep, unix_clock=lambda: time.now + 1_790_000_000)


def starts_of(time: Time, queue: Pacer, count: int) -> list[asyncio.Task[float]]:
    async def call() -> float:
        await queue.wait_for_turn()
        return time.now - 100

    return [asyncio.create_task(call()) for _ in range(count)]


def run(scenario: Callable[[Time], Awaitable[None]]) -> None:
    async def go() -> None:
        await scenario(Time())

    asyncio.run(go())


def test_calls_start_in_order_and_no_faster_than_the_pace() -> None:
    async def scenario(time: Time) -> None:
        calls = starts_of(time, pacer(time, Pace(2, 1.0)), 7)
        await time.pass_by()
        assert [call.result() for call in calls] == [0, 0, 1, 1, 2, 2, 3]

    run(scenario)


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 5),
    st.sampled_from([0.1, 0.35, 1.0, 3.0]),
    st.lists(st.tuples(st.floats(0, 2), st.booleans()), min_size=1, max_size=25),
)
def test_no_window_ever_holds_too_many_starts_and_no_turn_is_lost(
    requests: int, seconds: float, arrivals: list[tuple[float, bool]]
) -> None:
    started: list[tuple[int, float]] = []

    async def scenario(time: Time) -> None:
        queue = pacer(time, Pace(requests, seconds))

        async def call(number: int) -> None:
            await queue.wait_for_turn()
            started.append((number, time.now))

        patient: list[int] = []
        for number, (gap, gives_up) in enumerate(arrivals):
            await time.pass_by(gap)
            task = asyncio.create_task(call(number))
            await time.settle()
            if gives_up and not task.done():
                task.cancel()
            else:
                patient.append(number)
        await time.pass_by()
        assert [number for number, _ in started] == patient
        moments = [moment for _, moment in started]
        for early, late in zip(moments, moments[requests:], strict=False):
            assert late - early >= seconds - 0.001
        # Everybody has left, so the queue is as good as new.
        await time.pass_by(seconds)
        await asyncio.wait_for(queue.wait_for_turn(time.now), 1)

    started.clear()
    run(scenario)


def test_a_caller_that_gives_up_leaves_its_place_to_the_next() -> None:
    async def scenario(time: Time) -> None:
        calls = starts_of(time, pacer(time, Pace(1, 1.0)), 4)
        await time.settle()
        calls[1].cancel()
        calls[2].cancel()
        await time.pass_by()
        assert calls[3].result() == 1

    run(scenario)


def test_a_wait_beyond_the_deadline_is_told_at_once_counting_those_ahead() -> None:
    async def scenario(time: Time) -> None:
        queue = pacer(time, Pace(2, 1.0))
        calls = starts_of(time, queue, 6)
        await time.settle()
        with pytest.raises(RateLimited) as refusal:
            await queue.wait_for_turn(time.now + 2.9)
        assert refusal.value.retry_after == pytest.approx(3)
        last = asyncio.create_task(queue.wait_for_turn(time.now + 3.1))
        await time.pass_by()
        await last
        assert [call.result() for call in calls] == [0, 0, 1, 1, 2, 2]

    run(scenario)


def brave(remaining: str, limit: str = "1, 15000") -> dict[str, str]:
    return {"x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining, "x-ratelimit-reset": "1, 1419704"}


def test_a_spent_second_is_waited_for_and_a_spent_month_is_told() -> None:
    async def scenario(time: Time) -> None:
        queue = pacer(time)
        queue.learn_from(brave("0, 900"), 200)
        (call,) = starts_of(time, queue, 1)
        await time.pass_by()
        assert call.result() == 1
        queue.learn_from(brave("1, 0", limit="1, 0"), 200)
        await queue.wait_for_turn(time.now)
        queue.learn_from(brave("1, 0"), 200)
        with pytest.raises(RateLimited, match="16 days") as refusal:
            await queue.wait_for_turn()
        assert refusal.value.retry_after == pytest.approx(1419704)
        await time.pass_by(1419705)
        await queue.wait_for_turn(time.now)

    run(scenario)


def test_those_already_waiting_hear_of_a_long_closure_too() -> None:
    async def scenario(time: Time) -> None:
        queue = pacer(time, Pace(1, 1.0))
        calls = starts_of(time, queue, 3)
        await time.settle()
        queue.learn_from({"retry-after": "3600"}, 429)
        await time.pass_by()
        assert calls[0].result() == 0
        for call in calls[1:]:
            assert isinstance(call.exception(), RateLimited)

    run(scenario)


@pytest.mark.parametrize(
    ("headers", "status", "wait"),
    [
        ({"retry-after": "7"}, 429, 7),
        ({"retry-after": "7"}, 503, 7),
        ({"retry-after": "7"}, 200, 0),
        ({}, 429, 2),
        ({}, 500, 0),
    ],
)
def test_what_a_refusal_asks_for_is_kept(headers: dict[str, str], status: int, wait: float) -> None:
    async def scenario(time: Time) -> None:
        queue = pacer(time, Pace(100, 2.0))
        queue.learn_from(headers, status)
        (call,) = starts_of(time, queue, 1)
        await time.pass_by()
        assert call.result() == wait

    run(scenario)


def test_a_faster_pace_is_news_to_those_who_wait() -> None:
    async def scenario(time: Time) -> None:
        queue = pacer(time, Pace(1, 8.0))
        calls = starts_of(time, queue, 4)
        await time.pass_by(1.0)
        queue.learn_from({"x-rate-limit-limit": "500", "x-rate-limit-interval": "1s"}, 200)
        await time.pass_by()
        assert calls[0].result() == 0
        assert all(1 <= call.result() < 1.25 for call in calls[1:])

    run(scenario)


def test_an_announced_pace_replaces_the_declared_one() -> None:
    async def scenario(time: Time) -> None:
        queue = pacer(time, Pace(50, 1.0))
        queue.learn_from({"x-rate-limit-limit": "2", "x-rate-limit-interval": "1s"}, 200)
        calls = starts_of(time, queue, 4)
        await time.pass_by()
        assert [call.result() for call in calls] == [0, 0, 1, 1]

    run(scenario)
