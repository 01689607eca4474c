"""One after the other, at once after a failure, and past a slow one."""

from __future__ import annotations

import asyncio
import time

import pytest

from wellsourced.errors import BadInput, RateLimited, UpstreamUnavailable
from wellsourced.upstream_client.fallback import FallbackOutcome, ask_in_turn


def run(names: list[str], head_start: float = 0.05) -> tuple[FallbackOutcome[list[str]], list[str], float]:
    cancelled: list[str] = []

    async def ask(name: str) -> list[str]:
        if name.startswith("down"):
            raise UpstreamUnavailable(f"{name} is down")
        if name.startswith("limited"):
            raise RateLimited(f"{name} is limited")
        if name.startswith("bad"):
            raise BadInput("no")
        if name.startswith("slow"):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(name)
                raise
        return [] if name.startswith("empty") else [name]

    started = time.monotonic()
    outcome = asyncio.run(ask_in_turn(names, ask, bool, head_start=head_start))
    return outcome, cancelled, time.monotonic() - started


def test_one_down_one_limited_one_good() -> None:
    outcome, _, _ = run(["down", "limited", "good", "never"])
    assert outcome.useful == ["good"] and outcome.name == "good"
    assert outcome.attempted == ["down", "limited", "good"]
    assert [type(error) for error in outcome.failures] == [UpstreamUnavailable, RateLimited]


def test_a_slow_one_is_passed_and_let_go() -> None:
    outcome, cancelled, seconds = run(["slow", "empty", "good"])
    assert outcome.useful == ["good"] and cancelled == ["slow"] and seconds < 30
    assert list(outcome.empty) == ["empty"]


def test_nobody_of_use_is_no_answer() -> None:
    outcome, _, _ = run(["down", "empty"])
    assert outcome.useful is None and list(outcome.empty) == ["empty"] and len(outcome.failures) == 1
    assert run([])[0].attempted == []


def test_a_fault_of_the_caller_is_not_asked_about_twice() -> None:
    with pytest.raises(BadInput):
        run(["bad", "good"])
