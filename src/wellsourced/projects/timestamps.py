"""Trusted timestamps (RFC 3161) on receipts, from an authority that the operator names."""

from __future__ import annotations

from typing import Protocol

from wellsourced.projects.receipts import Receipt


class TimestampClient(Protocol):
    async def stamp(self, receipt: Receipt) -> Receipt: ...
