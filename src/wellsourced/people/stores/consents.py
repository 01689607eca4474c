"""What people decided: one record a person and purpose, kept until it is replaced or erased."""

from __future__ import annotations

from wellsourced.identity import Identity
from wellsourced.people.types import Consent, Purpose
from wellsourced.storage.records.sealed import Records, own_place


class Consents:
    def __init__(self, records: Records[Consent]) -> None:
        self.records = records

    async def keep(self, consent: Consent) -> None:
        who = Identity(consent.tenant_id, consent.user_id)
        await self.records.put(own_place(who), who, consent.purpose, consent)

    async def of(self, who: Identity, purpose: Purpose) -> Consent | None:
        """The last decision; None when there was none."""
        return await self.records.get(own_place(who), purpose)
