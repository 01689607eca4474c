"""Export and erasure of one person and of a tenant, over all stores: proven on what the file and Redis then hold."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from tests.app import content, with_app
from tests.storage.redis_server import RedisServer
from wellsourced.app import Application
from wellsourced.errors import BadInput
from wellsourced.identity import Identity, digest_of
from wellsourced.people.consent import Caller
from wellsourced.storage.encrypted_file import open_file
from wellsourced.storage.library.store import NewDocument

ANNA, BERT, CARL = Identity("acme", "anna:a"), Identity("acme", "bert"), Identity("other", "anna:a")
ON = {"MEMORY_ENABLED": "true", "USER_ANALYTICS_ENABLED": "true", "WORKSPACES_ENABLED": "true"}
SPACES = ["sessions", "projects", "library", "cache", "memory", "analytics", "workspace", "consent"]


@pytest.fixture(params=["sqlite", "redis"])
def environment(request: pytest.FixtureRequest, quiet_environment: Mapping[str, str], tmp_path: Path) -> Iterator[Any]:
    always = {**quiet_environment, **ON, "CACHE_ENCRYPTION_KEY": secrets.token_hex(32)}
    if request.param == "sqlite":
        yield always
        return
    with RedisServer(tmp_path) as server:
        yield {**always, "REDIS_URL": server.url}


def mark_of(who: Identity) -> str:
    return f"marker{who.tenant}{who.user.replace(':', '')}"


def artifact_of(who: Identity) -> str:
    return hashlib.sha256(mark_of(who).encode() * 10).hexdigest()


async def live(app: Application, who: Identity) -> None:
    """Leave something in every store."""
    mark = mark_of(who)
    people = app.services.people
    for purpose in ("memory", "analytics", "workspace"):
        await people.consent.decide(who, purpose, granted=True, decided_from="test")
    await people.workspaces.add_member("room", who)
    step = {"searchStep": mark, "stepNumber": 1, "nextStepNeeded": True}
    content(await app.call("sequential_search", step, identity=who))
    await app.services.projects.start(who, mark)
    saved = await app.call("memory_save", {"note": mark, "topic": mark}, identity=who)
    given = await app.call("workspace_contribute", {"workspace_id": "room", "note": mark}, identity=who)
    assert content(saved)["status"] == content(given)["status"] == "ok"
    private = NewDocument(url=f"file:///{mark}", text=f"{mark} " * 3, tenant=who.tenant, user=who.user, private=True)
    await app.services.library.add([private])
    assert await app.artifacts.keep(mark.encode() * 10, who.owner) == artifact_of(who)
    await app.cache.settle()
    await people.usage.drain()


def traces(environment: Mapping[str, str], who: Identity) -> set[str]:
    """Where something of a person is found: by marker, or by the digests that stand for the person."""
    sought = [name.encode() for name in (mark_of(who), digest_of(who.tenant, who.user))]
    found = {place for place, value in everything(environment) if any(name in value for name in sought)}
    log = Path(environment["CACHE_DIR"], "wellsourced.db-wal")
    return found | ({"log"} if log.exists() and log.stat().st_size else set())


def everything(environment: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    key = bytes.fromhex(environment["CACHE_ENCRYPTION_KEY"])
    connection = open_file(Path(environment["CACHE_DIR"], "wellsourced.db"), key)
    assert connection.execute("PRAGMA freelist_count").fetchone()[0] == 0 or "before" in environment
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in connection.execute(f'SELECT * FROM "{table}"').fetchall():
            yield from ((table, as_bytes(value)) for value in row)
    connection.close()
    if url := environment.get("REDIS_URL"):
        yield from in_redis(Redis.from_url(url))


def in_redis(client: Any) -> Iterator[tuple[str, bytes]]:
    readers = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"zset": lambda key: client.zrange(key, 0, -1),
    }
    for key in client.scan_iter("*"):
        yield key.decode(), key + as_bytes(str(readers[client.type(key)](key)))
    client.close()


def as_bytes(value: Any) -> bytes:
    if not isinstance(value, bytes):
        return str(value).encode("utf-8", "replace")
    try:
        return zlib.decompress(value)
    except zlib.error:
        return value


def cache_lists(environment: Mapping[str, str]) -> int:
    return len([place for place, _ in everything(environment) if place.startswith("wellsourced:cache:owner:")])


def test_one_persons_erasure_leaves_no_trace_and_the_others_whole(environment: dict[str, str]) -> None:
    async def before(app: Application) -> list[dict[str, Any]]:
        for who in (ANNA, BERT, CARL):
            await live(app, who)
        return [await app.services.personal_data.export(who.tenant, who.user) for who in (ANNA, BERT, CARL)]

    anna, bert, carl = with_app(environment, before)
    assert list(anna["namespaces"]) == SPACES and "errors" not in anna
    assert [len(anna["namespaces"][name]) for name in SPACES] == [1, 1, 1, 0, 1, 1, 2, 3]
    assert json.dumps(anna).count("markeracmeannaa") >= 5 and "bert" not in json.dumps(anna)
    assert anna["namespaces"]["analytics"][0]["toolCounts"] == {
        "sequential_search": 1,
        "memory_save": 1,
        "workspace_contribute": 1,
    }
    lists = cache_lists({**environment, "before": ""})
    assert traces({**environment, "before": ""}, ANNA)

    async def erase(app: Application) -> list[Any]:
        erased = await app.services.personal_data.erase(ANNA.tenant, ANNA.user)
        again = await app.services.personal_data.erase(ANNA.tenant, ANNA.user)
        refused = await app.call("memory_recall", {}, identity=ANNA)
        rest = [await app.services.personal_data.export(who.tenant, who.user) for who in (ANNA, BERT, CARL)]
        return [erased, again, content(refused)["status"], *rest]

    erased, again, refused, nothing, bert_after, carl_after = with_app(environment, erase)
    counts = dict(zip(SPACES, [1, 1, 1, 1, 1, 1, 2, 3], strict=True))
    reach = {name: erased.pop(name) for name in ("stores", "elsewhere")}
    assert erased == {"tenantId": "acme", "userId": "anna:a", "deleted": counts}
    is_shared = "REDIS_URL" in environment
    own = ["library"] if is_shared else SPACES
    assert sorted(reach["stores"]) == sorted(SPACES)
    assert sorted(name for name, where in reach["stores"].items() if where == "this instance alone") == sorted(own)
    assert all(name in reach["elsewhere"][0] for name in own) and ("sessions" in reach["elsewhere"][0]) != is_shared
    assert set(again["deleted"].values()) == {0}
    assert refused == "no_consent"
    assert set(map(len, nothing["namespaces"].values())) == {0}
    assert (bert_after, carl_after) == (bert, carl)
    assert traces(environment, ANNA) == set()
    assert traces(environment, BERT) and traces(environment, CARL)
    if lists:
        assert cache_lists(environment) == lists - 1


def test_a_tenants_erasure_takes_all_of_its_people(environment: dict[str, str]) -> None:
    async def script(app: Application) -> tuple[Any, ...]:
        for who in (ANNA, BERT, CARL):
            await live(app, who)
        subjects = app.services.personal_data
        exported, other = await subjects.export("acme"), await subjects.export("other")
        erased = await subjects.erase("acme")
        kept = [await app.artifacts.fetch(artifact_of(who), who.owner) is not None for who in (ANNA, BERT, CARL)]
        assert kept == [False, False, True], "the other tenant's answers are still kept"
        with pytest.raises(BadInput, match="tenant_id is required"):
            await subjects.erase("")
        return exported, erased, await subjects.export("acme"), other, await subjects.export("other")

    exported, erased, nothing, other, other_after = with_app(environment, script)
    assert [len(exported["namespaces"][name]) for name in SPACES] == [2, 2, 2, 0, 2, 2, 4, 6]
    assert {entry["userId"] for entry in exported["namespaces"]["memory"]} == {"anna:a", "bert"}
    assert "userId" not in erased and erased["deleted"] == {
        "sessions": 2, "projects": 2, "library": 2, "cache": 2,
        "memory": 2, "analytics": 2, "workspace": 4, "consent": 6,
    }  # fmt: skip
    assert set(map(len, nothing["namespaces"].values())) == {0}
    assert other_after == other
    assert traces(environment, BERT) == set() and traces(environment, CARL)


def test_a_store_that_fails_is_named_and_the_others_are_erased(
    quiet_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(app: Application) -> dict[str, Any]:
        await live(app, ANNA)

        async def broken(*_: Any) -> int:
            raise RuntimeError("secret words")

        monkeypatch.setattr(app.services.sessions.store, "delete_user", broken)
        return await app.services.personal_data.erase(ANNA.tenant, ANNA.user)

    erased = with_app({**quiet_environment, **ON}, script)
    assert erased["deleted"] == dict(zip(SPACES, [0, 1, 1, 1, 1, 1, 2, 3], strict=True))
    assert erased["errors"] == ["sessions: a mistake in Wellsourced (RuntimeError); please report it."]


def test_what_is_saved_while_consent_is_withdrawn_is_not_kept(
    quiet_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(app: Application) -> None:
        people = app.services.people
        await people.consent.decide(ANNA, "memory", granted=True, decided_from="test")
        store = people.memory._store
        add = store.add

        async def slow(memory: Any) -> int:
            dropped = await add(memory)
            await app.services.personal_data.erase(ANNA.tenant, ANNA.user)
            await add(memory)
            return dropped

        monkeypatch.setattr(store, "add", slow)
        saved = await people.memory.save(Caller(ANNA), "late", topic=None, url=None, tags=None)
        assert getattr(saved, "status", None) == "no_consent"
        assert [found async for found in store.iterate_newest(ANNA)] == []

    with_app({**quiet_environment, **ON}, script)


def test_erasures_and_writes_at_once_do_not_stop_each_other(quiet_environment: dict[str, str]) -> None:
    async def script(app: Application) -> list[Any]:
        await live(app, BERT)
        saves = [app.call("memory_save", {"note": f"n{n}"}, identity=BERT) for n in range(20)]
        erasures = [app.services.personal_data.erase(ANNA.tenant, ANNA.user) for _ in range(3)]
        done = await asyncio.gather(*saves, *erasures)
        recalled = content(await app.call("memory_recall", {"limit": 50}, identity=BERT))
        assert recalled["count"] == 21
        return done[20:]

    for erased in with_app({**quiet_environment, **ON}, script):
        assert "errors" not in erased
