"""Every call is counted, timed and, where asked for, written to the audit log; recent errors are remembered."""

from __future__ import annotations

from dataclasses import replace

from wellsourced.layers.pipeline import GoOn
from wellsourced.layers.statistics import Statistics
from wellsourced.model.answer import Answer
from wellsourced.research.call import Call
from wellsourced.store.audit import AuditLog
from wellsourced.text.mask import Masker


class Observe:
    def __init__(self, statistics: Statistics, audit: AuditLog | None, masker: Masker) -> None:
        self._statistics = statistics
        self._audit = audit
        self._masker = masker

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        answer = await go_on(call)
        answer = replace(answer, meta={**answer.meta, **routing_meta(call, answer)})
        self._statistics.note(call, answer)
        if self._audit:
            self._audit.write(audit_event(call, answer, self._audit.include_queries, self._masker))
        return answer


def routing_meta(call: Call, answer: Answer) -> dict[str, object]:
    """Operator-facing: rides beside the content, never in it."""
    told: dict[str, object] = {}
    if call.cached and call.tool.routed:
        told["routing"] = {"cache_hit": True, "latency_ms": call.latency_ms}
    elif call.trace.attempted:
        told["routing"] = call.trace.as_meta(call.latency_ms)
    if call.trace.more_available is not None and not answer.is_error:
        told["more_results_available"] = call.trace.more_available
    return told


def audit_event(call: Call, answer: Answer, include_query: bool, masker: Masker) -> dict[str, object]:
    query = str(call.arguments.get("query", ""))
    metadata: dict[str, object] = {"query_length": len(query)}
    if include_query:
        metadata["query"] = masker.mask(query)
    if call.trace.attempted:
        metadata["routing"] = call.trace.as_meta(call.latency_ms)
    event: dict[str, object] = {
        "event_type": "tool_call",
        "tenant_id": call.identity.tenant,
        "user_id": call.identity.user,
        "request_id": call.request_id,
        "tool_name": call.tool.name,
        "duration_ms": call.latency_ms,
        "success": not answer.is_error,
        "metadata": metadata,
    }
    if answer.is_error:
        event["error_code"] = answer.error_kind
    return event
