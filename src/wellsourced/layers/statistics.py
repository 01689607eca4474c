"""Counts and times of calls, and the last errors: what the stats and diagnostics resources show."""

from __future__ import annotations

from bisect import insort
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from wellsourced.model.answer import Answer
from wellsourced.research.call import Call
from wellsourced.text.dates import rfc3339

RECENT_ERRORS = 50
SAMPLES = 500
CAUSE_LENGTH = 300


@dataclass(slots=True)
class Tally:
    """One tool's figures; the latencies are the last few hundred."""

    calls: int = 0
    errors: int = 0
    cache_hits: int = 0
    total_ms: int = 0
    last_called: datetime | None = None
    latencies: deque[int] = field(default_factory=lambda: deque(maxlen=SAMPLES))

    def as_json(self) -> dict[str, Any]:
        ranked: list[int] = []
        for sample in self.latencies:
            insort(ranked, sample)
        return {
            "totalCalls": self.calls,
            "successCalls": self.calls - self.errors,
            "errorCalls": self.errors,
            "cacheHits": self.cache_hits,
            "avgLatencyMs": round(self.total_ms / self.calls) if self.calls else 0,
            "p95LatencyMs": ranked[int(len(ranked) * 0.95)] if ranked else 0,
            "lastCalled": rfc3339(self.last_called) if self.last_called else None,
        }


class Statistics:
    def __init__(self) -> None:
        self.tools: dict[str, Tally] = {}
        self.errors: deque[dict[str, Any]] = deque(maxlen=RECENT_ERRORS)

    def note(self, call: Call, answer: Answer) -> None:
        tally = self.tools.setdefault(call.tool.name, Tally())
        now = datetime.now(UTC)
        tally.calls += 1
        tally.total_ms += call.latency_ms
        tally.latencies.append(call.latency_ms)
        tally.cache_hits += call.cached
        tally.last_called = now
        if answer.is_error:
            tally.errors += 1
            self.errors.appendleft(recent_error(call, answer, now))


def recent_error(call: Call, answer: Answer, now: datetime) -> dict[str, Any]:
    return {
        "timestamp": rfc3339(now),
        "tool": call.tool.name,
        "kind": answer.error_kind,
        "provider": call.trace.attempted[-1] if call.trace.attempted else None,
        "tenantId": call.identity.tenant,
        "cause": (answer.error_text or "").split("\n", 1)[0][:CAUSE_LENGTH],
    }
