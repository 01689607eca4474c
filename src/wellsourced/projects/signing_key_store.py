"""The instance's signing key: made once, sealed in the record store, shared by all instances that share the store."""

from __future__ import annotations

import base64
import os

from wellsourced.identity import Identity, digest_of
from wellsourced.projects.receipts import SigningKey
from wellsourced.storage.records.sealed import SealedRecords
from wellsourced.tool.base import OutputPart

PLACE, ID = digest_of("instance"), "signing"
NOBODY = Identity("", "")
"""The key is no person's, so that no erasure takes it away."""
KEY_BYTES = 32


class KeptSigningKey(OutputPart):
    secret: str


class SigningKeyStore:
    def __init__(self, records: SealedRecords[KeptSigningKey]) -> None:
        self._records = records
        self._key: SigningKey | None = None

    async def load(self) -> SigningKey:
        """The key; two processes that start together end with the same one."""
        if self._key is None:
            new = KeptSigningKey(secret=base64.b64encode(os.urandom(KEY_BYTES)).decode())
            kept = await self._records.get(PLACE, ID) or await self._records.update(
                PLACE, NOBODY, ID, lambda known: known or new
            )
            self._key = SigningKey(base64.b64decode(kept.secret))
        return self._key
