"""What is said where nothing can be kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from sqlite3 import Connection
from threading import Event

import pytest

from wellsourced.storage import check
from wellsourced.storage.check import StorageCheck
from wellsourced.storage.database import Database


def test_a_file_that_does_not_answer_is_told_from_one_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "PATIENCE", 0.05)
    database, has_begun, may_go_on = Database(tmp_path / "notes.db", b"\x01" * 32), Event(), Event()

    def hold(connection: Connection) -> None:
        has_begun.set()
        may_go_on.wait()

    async def ask_while_busy() -> str:
        busy = asyncio.ensure_future(database.run(hold))
        try:
            await asyncio.to_thread(has_begun.wait)
            return await StorageCheck(database).problem()
        finally:
            may_go_on.set()
            await busy
            await database.close()

    assert "does not answer" in asyncio.run(ask_while_busy())
