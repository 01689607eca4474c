"""The limits of the house, each with the variable that sets it."""

from __future__ import annotations

from dataclasses import dataclass

from wellsourced.settings import Settings
from wellsourced.storage.limits.daily_counts import DAY
from wellsourced.storage.limits.rate_limits import MINUTE, SECOND, RateLimit


@dataclass(frozen=True, slots=True)
class Tiers:
    """`user_day` holds everywhere, the others over HTTP."""

    address: RateLimit
    tenant: RateLimit
    tenant_day: RateLimit
    everybody: RateLimit
    user_day: RateLimit


def tiers_of(settings: Settings) -> Tiers:
    def limit(variable: str, seconds: int, what: str) -> RateLimit:
        return RateLimit(variable, settings.count(variable), seconds, what)

    return Tiers(
        address=limit("RATE_LIMIT_PER_IP", MINUTE, "requests a minute from one address"),
        tenant=limit("RATE_LIMIT_PER_TENANT", MINUTE, "calls a minute for one tenant"),
        tenant_day=limit("DAILY_QUOTA_PER_TENANT", DAY, "calls a day for one tenant"),
        everybody=limit("RATE_LIMIT_GLOBAL", SECOND, "calls a second over all tenants"),
        user_day=limit("MAX_CALLS_PER_DAY", DAY, "calls a day for one user"),
    )
