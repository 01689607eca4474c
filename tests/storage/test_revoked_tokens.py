"""Revoked tokens: known until their time is over, and then no longer in the way."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from wellsourced.storage.database import Database
from wellsourced.storage.revoked_tokens import RevokedTokens, SqliteRevokedTokens


async def lived_through(revoked: RevokedTokens) -> None:
    await revoked.add("jti:a", until=200, now=100)
    await revoked.add("jti:a", until=300, now=100)
    await revoked.add("jti:a", until=200, now=100)
    await revoked.add("jti:é\ud800", until=200, now=100)
    assert await revoked.holds("jti:a", now=299)
    assert await revoked.holds("jti:é\ud800", now=199)
    assert not await revoked.holds("jti:é\ud800", now=200)
    assert not await revoked.holds("jti:b", now=100)
    await revoked.add("jti:b", until=500, now=400)
    assert not await revoked.holds("jti:a", now=100), "what is over is cleared away when another comes"


def test_in_the_encrypted_file_and_after_opening_it_again(tmp_path: Path) -> None:
    key = os.urandom(32)

    async def script() -> None:
        database = Database(tmp_path / "wellsourced.db", key)
        await lived_through(SqliteRevokedTokens(database))
        await database.close()
        again = Database(tmp_path / "wellsourced.db", key)
        assert await SqliteRevokedTokens(again).holds("jti:b", now=499)
        await again.close()

    asyncio.run(script())
