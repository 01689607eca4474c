"""Redis for those who can do without it: an answer soon, or none.

After a failure Redis is left alone for a moment, and whoever comes first afterwards finds out whether it is back; a
hundred calls do not each wait for a server that is gone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from wellsourced.errors import Misconfigured, WellsourcedError
from wellsourced.storage.redis_client import RedisClient, SharedStoreUnavailable

ANSWER_SECONDS = 0.3
REST_SECONDS = 1.0
AT_ONCE = 16


class OptionalRedisClient:
    """`on_trouble` hears of every absence once."""

    def __init__(
        self,
        url: str,
        on_trouble: Callable[[str], None] = lambda sentence: None,
        *,
        answer_seconds: float = ANSWER_SECONDS,
        rest_seconds: float = REST_SECONDS,
    ) -> None:
        self._link = RedisClient(url)
        self._on_trouble = on_trouble
        self._answer_seconds = answer_seconds
        self._rest_seconds = rest_seconds
        self._rests_until = 0.0
        self._failures_in_a_row = 0
        self._places = asyncio.Semaphore(AT_ONCE)

    async def run(self, script: str, keys: Sequence[str], values: Sequence[Any]) -> Any:
        """A Lua script's answer; raises SharedStoreUnavailable."""
        return await self._soon(lambda: self._link.run(script, keys, values))

    async def ask(self, *command: object) -> Any:
        """A command's answer; raises SharedStoreUnavailable."""
        return await self._soon(lambda: self._link.ask(*command))

    async def close(self) -> None:
        await self._link.close()

    async def _soon(self, asked: Callable[[], Awaitable[Any]]) -> Any:
        self._come_in()
        failures = self._failures_in_a_row
        async with self._places:
            if self._failures_in_a_row > failures:  # it went away while this one waited
                raise _away("resting")
            answer = await self._answered(asked)
        self._rests_until = 0.0
        self._failures_in_a_row = 0
        return answer

    def _come_in(self) -> None:
        """While Redis rests nobody; afterwards one, and the others once that one was answered."""
        now = time.monotonic()
        if now < self._rests_until:
            raise _away("resting")
        if self._failures_in_a_row:
            self._rests_until = now + self._rest_seconds

    async def _answered(self, asked: Callable[[], Awaitable[Any]]) -> Any:
        try:
            self._link.prepare()
            async with asyncio.timeout(self._answer_seconds):
                return await asked()
        except TimeoutError as problem:
            self._failed("it took too long")
            raise _away("TimeoutError") from problem
        except WellsourcedError as problem:
            if not _is_an_answer(problem):
                self._failed(problem.detail or problem.sentence)
            raise _away(problem.detail or problem.sentence) from problem

    def _failed(self, reason: str) -> None:
        self._rests_until = time.monotonic() + self._rest_seconds
        self._failures_in_a_row += 1
        if self._failures_in_a_row == 1:
            self._on_trouble(
                f"Redis is away ({reason}). Until it is back this instance counts calls and keeps answers alone."
            )


def _is_an_answer(problem: WellsourcedError) -> bool:
    """Redis is there and said no, for instance because its memory is full: no reason to leave it alone."""
    if isinstance(problem, Misconfigured):
        return False
    from redis.exceptions import ResponseError

    return isinstance(problem.__cause__, ResponseError)


def _away(reason: str) -> SharedStoreUnavailable:
    return SharedStoreUnavailable(
        "The store that instances share (Redis) does not answer. Try again in a moment.", detail=reason
    )
