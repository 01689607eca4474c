"""GET /metrics: the counters in Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats).

For holders of the admin key, since it names tenants; without sign-in, for callers on this machine as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from wellsourced.app import Application
from wellsourced.http.admin_key import holds_admin_key
from wellsourced.http.middleware.request_context import is_on_this_machine
from wellsourced.pipeline.statistics import BUCKETS_MS, CallCounts, Statistics

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LATENCY = "mcp_tool_latency_seconds"
BOUNDS = (*(f"{bound / 1000:g}" for bound in BUCKETS_MS), "+Inf")
NOT_ALLOWED = "Metrics are for callers on this machine, or with the header X-Admin-Key."
KEY_NEEDED = "With sign-in, metrics need the header X-Admin-Key (ADMIN_API_KEY), on this machine as well."
TURNED_OFF = "Metrics are turned off (METRICS_ENABLED)."


def metrics_routes(app: Application, connections: Callable[[], int]) -> list[Route]:
    has_sign_in = app.settings.is_set("OAUTH_ISSUER_URL")

    async def metrics(request: Request) -> Response:
        is_open = not has_sign_in and is_on_this_machine(request.scope, request.headers)
        if not is_open and not holds_admin_key(request, app.settings, app.audit):
            return PlainTextResponse(KEY_NEEDED if has_sign_in else NOT_ALLOWED, 401)
        if not app.settings.flag("METRICS_ENABLED"):
            return PlainTextResponse(TURNED_OFF, 503)
        return Response("\n".join(metric_lines(app, connections())) + "\n", media_type=MEDIA_TYPE)

    return [Route("/metrics", metrics)]


def metric_lines(app: Application, connections: int) -> Iterator[str]:
    yield from tool_lines(app.statistics)
    yield from tenant_lines(app.statistics)
    yield from cache_lines(app)
    yield from family_lines("mcp_active_connections", "gauge", "Open HTTP connections.", [("", connections)])
    yield from audit_lines(app)
    fallbacks = [("", app.limiter.fallbacks)]
    yield from family_lines("mcp_ratelimit_redis_fallback_total", "counter", "Limits decided without Redis.", fallbacks)


def tool_lines(statistics: Statistics) -> Iterator[str]:
    tools = sorted(statistics.tools.items())
    calls = [(labels(tool=name), tally.calls) for name, tally in tools]
    yield from family_lines("mcp_tool_calls_total", "counter", "Tool calls.", calls)
    errors = [
        (labels(tool=name, error_code=kind), count)
        for name, tally in tools
        for kind, count in sorted(tally.error_kinds.items())
    ]
    yield from family_lines("mcp_tool_errors_total", "counter", "Tool calls that failed, by kind of failure.", errors)
    yield from heading_lines(LATENCY, "histogram", "Time a tool call took.")
    for name, tally in tools:
        yield from histogram_lines(name, tally)


def histogram_lines(tool: str, tally: CallCounts) -> Iterator[str]:
    for bound, count in zip(BOUNDS, accumulate(tally.histogram), strict=True):
        yield f"{LATENCY}_bucket{labels(tool=tool, le=bound)} {count}"
    yield f"{LATENCY}_sum{labels(tool=tool)} {tally.total_ms / 1000:g}"
    yield f"{LATENCY}_count{labels(tool=tool)} {tally.calls}"


def tenant_lines(statistics: Statistics) -> Iterator[str]:
    tenants = sorted(statistics.tenants.items())
    calls = [(labels(tenant=name), tally.calls) for name, tally in tenants]
    yield from family_lines("mcp_tenant_calls_total", "counter", "Tool calls by tenant.", calls)
    errors = [(labels(tenant=name), tally.errors) for name, tally in tenants]
    yield from family_lines("mcp_tenant_errors_total", "counter", "Tool calls that failed, by tenant.", errors)


def cache_lines(app: Application) -> Iterator[str]:
    """What memory does not have is looked up in the store behind it: the disk, or Redis."""
    in_memory, behind, missed = app.cache.memory_hits, app.cache.backend_hits, app.cache.misses
    hits = [(labels(layer="memory"), in_memory), (labels(layer="store"), behind)]
    yield from family_lines("mcp_cache_hits_total", "counter", "Kept answers and pages that were found.", hits)
    misses = [(labels(layer="memory"), behind + missed), (labels(layer="store"), missed)]
    yield from family_lines("mcp_cache_misses_total", "counter", "Kept answers and pages that were not found.", misses)


def audit_lines(app: Application) -> Iterator[str]:
    audit = app.audit
    counters = {
        "mcp_audit_events_dropped_total": ("Audit lines that were lost.", audit.dropped if audit else 0),
        "mcp_audit_events_spilled_total": ("Audit lines that waited on disk.", audit.spilled if audit else 0),
        "mcp_audit_webhook_failures_total": (
            "Audit lines that the webhook did not take.",
            audit.webhook_failures if audit else 0,
        ),
        "mcp_audit_log_rotations_total": ("Rotations of the audit file.", audit.rotations if audit else 0),
    }
    for name, (help_text, count) in counters.items():
        yield from family_lines(name, "counter", help_text, [("", count)])


def family_lines(name: str, kind: str, help_text: str, samples: Iterable[tuple[str, int]]) -> Iterator[str]:
    yield from heading_lines(name, kind, help_text)
    for labelled, value in samples:
        yield f"{name}{labelled} {value}"


def heading_lines(name: str, kind: str, help_text: str) -> tuple[str, str]:
    return f"# HELP {name} {help_text}", f"# TYPE {name} {kind}"


def labels(**values: str) -> str:
    return "{" + ",".join(f'{name}="{escape_label(value)}"' for name, value in values.items()) + "}"


def escape_label(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n").encode("utf-8", "replace").decode()
