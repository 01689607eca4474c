"""What Wellsourced talks to: Redis and PostgreSQL where they are configured, and every provider.

Providers are asked only when that is wanted, one small question each, because some of them count or cost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING

from wellsourced import upstreams
from wellsourced.app import network
from wellsourced.app.storage import DiskStorage, make_last_tries, open_storage
from wellsourced.cli.checks import CheckResult
from wellsourced.cli.checks.tool_sources import tool_sources
from wellsourced.errors import BadInput, NotFound, WellsourcedError
from wellsourced.net.circuit_breaker import CircuitBreaker
from wellsourced.settings import Settings
from wellsourced.storage.key_file import CannotUseKey
from wellsourced.upstream import Kind
from wellsourced.upstream_client.connection import UpstreamConnection
from wellsourced.upstream_client.last_tries import ANSWERED

if TYPE_CHECKING:
    from wellsourced.upstream_client.client import UpstreamClient
    from wellsourced.upstream_client.kept_try import KeptTry

SECONDS = 5.0
# A word that every provider knows something about.
PROBE = "water"


async def check_stores(settings: Settings) -> AsyncIterator[CheckResult]:
    if settings.is_set("REDIS_URL"):
        yield await check_redis(settings.text("REDIS_URL"))
    if settings.is_set("LIBRARY_URL"):
        yield await check_postgres(settings.text("LIBRARY_URL"))


async def check_redis(url: str) -> CheckResult:
    try:
        from redis.asyncio import Redis
    except ImportError:
        return CheckResult("redis", "problem", "REDIS_URL is set, and the client is missing.", "pip install redis")
    try:
        async with asyncio.timeout(SECONDS), Redis.from_url(url) as client:
            await client.ping()
    except Exception as problem:  # noqa: BLE001 - the client's errors share no parent with those of the network
        return report_unreachable("redis", "REDIS_URL", problem)
    return CheckResult("redis", "ok", "answers")


async def check_postgres(url: str) -> CheckResult:
    try:
        import asyncpg  # type: ignore[import-untyped]
    except ImportError:
        return CheckResult(
            "postgres", "problem", "LIBRARY_URL is set, and the client is missing.", "pip install asyncpg"
        )
    try:
        connection = await asyncpg.connect(url, timeout=SECONDS)
        await connection.close()
    except Exception as problem:  # noqa: BLE001 - asyncpg's errors share no parent with those of the network
        return report_unreachable("postgres", "LIBRARY_URL", problem)
    return CheckResult("postgres", "ok", "answers")


def report_unreachable(area: str, variable: str, problem: Exception) -> CheckResult:
    message = f"It does not answer at the address in {variable} ({type(problem).__name__}: {str(problem)[:200]})."
    return CheckResult(area, "problem", message, f"Start it, or correct or unset {variable}")


async def check_configured(settings: Settings) -> list[CheckResult]:
    """Every provider that is ready, with how its last real try ended, and for the others what they need."""
    names = list(upstreams.all_upstreams())
    storage = open_storage(settings)
    try:
        tries = await make_last_tries(settings, storage).load(names) if _may_be_opened(settings, storage) else {}
    finally:
        await storage.database.close()
    return list(_describe_providers(settings, tries))


def _may_be_opened(settings: Settings, storage: DiskStorage) -> bool:
    """Whether opening changes nothing: a file would be made where there is none, and sealed anew after a rotation."""
    if settings.is_set("REDIS_URL"):
        return True
    try:
        return storage.database.path.exists() and storage.key.pair()[1] is None
    except CannotUseKey:
        return False


def _describe_providers(settings: Settings, tries: Mapping[str, KeptTry]) -> Iterator[CheckResult]:
    for name, entry in upstreams.all_upstreams().items():
        missing = UpstreamConnection(entry.provider, entry.settings(), settings, CircuitBreaker()).missing
        offers = ", ".join(sorted(entry.offers))
        if missing:
            message = f"not configured ({offers})"
            yield CheckResult(f"provider {name}", "note", message, f"Set {' and '.join(missing)}")
        else:
            yield CheckResult(f"provider {name}", "ok", f"set up ({offers}); {_describe_try(tries.get(name))}")


def _describe_try(tried: KeptTry | None) -> str:
    if tried is None:
        return "never asked from here, so whether it answers is not known (--online)"
    said = "it answered" if tried.outcome == ANSWERED else f"{tried.outcome}: {tried.reason}"
    return f"asked last {tried.at}: {said}"


def check_tools(settings: Settings) -> Iterator[CheckResult]:
    """Whom each tool asks with these settings."""
    ready = {
        name
        for name, entry in upstreams.all_upstreams().items()
        if not UpstreamConnection(entry.provider, entry.settings(), settings, CircuitBreaker()).missing
    }
    for sources in tool_sources(lambda provider: provider.name in ready):
        has_source = bool(sources.asked or sources.stand_ins)
        yield CheckResult(f"tool {sources.tool}", "ok" if has_source else "note", f"asks {sources.sentence}")


async def ask_providers(settings: Settings) -> list[CheckResult]:
    """One question to each configured provider, side by side."""
    from wellsourced.net.client import HttpClient
    from wellsourced.upstream_client.client import UpstreamClient

    client = HttpClient(network.make_guard(settings), user_agent="wellsourced")
    upstream_client = UpstreamClient(client, settings)
    try:
        return list(
            await asyncio.gather(
                *(probe_provider(upstream_client, provider.name) for provider, _ in upstream_client.states())
            )
        )
    finally:
        await client.close()


async def probe_provider(upstream_client: UpstreamClient, name: str) -> CheckResult:
    area = f"online {name}"
    kind, query = probe_question(name)
    if kind is None:
        return CheckResult(area, "note", "takes no general question; not asked")
    try:
        await upstream_client.ask(name, kind, query)
    except NotFound:  # it answered, which is all that is asked here
        return CheckResult(area, "ok", "answers")
    except BadInput:
        return CheckResult(area, "note", "takes no general question; not asked")
    except WellsourcedError as problem:
        return CheckResult(area, "problem", problem.sentence, suggest_fix(name, problem))
    return CheckResult(area, "ok", "answers")


def suggest_fix(name: str, problem: WellsourcedError) -> str:
    provider = upstreams.all_upstreams()[name].provider
    names = [setting.name for setting in provider.needs]
    if problem.kind in ("auth_required", "config") and names:
        return f"Check {' and '.join(names)}"
    return "Try again later, or use another provider" if problem.retryable else ""


def probe_question(name: str) -> tuple[Kind | None, object]:
    """The smallest thing that the provider can be asked."""
    from wellsourced.upstreams.types.paper import PaperQuery
    from wellsourced.upstreams.types.patent import PatentQuery
    from wellsourced.upstreams.types.records import CaseQuery, FilingQuery, PlaceQuery, SeriesQuery, TrialQuery
    from wellsourced.upstreams.types.search import WebQuery

    questions: dict[Kind, object] = {
        Kind.WEB: WebQuery(text=PROBE, count=1),
        Kind.PAPERS: PaperQuery(text=PROBE, count=1),
        Kind.PATENTS: PatentQuery(text=PROBE, count=1),
        Kind.CASES: CaseQuery(text=PROBE, count=1),
        Kind.FILINGS: FilingQuery(text=PROBE, count=1),
        Kind.SERIES: SeriesQuery(text=PROBE),
        Kind.TRIALS: TrialQuery(text=PROBE, count=1),
        Kind.PLACES: PlaceQuery(text=PROBE, near="London", count=1),
    }
    offers = upstreams.all_upstreams()[name].offers
    return next(((kind, query) for kind, query in questions.items() if kind in offers), (None, None))
