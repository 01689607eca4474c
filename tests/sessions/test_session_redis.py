"""Sessions in a Redis that goes away and comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.sessions.session_stores import ANNA, KEY, new, one_more
from tests.storage.redis_server import RedisServer
from wellsourced.errors import UpstreamUnavailable
from wellsourced.sessions.session_store import SessionStore
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.storage.sealer import Sealer


def test_redis_away_is_told_and_redis_back_is_used(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def main() -> None:
            sessions = SessionStore(RedisRecordStore(server.url), Sealer(KEY))
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
