"""Identical calls in flight share one run.

The run is a task of its own: it goes on while anybody waits for it, whoever has left, and is cancelled when the
last one leaves. It inherits the context of the caller who started it, and is shared only within the same partition. A
run must not wait for its own key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

from wellsourced.late_dataclass import dataclass
from wellsourced.storage.cache.partition import current_partition

T = TypeVar("T")


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[Any]
    waiters: int = 0


class SingleFlight:
    def __init__(self) -> None:
        self._flights: dict[Hashable, _Flight] = {}
        self._ending: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        """How many keys are in flight."""
        return len(self._flights)

    async def run(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of the run in flight for this key, or of a new one. Its failure reaches every waiter."""
        key = (current_partition(), key)
        flight = self._flights.get(key) or self._start(key, make)
        flight.waiters += 1
        try:
            result: T = await asyncio.shield(flight.task)  # leaves the task alone when the waiter is cancelled
            return result
        finally:
            flight.waiters -= 1
            if not flight.waiters:
                self._abandon(key, flight)

    def _start(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> _Flight:
        flight = _Flight(asyncio.get_running_loop().create_task(make()))
        self._flights[key] = flight
        flight.task.add_done_callback(lambda task: self._land(key, flight))
        return flight

    def _land(self, key: Hashable, flight: _Flight) -> None:
        """Whoever comes from now on starts anew."""
        if self._flights.get(key) is flight:
            del self._flights[key]
        self._ending.discard(flight.task)
        if not flight.task.cancelled():
            flight.task.exception()  # a failure that nobody waited for is not worth a complaint from the loop

    def _abandon(self, key: Hashable, flight: _Flight) -> None:
        if flight.task.done():
            return
        if self._flights.get(key) is flight:
            del self._flights[key]
        self._ending.add(flight.task)
        flight.task.cancel()
