"""GET /health/live and /health/ready: one overall word, and no details that would help an attacker."""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from wellsourced.app import Application
from wellsourced.errors import WellsourcedError
from wellsourced.http.middleware.shutdown import Drain

CHECK_SECONDS = 2.0
KEPT_SECONDS = 2.0
STORE_SETTINGS = ("CACHE_DIR", "CACHE_ENCRYPTION_KEY", "REDIS_URL")
HEALTHY, DEGRADED, UNHEALTHY, DRAINING = "healthy", "degraded", "unhealthy", "draining"

logger = logging.getLogger(__name__)


def health_routes(app: Application, drain: Drain) -> list[Route]:
    readiness = Readiness(app)

    async def ready(request: Request) -> Response:
        status = DRAINING if drain.has_begun else await readiness.status()
        return JSONResponse({"status": status}, 200 if status in (HEALTHY, DEGRADED) else 503)

    return [Route("/health/live", alive), Route("/health/ready", ready)]


async def alive(request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


class Readiness:
    """Asks the stores themselves; the result is kept for two seconds, so that frequent checks cost nothing."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._checking = asyncio.Lock()
        self._checked_at = float("-inf")
        self._status = UNHEALTHY

    async def status(self) -> str:
        async with self._checking:
            if time.monotonic() - self._checked_at > KEPT_SECONDS:
                self._status = await self._check()
                self._checked_at = time.monotonic()
            return self._status

    async def _check(self) -> str:
        problem = await self._app.storage_check.problem() or await self._session_problem()
        if not problem:
            return HEALTHY
        logger.warning("Not ready: %s", problem)
        is_wanted = any(self._app.settings.is_set(name) for name in STORE_SETTINGS)
        return UNHEALTHY if is_wanted else DEGRADED

    async def _session_problem(self) -> str:
        """What is wrong with the Redis that holds the sessions, where there is one."""
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await self._app.services.sessions.store.count()
        except (WellsourcedError, TimeoutError, OSError) as problem:
            return str(problem) or "the sessions were not found in time"
        return ""
