"""Artifacts: found by their owner under their hash, by nobody else."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from wellsourced.errors import BadInput
from wellsourced.identity import Identity
from wellsourced.storage.artifacts import Artifacts
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.database import Database

BODY = "Inhalt, 内容, محتوى".encode() * 3000
OWNER = Identity("mieter", "1").owner


def test_an_artifact_is_its_owners_alone_and_outlives_the_process(tmp_path: Path) -> None:
    async def main() -> None:
        database = Database(tmp_path / "store.db", b"\x01" * 32)
        cache = Cache(database, 1 << 20, 8 << 20)
        id = await Artifacts(cache).keep(BODY, OWNER)
        assert id == hashlib.sha256(BODY).hexdigest()
        await cache.settle()
        for artifacts in (Artifacts(cache), Artifacts(Cache(database, 1 << 20, 8 << 20))):
            assert await artifacts.fetch(id, OWNER) == BODY
            for other in ("", OWNER[:64], OWNER[64:], Identity("mieter", "2").owner, Identity("mieter:1").owner):
                assert await artifacts.fetch(id, other) is None
        await cache.close()
        await database.close()

    asyncio.run(main())


def test_an_artifact_expires_and_one_too_large_is_not_promised() -> None:
    async def main() -> None:
        now = [0.0]
        artifacts = Artifacts(Cache(None, 1 << 20, 0, lambda: now[0]))
        id = await artifacts.keep(BODY, OWNER)
        assert id is not None
        now[0] = 1799.0
        assert await artifacts.fetch(id, OWNER) == BODY
        now[0] = 1800.0
        assert await artifacts.fetch(id, OWNER) is None
        assert await artifacts.keep(bytes(1 << 20), OWNER) is None

    asyncio.run(main())


@pytest.mark.parametrize("id", ["", "abc", "G" * 64, "A" * 64, "a" * 65, "a" * 64 + "\n", "../" + "a" * 61, "٣" * 64])
def test_an_id_of_another_shape_is_refused(id: str) -> None:
    with pytest.raises(BadInput, match="64 lower-case hexadecimal"):
        asyncio.run(Artifacts(Cache(None, 1 << 20, 0)).fetch(id, OWNER))
