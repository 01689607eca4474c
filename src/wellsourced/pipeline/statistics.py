"""Counts and times of calls by tool and by tenant, and the last errors: what the stats and diagnostics resources,
/metrics and /admin/analytics show."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from dataclasses import field
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.text.moments import format_rfc3339
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call

RECENT_ERRORS = 50
REMEMBERED_ERRORS = 1000
SAMPLES = 500
CAUSE_LENGTH = 300
BUCKETS_MS = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000)
"""Upper bounds of the latency histogram; a last bucket takes what is longer."""
MOST_TENANTS = 10_000
OTHER_TENANTS = "(other)"


@dataclass(slots=True)
class CallCounts:
    """One tool's figures; the latencies are the last few hundred, the histogram is of all."""

    calls: int = 0
    errors: int = 0
    cache_hits: int = 0
    total_ms: int = 0
    last_called: datetime | None = None
    latencies: deque[int] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    histogram: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_MS) + 1))
    error_kinds: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        ranked = sorted(self.latencies)
        return {
            "totalCalls": self.calls,
            "successCalls": self.calls - self.errors,
            "errorCalls": self.errors,
            "cacheHits": self.cache_hits,
            "avgLatencyMs": round(self.total_ms / self.calls) if self.calls else 0,
            "p95LatencyMs": ranked[int(len(ranked) * 0.95)] if ranked else 0,
            "lastCalled": format_rfc3339(self.last_called) if self.last_called else None,
        }


@dataclass(slots=True)
class TenantCounts:
    calls: int = 0
    errors: int = 0
    cache_hits: int = 0
    total_ms: int = 0
    last_called: datetime | None = None


class Statistics:
    def __init__(self, most_tenants: int = MOST_TENANTS) -> None:
        self.tools: dict[str, CallCounts] = {}
        self.tenants: dict[str, TenantCounts] = {}
        """Up to `most_tenants` by name; later ones are counted together as `OTHER_TENANTS`."""
        self._errors: deque[tuple[Identity, dict[str, Any]]] = deque(maxlen=REMEMBERED_ERRORS)
        self._most_tenants = most_tenants

    def count(self, call: Call, answer: ToolAnswer) -> None:
        now, latency, is_error = datetime.now(UTC), call.latency_ms, answer.is_error
        tally = self.tools.get(call.tool.name) or self.tools.setdefault(call.tool.name, CallCounts())
        for each in (tally, self._tenant(call.identity.tenant)):
            each.calls += 1
            each.errors += is_error
            each.cache_hits += call.cached
            each.total_ms += latency
            each.last_called = now
        tally.latencies.append(latency)
        tally.histogram[bisect_left(BUCKETS_MS, latency)] += 1
        if is_error:
            kind = answer.error_kind or "unknown"
            tally.error_kinds[kind] = tally.error_kinds.get(kind, 0) + 1
            self._errors.appendleft((call.identity, recent_error(call, answer, now)))

    def errors_of(self, identity: Identity) -> list[dict[str, Any]]:
        """A person's own last errors, newest first: their sentences hold the addresses and words of the calls."""
        return list(islice((error for who, error in self._errors if who == identity), RECENT_ERRORS))

    def _tenant(self, name: str) -> TenantCounts:
        if name not in self.tenants and len(self.tenants) >= self._most_tenants:
            name = OTHER_TENANTS
        return self.tenants.get(name) or self.tenants.setdefault(name, TenantCounts())


def recent_error(call: Call, answer: ToolAnswer, now: datetime) -> dict[str, Any]:
    return {
        "timestamp": format_rfc3339(now),
        "tool": call.tool.name,
        "kind": answer.error_kind,
        "provider": call.trace.attempted[-1] if call.trace.attempted else None,
        "tenantId": call.identity.tenant,
        "cause": (answer.error_text or "").split("\n", 1)[0][:CAUSE_LENGTH],
    }
