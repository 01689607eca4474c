"""How many pages are read at once: so many fast, so many in the browser, and tenants served in turn."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import takewhile
from typing import NamedTuple

TOGETHER_SECONDS = 0.05
"""What comes within this time may be served by size; nothing is passed by what came later than that."""


class Waiting(NamedTuple):
    turn: asyncio.Future[None]
    size: int
    since: float


Queue = deque[Waiting]


class FairSlots:
    """A slot is held for one attempt, not for a whole page, so that a slow browser run blocks no fast one.

    A slot that falls free goes to the tenant whose turn it is, so that a hundred pages of one keep no other waiting
    for more than a page. No tenant holds more than its share.
    """

    def __init__(self, at_once: int, per_tenant: int = 0, takes_largest: Callable[[], bool] | None = None) -> None:
        """With `takes_largest`, asked whenever a slot is given, a tenant's largest or smallest goes before its others
        that came with it."""
        self._takes_largest = takes_largest
        self._free = max(1, at_once)
        self._share = per_tenant if 0 < per_tenant < at_once else self._free
        self._lent = 0
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, Queue] = OrderedDict()

    def has_free_slot(self, tenant: str) -> bool:
        """Whether a slot could be had at once."""
        return self._free > 0 and not self._waiting and self._held[tenant] < self._share

    @asynccontextmanager
    async def slot(self, tenant: str, size: int = 0) -> AsyncIterator[None]:
        await self._enter(tenant, size)
        try:
            yield
        finally:
            self._leave(tenant)

    @asynccontextmanager
    async def lasting_slot(self, tenant: str, seconds: float, most: int) -> AsyncIterator[None]:
        """A slot in whose stead another is opened after so many seconds, as long as there are not too many such: work
        without end, of however many tenants, keeps no other waiting for its end. It still counts as its tenant's."""
        lent: list[bool] = []

        def lend() -> None:
            if self._lent < most:
                lent.append(True)
                self._lent, self._free = self._lent + 1, self._free + 1
                self._serve()

        async with self.slot(tenant):
            timer = asyncio.get_running_loop().call_later(seconds, lend)
            try:
                yield
            finally:
                timer.cancel()
                self._lent, self._free = self._lent - len(lent), self._free - len(lent)

    async def _enter(self, tenant: str, size: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(Waiting(turn, size, time.monotonic()))
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the slot came in the same moment
                self._leave(tenant)
            else:
                self._give_up(tenant, turn)
            raise

    def _leave(self, tenant: str) -> None:
        self._free += 1
        self._held[tenant] -= 1
        if not self._held[tenant]:
            del self._held[tenant]
        self._serve()

    def _serve(self) -> None:
        while self._free > 0 and (tenant := self._next()) is not None:
            turn = self._take(self._waiting[tenant])
            self._waiting.move_to_end(tenant)
            if not self._waiting[tenant]:
                del self._waiting[tenant]
            if not turn.cancelled():
                self._free -= 1
                self._held[tenant] += 1
                turn.set_result(None)

    def _take(self, queue: Queue) -> asyncio.Future[None]:
        if self._takes_largest is None or len(queue) == 1:
            return queue.popleft().turn
        latest = queue[0].since + TOGETHER_SECONDS
        together = takewhile(lambda each: each.since <= latest, queue)
        chosen = (max if self._takes_largest() else min)(together, key=lambda each: each.size)
        queue.remove(chosen)
        return chosen.turn

    def _next(self) -> str | None:
        """Who was served longest ago of those that wait and have not got their share."""
        return next((tenant for tenant in self._waiting if self._held[tenant] < self._share), None)

    def _give_up(self, tenant: str, turn: asyncio.Future[None]) -> None:
        if queue := self._waiting.get(tenant):
            self._waiting[tenant] = left = deque(each for each in queue if each.turn is not turn)
            if not left:
                del self._waiting[tenant]
