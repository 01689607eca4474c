"""How many pages are read at once: so many fast, so many in the browser, and a fair share for each tenant."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

TENANTS_REMEMBERED = 10_000


class Slots:
    """A slot is held for one attempt, not for a whole page, so that a slow browser run blocks no fast one."""

    def __init__(self, at_once: int, per_tenant: int = 0) -> None:
        self._all = asyncio.Semaphore(max(1, at_once))
        self._share = per_tenant if 0 < per_tenant < at_once else 0
        self._tenants: OrderedDict[str, asyncio.Semaphore] = OrderedDict()

    @asynccontextmanager
    async def slot(self, tenant: str) -> AsyncIterator[None]:
        """The tenant's share first, then the common limit: a busy tenant waits among its own."""
        if not self._share:
            async with self._all:
                yield
            return
        async with self._own(tenant), self._all:
            yield

    def _own(self, tenant: str) -> asyncio.Semaphore:
        share = self._tenants.setdefault(tenant, asyncio.Semaphore(self._share))
        self._tenants.move_to_end(tenant)
        if len(self._tenants) > TENANTS_REMEMBERED:
            self._tenants.popitem(last=False)
        return share
