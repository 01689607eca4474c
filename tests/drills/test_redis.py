"""Redis goes away under an instance that shares it, and comes back."""

from __future__ import annotations

import secrets
from contextlib import closing
from pathlib import Path
from typing import Any

from redis import Redis

from tests.drills.outcome import error_text_on_wire, note
from tests.drills.processes import eventually
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


def test_redis_with_a_damaged_key(environment: dict[str, str], tmp_path: Path) -> None:
    """What is shared is sealed, so nothing is shared without the key; once it is put right everything is again."""
    key = Path(environment["CACHE_DIR"]) / "key"
    key.parent.mkdir(parents=True)
    key.write_bytes(b"garbage" * 9)
    with RedisServer(tmp_path) as redis, StdioServer({**environment, "REDIS_URL": redis.url}) as server:
        server.initialize()
        sees = error_text_on_wire(server.call("sequential_search", arguments(1)))
        acknowledged(server.call("web_search", {"query": "tides"}))
        assert not shared_answers(redis.url)
        key.write_text(secrets.token_hex(32))
        begin(server)
        acknowledged(server.call("web_search", {"query": "other tides"}))
        eventually(lambda: shared_answers(redis.url))
    refused = "what was refused, and nothing that was acknowledged"
    repaired = "Searching and reading go on. Once it is put right it is used again, without a restart."
    note("redis-damaged-key", sees=f"{sees} {repaired}", lost=refused)


def shared_answers(url: str) -> list[bytes]:
    client: Any = Redis.from_url(url)
    with closing(client):
        return list(client.scan_iter("wellsourced:cache:value:*"))
