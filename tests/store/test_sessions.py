"""Research sessions: the same tests on the encrypted file, on a real Redis, and in memory."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.store.redis_server import RedisServer
from wellsourced.errors import SessionNotFound, UpstreamUnavailable
from wellsourced.model.identity import Identity
from wellsourced.model.session import Evidence, Outcome, Session, Source, Step
from wellsourced.store.database import Database
from wellsourced.store.seal import CannotOpen, Seal
from wellsourced.store.session_memory import MemorySessions
from wellsourced.store.session_records import OUTCOMES
from wellsourced.store.session_redis import RedisSessions
from wellsourced.store.session_sqlite import SqliteSessions
from wellsourced.store.sessions import Limits, SealedSessions

KEY, OTHER_KEY = b"\x01" * 32, b"\x02" * 32
ANNA, BERT, CARL = Identity("acme", "anna"), Identity("acme", "bert"), Identity("other", "anna")
NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)

Open = Callable[..., SealedSessions]
Script = Callable[[SealedSessions], Awaitable[None]]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


class Opener:
    """Opens the store anew, as another process or the next start would."""

    def __init__(self, kind: str, folder: Path, url: str) -> None:
        self.kind, self._folder, self._url = kind, folder, url
        self._databases: list[Database] = []
        self._memory: SealedSessions | None = None

    def __call__(self, limits: Limits | None = None, seal: Seal | None = None) -> SealedSessions:
        limits, seal = limits or Limits(), seal or Seal(KEY)
        if self.kind == "redis":
            return RedisSessions(self._url, seal, limits)
        if self.kind == "memory":
            self._memory = MemorySessions(limits)
            return self._memory
        database = Database(self._folder / "store.db", KEY)
        self._databases.append(database)
        return SqliteSessions(database, seal, limits)

    def run(self, script: Callable[[], Awaitable[None]]) -> None:
        async def main() -> None:
            try:
                await script()
            finally:
                for database in self._databases:
                    await database.close()
                self._databases.clear()

        asyncio.run(main())


@pytest.fixture(params=["sqlite", "redis", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    url = request.getfixturevalue("redis").url if request.param == "redis" else ""
    return Opener(request.param, tmp_path, url)


@pytest.fixture(params=["sqlite", "redis"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """A store that outlives the process."""
    url = request.getfixturevalue("redis").url if request.param == "redis" else ""
    return Opener(request.param, tmp_path, url)


def step(position: int, text: str = "") -> Step:
    return Step(position=position, number=position, description=text or f"step {position} 検索", timestamp=NOW)


def new(owner: Identity = ANNA, goal: str = "Wie wärmt die Sonne?") -> Session:
    return Session(id=str(uuid.uuid4()), owner=owner, goal=goal, created_at=NOW, last_used=NOW, steps=(step(1),))


def one_more(session: Session) -> Session:
    return replace(session, steps=(*session.steps, step(len(session.steps) + 1)))


def same(one: Session, other: Session) -> bool:
    return replace(one, last_used=NOW, revision=0) == replace(other, last_used=NOW, revision=0)


def user(name: str = "") -> Identity:
    return Identity(f"tenant {uuid.uuid4()}", name or "u")


def test_everything_comes_back_as_it_was(kept: Opener) -> None:
    source = Source(
        url="https://example.org/a?b=ü",
        title="Ein Titel \U0001f469\u200d\U0001f52c",
        type="academic",
        author="A, B",
        date="2024",
        doi="10.1/x",
        found_in_step=1,
        http_status=404,
        verified=False,
        archived_url="https://archive.example/a",
        verified_at="2026-01-01T00:00:00Z",
        retraction="withdrawn",
        rejected="off topic",
        evidence=(Evidence(quote="words", claim="claim", link="https://example.org/a#:~:text=words"),),
    )
    full = Step(
        position=2,
        number=7,
        description="zweiter\nSchritt",
        timestamp=NOW,
        parent=1,
        revises=1,
        reasoning="because",
        confidence="low",
        rejected_approaches=("x", ""),
        is_revision=True,
        revises_step=1,
        branch_id="b",
        branch_from_step=1,
        knowledge_gap="gap",
        resolved_gaps=("old gap",),
    )
    outcome = Outcome(
        success=False, provider="p", error_kind="blocked", url="https://e.org", step_number=2, timestamp=NOW
    )

    async def main() -> None:
        first = kept()
        session = await first.create(new())
        await first.update(
            ANNA,
            session.id,
            lambda s: replace(s, steps=(*s.steps, full), summary="so far", completed_at=NOW, total_steps_estimate=9),
        )
        told = await first.add(ANNA, session.id, [source], [outcome])
        await first.close()
        found = await kept().load(ANNA, session.id)
        assert same(found, told)
        assert found.steps == (step(1), full)
        assert found.sources == (source,)
        assert found.outcomes == (outcome,)
        assert (found.summary, found.completed_at, found.total_steps_estimate) == ("so far", NOW, 9)
        assert found.superseded_by(found.steps[0]) == 7

    kept.run(main)


def test_a_leaked_id_is_worth_nothing_to_another(store: Opener) -> None:
    async def main() -> None:
        sessions = store()
        session = await sessions.create(new())
        for stranger in (BERT, CARL, Identity(), Identity("acme", 'anna", "')):
            with pytest.raises(SessionNotFound, match="4 hours"):
                await sessions.load(stranger, session.id)
            with pytest.raises(SessionNotFound):
                await sessions.update(stranger, session.id, one_more)
            assert await sessions.delete(stranger, session.id) == 0
        for id in ("", "x", "*", session.id.upper() + " ", session.id + ":order", str(uuid.uuid4())):
            with pytest.raises(SessionNotFound):
                await sessions.load(ANNA, id)
        assert (await sessions.load(ANNA, session.id)).goal == session.goal

    store.run(main)


def test_nothing_that_rests_can_be_read_or_moved(tmp_path: Path, redis: RedisServer) -> None:
    """Sealed inside the encrypted file too, and each record bound to its place."""
    secret = "Sehr geheim"

    async def in_redis() -> None:
        from redis.asyncio import Redis

        sessions = RedisSessions(redis.url, Seal(KEY))
        raw: Any = Redis.from_url(redis.url)
        one = await sessions.create(replace(new(goal=secret), summary=secret))
        two = await sessions.create(new())
        await sessions.add(ANNA, one.id, [Source(url="https://secret.example/")])
        for key in await raw.keys("*"):
            kind = (await raw.type(key)).decode()
            found = await {"hash": raw.hgetall, "zset": lambda k: raw.zrange(k, 0, -1)}[kind](key)
            assert secret.encode() not in repr((key, found)).encode()
            for word in (b"secret.example", b"anna", b"acme", "検索".encode()):
                assert word not in b"".join(found.values() if isinstance(found, dict) else found), word
                assert word not in key
        hashes = [key for key in await raw.keys(f"*{one.id}") if (await raw.type(key)) == b"hash"]
        target = hashes[0].replace(one.id.encode(), two.id.encode())
        await raw.hset(target, "step 1", await raw.hget(hashes[0], "step 1"))
        with pytest.raises(CannotOpen):
            await RedisSessions(redis.url, Seal(KEY)).load(ANNA, two.id)
        await raw.aclose()

    asyncio.run(in_redis())

    async def in_sqlite() -> None:
        database = Database(tmp_path / "store.db", KEY)
        sessions = SqliteSessions(database, Seal(KEY))
        one = await sessions.create(new(goal=secret))
        await sessions.update(ANNA, one.id, one_more)
        rows = await database.run(lambda c: c.execute("SELECT * FROM session, session_row").fetchall(), write=False)
        assert all(word not in repr(rows).encode() for word in (secret.encode(), b"anna", b"acme", b"step 1 "))
        swap = "UPDATE session_row SET sealed = (SELECT sealed FROM session_row WHERE number = 1) WHERE number = 2"
        await database.run(lambda c: c.execute(swap) and None)
        with pytest.raises(CannotOpen):
            await SqliteSessions(database, Seal(KEY)).load(ANNA, one.id)
        await database.close()

    asyncio.run(in_sqlite())


def test_steps_added_side_by_side_are_all_there_in_order(kept: Opener) -> None:
    async def main() -> None:
        instances = [kept() for _ in range(4)]
        session = await instances[0].create(new())
        work = [instances[n % 4].update(ANNA, session.id, one_more) for n in range(24)]
        work += [instances[n % 4].add(ANNA, session.id, [Source(url=f"https://e{n}.org/")]) for n in range(24)]
        await asyncio.gather(*work)
        for instance in instances:
            found = await instance.load(ANNA, session.id)
            assert [s.position for s in found.steps] == list(range(1, 26))
            assert sorted(s.url for s in found.sources) == sorted(f"https://e{n}.org/" for n in range(24))
            await instance.close()

    kept.run(main)


def test_sources_are_kept_once_and_added_to(store: Opener) -> None:
    async def main() -> None:
        sessions = store(Limits(sources=3))
        session = await sessions.create(new())
        quote = Evidence(quote="q", claim="c")
        await sessions.add(ANNA, session.id, [Source(url="https://www.e.org/a/", title="A", type="web")])
        await sessions.add(ANNA, session.id, [Source(url="http://e.org/a?utm_source=x", type="scraped", author="N")])
        await sessions.add(ANNA, session.id, [Source(url="https://e.org/a", type="web", evidence=(quote,))])
        more = [Source(url=f"https://e.org/{n}", title="t" * 5000) for n in range(9)]
        await sessions.add(ANNA, session.id, [*more, Source(url=""), Source(url="https://e.org/" + "x" * 5000)])
        found = (await sessions.load(ANNA, session.id)).sources
        expected = Source(url="https://www.e.org/a/", title="A", type="scraped", author="N", evidence=(quote,))
        assert found[0] == expected
        assert [s.url for s in found[1:]] == ["https://e.org/0", "https://e.org/1"]
        assert len(found[1].title) == 500

    store.run(main)


def test_only_the_last_outcomes_are_kept(store: Opener) -> None:
    async def main() -> None:
        sessions = store()
        session = await sessions.create(new())
        for start in range(0, 450, 50):
            batch = [Outcome(success=True, step_number=n) for n in range(start, start + 50)]
            await sessions.add(ANNA, session.id, [], batch)
        again = sessions if store.kind == "memory" else store()
        for reader in (sessions, again):
            kept = (await reader.load(ANNA, session.id)).outcomes
            assert [outcome.step_number for outcome in kept] == list(range(450 - OUTCOMES, 450))

    store.run(main)


def test_time_runs_from_the_last_use(store: Opener) -> None:
    async def main() -> None:
        now = [time.time()]
        owner = user()
        sessions = store(Limits(ttl=2.5) if store.kind == "redis" else Limits(ttl=100))
        pause = {"redis": 1.4}.get(store.kind, 60)

        async def wait() -> None:
            if store.kind == "redis":
                await asyncio.sleep(pause)
            now[0] += pause

        sessions._clock = lambda: now[0]
        session = await sessions.create(new(owner))
        for _ in range(3):
            await wait()
            assert (await sessions.load(owner, session.id)).goal
        before = await sessions.count()
        await wait()
        await wait()
        with pytest.raises(SessionNotFound):
            await sessions.load(owner, session.id)
        with pytest.raises(SessionNotFound):
            await sessions.update(owner, session.id, one_more)
        assert await sessions.sessions_of(owner) == []
        assert await sessions.count() < before
        assert await sessions.purge_expired() >= 1
        assert await sessions.purge_expired() == 0

    store.run(main)


def test_beyond_the_limit_the_least_recently_used_goes(store: Opener) -> None:
    async def main() -> None:
        sessions, owner, neighbour = store(Limits(sessions=5)), user(), user()
        now = [time.time()]

        def tick() -> float:
            now[0] += 40
            return now[0]

        sessions._clock = tick
        aside = await sessions.create(new(neighbour))
        made = [await sessions.create(new(owner, f"goal {n}")) for n in range(5)]
        await sessions.load(owner, made[0].id)
        await sessions.update(owner, made[1].id, one_more)
        for n in range(5, 7):
            await sessions.create(new(owner, f"goal {n}"))
        listed = await sessions.sessions_of(owner)
        assert [s.goal for s in listed] == ["goal 6", "goal 5", "goal 1", "goal 0", "goal 4"]
        assert [s.step_count for s in listed] == [1, 1, 2, 1, 1]
        for gone in made[2:4]:
            with pytest.raises(SessionNotFound):
                await sessions.load(owner, gone.id)
        assert (await sessions.load(neighbour, aside.id)).goal

    store.run(main)


def test_one_one_users_and_one_tenants_sessions_can_be_erased(store: Opener) -> None:
    async def main() -> None:
        sessions = store()
        tenant, other = f"t{uuid.uuid4()}", f"o{uuid.uuid4()}"
        a, b, c = Identity(tenant, "a"), Identity(tenant, "b"), Identity(other, "a")
        made = {owner: [await sessions.create(new(owner)) for _ in range(3)] for owner in (a, b, c)}
        assert sorted(who.user for who in await sessions.users_of(tenant)) == ["a", "b"]
        assert await sessions.delete(a, made[a][0].id) == 1
        assert await sessions.delete(a, made[a][0].id) == 0
        assert await sessions.delete_user(a) == 2
        assert [len(await sessions.sessions_of(owner)) for owner in (a, b, c)] == [0, 3, 3]
        with pytest.raises(SessionNotFound):
            await sessions.load(a, made[a][1].id)
        assert await sessions.delete_tenant(tenant) == 3
        assert [len(await sessions.sessions_of(owner)) for owner in (a, b, c)] == [0, 0, 3]
        assert await sessions.users_of(tenant) == []
        assert await sessions.users_of(other) == [c]

    store.run(main)


def test_after_a_change_of_keys_records_are_sealed_anew(kept: Opener) -> None:
    async def main() -> None:
        session = await kept(seal=Seal(KEY)).create(new())
        await kept(seal=Seal(KEY)).add(ANNA, session.id, [Source(url="https://e.org/")], [Outcome(success=True)])
        with pytest.raises(CannotOpen):
            await kept(seal=Seal(OTHER_KEY)).load(ANNA, session.id)
        rotated = await kept(seal=Seal(OTHER_KEY, KEY)).load(ANNA, session.id)
        assert rotated.sources[0].url == "https://e.org/"
        found = await kept(seal=Seal(OTHER_KEY)).load(ANNA, session.id)
        assert same(found, rotated)

    kept.run(main)


def test_keys_change_under_load_without_a_failed_read(kept: Opener) -> None:
    """Readers and writers with the new key, the old one as previous, all at once over records of the old key."""

    async def main() -> None:
        before = kept(seal=Seal(KEY))
        ids = [(await before.create(new())).id for _ in range(20)]
        stores = [kept(seal=Seal(OTHER_KEY, KEY)) for _ in range(4)]

        async def use(store: Any, id: str, number: int) -> None:
            await store.load(ANNA, id)
            await store.add(ANNA, id, [Source(url=f"https://e.org/{number}")])
            await store.load(ANNA, id)

        await asyncio.gather(*(use(store, id, n) for n, store in enumerate(stores) for id in ids))
        after = kept(seal=Seal(OTHER_KEY))
        for id in ids:
            assert len((await after.load(ANNA, id)).sources) == len(stores)

    kept.run(main)


class Scales:
    """A shelf that weighs what is read from it and written to it."""

    def __init__(self, shelf: Any) -> None:
        self._shelf = shelf
        self.rows = 0
        self.bytes = 0

    async def read(self, *arguments: Any) -> Any:
        kept = await self._shelf.read(*arguments)
        self._weigh(kept)
        return kept

    async def write(self, place: Any, expected: int, change: Any) -> Any:
        self._weigh(change)
        return await self._shelf.write(place, expected, change)

    def _weigh(self, part: Any) -> None:
        self.rows += len(part.rows)
        self.bytes += len(part.head) + sum(len(row.sealed) for row in part.rows)


def test_a_step_costs_the_same_late_as_early(kept: Opener) -> None:
    """One row is written and none read again; the time is told, but a busy machine must not fail the test."""

    async def main() -> None:
        sessions = kept()
        session = await sessions.create(new())
        await sessions.add(ANNA, session.id, [Source(url=f"https://e{n}.org/", title="x" * 200) for n in range(500)])
        scales = Scales(sessions._shelf)
        sessions._shelf = scales  # type: ignore[assignment]
        times, weights = [], []
        for _ in range(199):
            start, before = time.perf_counter(), (scales.rows, scales.bytes)
            await sessions.update(ANNA, session.id, one_more)
            times.append(time.perf_counter() - start)
            weights.append((scales.rows - before[0], scales.bytes - before[1]))
        early, late = sorted(times[:20])[10], sorted(times[-20:])[10]
        print(f"{kept.kind}: steps 2 to 21 {early * 1000:.2f} ms each, 181 to 200 {late * 1000:.2f} ms")
        assert {rows for rows, _ in weights} == {1}
        assert abs(weights[-1][1] - weights[0][1]) < 32

    kept.run(main)


def test_starting_does_not_look_at_what_is_there(tmp_path: Path) -> None:
    async def fill(database: Database, count: int) -> None:
        sessions = SqliteSessions(database, Seal(KEY))
        session = await sessions.create(new())
        copy = (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO session "
            "SELECT NULL, tenant, 'o' || i, id, user, 1, last_used, expires_at, head FROM session, n WHERE id = ?"
        )
        await database.run(lambda c: c.execute(copy, (count, session.id)) and None)
        rows = "INSERT INTO session_row SELECT key, 'step', 1, 1, randomblob(300) FROM session WHERE owner LIKE 'o%'"
        await database.run(lambda c: c.execute(rows) and None)

    async def first_answer(path: Path) -> float:
        start = time.perf_counter()
        database = Database(path, KEY)
        await SqliteSessions(database, Seal(KEY)).create(new())
        passed = time.perf_counter() - start
        await database.close()
        return passed

    async def main() -> None:
        empty, full = tmp_path / "empty.db", tmp_path / "full.db"
        database = Database(full, KEY)
        await fill(database, 10_000)
        await database.close()
        await first_answer(empty)
        quick = min([await first_answer(empty) for _ in range(5)])
        loaded = min([await first_answer(full) for _ in range(5)])
        print(f"first answer: {quick * 1000:.1f} ms with none, {loaded * 1000:.1f} ms with 10,000 sessions")
        assert loaded < quick * 3 + 0.05

    asyncio.run(main())


def test_redis_away_is_told_and_redis_back_is_used(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def main() -> None:
            sessions = RedisSessions(server.url, Seal(KEY))
            session = await sessions.create(new())
            server.kill()
            for _ in range(2):
                with pytest.raises(UpstreamUnavailable, match="Redis") as told:
                    await sessions.update(ANNA, session.id, one_more)
                assert (told.value.retryable, told.value.action) == (True, "retry_after_delay")
            server.start()
            assert len((await sessions.update(ANNA, session.id, one_more)).steps) == 2
            await sessions.close()

        asyncio.run(main())
