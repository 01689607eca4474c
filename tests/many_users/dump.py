"""Everything that is stored, in the clear: Redis and the encrypted files, read past the code that keeps people apart.

A sealed record needs to know whose it is before it opens. Here it is opened without: GCM encrypts in counter mode,
the first block of the text with counter 2 (NIST SP 800-38D, 7.1), so that the key alone gives the text, unchecked.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from redis import Redis

from wellsourced.storage.encrypted_file import open_file
from wellsourced.storage.key_file import derive
from wellsourced.storage.sealer import NONCE_BYTES, SHORTEST, TAG_BYTES, VERSION

FIRST_BLOCK = (2).to_bytes(4)


def in_redis(url: str, key: bytes) -> bytes:
    """Names, types and values of all keys, and what Redis would write to its own file."""
    client: Any = Redis.from_url(url)
    with closing(client):
        parts = [
            part for name in client.scan_iter(count=500) for part in (name, client.dump(name), *held(client, name))
        ]
    return b"\n".join(form for part in parts if part is not None for form in forms(part, key))


def held(client: Any, name: bytes) -> Iterator[bytes]:
    match client.type(name):
        case b"string":
            yield client.get(name) or b""
        case b"hash":
            for pair in client.hgetall(name).items():
                yield from pair
        case b"zset":
            yield from client.zrange(name, 0, -1)
        case b"none":
            return
        case other:
            raise AssertionError(f"a kind of value that is not looked into: {other!r}")


def in_file(path: Path, key: bytes) -> bytes:
    """Every value of every table, those behind the full-text index too."""
    with closing(open_file(path, key)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = [row for (name,) in tables for row in connection.execute(f'SELECT * FROM "{name}"').fetchall()]
    assert rows
    return b"\n".join(form for row in rows for value in row for form in forms(as_bytes(value), key))


def as_bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def forms(value: bytes, key: bytes) -> Iterator[bytes]:
    """The value, and what it is unsealed or unpacked."""
    yield value
    if value[:1] == VERSION and len(value) >= SHORTEST:
        yield unsealed(value, key)
    try:
        yield zlib.decompress(value)
    except zlib.error:
        return


def unsealed(value: bytes, key: bytes) -> bytes:
    nonce = value[1 : 1 + NONCE_BYTES]
    opener = Cipher(AES(derive(key, "records")), CTR(nonce + FIRST_BLOCK)).decryptor()
    return opener.update(value[1 + NONCE_BYTES : -TAG_BYTES])
