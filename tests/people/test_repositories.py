"""Consents, memories, workspaces and counts: the same tests on the encrypted file and on a real Redis."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import textwrap
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.people.personal_repositories import (
    KEY,
    OTHER_KEY,
    Opener,
    consent,
    contribution,
    membership,
    memory,
    notes,
    shared,
)
from tests.storage.redis_server import RedisServer
from tests.warm.process import start
from wellsourced.identity import Identity
from wellsourced.people.repositories import PersonalLimits
from wellsourced.storage.records.sealed import scope_of
from wellsourced.storage.sealer import CannotOpen, Sealer

ROOT = Path(__file__).resolve().parents[2]
KILL_ROUNDS = 4
ODD = ["", ":", "a:b", "a", "b", "*", "\u00e4", "a\u0308", "名前", "a b", "\x00", '","', "anonymous"]
NAMES = st.one_of(st.sampled_from(ODD), st.text(max_size=8))
PEOPLE = st.tuples(NAMES, NAMES)


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["sqlite", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    return Opener(request.param, tmp_path, request.getfixturevalue("redis").url if request.param == "redis" else "")


@pytest.fixture(params=["sqlite", "redis"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """A store that outlives the process."""
    return Opener(request.param, tmp_path, request.getfixturevalue("redis").url if request.param == "redis" else "")


def people(count: int) -> list[Identity]:
    tenant = f"tenant {uuid.uuid4()}"
    return [Identity(tenant, f"user {number}") for number in range(count)]


def test_everything_comes_back_in_the_next_process(kept: Opener) -> None:
    (anna,) = people(1)
    place = f"workspace {uuid.uuid4()}"

    async def first() -> None:
        stores = kept()
        await stores.consents.save(consent(anna, "memory", granted=True))
        await stores.consents.save(consent(anna, "memory", granted=False))
        await stores.memories.add(memory(anna, "erste Notiz \U0001f469\u200d\U0001f52c"))
        await stores.memories.add(memory(anna, "第二"))
        await stores.workspaces.join(membership(anna, place))
        await stores.workspaces.add(contribution(anna, place, "geteilt"))
        await stores.usages.add(anna, ["web_search", "fetch"], "a", "b")

    async def second() -> None:
        stores = kept()
        decided = await stores.consents.get(anna, "memory")
        assert decided == consent(anna, "memory", granted=False)
        assert await stores.consents.get(anna, "analytics") is None
        assert await notes(stores, anna) == ["第二", "erste Notiz \U0001f469\u200d\U0001f52c"]
        assert await stores.workspaces.has_member(place, anna)
        assert await shared(stores, place) == ["geteilt"]
        assert await stores.workspaces.leave(place, anna)
        assert not await stores.workspaces.leave(place, anna)
        assert not await stores.workspaces.has_member(place, anna)
        usage = await stores.usages.add(anna, ["fetch"], "c", "c")
        assert usage == await stores.usages.get(anna)
        assert (usage.total_calls, usage.tool_counts) == (3, {"web_search": 1, "fetch": 2})
        assert (usage.first_seen, usage.last_seen, usage.recent_tools) == ("a", "c", ["fetch", "fetch", "web_search"])

    kept.run(first)
    kept.run(second)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=st.lists(PEOPLE, min_size=2, max_size=5, unique=True))
def test_nobody_sees_or_erases_what_is_anothers(store: Opener, pairs: list[tuple[str, str]]) -> None:
    """Whatever people and tenants are called, and a tenant's erasure takes all of its people and nobody else."""
    mark = uuid.uuid4().hex
    crowd = [Identity(f"{tenant}{mark}", user) for tenant, user in pairs]

    async def script() -> None:
        stores = store()
        for number, who in enumerate(crowd):
            await stores.memories.add(memory(who, f"{number}", uuid.uuid4().hex))
            await stores.consents.save(consent(who, granted=number % 2 == 0))
            await stores.usages.add(who, ["t"] * (number + 1), "x", "y")
        for number, who in enumerate(crowd):
            assert await notes(stores, who) == [f"{number}"]
            decided, usage = await stores.consents.get(who, "memory"), await stores.usages.get(who)
            assert decided and decided.granted == (number % 2 == 0) and decided.user_id == who.user
            assert usage and usage.total_calls == number + 1
        assert await stores.memories.records.erase(crowd[0].tenant, crowd[0].user) == 1
        assert [len(await notes(stores, who)) for who in crowd] == [0] + [1] * (len(crowd) - 1)
        gone = crowd[1].tenant
        await stores.memories.records.erase(gone)
        left = [len(await notes(stores, who)) for who in crowd[1:]]
        assert left == [int(who.tenant != gone) for who in crowd[1:]]

    store.run(script)


def test_limits_of_number_and_time_hold(store: Opener) -> None:
    anna, bert = people(2)
    now = [1_700_000_000.0]

    def clock() -> float:
        now[0] += 1
        return now[0]

    async def script() -> None:
        limits = PersonalLimits(memories=3, memory_seconds=3600, workspace_seconds=1800, contributions=2)
        stores = store(limits, clock=clock)
        await stores.memories.add(memory(bert, "bert"))
        assert [await stores.memories.add(memory(anna, f"{n}")) for n in range(5)] == [0, 0, 0, 1, 1]
        assert await notes(stores, anna) == ["4", "3", "2"] and await notes(stores, bert) == ["bert"]
        place = f"workspace {uuid.uuid4()}"
        await stores.workspaces.join(membership(anna, place))
        for note in ("a", "b", "c"):
            await stores.workspaces.add(contribution(anna, place, note))
        assert await shared(stores, place) == ["c", "b"]
        now[0] += 1900
        assert await shared(stores, place) == [] and not await stores.workspaces.has_member(place, anna)
        assert len(await notes(stores, anna)) == 3
        now[0] += 1900
        assert await notes(stores, anna) == []
        assert await stores.memories.records.read_all(anna.tenant) == ([], 0)
        sooner = store(PersonalLimits(memory_seconds=60), clock=clock)
        await sooner.memories.add(memory(anna, "new"))
        there = await sooner.memories.records._store.read_scope("memory", scope_of(anna.tenant), 0.0)
        assert [record.key.id for record in there] == ["new"]  # the older ones are not merely hidden

    store.run(script)


def test_no_count_is_lost_between_processes(kept: Opener) -> None:
    (anna,) = people(1)

    async def script() -> None:
        several = [kept() for _ in range(4)]
        await asyncio.gather(*(s.usages.add(anna, [f"tool {n}"], "a", "b") for n, s in enumerate(several * 10)))
        usage = await several[0].usages.get(anna)
        assert usage and usage.total_calls == 40 and sum(usage.tool_counts.values()) == 40

    kept.run(script)


def test_after_a_change_of_keys_records_are_sealed_anew(kept: Opener) -> None:
    (anna,) = people(1)

    async def script() -> None:
        before = kept(sealer=Sealer(KEY))
        await before.memories.add(memory(anna, "old"))
        await before.consents.save(consent(anna))
        await before.usages.add(anna, ["t"], "a", "b")
        with pytest.raises(CannotOpen):
            await notes(kept(sealer=Sealer(OTHER_KEY)), anna)
        assert await kept(sealer=Sealer(OTHER_KEY)).memories.records.read_all(anna.tenant) == ([], 1)
        both = kept(sealer=Sealer(OTHER_KEY, KEY))
        assert await notes(both, anna) == ["old"]
        assert await both.consents.get(anna, "memory") and await both.usages.get(anna)
        after = kept(sealer=Sealer(OTHER_KEY))
        assert await notes(after, anna) == ["old"]
        assert await after.consents.get(anna, "memory") and await after.usages.get(anna)

    kept.run(script)


WRITER = """
    import asyncio, sys
    from pathlib import Path
    from tests.people.personal_repositories import Opener, memory
    from wellsourced.identity import Identity

    async def main():
        stores = Opener(sys.argv[1], Path(sys.argv[2]), sys.argv[3])()
        for number in range(int(sys.argv[4]), 100000):
            await stores.memories.add(memory(Identity("killed", sys.argv[5]), f"{number}"))
            print(number, flush=True)

    asyncio.run(main())
"""


def test_what_was_acknowledged_outlives_kill_9(kept: Opener) -> None:
    person = Identity("killed", uuid.uuid4().hex)
    acknowledged: list[str] = []
    for round in range(KILL_ROUNDS):
        place = [kept.kind, str(kept._folder), kept._url, str(round * 1000), person.user]
        command = [sys.executable, "-c", textwrap.dedent(WRITER), *place]
        with start(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout
            for _ in range(5 + 3 * round):
                acknowledged.append(process.stdout.readline().strip())
            process.send_signal(signal.SIGKILL)
            acknowledged += [line.strip() for line in process.stdout if line.endswith("\n")]

    async def script() -> None:
        assert set(acknowledged) - set(await notes(kept(), person)) == set()

    kept.run(script)
    assert len(acknowledged) >= 30
