"""Sealing single records with AES-256-GCM, wherever they rest.

A sealed record is one version byte, a random 96-bit nonce (NIST SP 800-38D, 8.2.2), and the ciphertext with its
tag. The identity of the record is authenticated along with it, so a record cannot be put in another's place.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from wellsourced.errors import Misconfigured
from wellsourced.storage.key_file import derive

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VERSION = b"\x01"
NONCE_BYTES = 12
TAG_BYTES = 16
SHORTEST = len(VERSION) + NONCE_BYTES + TAG_BYTES


class CannotOpen(Misconfigured):
    """What was stored cannot be read with the keys at hand, or is damaged. It is left as it is."""

    action = "inform_user"


@dataclass(frozen=True, slots=True)
class OpenedRecord:
    """`stale` says that the previous key was needed, so the record should be sealed anew."""

    plain: bytes
    stale: bool


class Sealer:
    """Seals with the current key; opens with the current or the previous one."""

    def __init__(self, key: bytes, previous: bytes | None = None) -> None:
        self._key = derive(key, "records")
        self._previous = derive(previous, "records") if previous is not None else None
        self._names = derive(key, "names")

    def seal(self, plain: bytes, identity: str) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return VERSION + nonce + self._ciphers[0].encrypt(nonce, plain, _authenticated(identity))

    def open(self, sealed: bytes, identity: str) -> OpenedRecord:
        if len(sealed) < SHORTEST or sealed[:1] != VERSION:
            raise CannotOpen(
                "A stored record is damaged, or was written by a newer version of Wellsourced. "
                "Nothing was changed; update Wellsourced, or restore the record from a backup."
            )
        for position, cipher in enumerate(self._ciphers):
            plain = _opened(cipher, sealed, identity)
            if plain is not None:
                return OpenedRecord(plain, stale=position > 0)
        raise CannotOpen(
            "A stored record does not open with this key. Nothing was changed. Restore the key it was sealed with, "
            "set CACHE_ENCRYPTION_KEY_PREV to that key, or move the file away to start afresh."
        )

    def digest(self, name: str) -> str:
        """A stand-in for a name, always the same, that says nothing to whoever does not hold the key."""
        return hmac.digest(self._names, name.encode("utf-8", "surrogatepass"), hashlib.sha256).hex()

    @cached_property
    def _ciphers(self) -> list[AESGCM]:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        keys = [self._key] if self._previous is None else [self._key, self._previous]
        return [AESGCM(key) for key in keys]


def _opened(cipher: AESGCM, sealed: bytes, identity: str) -> bytes | None:
    from cryptography.exceptions import InvalidTag

    start = len(VERSION) + NONCE_BYTES
    try:
        return cipher.decrypt(sealed[len(VERSION) : start], sealed[start:], _authenticated(identity))
    except InvalidTag:
        return None


def _authenticated(identity: str) -> bytes:
    return VERSION + identity.encode("utf-8", "surrogatepass")
