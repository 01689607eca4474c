"""Sealing single records with AES-256-GCM, wherever they rest.

A sealed record is one version byte, a random 96-bit nonce (NIST SP 800-38D, 8.2.2), and the ciphertext with its
tag. The identity of the record is authenticated along with it, so a record cannot be put in another's place.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wellsourced.errors import Misconfigured
from wellsourced.late_dataclass import dataclass
from wellsourced.storage.key_file import KeyPair, KeySource, derive, key_source

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
    """Seals with the current key; opens with the current or the previous one. Without a key that can be used, all of
    it raises CannotUseKey."""

    def __init__(self, key: bytes | KeySource, previous: bytes | None = None) -> None:
        self._source = key_source(key, previous)
        self._pair: KeyPair | None = None
        self._derived: DerivedKeys | None = None

    def check_key(self) -> None:
        """Raises CannotUseKey where there is none."""
        self._source.pair()

    def seal(self, plain: bytes, identity: str) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return VERSION + nonce + self._keys().ciphers[0].encrypt(nonce, plain, _authenticated(identity))

    def open(self, sealed: bytes, identity: str) -> OpenedRecord:
        if len(sealed) < SHORTEST or sealed[:1] != VERSION:
            raise CannotOpen(
                "A stored record is damaged, or was written by a newer version of Wellsourced. "
                "Nothing was changed; update Wellsourced, or restore the record from a backup."
            )
        for position, cipher in enumerate(self._keys().ciphers):
            plain = _opened(cipher, sealed, identity)
            if plain is not None:
                return OpenedRecord(plain, stale=position > 0)
        raise CannotOpen(
            "A stored record does not open with this key. Nothing was changed. Restore the key it was sealed with, "
            "set CACHE_ENCRYPTION_KEY_PREV to that key, or move the file away to start afresh."
        )

    def open_all(self, records: Sequence[tuple[bytes, str]]) -> list[bytes]:
        """What many records hold; in a third of the time where all of them are of the current key, as nearly always."""
        from cryptography.exceptions import InvalidTag

        decrypt, start = self._keys().ciphers[0].decrypt, len(VERSION) + NONCE_BYTES
        try:
            return [
                decrypt(
                    sealed[len(VERSION) : start], sealed[start:], VERSION + identity.encode("utf-8", "surrogatepass")
                )
                for sealed, identity in records
            ]
        except (InvalidTag, ValueError):  # one by one, which says what is wrong or uses the previous key
            return [self.open(sealed, identity).plain for sealed, identity in records]

    def digest(self, name: str) -> str:
        """A stand-in for a name, always the same, that says nothing to whoever does not hold the key."""
        return hmac.digest(self._keys().names, name.encode("utf-8", "surrogatepass"), hashlib.sha256).hex()

    def _keys(self) -> DerivedKeys:
        pair = self._source.pair()
        if self._derived is None or pair is not self._pair:
            self._pair, self._derived = pair, derive_keys(pair)
        return self._derived


@dataclass(frozen=True, slots=True)
class DerivedKeys:
    """`ciphers` open records, the first of them seals; `names` is the key of digests."""

    ciphers: tuple[AESGCM, ...]
    names: bytes


def derive_keys(pair: KeyPair) -> DerivedKeys:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    keys = [key for key in pair if key is not None]
    return DerivedKeys(tuple(AESGCM(derive(key, "records")) for key in keys), derive(pair.current, "names"))


def _opened(cipher: AESGCM, sealed: bytes, identity: str) -> bytes | None:
    from cryptography.exceptions import InvalidTag

    start = len(VERSION) + NONCE_BYTES
    try:
        return cipher.decrypt(sealed[len(VERSION) : start], sealed[start:], _authenticated(identity))
    except InvalidTag:
        return None


def _authenticated(identity: str) -> bytes:
    return VERSION + identity.encode("utf-8", "surrogatepass")
