"""What tenants share and what they do not: kept answers, runs in flight, a day's calls over several instances."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import Field

from tests.app import error
from tests.storage.redis_server import RedisServer
from wellsourced.app import Application
from wellsourced.app.configuration import declared_settings
from wellsourced.identity import Identity
from wellsourced.mcp.resources import read_resource
from wellsourced.settings import Settings
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.redis_client import OptionalRedisClient
from wellsourced.tool import registry
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

ANN, BOB, EVE = Identity("one", "ann"), Identity("one", "bob"), Identity("two", "eve")


class Input(ToolInput):
    text: str = Field("", description="Anything.")
    private: bool = Field(False, description="Whether only the caller may see the answer.")

    @property
    def is_personal(self) -> bool:
        return self.private


class Output(ToolOutput):
    text: str


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Puts a tool on the shelf that keeps a note of its own for every text, and tells who was run for."""
    seen: list[str] = []

    async def run(input: Input, call: Call, cache: Cache) -> Output:
        seen.append(call.identity.user)
        await cache.put(f"note:{input.text}", call.identity.tenant.encode(), 60)
        await asyncio.sleep(0.02)
        return Output(text=input.text)

    tool = Tool(
        name="probe", title="Probe", description="", input=Input, output=Output, run=run, toolset="x", cache=60.0
    )
    monkeypatch.setattr(registry, "load", lambda name: tool)
    return seen


def with_desks(environments: list[dict[str, str]], script: Callable[[list[Application]], Awaitable[None]]) -> None:
    async def main() -> None:
        desks = [Application(Settings(environment, declared_settings())) for environment in environments]
        try:
            await script(desks)
        finally:
            for app in desks:
                await app.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("isolation", "is_private", "expected"),
    [
        ("shared", False, 1),
        ("tenant", False, 2),
        ("shared", True, 3),
        ("tenant", True, 3),
    ],
)
def test_answers_are_shared_as_far_as_is_allowed_in_flight_and_kept(
    quiet_environment: dict[str, str], runs: list[str], isolation: str, is_private: bool, expected: int
) -> None:
    async def script(desks: list[Application]) -> None:
        arguments = {"text": "same", "private": is_private}
        for _ in ("in flight", "kept"):
            answers = await asyncio.gather(
                *(desks[0].call("probe", arguments, identity=who) for who in (ANN, BOB, EVE, ANN))
            )
            assert {answer.body for answer in answers} == {b'{"text":"same"}'}
            assert len(runs) == expected
        assert await desks[0].cache.forget_owner(ANN.owner) >= 1, "what she was the first to ask is erased with her"
        for who in (ANN, BOB, EVE):
            await desks[0].call("probe", arguments, identity=who)
        assert len(runs) == expected + 1, "hers alone is gone"
        outside = await desks[0].cache.get("note:same")
        assert (outside is None) == (isolation == "tenant"), "what a tool keeps on the way is kept apart, too"

    with_desks([{**quiet_environment, "CACHE_ISOLATION": isolation}], script)


def test_two_instances_share_answers_and_one_daily_quota(
    quiet_environment: dict[str, str], runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However busy the machine: an instance that does not wait for Redis counts for itself.
    defaults = OptionalRedisClient.__init__.__kwdefaults__
    assert defaults
    monkeypatch.setitem(defaults, "answer_seconds", 30.0)

    async def script(desks: list[Application]) -> None:
        async def ask(number: int) -> ToolAnswer:
            return await desks[number % 2].call("probe", {"text": f"{number // 4}"}, identity=ANN)

        answers = [await ask(number) for number in range(8)]
        assert not any(answer.is_error for answer in answers)
        assert len(runs) == 2, "one instance answers what the other has found"
        crowd = await asyncio.gather(*(ask(number) for number in range(30)))
        assert sum(not answer.is_error for answer in crowd) == 12
        told = error(await ask(0))
        assert told["kind"] == "rate_limited"
        assert 0 < told["retryAfterSeconds"] <= 86_400
        for app in desks:
            view = await read_resource(app, "stats://rate-limits", ANN)
            assert isinstance(view, dict)
            assert (view["user"]["dailyUsed"], view["user"]["dailyRemaining"]) == (20, 0)
        assert not (await desks[0].call("probe", {}, identity=BOB)).is_error

    with RedisServer(tmp_path) as redis:
        shared = {"REDIS_URL": redis.url, "CACHE_ENCRYPTION_KEY": secrets.token_hex(32), "MAX_CALLS_PER_DAY": "20"}
        environments = [{**quiet_environment, **shared, "CACHE_DIR": str(tmp_path / name)} for name in "ab"]
        with_desks(environments, script)
        with_desks(environments[:1], lambda desks: spent(desks[0]))


async def spent(app: Application) -> None:
    """After a restart nothing is forgiven."""
    assert (await app.call("probe", {}, identity=ANN)).is_error


@pytest.mark.parametrize(("is_kept", "allowed"), [("true", False), ("false", True)])
def test_the_daily_quota_is_kept_over_a_restart_where_it_is_asked_for(
    quiet_environment: dict[str, str], runs: list[str], is_kept: str, allowed: bool
) -> None:
    environment = {**quiet_environment, "MAX_CALLS_PER_DAY": "2", "RATE_LIMIT_PERSIST": is_kept}

    async def script(desks: list[Application]) -> None:
        for _ in range(2):
            assert not (await desks[0].call("probe", {}, identity=ANN)).is_error

    async def again(desks: list[Application]) -> None:
        assert (await desks[0].call("probe", {}, identity=ANN)).is_error is not allowed

    with_desks([environment], script)
    with_desks([environment], again)
