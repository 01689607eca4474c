"""Every kind of session store for the tests of sessions, and sessions to put into them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.storage.redis_server import RedisServer
from wellsourced.identity import Identity
from wellsourced.sessions.session import Session, Step
from wellsourced.sessions.session_store import SessionLimits, SessionStore
from wellsourced.storage.database import Database
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.storage.records.sqlite import SqliteRecordStore
from wellsourced.storage.sealer import Sealer

KEY = b"\x01" * 32
ANNA = Identity("acme", "anna")
NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


class Opener:
    """Opens the store anew, as another process or the next start would."""

    def __init__(self, kind: str, folder: Path, url: str) -> None:
        self.kind, self._folder, self._url = kind, folder, url
        self._databases: list[Database] = []

    def __call__(self, limits: SessionLimits | None = None, sealer: Sealer | None = None) -> SessionStore:
        limits, sealer = limits or SessionLimits(), sealer or Sealer(KEY)
        if self.kind == "redis":
            return SessionStore(RedisRecordStore(self._url), sealer, limits)
        database = Database(self._folder / "store.db", KEY)
        self._databases.append(database)
        return SessionStore(SqliteRecordStore(database), sealer, limits)

    def run(self, script: Callable[[], Awaitable[None]]) -> None:
        async def main() -> None:
            try:
                await script()
            finally:
                for database in self._databases:
                    await database.close()
                self._databases.clear()

        asyncio.run(main())


@pytest.fixture(params=["sqlite", "redis"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    url = request.getfixturevalue("redis").url if request.param == "redis" else ""
    return Opener(request.param, tmp_path, url)


store = kept


def step(position: int, text: str = "") -> Step:
    return Step(position=position, number=position, description=text or f"step {position} 検索", timestamp=NOW)


def new(owner: Identity = ANNA, goal: str = "Wie wärmt die Sonne?") -> Session:
    return Session(id=str(uuid.uuid4()), owner=owner, goal=goal, created_at=NOW, last_used=NOW, steps=(step(1),))


def one_more(session: Session) -> Session:
    return replace(session, steps=(*session.steps, step(len(session.steps) + 1)))


def same(one: Session, other: Session) -> bool:
    return replace(one, last_used=NOW, revision=0) == replace(other, last_used=NOW, revision=0)
