"""The SDK's app, loaded when the first request needs it: it takes half a second of processor time and 30 MB."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send


class LateSdk:
    """An ASGI app; `make` imports and builds the one behind it. `run` is around the time in which it may be asked."""

    def __init__(self, make: Callable[[], Starlette]) -> None:
        self._make = make
        self._running: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Starlette] | None = None
        self._stopping = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._hold_open(self._ready))
        await (await asyncio.shield(self._ready))(scope, receive, send)

    @asynccontextmanager
    async def run(self, app: Starlette) -> AsyncIterator[None]:
        yield
        self._stopping.set()
        if self._running:
            await self._running

    async def _hold_open(self, ready: asyncio.Future[Starlette]) -> None:
        """The SDK's task group must be left by the task that entered it."""
        async with AsyncExitStack() as stack:
            try:
                app = await asyncio.to_thread(self._make)
                await stack.enter_async_context(app.router.lifespan_context(app))
            except Exception as problem:  # noqa: BLE001 - whoever asks gets it, now and later
                ready.set_exception(problem)
                return
            ready.set_result(app)
            await self._stopping.wait()
