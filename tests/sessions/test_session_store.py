"""Research sessions: the same tests on the encrypted file, on a real Redis, and in memory."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import replace

import pytest

from tests.sessions.session_stores import ANNA, NOW, Opener, kept, new, one_more, redis, same, step, store
from wellsourced.errors import SessionNotFound
from wellsourced.identity import Identity
from wellsourced.sessions.session import RequestOutcome, Step
from wellsourced.sessions.session_records import OUTCOMES
from wellsourced.sessions.session_store import SessionLimits
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.tool.sources import FoundSource, SourceEvidence

__all__ = ["kept", "redis", "store"]

BERT, CARL = Identity("acme", "bert"), Identity("other", "anna")


def user(name: str = "") -> Identity:
    return Identity(f"tenant {uuid.uuid4()}", name or "u")


def test_everything_comes_back_as_it_was(kept: Opener) -> None:
    source = FoundSource(
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
        evidence=(SourceEvidence(quote="words", claim="claim", link="https://example.org/a#:~:text=words"),),
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
    outcome = RequestOutcome(
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


def test_steps_added_side_by_side_are_all_there_in_order(kept: Opener) -> None:
    async def main() -> None:
        instances = [kept() for _ in range(4)]
        session = await instances[0].create(new())
        work = [instances[n % 4].update(ANNA, session.id, one_more) for n in range(24)]
        work += [instances[n % 4].add(ANNA, session.id, [FoundSource(url=f"https://e{n}.org/")]) for n in range(24)]
        await asyncio.gather(*work)
        for instance in instances:
            found = await instance.load(ANNA, session.id)
            assert [s.position for s in found.steps] == list(range(1, 26))
            assert sorted(s.url for s in found.sources) == sorted(f"https://e{n}.org/" for n in range(24))
            await instance.close()

    kept.run(main)


def test_sources_are_kept_once_and_added_to(store: Opener) -> None:
    async def main() -> None:
        sessions = store(SessionLimits(sources=3))
        session = await sessions.create(new())
        quote = SourceEvidence(quote="q", claim="c")
        await sessions.add(ANNA, session.id, [FoundSource(url="https://www.e.org/a/", title="A", type="web")])
        await sessions.add(
            ANNA, session.id, [FoundSource(url="http://e.org/a?utm_source=x", type="scraped", author="N")]
        )
        await sessions.add(ANNA, session.id, [FoundSource(url="https://e.org/a", type="web", evidence=(quote,))])
        more = [FoundSource(url=f"https://e.org/{n}", title="t" * 5000) for n in range(9)]
        await sessions.add(
            ANNA, session.id, [*more, FoundSource(url=""), FoundSource(url="https://e.org/" + "x" * 5000)]
        )
        found = (await sessions.load(ANNA, session.id)).sources
        expected = FoundSource(url="https://www.e.org/a/", title="A", type="scraped", author="N", evidence=(quote,))
        assert found[0] == expected
        assert [s.url for s in found[1:]] == ["https://e.org/0", "https://e.org/1"]
        assert len(found[1].title) == 500

    store.run(main)


def test_only_the_last_outcomes_are_kept(store: Opener) -> None:
    async def main() -> None:
        sessions = store()
        session = await sessions.create(new())
        for start in range(0, 450, 50):
            batch = [RequestOutcome(success=True, step_number=n) for n in range(start, start + 50)]
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
        sessions = store(SessionLimits(ttl=100))

        async def wait() -> None:
            """Redis has a clock of its own, so what is left there becomes less."""
            now[0] += 60
            if isinstance(sessions._records, RedisRecordStore):
                link = sessions._records._redis
                for key in await link.execute("KEYS", "*"):
                    if (left := await link.execute("PTTL", key)) > 0:
                        await link.execute("PEXPIRE", key, left - 60_000)

        sessions._clock = lambda: now[0]
        session = await sessions.create(new(owner))
        for _ in range(2):
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


def test_beyond_the_limit_ended_ones_go_first_then_the_least_recently_used(store: Opener) -> None:
    async def main() -> None:
        sessions, owner, neighbour = store(SessionLimits(sessions=5)), user(), user()
        now = [time.time()]

        def tick() -> float:
            now[0] += 40
            return now[0]

        sessions._clock = tick
        aside = await sessions.create(new(neighbour))
        made = [await sessions.create(new(owner, f"goal {n}")) for n in range(5)]
        await sessions.load(owner, made[0].id)
        await sessions.update(owner, made[1].id, one_more)
        await sessions.update(owner, made[4].id, lambda session: replace(session, completed_at=session.created_at))
        let_go = []
        for n in range(5, 7):
            let_go += await sessions.remove_surplus(await sessions.create(new(owner, f"goal {n}")))
        assert [s.goal for s in let_go] == ["goal 4", "goal 2"]
        listed = await sessions.sessions_of(owner)
        assert [s.goal for s in listed] == ["goal 6", "goal 5", "goal 1", "goal 0", "goal 3"]
        assert [s.step_count for s in listed] == [1, 1, 2, 1, 1]
        for gone in (made[4], made[2]):
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
