"""Redis goes away under an instance that shares it, and comes back."""

from __future__ import annotations

import secrets
from pathlib import Path

from tests.drills.outcome import error_text_on_wire, note
from tests.drills.research import acknowledged, arguments, begin, steps_kept
from tests.mcp.stdio_client import StdioServer
from tests.storage.redis_server import RedisServer


def test_redis_gone_and_back(environment: dict[str, str], tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis:
        shared = {**environment, "REDIS_URL": redis.url, "CACHE_ENCRYPTION_KEY": secrets.token_hex(32)}
        with StdioServer(shared) as server:
            server.initialize()
            session = begin(server)
            redis.kill()
            sees = error_text_on_wire(server.call("sequential_search", arguments(3, session)))
            assert "Redis" in sees
            acknowledged(server.call("web_search", {"query": "tides"}))
            redis.start()
            assert steps_kept(server, session) == 2
            acknowledged(server.call("sequential_search", arguments(3, session)))
            assert server.end_input() == 0
    lost = "steps that were refused meanwhile, and nothing that was acknowledged"
    note("redis-gone-and-back", sees=f"{sees} Searching and reading go on.", lost=lost)
