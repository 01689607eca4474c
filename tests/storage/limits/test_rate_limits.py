"""Limits: what passes and what waits, by one instance, over a restart, and by several instances over Redis."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from tests.storage.redis_server import RedisServer
from tests.warm.process import start
from wellsourced.storage.database import Database
from wellsourced.storage.limits import daily_counts
from wellsourced.storage.limits.daily_counts import DAY, DailyCounts
from wellsourced.storage.limits.rate_limits import MINUTE, SECOND, LimitRefusal, LocalRateLimiter, RateLimit
from wellsourced.storage.limits.redis import PREFIX, RedisRateLimiter
from wellsourced.storage.redis_client import CONCURRENT_CALLS, OptionalRedisClient
from wellsourced.storage.sealer import Sealer

KEY = b"\x02" * 32
RATE = RateLimit("PER_MINUTE", 10, MINUTE, "calls a minute")
QUOTA = RateLimit("PER_DAY", 25, DAY, "calls a day")


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


def shared_limiter(url: str, answer_seconds: float = 5.0, backoff_seconds: float = 0.1) -> RedisRateLimiter:
    link = OptionalRedisClient(url, answer_seconds=answer_seconds, backoff_seconds=backoff_seconds)
    return RedisRateLimiter(link, Sealer(KEY).digest, LocalRateLimiter())


@given(
    most=st.integers(1, 20),
    seconds=st.sampled_from([SECOND, MINUTE]),
    steps=st.lists(st.tuples(st.floats(0, 90), st.integers(1, 4)), max_size=60),
)
def test_no_stretch_of_time_lets_more_pass_than_the_limit_and_the_wait_is_the_true_one(
    most: int, seconds: int, steps: list[tuple[float, int]]
) -> None:
    """What passes in any stretch of time is at most what was saved up and what was regained in it."""
    clock = Clock()
    limiter, limit = LocalRateLimiter(clock=clock), RateLimit("X", most, seconds, "calls")
    passed: list[float] = []

    async def main() -> None:
        for pause, calls in steps:
            clock.now += pause / most
            refusal = await limiter.take([limit.claim("a")], calls)
            if refusal is not None and refusal.wait is not None:
                before, clock.now = clock.now, clock.now + refusal.wait - 0.001
                if refusal.wait > 0.002:
                    assert await limiter.take([limit.claim("a")], calls) is not None, "sooner is too soon"
                clock.now = before + refusal.wait + 0.000002
                refusal = await limiter.take([limit.claim("a")], calls)
                assert refusal is None, "after the wait it passes"
            assert (refusal is None) == (calls <= most)
            passed.extend([clock.now] * (calls if refusal is None else 0))

    asyncio.run(main())
    for first, began in enumerate(passed):
        for last in range(first, len(passed)):
            assert last - first + 1 <= most + (passed[last] - began) * most / seconds + 0.001


def test_nothing_is_charged_when_one_limit_refuses_and_the_longest_wait_is_told() -> None:
    async def main() -> None:
        clock = Clock()
        limiter, tight = LocalRateLimiter(clock=clock), RateLimit("TIGHT", 2, SECOND, "calls a second")
        claims = [RATE.claim("t"), tight.claim("all"), QUOTA.claim("t")]
        assert await limiter.take(claims, 2) is None
        refusal = await limiter.take(claims, 1)
        assert refusal == LimitRefusal(tight, 0.5)
        assert await limiter.used(QUOTA.claim("t")) == 2
        assert await limiter.take([RATE.claim("t")], 8) is None, "the refused call was not charged here"
        clock.now += 100
        assert await limiter.take([QUOTA.claim("t")], 23) is None
        refusal = await limiter.take(claims)
        assert refusal is not None and refusal.limit is QUOTA
        assert refusal.wait == DAY - clock.now % DAY
        assert "25 calls a day (PER_DAY)" in refusal.sentence
        never = await limiter.take(claims, 3)
        assert never is not None and never.wait is None
        clock.now += refusal.wait
        assert await limiter.take(claims) is None

    asyncio.run(main())


def test_a_clock_set_back_locks_nobody_out_and_idle_keys_are_forgotten() -> None:
    async def main() -> None:
        clock = Clock()
        limiter = LocalRateLimiter(clock=clock)
        await limiter.take([RATE.claim("a")], 10)
        clock.now -= 86_400 * 30
        refusal = await limiter.take([RATE.claim("a")])
        assert refusal is not None and refusal.wait is not None and refusal.wait <= 60
        clock.now += 86_400 * 60
        for number in range(5000):
            clock.now += 0.1
            await limiter.take([RATE.claim(f"address {number}")])
        assert len(limiter._full_at) < 200

    asyncio.run(main())


def test_the_local_way_is_cheap() -> None:
    async def main() -> float:
        limiter = LocalRateLimiter()
        limits = [RateLimit(name, 10**9, seconds, "calls") for name, seconds in (("A", 1), ("B", 60), ("C", DAY))]
        started = time.process_time()
        for _ in range(5000):
            assert await limiter.take([limit.claim("tenant") for limit in limits]) is None
        return (time.process_time() - started) / 5000

    assert min(asyncio.run(main()) for _ in range(3)) < 100e-6


SPENDER = """
import asyncio, sys
from pathlib import Path
from wellsourced.storage.database import Database
from wellsourced.storage.limits.rate_limits import RateLimit, LocalRateLimiter
from wellsourced.storage.limits.daily_counts import DAY, DailyCounts
def limiter_on(path):
    return LocalRateLimiter(DailyCounts(Database(Path(path), bytes([2]) * 32)))
async def main(path):
    limiter, claim = limiter_on(path), RateLimit("PER_DAY", 25, DAY, "calls a day").claim("Ünal")
    for _ in range(10):
        await limiter.take([claim])
    while await limiter_on(path).used(claim) < 10:
        await asyncio.sleep(0.1)
    print("spent", flush=True)
    await asyncio.sleep(60)
asyncio.run(main(sys.argv[1]))
"""


def test_the_days_count_outlives_a_kill_and_processes_on_one_file_count_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily_counts, "READ_SECONDS", 60)
    path = tmp_path / "store.db"
    child = start([sys.executable, "-c", SPENDER, str(path)], stdout=subprocess.PIPE)
    assert child.stdout
    assert child.stdout.readline() == b"spent\n"

    async def main() -> None:
        databases = [Database(path, KEY), Database(path, KEY)]
        first, second = (LocalRateLimiter(DailyCounts(database)) for database in databases)
        claim = QUOTA.claim("Ünal")
        assert await first.used(claim) == 10
        assert await first.take([claim], 5) is None
        await first.counts.settle()
        assert await second.take([claim], 5) is None
        await second.counts.settle()
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=30)
        assert await second.used(claim) == 20
        assert await second.take([claim], 6) is not None
        assert await second.take([claim], 5) is None
        assert await second.used(QUOTA.claim("another")) == 0
        for limiter, database in zip((first, second), databases, strict=True):
            await limiter.close()
            await database.close()

    asyncio.run(main())


def test_without_the_file_counting_goes_on_in_memory(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(os.urandom(8192))
    troubles: list[str] = []

    async def main() -> None:
        database = Database(tmp_path / "store.db", KEY)
        limiter = LocalRateLimiter(DailyCounts(database, troubles.append))
        for _ in range(25):
            assert await limiter.take([QUOTA.claim("a")]) is None
        await limiter.counts.settle()
        assert await limiter.take([QUOTA.claim("a")]) is not None
        await limiter.close()
        await database.close()

    asyncio.run(main())
    assert len(troubles) == 1


HAMMER = """
import asyncio, json, sys, time
from wellsourced.storage.limits.rate_limits import RateLimit, LocalRateLimiter, SECOND
from wellsourced.storage.limits.daily_counts import DAY
from wellsourced.storage.limits.redis import RedisRateLimiter
from wellsourced.storage.redis_client import CONCURRENT_CALLS, OptionalRedisClient
from wellsourced.storage.sealer import Sealer
async def main(url):
    link = OptionalRedisClient(url, answer_seconds=30)
    limiter = RedisRateLimiter(link, Sealer(bytes([2]) * 32).digest, LocalRateLimiter())
    day, rate = RateLimit("PER_DAY", 300, DAY, "calls a day"), RateLimit("PER_SECOND", 40, SECOND, "calls a second")
    async def worker():
        passed = [0, 0]
        for _ in range(20):
            passed[0] += await limiter.take([day.claim("hammered")]) is None
            passed[1] += await limiter.take([rate.claim("hammered")]) is None
        return passed
    started = time.time()
    passed = await asyncio.gather(*(worker() for _ in range(20)))
    print(json.dumps([[sum(p[i] for p in passed) for i in (0, 1)], limiter.fallbacks, started, time.time()]))
    await link.close()
asyncio.run(main(sys.argv[1]))
"""


def test_two_processes_hammering_one_limit_pass_exactly_what_it_allows(redis: RedisServer) -> None:
    """A Redis slower than the limiter waits is counted without, so on a busy machine it is tried again."""
    for _ in range(3):
        children = [
            start([sys.executable, "-c", HAMMER, redis.url], stdout=subprocess.PIPE, text=True) for _ in range(2)
        ]
        told = [json.loads(child.communicate(timeout=60)[0]) for child in children]
        if not any(fallbacks for _, fallbacks, _, _ in told):
            break
        Redis.from_url(redis.url).flushall()
    assert [fallbacks for _, fallbacks, _, _ in told] == [0, 0]
    assert sum(passed[0] for passed, *_ in told) == 300
    elapsed = max(ended for *_, ended in told) - min(started for _, _, started, _ in told)
    by_rate = sum(passed[1] for passed, *_ in told)
    assert 40 <= by_rate <= 40 + 40 * elapsed + 1


def test_redis_and_one_instance_decide_alike_and_redis_learns_no_names(redis: RedisServer) -> None:
    async def main() -> None:
        limiter = shared_limiter(redis.url)
        both = [RateLimit("QUICK", 3, SECOND, "calls a second").claim("tenant x"), QUOTA.claim("tenant x")]
        passed = 0
        while (refusal := await limiter.take(both)) is None:
            passed += 1
        assert passed >= 3 and refusal.limit.variable == "QUICK" and refusal.wait
        assert 0 < refusal.wait <= 0.34
        assert await limiter.used(QUOTA.claim("tenant x")) == passed, "nothing was charged by the refused call"
        await asyncio.sleep(refusal.wait)
        assert await limiter.take(both) is None, "after the wait it passes"
        refusal = await limiter.take([QUOTA.claim("tenant x")], 22)
        assert refusal is not None and refusal.wait is not None
        assert abs(refusal.wait - (DAY - time.time() % DAY)) < 30
        keys = [key.decode() for key in await limiter._redis.execute("KEYS", "*")]
        assert keys and all(key.startswith(PREFIX) and "tenant" not in key for key in keys)
        assert all([await limiter._redis.execute("PTTL", key) > 0 for key in keys])
        await limiter._redis.close()

    asyncio.run(main())


def test_redis_killed_in_the_middle_is_done_without_and_comes_back(tmp_path: Path) -> None:
    async def main(server: RedisServer) -> None:
        one, other = shared_limiter(server.url), shared_limiter(server.url)
        claim = QUOTA.claim("t")
        assert await one.take([claim], 10) is None
        server.kill()
        started = time.monotonic()
        assert await one.take([claim], 5) is None
        assert await one.take([claim], 11) is not None, "it goes on from what Redis last said"
        assert time.monotonic() - started < 20
        assert (one.fallbacks, other.fallbacks) == (2, 0)
        server.start()
        await asyncio.sleep(0.2)
        assert await one.take([claim], 5) is None
        assert one.fallbacks == 2
        assert await other.used(claim) == 20, "what was counted alone counts for all"
        assert await other.take([claim], 6) is not None
        for limiter in (one, other):
            await limiter._redis.close()

    with RedisServer(tmp_path) as server:
        asyncio.run(main(server))


def test_a_redis_that_hangs_stalls_nobody(tmp_path: Path) -> None:
    async def main(server: RedisServer) -> None:
        limiter = shared_limiter(server.url, answer_seconds=30, backoff_seconds=600)
        assert await limiter.take([RATE.claim("t")]) is None
        link, asked = limiter._redis, 0
        send = link._client.run_script

        async def counted(*arguments: Any) -> Any:
            nonlocal asked
            asked += 1
            return await send(*arguments)

        link._client.run_script = counted  # type: ignore[method-assign,assignment]
        server.pause()
        link._answer_seconds = 0.5
        await asyncio.gather(*(limiter.take([RATE.claim(f"t{number}")]) for number in range(100)))
        assert (limiter.fallbacks, asked) == (100, CONCURRENT_CALLS), "nobody waits for it after those who found out"
        await limiter.take([RATE.claim("t")])
        assert asked == CONCURRENT_CALLS, "it is left alone for a moment"
        server.resume()
        link._retry_at, link._answer_seconds = 0.0, 30
        await limiter.take([RATE.claim("t")])
        assert (limiter.fallbacks, asked) == (101, CONCURRENT_CALLS + 1)
        await limiter._redis.close()

    with RedisServer(tmp_path) as server:
        asyncio.run(main(server))
