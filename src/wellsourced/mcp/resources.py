"""The read-only views: statistics, lenses, diagnostics, and the artifacts that large answers become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wellsourced.app import Application
from wellsourced.errors import BadInput
from wellsourced.identity import Identity
from wellsourced.storage.artifacts import ARTIFACT
from wellsourced.storage.limits.rate_limits import read_rate_limits
from wellsourced.text.moments import format_rfc3339
from wellsourced.upstream import Kind, Provider
from wellsourced.upstreams import all_upstreams

LISTING: list[dict[str, str]] = [
    {"uri": "stats://tools", "name": "Tool Statistics", "description": "Calls, latency and errors of each tool."},
    {"uri": "stats://sessions", "name": "Active Sessions", "description": "How many research sessions are live."},
    {"uri": "stats://rate-limits", "name": "Rate Limit Status", "description": "Quotas and what is left of them."},
    {
        "uri": "stats://providers",
        "name": "Configured Providers",
        "description": "Every configured provider and what it offers.",
    },
    {
        "uri": "lenses://catalog",
        "name": "Search Lens Catalog",
        "description": "The lenses: named sets of domains for the lens argument of the search tools.",
    },
    {
        "uri": "diagnostics://errors/recent",
        "name": "Recent Errors",
        "description": "Your last errors, newest first, without secrets.",
    },
    {
        "uri": "diagnostics://health",
        "name": "Provider Health",
        "description": "Each provider's circuit breaker, and how its last real try ended.",
    },
]
TEMPLATES: list[dict[str, str]] = [
    {
        "uriTemplate": ARTIFACT + "{id}",
        "name": "Research Artifact",
        "description": "The full body of a large answer; kept for half an hour.",
        "mimeType": "application/json",
    }
]

CHOOSABLE_KINDS = {
    **dict.fromkeys((Kind.WEB, Kind.IMAGES, Kind.NEWS), "web"),
    **dict.fromkeys((Kind.PAPERS, Kind.CITATIONS), "academic"),
    Kind.PATENTS: "patent",
    Kind.FILINGS: "filing",
    Kind.CASES: "legal",
    Kind.SERIES: "econ",
    Kind.TRIALS: "clinical",
    Kind.PLACES: "local",
    Kind.ANSWERS: "answer",
    Kind.STRUCTURED: "structured",
}
"""The kinds of search in which the argument `provider` chooses a provider, and the type each is listed as."""

CAPABILITIES = {**CHOOSABLE_KINDS, Kind.CONTENTS: "web", Kind.ARCHIVE: "archive"}
"""The type each kind is listed as; kinds that are not here look up details of papers."""


def list_resources() -> list[dict[str, str]]:
    return [{**entry, "title": entry["name"], "mimeType": "application/json"} for entry in LISTING]


async def read_resource(app: Application, uri: str, identity: Identity) -> bytes | dict[str, Any] | None:
    """A view as data, an artifact as its stored bytes, None when there is no such resource."""
    if uri.startswith(ARTIFACT):
        try:
            return await app.artifacts.fetch(uri.removeprefix(ARTIFACT), identity.owner)
        except BadInput:
            return None
    if uri == "stats://rate-limits":
        return await rate_limits(app, identity)
    if uri == "stats://sessions":
        return {"activeSessions": await app.services.sessions.store.count()}
    if uri == "diagnostics://health":
        return await provider_health(app)
    view = VIEWS.get(uri.rstrip("/") if uri.count("/") > 2 else uri)
    return view(app, identity) if view else None


def tool_statistics(app: Application, identity: Identity) -> dict[str, Any]:
    return {"tools": {name: tally.as_json() for name, tally in sorted(app.statistics.tools.items())}}


async def rate_limits(app: Application, identity: Identity) -> dict[str, Any]:
    tiers = read_rate_limits(app.settings)
    day = tiers.tenant_day
    used = await app.limiter.used(day.claim(identity.tenant)) if day.most else 0
    tenant = {"tenantId": identity.tenant, "perMinuteLimit": tiers.tenant.most, **daily_usage(app, day.most, used)}
    config = {"perMinutePerTenant": tiers.tenant.most, "globalPerSecond": tiers.everybody.most}
    return {
        "config": {**config, "dailyPerTenant": day.most, "dailyPerUser": app.quota.limit},
        "defaultTenant": tenant,
        "user": daily_usage(app, app.quota.limit, await app.quota.used(identity)),
        "guidance": "0 means unlimited. A tenant's limits and the global one hold over HTTP alone. Providers have "
        "limits of their own; calls wait for their turn where they can.",
    }


def daily_usage(app: Application, limit: int, used: int) -> dict[str, Any]:
    usage: dict[str, Any] = {"dailyLimit": limit, "dailyUsed": used}
    if limit:
        usage |= {"dailyRemaining": max(0, limit - used), "dailyResetsAt": format_rfc3339(app.quota.resets_at())}
    return usage


def configured_providers(app: Application, identity: Identity) -> dict[str, Any]:
    rows = {
        (provider.public_name, type)
        for provider, _ in app.services.upstreams.states()
        for type in provider_types(provider)
    }
    return {"providers": [{"name": name, "type": type} for name, type in sorted(rows)]}


def provider_types(provider: Provider) -> list[str]:
    return sorted({CAPABILITIES.get(kind, "academic") for kind in all_upstreams()[provider.name].offers})


def lens_catalogue(app: Application, identity: Identity) -> dict[str, Any]:
    return {"lenses": app.services.lenses.catalogue()}


def recent_errors(app: Application, identity: Identity) -> dict[str, Any]:
    own = app.statistics.errors_of(identity)
    return {"count": len(own), "errors": own}


async def provider_health(app: Application) -> dict[str, Any]:
    """Each provider with its breaker and how it answered when it was last really asked."""
    providers, tries = [], await app.services.upstreams.last_tries()
    for connection in app.services.upstreams.configured_connections():
        provider, breaker = connection.provider, connection.breaker.state
        tried = tries.get(provider.name)
        entry: dict[str, Any] = {
            "name": provider.name,
            "type": ",".join(provider_types(provider)),
            "breaker": breaker,
            "available": breaker != "open" and not (tried and tried.is_recent_failure),
        }
        providers.append(entry | ({"lastTry": tried.model_dump(exclude_none=True)} if tried else {}))
    healthy = all(entry["available"] for entry in providers)
    return {"status": "healthy" if healthy else "degraded", "providers": providers}


VIEWS: dict[str, Callable[[Application, Identity], dict[str, Any]]] = {
    "stats://tools": tool_statistics,
    "stats://providers": configured_providers,
    "lenses://catalog": lens_catalogue,
    "diagnostics://errors/recent": recent_errors,
}
