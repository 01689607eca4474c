"""/admin/cache, /admin/sessions and /admin/analytics: what the house keeps, emptied and counted."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from wellsourced.http.admin.fields import query_of, text
from wellsourced.http.admin.gate import EVERYBODY, Errand, answered, told
from wellsourced.identity import Identity
from wellsourced.pipeline.statistics import TenantCounts
from wellsourced.text.dates import format_rfc3339


async def cache_sizes(errand: Errand) -> Response:
    cache = errand.app.cache
    counted = {"memoryHits": cache.memory_hits, "storeHits": cache.behind_hits, "misses": cache.misses}
    return answered({**await cache.sizes(), **counted})


async def clear_cache(errand: Errand) -> Response:
    """Memory and what is behind it, the file or Redis; other instances notice within a second."""
    await errand.app.cache.flush()
    errand.record("admin.cache.clear", Identity(EVERYBODY, EVERYBODY))
    return answered({"cleared": True})


async def clear_sessions(errand: Errand) -> Response:
    """Research sessions of one tenant, or all of them."""
    given = await query_of(errand.request, "tenant_id")
    tenant = text(given, "tenant_id", is_needed="tenant_id" in given)
    sessions = errand.app.services.sessions
    await sessions.drain()
    deleted = await (sessions.store.delete_tenant(tenant) if tenant else sessions.store.delete_all())
    errand.record("admin.sessions.clear", Identity(tenant or EVERYBODY, EVERYBODY), deleted=deleted)
    return answered({"deleted": deleted, **({"tenantId": tenant} if tenant else {})})


async def analytics(errand: Errand) -> Response:
    """Since this instance started; others count for themselves."""
    if not errand.app.settings.flag("METRICS_ENABLED"):
        return told(503, "unavailable", "Counting is turned off (METRICS_ENABLED).")
    statistics = errand.app.statistics
    return answered(
        {
            "tenants": [tallied(name, tally) for name, tally in sorted(statistics.tenants.items())],
            "tools": {name: tally.as_json() for name, tally in sorted(statistics.tools.items())},
        }
    )


def tallied(name: str, tally: TenantCounts) -> dict[str, Any]:
    return {
        "tenantId": name,
        "totalCalls": tally.calls,
        "successCalls": tally.calls - tally.errors,
        "errorCalls": tally.errors,
        "errorRate": round(tally.errors / tally.calls, 4),
        "cacheHits": tally.cache_hits,
        "cacheHitRate": round(tally.cache_hits / tally.calls, 4),
        "avgLatencyMs": round(tally.total_ms / tally.calls),
        "lastCalled": format_rfc3339(tally.last_called) if tally.last_called else None,
    }
