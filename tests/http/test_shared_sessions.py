"""Two server processes over one Redis: a session begun on one goes on at the other."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any

from mcp import Client

from tests.http.http_server import http_server
from tests.storage.redis_server import RedisServer


async def step(address: str, number: int, session: str | None = None) -> Any:
    arguments: dict[str, Any] = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": True}
    if session:
        arguments["sessionId"] = session
    async with Client(address + "/mcp", mode="2026-07-28") as client:
        return await client.call_tool("sequential_search", arguments)


def test_a_session_goes_on_at_another_instance_and_outlives_a_restart_of_redis(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with RedisServer(tmp_path) as redis:
        shared = {**environment, "REDIS_URL": redis.url, "CACHE_ENCRYPTION_KEY": secrets.token_hex(32)}
        first_folder, second_folder = {"CACHE_DIR": str(tmp_path / "1")}, {"CACHE_DIR": str(tmp_path / "2")}
        with http_server({**shared, **first_folder}) as first, http_server({**shared, **second_folder}) as second:
            begun = asyncio.run(step(first, 1))
            session = begun.structured_content["sessionId"]
            assert asyncio.run(step(second, 2, session)).structured_content["currentStep"] == 2
            redis.kill()
            away = asyncio.run(step(first, 3, session))
            assert away.is_error
            assert "Redis" in away.content[0].text
            redis.start()
            assert asyncio.run(step(first, 3, session)).structured_content["currentStep"] == 3
            assert asyncio.run(step(second, 4, session)).structured_content["currentStep"] == 4
