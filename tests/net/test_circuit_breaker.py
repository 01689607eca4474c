"""The breaker's three states, on a clock of the test's own."""

from __future__ import annotations

import pytest

from wellsourced.net.circuit_breaker import CircuitBreaker


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def breaker(clock: Clock, chance: float = 0.0) -> CircuitBreaker:
    return CircuitBreaker(failures=3, open_seconds=30, clock=clock, chance=lambda: chance)


def fail(line: CircuitBreaker, times: int = 3) -> None:
    for _ in range(times):
        line.failed()


def test_it_opens_after_failures_in_a_row_only(clock: Clock) -> None:
    line = breaker(clock)
    fail(line, 2)
    line.succeeded()
    fail(line, 2)
    assert (line.state, line.allows(), line.retry_after()) == ("closed", True, 0)
    line.failed()
    assert (line.state, line.allows(), line.retry_after()) == ("open", False, 30)
    clock.now += 29
    line.failed()
    line.succeeded()
    assert (line.state, line.retry_after()) == ("open", 1)


def test_one_probe_decides(clock: Clock) -> None:
    line = breaker(clock)
    fail(line)
    clock.now += 30
    assert (line.state, line.retry_after()) == ("half-open", 0)
    assert [line.allows() for _ in range(3)] == [True, False, False]
    line.failed()
    assert (line.state, line.retry_after()) == ("open", 30)
    clock.now += 30
    assert line.allows()
    line.succeeded()
    assert line.state == "closed"
    assert all(line.allows() for _ in range(3))
    fail(line, 2)
    assert line.state == "closed"


def test_an_abandoned_or_forgotten_probe_is_given_to_the_next(clock: Clock) -> None:
    line = breaker(clock)
    fail(line)
    clock.now += 30
    assert line.allows()
    line.abandoned()
    assert line.state == "half-open"
    assert [line.allows(), line.allows()] == [True, False]
    clock.now += 30
    assert [line.allows(), line.allows()] == [True, False]


def test_a_callers_mistake_never_counts(clock: Clock) -> None:
    line = breaker(clock)
    for _ in range(10):
        line.abandoned()
    assert line.state == "closed"


def test_a_rate_limit_opens_at_once_for_its_own_time(clock: Clock) -> None:
    line = breaker(clock)
    line.failed(rate_limited_for=120)
    assert (line.state, line.retry_after()) == ("open", 120)
    line.failed(rate_limited_for=5)
    assert line.retry_after() == 120
    line.succeeded()
    assert line.state == "open"
    other = breaker(clock)
    other.failed(rate_limited_for=0)
    assert other.retry_after() == 30


def test_jitter_lengthens_by_a_fifth_at_most(clock: Clock) -> None:
    line = breaker(clock, chance=1.0)
    fail(line)
    assert line.retry_after() == pytest.approx(36)
    natural = CircuitBreaker(clock=clock)
    fail(natural)
    assert 30 <= natural.retry_after() <= 36
