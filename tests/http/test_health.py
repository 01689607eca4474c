"""Readiness follows the stores the settings ask for, and says nothing of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.app import with_app
from tests.storage.redis_server import RedisServer
from wellsourced.app import Application
from wellsourced.http.health import Readiness


@pytest.fixture(autouse=True)
def _unkept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wellsourced.http.health.KEPT_SECONDS", -1.0)


def test_a_file_that_is_gone_makes_it_unhealthy(quiet_environment: Mapping[str, str]) -> None:
    async def script(app: Application) -> list[str]:
        health = Readiness(app)
        before = await health.status()
        assert app.store
        app.store.database.path.rename(app.store.database.path.with_suffix(".moved"))
        return [before, await health.status()]

    assert with_app(quiet_environment, script) == ["healthy", "unhealthy"]


def test_no_key_for_the_disk_that_was_asked_for(quiet_environment: Mapping[str, str], tmp_path: Path) -> None:
    occupied = tmp_path / "occupied"
    occupied.write_text("a file where a folder should be")

    async def script(app: Application) -> str:
        return await Readiness(app).status()

    assert with_app({**quiet_environment, "CACHE_DIR": str(occupied)}, script) == "unhealthy"


def test_redis_away_and_back(quiet_environment: Mapping[str, str], tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis:

        async def script(app: Application) -> list[str]:
            health = Readiness(app)
            said = [await health.status()]
            redis.kill()
            said.append(await health.status())
            redis.start()
            return [*said, await health.status()]

        shared = {**quiet_environment, "REDIS_URL": redis.url, "CACHE_ENCRYPTION_KEY": "ab" * 32}
        assert with_app(shared, script) == ["healthy", "unhealthy", "healthy"]
