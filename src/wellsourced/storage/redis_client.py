"""The connection to a Redis that several instances share, and its errors in words.

A write that was answered was taken by Redis; how soon Redis itself is on the disk is its `appendfsync` setting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wellsourced.errors import Misconfigured, UpstreamUnavailable

if TYPE_CHECKING:
    from redis.asyncio import Redis

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 5.0
HEALTH_CHECK_SECONDS = 15


class SharedStoreUnavailable(UpstreamUnavailable):
    """Redis does not answer; the same call will do once it is back."""

    action = "retry_after_delay"
    default_wait = 5


class RedisClient:
    """Connects at the first use, and again by itself after Redis was away."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connected: Redis | None = None

    def prepare(self) -> None:
        """Load the package, which takes its time, for whoever will measure how long Redis takes."""
        self._client()

    async def run(self, script: str, keys: Sequence[str], values: Sequence[Any]) -> Any:
        """A Lua script, which Redis runs whole (redis.io/docs/latest/develop/programmability/eval-intro)."""
        return await _explained(self._client().register_script(script)(keys=list(keys), args=list(values)))

    async def ask(self, *command: object) -> Any:
        client: Any = self._client()
        return await _explained(client.execute_command(*command))

    async def close(self) -> None:
        connected, self._connected = self._connected, None
        if connected is not None:
            await connected.aclose()

    def _client(self) -> Redis:
        if self._connected is None:
            self._connected = _connect(self._url)
        return self._connected


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


async def _explained(asked: Any) -> Any:
    from redis.exceptions import AuthenticationError, RedisError

    try:
        return await asked
    except AuthenticationError as problem:
        raise Misconfigured("Redis does not accept the name or password in REDIS_URL.") from problem
    except (RedisError, OSError) as problem:
        raise SharedStoreUnavailable(
            "The store that instances share (Redis) does not answer. Nothing was lost that was acknowledged; try "
            "again in a moment.",
            detail=type(problem).__name__,
        ) from problem
