"""The connection to a Redis that several instances share, and its errors in words.

A write that was answered was taken by Redis; how soon Redis itself is on the disk is its `appendfsync` setting.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from wellsourced.errors import Misconfigured, UpstreamUnavailable, WellsourcedError
from wellsourced.storage.key_file import CannotUseKey

if TYPE_CHECKING:
    from redis.asyncio import Redis

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 5.0
HEALTH_CHECK_SECONDS = 15
QUICK_ANSWER_SECONDS = 0.3
BACKOFF_SECONDS = 1.0
CONCURRENT_CALLS = 16


class SharedStoreUnavailable(UpstreamUnavailable):
    """Redis does not answer; the same call will do once it is back."""

    action = "retry_after_delay"
    default_wait = 5


CANNOT_SHARE = (SharedStoreUnavailable, CannotUseKey)
"""Why nothing can be shared for now: Redis is away, or there is no key to seal with until it is put right."""


class RedisClient:
    """Connects at the first use, and again by itself after Redis was away."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connected: Redis | None = None

    def load_driver(self) -> None:
        """Load the package, which takes its time, for whoever will measure how long Redis takes."""
        self._client()

    async def run_script(self, script: str, keys: Sequence[str], values: Sequence[Any]) -> Any:
        """A Lua script, which Redis runs whole (redis.io/docs/latest/develop/programmability/eval-intro)."""
        return await _explain(self._client().register_script(script)(keys=list(keys), args=list(values)))

    async def execute(self, *command: object) -> Any:
        client: Any = self._client()
        return await _explain(client.execute_command(*command))

    async def close(self) -> None:
        connected, self._connected = self._connected, None
        if connected is not None:
            await connected.aclose()

    def _client(self) -> Redis:
        if self._connected is None:
            self._connected = _connect(self._url)
        return self._connected


class OptionalRedisClient:
    """For those who can do without Redis: a reply soon, or SharedStoreUnavailable.

    After a failure Redis is left alone for a moment, and whoever comes first afterwards finds out whether it is back; a
    hundred calls do not each wait for a server that is gone. `on_trouble` is called once for every absence.
    """

    def __init__(
        self,
        url: str,
        on_trouble: Callable[[str], None] = lambda sentence: None,
        *,
        answer_seconds: float = QUICK_ANSWER_SECONDS,
        backoff_seconds: float = BACKOFF_SECONDS,
    ) -> None:
        self._client = RedisClient(url)
        self._on_trouble = on_trouble
        self._answer_seconds = answer_seconds
        self._backoff_seconds = backoff_seconds
        self._retry_at = 0.0
        self._failures_in_a_row = 0
        self._slots = asyncio.Semaphore(CONCURRENT_CALLS)

    async def run_script(self, script: str, keys: Sequence[str], values: Sequence[Any]) -> Any:
        """A Lua script's answer; raises SharedStoreUnavailable."""
        return await self._call(lambda: self._client.run_script(script, keys, values))

    async def execute(self, *command: object) -> Any:
        """A command's answer; raises SharedStoreUnavailable."""
        return await self._call(lambda: self._client.execute(*command))

    async def close(self) -> None:
        await self._client.close()

    async def _call(self, send: Callable[[], Awaitable[Any]]) -> Any:
        self._check_backoff()
        failures = self._failures_in_a_row
        async with self._slots:
            if self._failures_in_a_row > failures:  # it went away while this one waited
                raise _unavailable("backoff")
            answer = await self._reply_in_time(send)
        self._retry_at = 0.0
        self._failures_in_a_row = 0
        return answer

    def _check_backoff(self) -> None:
        """While Redis rests nobody; afterwards one, and the others once that one was answered."""
        now = time.monotonic()
        if now < self._retry_at:
            raise _unavailable("backoff")
        if self._failures_in_a_row:
            self._retry_at = now + self._backoff_seconds

    async def _reply_in_time(self, send: Callable[[], Awaitable[Any]]) -> Any:
        try:
            self._client.load_driver()
            async with asyncio.timeout(self._answer_seconds):
                return await send()
        except TimeoutError as problem:
            self._failed("it took too long")
            raise _unavailable("TimeoutError") from problem
        except WellsourcedError as problem:
            if not _is_answer(problem):
                self._failed(problem.detail or problem.sentence)
            raise _unavailable(problem.detail or problem.sentence) from problem

    def _failed(self, reason: str) -> None:
        self._retry_at = time.monotonic() + self._backoff_seconds
        self._failures_in_a_row += 1
        if self._failures_in_a_row == 1:
            self._on_trouble(
                f"Redis is away ({reason}). Until it is back this instance counts calls and keeps answers alone."
            )


def _connect(url: str) -> Redis:
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import ExponentialBackoff
    except ImportError as problem:
        raise Misconfigured(
            "REDIS_URL is set and the package redis is missing; install it with: pip install 'wellsourced[redis]'"
        ) from problem
    try:
        return Redis.from_url(
            url,
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            health_check_interval=HEALTH_CHECK_SECONDS,
            retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), 2),
        )
    except ValueError as problem:
        raise Misconfigured("REDIS_URL is not understood; it looks like redis://host:6379/0.") from problem


async def _explain(reply: Any) -> Any:
    from redis.exceptions import AuthenticationError, RedisError

    try:
        return await reply
    except AuthenticationError as problem:
        raise Misconfigured("Redis does not accept the name or password in REDIS_URL.") from problem
    except (RedisError, OSError) as problem:
        raise SharedStoreUnavailable(
            "The store that instances share (Redis) does not answer. Nothing was lost that was acknowledged; try "
            "again in a moment.",
            detail=type(problem).__name__,
        ) from problem


def _is_answer(problem: WellsourcedError) -> bool:
    """Redis is there and said no, for instance because its memory is full: no reason to leave it alone."""
    if isinstance(problem, Misconfigured):
        return False
    from redis.exceptions import ResponseError

    return isinstance(problem.__cause__, ResponseError)


def _unavailable(reason: str) -> SharedStoreUnavailable:
    return SharedStoreUnavailable(
        "The store that instances share (Redis) does not answer. Try again in a moment.", detail=reason
    )
