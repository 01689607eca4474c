"""The rate limits of HTTP: by address before sign-in, by tenant and over all callers after it.

Every request counts for its address; for the tenant only tool calls do, each call of a batch by itself. A refusal is
429 with the true waiting time in Retry-After and a sentence as JSON, since it is about the request and not about a
message in it.
"""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Sequence
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.http.request_context import request_context
from wellsourced.settings import Settings
from wellsourced.storage.limits.rate_limits import LimitClaim, LimitRefusal, RateLimiter, read_rate_limits

EVERYBODY = "all"
HEALTH_PATH = "/health/"
# An IPv6 subscriber usually gets a whole /64, and could change addresses within it at will.
NETWORK_BITS = 64


class AddressRateLimitMiddleware:
    """RATE_LIMIT_PER_IP. An IPv6 network of the size one subscriber gets counts as one address.

    Health checks are not counted: a monitor must not take the server for dead because it is busy.
    """

    def __init__(self, app: ASGIApp, limiter: RateLimiter, settings: Settings) -> None:
        self._app = app
        self._limiter = limiter
        self._limit = read_rate_limits(settings).address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._limit.most and not scope["path"].startswith(HEALTH_PATH):
            claim = self._limit.claim(subscriber_address(request_context(scope).address))
            if refusal := await self._limiter.take([claim]):
                await too_many_requests(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class TenantRateLimitMiddleware:
    """RATE_LIMIT_PER_TENANT, RATE_LIMIT_GLOBAL and DAILY_QUOTA_PER_TENANT, charged all together or not at all."""

    def __init__(self, app: ASGIApp, limiter: RateLimiter, settings: Settings) -> None:
        self._app = app
        self._limiter = limiter
        tiers = read_rate_limits(settings)
        self._of_tenant = [limit for limit in (tiers.tenant, tiers.tenant_day) if limit.most]
        self._of_all = [tiers.everybody.claim(EVERYBODY)] if tiers.everybody.most else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            context = request_context(scope)
            if context.tools and (
                refusal := await self._limiter.take(self._claims(context.identity.tenant), len(context.tools))
            ):
                await too_many_requests(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _claims(self, tenant: str) -> Sequence[LimitClaim]:
        return [*(limit.claim(tenant) for limit in self._of_tenant), *self._of_all]


def subscriber_address(address: str) -> str:
    """An IPv4 address as it is, however it is written; of an IPv6 address the network."""
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{int(parsed) >> (128 - NETWORK_BITS):x}/{NETWORK_BITS}"


def too_many_requests(refusal: LimitRefusal) -> JSONResponse:
    """429; without a waiting time where none would help, since the request asks for more than the limit ever allows."""
    body: dict[str, Any] = {
        "error": "rate_limited",
        "error_description": refusal.sentence,
        "limit": refusal.limit.variable,
    }
    headers = {"Cache-Control": "no-store"}
    if refusal.wait is not None:
        seconds = max(1, math.ceil(refusal.wait))
        body["retryAfterSeconds"] = seconds
        headers["Retry-After"] = str(seconds)
    return JSONResponse(body, status_code=429, headers=headers)
