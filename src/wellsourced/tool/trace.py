"""Which providers served a routed call: for operators, never part of the content."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Trace:
    attempted: list[str] = field(default_factory=list)
    used: str | None = None
    fallback_reason: str | None = None
    more_available: bool | None = None

    def as_meta(self, latency_ms: int) -> dict[str, Any]:
        meta: dict[str, Any] = {"cache_hit": False, "latency_ms": latency_ms}
        if self.used:
            meta["provider_used"] = self.used
        if self.attempted:
            meta["providers_attempted"] = list(dict.fromkeys(self.attempted))
        if self.fallback_reason:
            meta |= {"fallback": True, "fallback_reason": self.fallback_reason}
        return meta
