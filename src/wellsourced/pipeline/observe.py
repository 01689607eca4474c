"""Every call is counted, timed and, where asked for, written to the audit log; recent errors are remembered."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from wellsourced.pipeline.middleware import GoOn
from wellsourced.pipeline.statistics import Statistics
from wellsourced.storage.audit.event import AuditEvent, audit_event
from wellsourced.storage.audit.log import AuditLog
from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer
from wellsourced.upstream_client.router import Router

DENIALS = frozenset({"no_consent", "not_member", "unavailable"})
"""What a tool's `status` says when it answers in good order that the caller may not have this."""
CANCELLED = Answer(error_text="", error_kind="cancelled")


class Observe:
    def __init__(self, statistics: Statistics, audit: AuditLog | None, router: Router) -> None:
        self._statistics = statistics
        self._router = router
        self._audit = audit

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        try:
            answer = await go_on(call)
        except asyncio.CancelledError:
            self._record(call, CANCELLED)
            raise
        answer = replace(answer, meta={**answer.meta, **routing_meta(call, answer, has_choice=self._router.has_choice)})
        self._statistics.note(call, answer)
        self._record(call, answer)
        return answer

    def _record(self, call: Call, answer: Answer) -> None:
        if self._audit:
            self._audit.write(tool_call(call, answer, include_query=self._audit.include_queries))


def routing_meta(call: Call, answer: Answer, *, has_choice: bool) -> dict[str, object]:
    """Operator-facing: rides beside the content, never in it."""
    told: dict[str, object] = {}
    if has_choice:
        if call.cached and call.tool.routed:
            told["routing"] = {"cache_hit": True, "latency_ms": call.latency_ms}
        elif call.trace.attempted:
            told["routing"] = call.trace.as_meta(call.latency_ms)
    if call.trace.more_available is not None and not answer.is_error:
        told["more_results_available"] = call.trace.more_available
    return told


def tool_call(call: Call, answer: Answer, *, include_query: bool) -> AuditEvent:
    """The audit event of a call. The log masks it."""
    status = getattr(call.output, "status", None)
    denied = status if status in DENIALS else None
    return audit_event(
        "tool_call",
        identity=call.identity,
        request_id=call.request_id,
        source_ip=call.source_ip,
        session_id=session_of(call),
        tool_name=call.tool.name,
        duration_ms=call.latency_ms,
        success=not answer.is_error and not denied,
        error_code=answer.error_kind or denied or "",
        metadata=metadata_of(call, include_query=include_query),
    )


def metadata_of(call: Call, *, include_query: bool) -> dict[str, object]:
    query = str(call.arguments.get("query", ""))
    metadata: dict[str, object] = {"query_length": len(query)}
    if include_query:
        metadata["query"] = query
    if call.trace.attempted:
        metadata["routing"] = call.trace.as_meta(call.latency_ms)
    for name in ("cost_usd", "provider"):
        if (value := getattr(call.output, name, None)) is not None:
            metadata[name] = value
    return metadata


def session_of(call: Call) -> str:
    """The research session that a call names, or that it has just begun."""
    named = getattr(call.input, "session_id", None) or getattr(call.output, "session_id", None)
    return str(named or "")
