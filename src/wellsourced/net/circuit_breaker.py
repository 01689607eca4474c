"""Leaves a failing provider alone for a while, then lets one call through to see whether it has recovered."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Literal, TypeAlias

BreakerState: TypeAlias = Literal["closed", "open", "half-open"]

JITTER = 0.2
"""Added share of the waiting time, so that many processes do not come back in the same instant."""


class CircuitBreaker:
    """Closed lets everything through; open nothing; half-open one probe, whose outcome decides."""

    def __init__(
        self,
        failures: int = 3,
        open_seconds: float = 30,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._threshold = max(1, failures)
        self._open_seconds = open_seconds
        self._clock = clock
        self._chance = chance
        self._in_a_row = 0
        self.rate_limited = False
        """Whether it is a rate limit that the provider was last left alone for, rather than failures in a row."""
        self._open_until: float | None = None
        self._probe_since: float | None = None

    @property
    def state(self) -> BreakerState:
        if self._open_until is None:
            return "closed"
        return "open" if self._clock() < self._open_until else "half-open"

    def allows(self) -> bool:
        """Whether a call may be made now. In the half-open state the caller that hears yes is the probe."""
        state = self.state
        if state != "half-open":
            return state == "closed"
        now = self._clock()
        # A probe that never reported back must not keep the breaker open for ever.
        if self._probe_since is not None and now - self._probe_since < self._open_seconds:
            return False
        self._probe_since = now
        return True

    def retry_after(self) -> float:
        """Seconds until a call may be made again, 0 when one may be made now."""
        return 0.0 if self._open_until is None else max(0.0, self._open_until - self._clock())

    def succeeded(self) -> None:
        # A call that began before the breaker opened proves nothing about the provider's state now.
        if self.state != "open":
            self._in_a_row = 0
            self._open_until = self._probe_since = None

    def failed(self, rate_limited_for: float | None = None) -> None:
        """Count a failure of the provider's. A rate limit opens at once, for as long as it says (0: as usual)."""
        state = self.state
        if rate_limited_for is not None:
            self.rate_limited = True
            self._open(rate_limited_for or self._open_seconds)
            return
        if state == "open":
            return
        self._in_a_row += 1
        if state == "half-open" or self._in_a_row >= self._threshold:
            self.rate_limited = False
            self._open(self._open_seconds)

    def abandoned(self) -> None:
        """The call ended without saying anything of the provider: cancelled, or the caller's own mistake."""
        self._probe_since = None

    def _open(self, seconds: float) -> None:
        until = self._clock() + max(0.0, seconds) * (1 + JITTER * self._chance())
        self._open_until = max(until, self._open_until or until)
        self._in_a_row = 0
        self._probe_since = None
