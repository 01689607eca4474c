"""/admin/cache, /admin/sessions and /admin/analytics: sizes, clearing, and counts of calls."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from wellsourced.http.admin.admin_request import EVERYBODY, AdminRequest, error_response, json_response
from wellsourced.identity import Identity
from wellsourced.pipeline.statistics import TenantCounts
from wellsourced.text.moments import format_rfc3339


async def cache_sizes(admin_request: AdminRequest) -> Response:
    cache = admin_request.app.cache
    hits = {"memoryHits": cache.memory_hits, "storeHits": cache.backend_hits, "misses": cache.misses}
    return json_response({**await cache.sizes(), **hits})


async def clear_cache(admin_request: AdminRequest) -> Response:
    """Clear memory and the store behind it, the file or Redis; other instances notice within a second."""
    await admin_request.app.cache.flush()
    admin_request.write_audit("admin.cache.clear", Identity(EVERYBODY, EVERYBODY))
    return json_response({"cleared": True})


async def clear_sessions(admin_request: AdminRequest) -> Response:
    """Delete the research sessions of one tenant, or all of them."""
    tenant = (await admin_request.query("tenant_id")).sent_text("tenant_id")
    sessions = admin_request.app.services.sessions
    await sessions.drain()
    deleted = await (sessions.store.delete_tenant(tenant) if tenant else sessions.store.delete_all())
    admin_request.write_audit("admin.sessions.clear", Identity(tenant or EVERYBODY, EVERYBODY), deleted=deleted)
    return json_response({"deleted": deleted, **({"tenantId": tenant} if tenant else {})})


async def analytics(admin_request: AdminRequest) -> Response:
    """Counts since this instance started; others count for themselves."""
    if not admin_request.app.settings.flag("METRICS_ENABLED"):
        return error_response(503, "unavailable", "Counting is turned off (METRICS_ENABLED).")
    statistics = admin_request.app.statistics
    return json_response(
        {
            "tenants": [tenant_json(name, tally) for name, tally in sorted(statistics.tenants.items())],
            "tools": {name: tally.as_json() for name, tally in sorted(statistics.tools.items())},
        }
    )


def tenant_json(name: str, tally: TenantCounts) -> dict[str, Any]:
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
