"""Every call is counted, timed and, where asked for, written to the audit log; recent errors are remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from wellsourced.pipeline.middleware import Handler
from wellsourced.pipeline.statistics import Statistics
from wellsourced.search.router import SearchRouter
from wellsourced.storage.audit.event import AuditEvent, audit_event
from wellsourced.storage.audit.log import AuditLog
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.service import PeopleService

DENIALS = frozenset({"no_consent", "not_member", "unavailable"})
"""Values of an output's `status` that refuse the caller; the audit log counts them as denials."""
CANCELLED = ToolAnswer(error_text="", error_kind="cancelled")


class ObserveCalls:
    def __init__(self, statistics: Statistics, audit: AuditLog | None, router: SearchRouter) -> None:
        self._statistics = statistics
        self._router = router
        self._audit = audit

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        try:
            answer = await next_handler(call)
        except asyncio.CancelledError:
            self._record(call, CANCELLED)
            raise
        if meta := routing_meta(call, answer, has_choice=self._router.has_choice):
            answer = answer.with_meta(meta)
        self._statistics.count(call, answer)
        self._record(call, answer)
        return answer

    def _record(self, call: Call, answer: ToolAnswer) -> None:
        if self._audit:
            self._audit.write(tool_call(call, answer, include_query=self._audit.include_queries))


def routing_meta(call: Call, answer: ToolAnswer, *, has_choice: bool) -> dict[str, object]:
    """What `_meta` says of the routing: for operators, never part of the content."""
    meta: dict[str, object] = {}
    if has_choice:
        if call.cached and call.tool.routed:
            meta["routing"] = {"cache_hit": True, "latency_ms": call.latency_ms}
        elif call.trace.attempted:
            meta["routing"] = call.trace.as_meta(call.latency_ms)
    if call.trace.more_available is not None and not answer.is_error:
        meta["more_results_available"] = call.trace.more_available
    return meta


def tool_call(call: Call, answer: ToolAnswer, *, include_query: bool) -> AuditEvent:
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


class CountUsage:
    """USER_ANALYTICS_ENABLED: counts the calls of people who agreed to it, behind the answer."""

    def __init__(self, people: Callable[[], PeopleService]) -> None:
        self._people = people

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        answer = await next_handler(call)
        if not call.identity.is_anonymous:
            self._people().usage.count_soon(call.identity, call.tool.name, is_local=call.is_local)
        return answer
