"""Research sessions through a kill that cannot be caught: every step that was acknowledged is there."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.storage.redis_server import RedisServer
from tests.warm.process import start
from wellsourced.identity import Identity
from wellsourced.sessions.session_store import SessionStore
from wellsourced.storage.database import Database
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.storage.records.sqlite import SqliteRecordStore
from wellsourced.storage.sealer import Sealer

KEY = b"\x01" * 32
ANNA = Identity("acme", "anna")
KILL_ROUNDS = int(os.environ.get("KILL_ROUNDS", "10"))

WRITER = """
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from tests.sessions.session_stores import ANNA, KEY, new, step
from wellsourced.storage.database import Database
from wellsourced.storage.sealer import Sealer
from wellsourced.storage.records.redis import RedisRecordStore
from wellsourced.storage.records.sqlite import SqliteRecordStore
from wellsourced.sessions.session_store import SessionLimits, SessionStore
def grown(session):
    number = len(session.steps) + 1
    return replace(session, steps=(*session.steps, step(number, f"{number} " + "x" * 3000)), summary=f"at {number}")
async def main(where):
    sealer, limits = Sealer(KEY), SessionLimits(sessions=10**6)
    if where.startswith("redis:"):
        sessions = SessionStore(RedisRecordStore(where), sealer, limits)
    else:
        sessions = SessionStore(SqliteRecordStore(Database(Path(where), KEY)), sealer, limits)
    session = await sessions.create(new())
    print(session.id, flush=True)
    while True:
        session = await sessions.update(ANNA, session.id, grown)
        print(len(session.steps), flush=True)
asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that cannot be caught")
@pytest.mark.timeout(60 + 5 * KILL_ROUNDS)
@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_what_was_acknowledged_survives_a_kill(kind: str, tmp_path: Path) -> None:
    server = RedisServer(tmp_path) if kind == "redis" else None
    if server:
        server.start()
    path = tmp_path / "store.db"
    acknowledged: dict[str, int] = {}
    try:
        for attempt in range(KILL_ROUNDS):
            child = writer(server.url if server else str(path))
            assert child.stdout
            lines = [child.stdout.readline(), child.stdout.readline()] if attempt % 4 else [child.stdout.readline()]
            time.sleep(0.007 * (attempt % 13))
            if server and attempt % 5 == 4:
                server.kill()
                server.start()
            child.send_signal(signal.SIGKILL)
            lines += child.stdout.readlines()
            child.wait(30)
            whole = [line.strip() for line in lines if line.endswith("\n")]
            acknowledged[whole[0]] = int(whole[-1]) if len(whole) > 1 else 1
            check({whole[0]: acknowledged[whole[0]]}, server, path)
        check(acknowledged, server, path)
    finally:
        if server:
            server.kill()
    assert sum(acknowledged.values()) > KILL_ROUNDS  # more than what each began with


def writer(where: str) -> subprocess.Popen[str]:
    return start(
        [sys.executable, "-c", WRITER, where],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])},
        cwd=Path(__file__).parents[2],
    )


def check(acknowledged: dict[str, int], server: RedisServer | None, path: Path) -> None:
    """Every acknowledged step is there, at most one that was not, and each of them whole."""

    async def main() -> None:
        database = Database(path, KEY)
        records = RedisRecordStore(server.url) if server else SqliteRecordStore(database)
        sessions = SessionStore(records, Sealer(KEY))
        for id, count in acknowledged.items():
            found = await sessions.load(ANNA, id)
            assert count <= len(found.steps) <= count + 1
            assert [s.position for s in found.steps] == list(range(1, len(found.steps) + 1))
            assert all(len(s.description) > 3000 for s in found.steps[1:])
            assert found.step_count == len(found.steps)
            assert len(found.steps) == 1 or found.summary == f"at {len(found.steps)}"
        await sessions.close()
        await database.close()

    asyncio.run(main())
